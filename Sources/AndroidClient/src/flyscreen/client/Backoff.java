package flyscreen.client;

import java.util.Random;

/**
 * The wait before the next attempt. The wait doubles with each failure, and chance spreads clients that lost the same
 * gateway at the same moment.
 */
final class Backoff {
  private final long baseMs;
  private final Random random;
  private int failures;

  Backoff(long baseMs, Random random) {
    this.baseMs = baseMs;
    this.random = random;
  }

  /** An attempt has succeeded: the next wait is the shortest again. */
  void reset() {
    failures = 0;
  }

  /**
   * An attempt has failed.
   *
   * @param mostMs the longest wait beyond what the server asks for
   * @param askedMs the wait that the server asked for
   * @return milliseconds to wait: what was asked for, and between half of a span and all of it
   */
  long next(long mostMs, long askedMs) {
    double spanMs = Math.min(mostMs, baseMs * Math.pow(2, failures));
    failures = Math.min(failures + 1, 64);
    return obeyed(askedMs) + (long) (spanMs * (0.5 + 0.5 * random.nextDouble()));
  }

  /** The wait that a server asked for, but no more than an hour. */
  static long obeyed(long askedMs) {
    return Math.min(askedMs, 3_600_000);
  }

  /** Whether the same request would be refused again, by the status of its answer. */
  static boolean isFinal(int status) {
    boolean passes = status == 408 || status == 421 || status == 425 || status == 429;
    return (status >= 400 && status < 500 && !passes) || status == 501;
  }
}
