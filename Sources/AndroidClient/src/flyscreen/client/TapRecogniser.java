package flyscreen.client;

/**
 * Tells likes from taps (STAGES.md, section 5). {@link Flyscreen#tap} does so and sends the likes; this is for an app that
 * sends them otherwise.
 */
public final class TapRecogniser {
  /** The tap after one that is no like is a like within this time; the tap after a like within the other. */
  private static final long DOUBLE_MS = 300;
  private static final long STREAK_MS = 1000;

  private long lastMs;
  private boolean hasTapped;
  private boolean isLiking;

  /**
   * A finger touched the stage, and nothing on it that is tapped for its own sake. {@code nowMs}: milliseconds of a clock that
   * only moves forward. Returns whether that is a like.
   */
  public boolean tap(long nowMs) {
    isLiking = hasTapped && nowMs - lastMs < (isLiking ? STREAK_MS : DOUBLE_MS);
    hasTapped = true;
    lastMs = nowMs;
    return isLiking;
  }
}
