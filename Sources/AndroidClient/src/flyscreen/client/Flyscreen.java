package flyscreen.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Follows rooms of a gateway, tells what happens in them, and sends what a viewer does.
 *
 * <p>A client lives on one executor that runs one task after another, on Android {@code context.getMainExecutor()}. Call its
 * methods there; its listener is called there, and futures complete there. Close it when nobody looks any more.
 *
 * <p>An event is tried again with one {@code eventId}, as long as that may help and its time is not over: half a minute, a
 * second for a tap, ten for a grab. Then, or when the gateway refuses it, its future fails with a {@link SendError}.
 */
public final class Flyscreen implements AutoCloseable {
  /** Hears a client, on its executor. */
  public interface Listener {
    /** A room's screen was told anew, whole. */
    default void onSnapshot(LiveRoom room) {}

    /** A command was due, and is in the room's screen now. */
    default void onCommand(LiveRoom room, JSONObject command) {}

    /**
     * Items of the room's screen were over, since no command told of them any more ({@link Screen#isStalled}): also while no
     * stream is open.
     */
    default void onStale(LiveRoom room) {}

    /** What a grab of this viewer's gave; each result once. */
    default void onResult(JSONObject result) {}

    /** This viewer's wishes that don't fly yet have changed. */
    default void onOwnWishes(String roomId) {}

    /** {@code status}: of a refusal, else 0. {@code retryInMs}: the wait while WAITING. */
    default void onState(List<String> rooms, StreamState state, int status, long retryInMs) {}

    /** The gateway asks this viewer to slow down. */
    default void onBusy() {}
  }

  /** The settings of a client. */
  public static final class Builder {
    private final String url;
    private final Executor executor;
    private String user;
    private Sender sender;
    private TokenSource tokens;
    private Long lagMs;
    private boolean polls;
    private Transport transport;
    private boolean isFed;

    /** {@code url}: the gateway's address. {@code executor}: runs one task after another. */
    public Builder(String url, Executor executor) {
      this.url = url;
      this.executor = executor;
    }

    /** The viewer, whose results of grabs the streams tell; with tokens the token's {@code sub}. */
    public Builder user(String userId) {
      user = userId;
      return this;
    }

    /** The name and picture that this viewer's gifts and wishes show. */
    public Builder sender(String name, String avatarUrl) {
      sender = new Sender("", name, avatarUrl);
      return this;
    }

    public Builder token(TokenSource source) {
      tokens = source;
      return this;
    }

    /** How far rooms are shown behind their logs, in milliseconds; without it, as far as the gateway says. */
    public Builder lag(long ms) {
      lagMs = ms;
      return this;
    }

    /**
     * Asks for each room's next commands again and again, rather than open streams. By itself a client does so once a
     * stream has brought nothing for five seconds.
     */
    public Builder polls(boolean wanted) {
      polls = wanted;
      return this;
    }

    /** Sends the requests; without it, HttpURLConnection does. */
    public Builder transport(Transport given) {
      transport = given;
      return this;
    }

    /** Opens no streams: a channel of the platform's own pushes commands ({@link Flyscreen#feed}). */
    public Builder fed() {
      isFed = true;
      return this;
    }

    public Flyscreen build(Listener listener) {
      Transport used = transport == null ? new HttpTransport() : transport;
      return new Flyscreen(this, new Gateway(url, user, tokens, used, new ExecutorLoop(executor), new Random()), listener);
    }
  }

  /** Kinds that a viewer sends, and the member that says who does. */
  private static final Map<String, String> SAYS_WHO = new HashMap<>();

  static {
    SAYS_WHO.put("gift", "sender");
    SAYS_WHO.put("wish", "sender");
    SAYS_WHO.put("wishLike", "userId");
    SAYS_WHO.put("tap", "userId");
    SAYS_WHO.put("taps", "userId");
    SAYS_WHO.put("rainGrab", "userId");
  }

  private static final int MOST_RESULTS = 300;

  private final Gateway gateway;
  private final Listener listener;
  private final Sender sender;
  private final Long lagMs;
  private final Map<String, LiveRoom> rooms = new LinkedHashMap<>();
  private final Map<String, Taps> taps = new HashMap<>();
  /** Rooms that a channel tells; null: streams do. */
  private final Map<String, ChannelFeed> feeds;
  /** Rooms that a stream tells now. */
  private final Set<String> told = new HashSet<>();
  private final LinkedHashSet<String> toldResults = new LinkedHashSet<>();
  private final RoomStreams streams;
  private final Outbox outbox;
  private final OwnWishes wishes;
  private final Grabs grabs;
  private List<String> wanted = Collections.emptyList();
  private boolean isPaused;

