package flyscreen.client;

import java.util.ArrayDeque;
import org.json.JSONObject;

/** A room by a channel of the platform's own, which pushes commands (CLIENTS.md, "Bring your own channel"). */
final class ChannelFeed {
  /** So many of the last pushes are kept. */
  private static final int MOST = 1000;

  private final LiveRoom room;
  /** What was pushed since the subscription: a snapshot may come that lacks it. */
  private final ArrayDeque<JSONObject> pushed = new ArrayDeque<>();
  /** Whether nothing is missing between the snapshot and what was pushed since. */
  boolean isJoined;

  ChannelFeed(LiveRoom room) {
    this.room = room;
  }

  /** A subscription stands, the first or another: what was pushed before may have been lost. */
  void subscribed() {
    pushed.clear();
    isJoined = false;
  }

  void push(JSONObject command) {
    if (pushed.size() == MOST) pushed.poll();
    pushed.add(command);
    if (room.isKnown()) room.receive(command);
  }

  void reset(JSONObject snapshot) {
    room.reset(snapshot);
    // All of a room's commands come in one order. A snapshot that has the first that was pushed has all before.
    isJoined = pushed.isEmpty() || !room.isNew(pushed.peek());
    for (JSONObject command : pushed) room.receive(command);
  }
}
