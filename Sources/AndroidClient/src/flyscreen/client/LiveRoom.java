package flyscreen.client;

import java.util.ArrayDeque;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * A followed room as time goes by: its clock, its screen, and commands that have come but whose time has not.
 *
 * <p>The room lags behind the log, as the gateway tells or the app wants: so long a command may take to come and still be
 * acted upon at its very moment, so that every movement begins at its beginning.
 */
public final class LiveRoom {
  /** Hears the room, on the loop. */
  interface Listener {
    void reset(LiveRoom room);

    void command(LiveRoom room, JSONObject command);

    void stale(LiveRoom room);
  }

  /** The timer of staleness rings so much later than its span, since a slower command may have set the clock back. */
  private static final long SLACK_MS = 200;

  public final String roomId;
  private final Screen screen;
  private final LogClock clock = new LogClock();
  private final ArrayDeque<JSONObject> pending = new ArrayDeque<>();
  private final Loop loop;
  /** Whether the gateway tells the lag. */
  private final boolean followsPace;
  private final Listener listener;
  private Loop.Timer timer = Loop.Timer.NONE;
  /** Rings when nothing has come for so long that what stands on the screen may be over. */
  private Loop.Timer silence = Loop.Timer.NONE;
  /** The stale items that the listener has heard of. */
  private int stale;
  private JSONObject past;
  private boolean isKnown;
  private boolean isClosed;

  /** {@code lagMs}: the app's own; null: the gateway tells it. */
  LiveRoom(String roomId, Long lagMs, Loop loop, Listener listener) {
    this.roomId = roomId;
    followsPace = lagMs == null;
    this.loop = loop;
    this.listener = listener;
    screen = new Screen(roomId);
    if (lagMs != null) clock.setLag(lagMs, loop.nowMs());
  }

  /** Whether a snapshot of the room has come. */
  public boolean isKnown() {
    return isKnown;
  }

  /** The screen as of now: what is over by now is gone from it. */
  public Screen screen() {
    settle();
    advance();
    return screen;
  }

  private void advance() {
    if (isClosed || !clock.isSet()) return;
    screen.advance(nowMs());
    tellStale();
  }

  private void watchSilence() {
    silence.cancel();
    if (isClosed || screen.staleAfterMs() == 0) return;
    silence = loop.after(screen.staleAfterMs() + clock.lag(loop.nowMs()) + SLACK_MS, this::advance);
  }

  private void tellStale() {
    if (stale == screen.stale()) return;
    stale = screen.stale();
    listener.stale(this);
  }

  /**
   * The room's past, for viewers who come late, as the last snapshot told it (CLIENTS.md, "What a stream says"), without
   * what was taken back since; null: nothing is known.
   */
  public JSONObject past() {
    return past;
  }

  /** Log time as it is shown, in milliseconds since 1970; 0 before anything is known. */
  public long nowMs() {
    return clock.isSet() ? clock.shown(loop.nowMs()) : 0;
  }

  /** Log time; meaningless before anything is known. */
  long logMs() {
    return clock.now(loop.nowMs());
  }

  boolean hasTime() {
    return clock.isSet();
  }

  void reset(JSONObject snapshot) {
    pending.clear();
    timer.cancel();
    clock.anchor(snapshot.optLong("nowMs"), loop.nowMs());
    pace(snapshot);
    screen.reset(snapshot);
    past = snapshot.optJSONObject("past");
    isKnown = true;
    watchSilence();
    listener.reset(this);
  }

  /** Whether a command has not been drawn yet. */
  boolean isNew(JSONObject command) {
    return screen.isNew(command);
  }

  /** A message that tells how far behind the log the room is to be shown, as a snapshot and {@code event: pace} do. */
  void pace(JSONObject told) {
    long lagMs = told.optLong("lagMs", -1);
    if (followsPace && lagMs >= 0) clock.setLag(lagMs, loop.nowMs());
  }

  void receive(JSONObject command) {
    clock.observe(command.optLong("atMs"), loop.nowMs());
    pending.add(command);
    watchSilence();
    settle();
  }

  void close() {
    isClosed = true;
    timer.cancel();
    silence.cancel();
    pending.clear();
  }

  /** Acts on commands that are due, in the room's order, whatever their times say. */
  private void settle() {
    timer.cancel();
    if (isClosed || pending.isEmpty()) return;
    long nowMs = nowMs();
    while (!pending.isEmpty() && pending.peek().optLong("atMs") <= nowMs) {
      JSONObject command = pending.poll();
      if (!screen.apply(command)) continue;
      if (command.has("roomEnd")) endPast(command.optLong("atMs"));
      JSONObject retracted = command.optJSONObject("retracted");
      if (retracted != null && past != null) past = Past.without(past, retracted);
      listener.command(this, command);
      if (isClosed) return;
    }
    tellStale();
    if (!pending.isEmpty()) timer = loop.after(Math.max(0, pending.peek().optLong("atMs") - nowMs), this::settle);
  }

  /** An end ends the past, too, as in every gateway. */
  private void endPast(long atMs) {
    try {
      JSONObject crowds = new JSONObject().put("gifts", 0).put("coins", 0).put("told", new JSONArray());
      past = new JSONObject().put("sinceMs", atMs).put("givers", new JSONArray()).put("crowds", crowds)
          .put("wishes", new JSONArray());
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