  Flyscreen(Builder settings, Gateway gateway, Listener listener) {
    this.gateway = gateway;
    this.listener = listener;
    lagMs = settings.lagMs;
    feeds = settings.isFed ? new HashMap<>() : null;
    String name = settings.sender == null ? "" : settings.sender.name;
    sender = new Sender(gateway.user, name, settings.sender == null ? "" : settings.sender.avatarUrl);
    streams = new RoomStreams(gateway, settings.polls, new Streams());
    outbox = new Outbox(gateway, new Outbox.Listener() {
      @Override
      public void busy() {
        listener.onBusy();
      }

      @Override
      public void heard() {
        streams.wake();
      }
    });
    wishes = new OwnWishes(gateway.loop, new OwnWishes.Surroundings() {
      @Override
      public void changed(String roomId) {
        listener.onOwnWishes(roomId);
      }

      @Override
      public Long logMs(String roomId) {
        LiveRoom room = rooms.get(roomId);
        return room == null || !room.hasTime() ? null : Long.valueOf(room.logMs());
      }

      @Override
      public boolean isTold(String roomId) {
        return told.contains(roomId);
      }
    });
    grabs = new Grabs(gateway);
  }

  /**
   * Follows these rooms from now on, and no others; the most wanted first: the one on screen, then its neighbours. The
   * screens of rooms that stay are kept.
   */
  public void follow(List<String> roomIds) {
    wanted = new ArrayList<>(roomIds);
    for (LiveRoom room : new ArrayList<>(rooms.values())) {
      if (wanted.contains(room.roomId)) continue;
      room.close();
      rooms.remove(room.roomId);
      told.remove(room.roomId);
      if (feeds != null) feeds.remove(room.roomId);
      Taps left = taps.remove(room.roomId);
      if (left != null) left.close();
    }
    for (String roomId : wanted) {
      if (rooms.containsKey(roomId)) continue;
      rooms.put(roomId, open(roomId));
      if (feeds != null) feeds.put(roomId, new ChannelFeed(rooms.get(roomId)));
    }
    if (!isPaused && feeds == null) streams.follow(wanted);
  }

  /**
   * The channel's subscription to a room stands, the first or another: what was pushed before may have been lost. Get {@code
   * GET /rooms/{roomId}} now, and feed that.
   */
  public void subscribed(String roomId) {
    told.remove(roomId);
    ChannelFeed feed = feedOf(roomId);
    if (feed != null) feed.subscribed();
  }

  /**
   * A channel has pushed a command, or a result of this viewer's; or the gateway has told a snapshot. Returns of the room, if
   * it is followed, whether nothing is missing. False for a snapshot: it may be older than the subscription, so get another in
   * a second.
   */
  public boolean feed(JSONObject message) {
    String roomId = message.optString("roomId");
    ChannelFeed feed = feedOf(roomId);
    if (message.has("outcome")) hearResult(message);
    if (feed == null) return false;
    if (message.has("commands")) feed.reset(message);
    else if (!message.has("outcome")) feed.push(message);
    if (feed.isJoined) told.add(roomId);
    return feed.isJoined;
  }

  private ChannelFeed feedOf(String roomId) {
    if (feeds == null) throw new IllegalStateException("rooms are fed only if the builder was told fed(), which opens no streams");
    return feeds.get(roomId);
  }

  private void hearResult(JSONObject result) {
    grabs.hear(result);
    // Streams that follow one another may tell the same.
    if (!toldResults.add(result.optString("id"))) return;
    if (toldResults.size() > MOST_RESULTS) toldResults.remove(toldResults.iterator().next());
    listener.onResult(result);
  }

  private LiveRoom open(String roomId) {
    return new LiveRoom(roomId, lagMs, gateway.loop, new LiveRoom.Listener() {
      @Override
      public void reset(LiveRoom room) {
        // Who hears of an end knows by then what may have flown before.
        wishes.hearPast(roomId, room.past());
        JSONArray commands = room.screen().snapshot().optJSONArray("commands");
        for (int i = 0; i < commands.length(); i++) wishes.hear(commands.optJSONObject(i));
        listener.onSnapshot(room);
      }

      @Override
      public void command(LiveRoom room, JSONObject command) {
        wishes.hear(command);
        listener.onCommand(room, command);
      }

      @Override
      public void stale(LiveRoom room) {
        listener.onStale(room);
      }
    });
  }

  /** A followed room; null if it isn't followed. */
  public LiveRoom room(String roomId) {
    return rooms.get(roomId);
  }

  /** The network is back, say, or somebody asks: no need to wait any longer, and what was refused asks again. */
  public void retryNow() {
    streams.retryNow();
    outbox.retryNow();
  }

  /** The gateway has answered something else: streams that wait connect now, unless the gateway asked for the wait. */
  public void wake() {
    streams.wake();
  }

  /** There is another token: streams go on with that, and those that were refused ask again. */
  public void renewToken() {
    streams.renew();
  }

