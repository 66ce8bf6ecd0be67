package flyscreen.client;

/**
 * Log time as a client knows it: the time that a snapshot told, and what has passed since by the client's own clock.
 *
 * <p>Commands take their time to come, some longer than others. The one that came fastest tells best how far the log is,
 * so the clock goes by the fastest of the last half minute.
 *
 * <p>A room is shown some time behind the log. When that lag changes, or the clock is known better, the time that is shown
 * glides: it goes by a tenth slower or faster until it is there.
 */
public final class LogClock {
  private static final long SPAN_MS = 30_000;
  private static final long GLIDE = 10;
  /** From farther off the shown time is set at once: the device has slept, say. */
  private static final long FAR_MS = 2000;
  private static final long UNKNOWN = Long.MIN_VALUE / 2;

  /** Log time less local time, of the fastest delivery in this span of time and in the one before. */
  private long offset = UNKNOWN;
  private long offsetBefore = UNKNOWN;
  private long spanEndsAt = Long.MAX_VALUE;
  /** How far behind the log the room should be shown, in milliseconds. */
  private long lagMs = UNKNOWN;
  /** Shown time less local time: where it glides to, and where it was at the local time {@code since}. */
  private long aim = UNKNOWN;
  private long from;
  private long since;

  /** Whether any time was told. */
  public boolean isSet() {
    return Math.max(offset, offsetBefore) > UNKNOWN;
  }

  /** A snapshot tells log time, at this local time. Both are milliseconds; the local clock only moves forward. */
  public void anchor(long logMs, long localMs) {
    offset = logMs - localMs;
    offsetBefore = UNKNOWN;
    spanEndsAt = localMs + SPAN_MS;
    glide(localMs, lag() == 0);
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
    glide(localMs, lag() == 0);
  }

  /** Another lag in milliseconds from this local time on. The first counts at once. */
  void setLag(long ms, long localMs) {
    boolean isFirst = lagMs == UNKNOWN;
    lagMs = ms;
    glide(localMs, isFirst);
  }

  /** The lag at this local time, in milliseconds. */
  public long lag(long localMs) {
    return isSet() ? now(localMs) - shown(localMs) : lag();
  }

  /** Log time at this local time. */
  public long now(long localMs) {
    return localMs + Math.max(offset, offsetBefore);
  }

  /** Log time as the room is shown at this local time. */
  public long shown(long localMs) {
    long way = aim - from;
    return localMs + from + Long.signum(way) * Math.min(Math.abs(way), (localMs - since) / GLIDE);
  }

  private long lag() {
    return lagMs == UNKNOWN ? 0 : lagMs;
  }

  /** From now on the shown time goes to where it should be. Without a lag commands are due as they come. */
  private void glide(long localMs, boolean isAtOnce) {
    if (!isSet()) return;
    long next = now(0) - lag();
    if (next == aim) return;
    long before = shown(localMs) - localMs;
    from = aim != UNKNOWN && !isAtOnce && Math.abs(next - before) <= FAR_MS ? before : next;
    aim = next;
    since = localMs;
  }
}
