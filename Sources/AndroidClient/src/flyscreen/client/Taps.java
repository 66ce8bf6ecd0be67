package flyscreen.client;

import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Tells likes from taps, and gathers them into runs: {@code count} of the event {@code taps} is
 * how many likes the run has had so far, so an event that is lost is made good by the next.
 */
final class Taps {
  /** A run is told once in this time. */
  private static final long TELL_MS = 1000;
  /** A run of which nothing was told for so long ends: half of {@code like.runMs}. */
  private static final long RUN_MS = 30_000;
  private static final int MOST_POINTS = 16;

  /** Sends a body of the event {@code taps}. */
  interface Sending {
    void send(JSONObject taps);
  }

  private final Loop loop;
  private final Sending sending;
  private final List<JSONObject> points = new ArrayList<>();
  private final TapRecogniser recogniser = new TapRecogniser();
  private String runId;
  private long count;
  private long toldMs = Long.MIN_VALUE / 2;
  private boolean isTelling;
  private Loop.Timer timer = Loop.Timer.NONE;

  Taps(Loop loop, Sending sending) {
    this.loop = loop;
    this.sending = sending;
  }

  /** A finger touched, at thousandths of the stage. Returns whether that is a like: throw a heart then. */
  boolean tap(int x, int y) {
    long now = loop.nowMs();
    if (!recogniser.tap(now)) return false;
    if (runId == null || (!isTelling && now - toldMs >= RUN_MS)) {
      runId = Outbox.newId();
      count = 0;
    }
    count++;
    try {
      if (points.size() < MOST_POINTS) points.add(new JSONObject().put("x", x).put("y", y));
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
    if (!isTelling) {
      isTelling = true;
      timer = loop.after(Math.max(0, toldMs + TELL_MS - now), this::tell);
    }
    return true;
  }

  private void tell() {
    isTelling = false;
    toldMs = loop.nowMs();
    try {
      JSONObject taps = new JSONObject().put("runId", runId).put("count", count).put("points", new JSONArray(points));
      points.clear();
      sending.send(taps);
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  void close() {
    timer.cancel();
    if (isTelling) tell();
  }
}
