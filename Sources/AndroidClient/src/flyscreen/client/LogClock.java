package flyscreen.client;

/**
 * Log time as a client knows it: the time that a snapshot told, and what has passed since by the client's own clock.
 *
 * <p>Commands take their time to come, some longer than others. The one that came fastest tells best how far the log is,
 * so the clock goes by the fastest of the last half minute.
 *
 * <p>A room is shown some time behind the log. When that lag changes, the time that is shown glides: it goes by a tenth
 * slower or faster until it is there.
 */
public final class LogClock {
  private static final long SPAN_MS = 30_000;
  private static final long GLIDE = 10;
  private static final long UNKNOWN = Long.MIN_VALUE / 2;

  /** Log time less local time, of the fastest delivery in this span of time and in the one before. */
  private long offset = UNKNOWN;
  private long offsetBefore = UNKNOWN;
  private long spanEndsAt = Long.MAX_VALUE;
  /** The lag to which the clock glides, and the one that it had at {@code lagSince}, in milliseconds. */
  private long lagMs;
  private long lagBefore;
  private long lagSince = UNKNOWN;

  /** Whether any time was told. */
  public boolean isSet() {
    return Math.max(offset, offsetBefore) > UNKNOWN;
  }

  /** A snapshot tells log time, at this local time. Both are milliseconds; the local clock only moves forward. */
  public void anchor(long logMs, long localMs) {
    offset = logMs - localMs;
    offsetBefore = UNKNOWN;
    spanEndsAt = localMs + SPAN_MS;
  }

  /** A command of {@code atMs} has come, so log time is no earlier. */
  public void observe(long atMs, long localMs) {
    if (localMs >= spanEndsAt) {
      offsetBefore = offset;
      offset = UNKNOWN;
      spanEndsAt = localMs + SPAN_MS;
    } else if (!isSet()) {
      spanEndsAt = localMs + SPAN_MS;
    }
    offset = Math.max(offset, atMs - localMs);
  }

  /** Another lag in milliseconds from this local time on. The first counts at once. */
  void setLag(long ms, long localMs) {
    lagBefore = lagSince == UNKNOWN ? ms : lag(localMs);
    lagMs = ms;
    lagSince = localMs;
  }

  /** The lag at this local time, in milliseconds. */
  public long lag(long localMs) {
    long way = lagMs - lagBefore;
    return lagBefore + Long.signum(way) * Math.min(Math.abs(way), (localMs - lagSince) / GLIDE);
  }

  /** Log time at this local time. */
  public long now(long localMs) {
    return localMs + Math.max(offset, offsetBefore);
  }
}
