package flyscreen.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.json.JSONObject;

/**
 * Streams for a set of rooms that changes: one for all of them, or one for each where no single gateway has them all.
 *
 * <p>When the set changes, the stream before goes on until the new one has told every room. One stream at a time tells a
 * room, and a room changes over with the snapshot of the new stream, so nothing is missed between them.
 */
final class RoomStreams {
  /** Streams at a time where each room has its own. */
  private static final int MOST_APART = 3;

  /** Hears all streams, on the loop. */
  interface Handler {
    void snapshot(JSONObject snapshot);

    void command(JSONObject command);

    void result(JSONObject result);

    void pace(String room, JSONObject pace);

    void state(List<String> rooms, StreamState state, int status, long retryInMs);
  }

  private final Gateway gateway;
  private final Handler handler;
  /** The newest last. */
  private final List<CommandStream> streams = new ArrayList<>();
  /** The stream that tells a room. */
  private final Map<String, CommandStream> teller = new HashMap<>();
  /** The most wanted first. */
  private List<String> wanted = Collections.emptyList();
  /** As many of these as may be followed at a time. */
  private List<String> rooms = Collections.emptyList();
  private int most = Integer.MAX_VALUE;
  private boolean eachApart;
  private boolean isWatched = true;
  /** Whether rooms are asked for again and again, since there can be no streams. */
  private boolean polls;

  RoomStreams(Gateway gateway, boolean polls, Handler handler) {
    this.gateway = gateway;
    this.handler = handler;
    if (polls) pollEach();
  }

  private void pollEach() {
    polls = true;
    eachApart = true;
    most = MOST_APART;
  }

  /** Follows these rooms from now on, and no others; the most wanted first. */
  void follow(List<String> asked) {
    wanted = new ArrayList<>(new LinkedHashSet<>(asked));
    List<String> before = rooms;
    rooms = wanted.subList(0, Math.min(most, wanted.size()));
    if (rooms.size() == before.size() && before.containsAll(rooms)) return;
    if (rooms.isEmpty()) {
      close();
      return;
    }
    teller.keySet().retainAll(rooms);
    if (!eachApart) {
      // A stream that was overtaken before it told anything is of no use.
      boolean isOvertaken = streams.size() > 1;
      closeAll(one -> isOvertaken && !tells(one));
      open(rooms);
      return;
    }
    closeAll(one -> !rooms.contains(one.rooms.get(0)));
    for (String room : rooms) {
      boolean has = false;
      for (CommandStream one : streams) has |= one.rooms.get(0).equals(room);
      if (!has) open(Collections.singletonList(room));
    }
  }

  void close() {
    wanted = Collections.emptyList();
    rooms = Collections.emptyList();
    teller.clear();
    closeAll(one -> true);
  }

  /** Whether somebody looks: streams come back sooner then, and at once when somebody begins to look. */
  void watch(boolean watched) {
    isWatched = watched;
    for (CommandStream one : new ArrayList<>(streams)) {
      one.isWatched = watched;
      if (watched) one.wake();
    }
  }

  /** Streams that wait connect now, and those that were refused ask again. */
  void retryNow() {
    boolean isRefused = false;
    for (CommandStream one : new ArrayList<>(streams)) {
      one.retryNow();
      isRefused |= one.state == StreamState.REFUSED;
    }
    if (!isRefused) return;
    closeAll(one -> one.state == StreamState.REFUSED);
    followAnew();
  }

  /** The gateway has answered another request. */
  void wake() {
    for (CommandStream one : new ArrayList<>(streams)) one.wake();
  }

  /** There is another token. */
  void renew() {
    for (CommandStream one : new ArrayList<>(streams)) one.renew();
    retryNow();
  }

  private void followAnew() {
    rooms = Collections.emptyList();
    follow(wanted);
  }

  private void open(List<String> of) {
    Listener listener = new Listener();
    listener.stream = new CommandStream(new ArrayList<>(of), polls, gateway, listener);
    listener.stream.isWatched = isWatched;
    streams.add(listener.stream);
  }

  private boolean tells(CommandStream stream) {
    return teller.containsValue(stream);
  }

  private boolean isOlder(CommandStream stream, CommandStream other) {
    return streams.indexOf(stream) < streams.indexOf(other);
  }

  private void closeAll(Predicate<CommandStream> which) {
    List<CommandStream> leaving = new ArrayList<>();
    for (CommandStream one : streams) if (which.test(one)) leaving.add(one);
    streams.removeAll(leaving);
    for (CommandStream one : leaving) one.close();
  }

  private final class Listener implements CommandStream.Handler {
    private CommandStream stream;

    @Override
    public void snapshot(JSONObject snapshot) {
      String roomId = snapshot.optString("roomId");
      CommandStream before = teller.get(roomId);
      if (!rooms.contains(roomId) || (before != null && isOlder(stream, before))) return;
      teller.put(roomId, stream);
      handler.snapshot(snapshot);
      // Streams before this one that tell no room any more have been followed by this one.
      if (!eachApart) closeAll(other -> isOlder(other, stream) && !tells(other));
    }

    @Override
    public void command(JSONObject command) {
      if (teller.get(command.optString("roomId")) == stream) handler.command(command);
    }

    @Override
    public void result(JSONObject result) {
      handler.result(result);
    }

    @Override
    public void polls() {
      pollEach();
    }

    @Override
    public void pace(JSONObject pace) {
      for (String room : stream.rooms) if (teller.get(room) == stream) handler.pace(room, pace);
    }

    @Override
    public void state(StreamState state, int status, long retryInMs) {
      boolean isNewest = !streams.isEmpty() && streams.get(streams.size() - 1) == stream;
      // The gateway answers one stream, so the others connect now.
      if (state == StreamState.OPEN) {
        for (CommandStream one : new ArrayList<>(streams)) if (one != stream) one.wake();
      }
      if (state == StreamState.ELSEWHERE) {
        eachApart = true;
        most = MOST_APART;
        teller.clear();
        closeAll(one -> true);
        followAnew();
      } else if (state == StreamState.REFUSED && status == 400 && stream.rooms.size() > 1 && isNewest) {
        // The gateway takes fewer rooms at a time: the most wanted ones, then.
        most = Math.max(1, stream.rooms.size() - 2);
        followAnew();
      } else if (isNewest || eachApart) {
        handler.state(stream.rooms, state, status, retryInMs);
      }
    }
  }
}
