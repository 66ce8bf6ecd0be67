package flyscreen.client;

import java.util.Random;

/** The wait before a stream is opened again, by how the last one ended. */
final class Comeback {
  /** A stream that stayed open for so long has worked, whether or not an event came. */
  private static final long WORKED_MS = 1000;

  /** The end of an attempt to stream. */
  static final class Ending {
    /** How long the stream was open; null: it never was. */
    Long openMs;
    /** The server ended the stream: its last byte came. */
    boolean isOrderly;
    /** The last {@code retry} of the stream; null: it had none. */
    Long retryMs;
    /** The wait that a refusal asked for. */
    long retryAfterMs;
  }

  private final Backoff backoff;
  /** The wait that the last open stream asked for; it holds until the next is open. */
  private long retryMs;

  Comeback(Random random) {
    backoff = new Backoff(500, random);
  }

  /** Milliseconds to wait. {@code mostMs}: the longest wait beyond what the server asks for. */
  long wait(Ending ending, long mostMs) {
    if (ending.openMs != null) retryMs = ending.retryMs == null ? 0 : ending.retryMs;
    boolean hasWorked = ending.openMs != null && ending.openMs >= WORKED_MS;
    if (hasWorked) backoff.reset();
    if (hasWorked && ending.isOrderly && ending.retryMs != null) return Backoff.obeyed(ending.retryMs);
    return backoff.next(mostMs, Math.max(retryMs, ending.retryAfterMs));
  }
}