  /** Gives the connection back: the app is in the background. Screens are kept, and get old. */
  public void pause() {
    isPaused = true;
    told.clear();
    streams.close();
  }

  /** The app is seen again: every room is told anew. */
  public void resume() {
    isPaused = false;
    if (feeds == null) streams.follow(wanted);
  }

  /** Ends all streams, fails what is on its way, and ends all threads of the client. */
  @Override
  public void close() {
    follow(Collections.emptyList());
    outbox.close();
    grabs.close();
    wishes.close();
    gateway.loop.close();
    gateway.transport.close();
  }

  // Events of this viewer.

  /**
   * Sends an event of a kind of STAGES.md, section 2, such as {@code gift}. A body that doesn't say whose it is is this
   * viewer's. The future completes once Kafka has the event.
   */
  public CompletableFuture<Delivery> send(String roomId, String kind, JSONObject body) {
    return send(roomId, kind, body, Outbox.newId(), Outbox.worthMs(kind));
  }

  /** The same with an id and a time of the app's: {@code eventId} counts once a minute; half a minute is the most. */
  public CompletableFuture<Delivery> send(String roomId, String kind, JSONObject body, String eventId, long withinMs) {
    String who = SAYS_WHO.get(kind);
    try {
      if (who != null && !body.has(who)) body = copy(body).put(who, who.equals("sender") ? senderBody() : sender.userId);
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
    return outbox.send(roomId, kind, body, eventId, Math.min(withinMs, Outbox.WITHIN_MS));
  }

  private JSONObject senderBody() throws JSONException {
    return new JSONObject().put("userId", sender.userId).put("name", sender.name).put("avatarUrl", sender.avatarUrl);
  }

  private static JSONObject copy(JSONObject object) throws JSONException {
    return new JSONObject(object.toString());
  }

  /** Makes a wish. Until it flies it is one of {@link #ownWishes}. */
  public CompletableFuture<OwnWish.End> wish(String roomId, String text, String style) {
    OwnWish wish = new OwnWish(Outbox.newId(), text, style);
    JSONObject body = json("wishId", wish.wishId, "text", text, "style", style);
    return wishes.add(roomId, wish, send(roomId, "wish", body));
  }

  /** This viewer's wishes that don't fly yet, the oldest first. */
  public List<OwnWish> ownWishes(String roomId) {
    return wishes.of(roomId);
  }

  /** Likes a wish that flies. */
  public CompletableFuture<Delivery> like(String roomId, String wishId) {
    return send(roomId, "wishLike", json("wishId", wishId));
  }

  /**
   * A finger touched the stage, at thousandths of its width and height. Two taps in quick succession are a like; likes are
   * sent gathered, once a second. Returns whether this tap is a like, so that the app can throw a heart at once.
   */
  public boolean tap(String roomId, int x, int y) {
    if (!rooms.containsKey(roomId)) throw new IllegalArgumentException("tap in a room that is followed; " + roomId + " isn't");
    return taps.computeIfAbsent(roomId, room -> new Taps(gateway.loop, run -> send(room, "taps", run))).tap(x, y);
  }

  /** Opens a red packet. The future has the result, {@code {outcome, coins, …}}; {@code user} must be set. */
  public CompletableFuture<JSONObject> grab(String roomId, String rainId, long packet) {
    String eventId = Outbox.newId();
    JSONObject body = json("rainId", rainId, "packet", packet);
    CompletableFuture<Delivery> sent = send(roomId, "rainGrab", body, eventId, Outbox.worthMs("rainGrab"));
    return grabs.wait(roomId, rainId, packet, eventId, sent);
  }

  private static JSONObject json(Object... pairs) {
    try {
      JSONObject object = new JSONObject();
      for (int i = 0; i < pairs.length; i += 2) object.put((String) pairs[i], pairs[i + 1]);
      return object;
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Hears the streams of all rooms. */
  private final class Streams implements RoomStreams.Handler {
    @Override
    public void snapshot(JSONObject snapshot) {
      LiveRoom room = rooms.get(snapshot.optString("roomId"));
      if (room == null) return;
      told.add(room.roomId);
      room.reset(snapshot);
    }

    @Override
    public void command(JSONObject command) {
      LiveRoom room = rooms.get(command.optString("roomId"));
      if (room != null) room.receive(command);
    }

    @Override
    public void result(JSONObject result) {
      hearResult(result);
    }

    @Override
    public void pace(String roomId, JSONObject pace) {
      LiveRoom room = rooms.get(roomId);
      if (room != null) room.pace(pace);
    }

    @Override
    public void state(List<String> of, StreamState state, int status, long retryInMs) {
      if (state == StreamState.OPEN) told.addAll(of);
      else if (state == StreamState.WAITING || state == StreamState.REFUSED) told.removeAll(of);
      listener.onState(of, state, status, retryInMs);
    }
  }
}
