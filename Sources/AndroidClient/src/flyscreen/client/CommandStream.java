package flyscreen.client;

import java.util.List;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/** One stream of the commands of some rooms. When it breaks, it comes again, from where it was. */
final class CommandStream {
  /** The longest wait between two attempts, beyond what a server asks for: while somebody looks, and while nobody does. */
  static final long WATCHED_MS = 5000;
  static final long HIDDEN_MS = 30_000;
  /** A gateway says something every 15 seconds, so a stream that is silent for longer than two of these is broken. */
  static final int SILENCE_MS = 32_000;

  /** Hears a stream, on the loop. */
  interface Handler {
    void snapshot(JSONObject snapshot);

    void command(JSONObject command);

    void result(JSONObject result);

    /** {@code status}: of a refusal; 0: no answer came. {@code retryInMs}: the wait of WAITING. */
    void state(StreamState state, int status, long retryInMs);
  }

  final List<String> rooms;
  StreamState state = StreamState.CONNECTING;
  /** Whether somebody looks: it comes back sooner then. */
  boolean isWatched = true;

  private final Gateway gateway;
  private final Handler handler;
  private final Comeback comeback;
  private final String url;
  private String lastEventId = "";
  private Attempt attempt;
  private Loop.Timer waiting = Loop.Timer.NONE;
  private boolean isWaiting;
  /** Whether the present wait is the server's own wish. */
  private boolean isAsked;
  /** A token that was had before the last one ended. */
  private String freshToken;
  /** The token that was refused last. */
  private String refusedToken;

  CommandStream(List<String> rooms, Gateway gateway, Handler handler) {
    this.rooms = rooms;
    this.gateway = gateway;
    this.handler = handler;
    comeback = new Comeback(gateway.random);
    StringBuilder address = new StringBuilder(gateway.url);
    if (rooms.size() == 1) {
      address.append("/rooms/").append(Gateway.encoded(rooms.get(0))).append("/commands");
    } else {
      address.append("/commands?rooms=");
      for (int i = 0; i < rooms.size(); i++) address.append(i == 0 ? "" : ",").append(Gateway.encoded(rooms.get(i)));
    }
    if (!gateway.user.isEmpty()) {
      address.append(rooms.size() == 1 ? "?user=" : "&user=").append(Gateway.encoded(gateway.user));
    }
    url = address.toString();
    // The caller has the stream in hand before its first event.
    gateway.loop.post(this::connect);
  }

  void close() {
    if (state.isOver()) return;
    end(StreamState.CLOSED, 0);
  }

  /** No need to wait any longer: the network is back, say. */
  void retryNow() {
    if (!isWaiting) return;
    waiting.cancel();
    connect();
  }

  /** The gateway has answered another request: no need to wait, unless the gateway itself asked for the wait. */
  void wake() {
    if (!isAsked) retryNow();
  }

  /** There is another token: the stream goes on with that, from where it is. */
  void renew() {
    freshToken = null;
    if (attempt != null) attempt.renew();
    else retryNow();
  }

  private void end(StreamState how, int status) {
    waiting.cancel();
    isWaiting = false;
    if (attempt != null) attempt.stop();
    attempt = null;
    tell(how, status, 0);
  }

  private void tell(StreamState now, int status, long retryInMs) {
    state = now;
    hand(() -> handler.state(now, status, retryInMs));
  }

  /** Calls the app. If the app throws, the stream goes on and the error goes the way of all uncaught ones. */
  private void hand(Runnable act) {
    try {
      act.run();
    } catch (RuntimeException thrown) {
      gateway.loop.post(() -> {
        throw thrown;
      });
    }
  }

  private void connect() {
    isWaiting = false;
    isAsked = false;
    if (state.isOver()) return;
    tell(StreamState.CONNECTING, 0, 0);
    if (state.isOver()) return;
    attempt = new Attempt();
    attempt.begin();
  }

  /** An attempt has ended by itself. */
  private void comeBack(Comeback.Ending ending, int status) {
    attempt = null;
    long waitMs = comeback.wait(ending, isWatched ? WATCHED_MS : HIDDEN_MS);
    isAsked = status == 429;
    isWaiting = true;
    waiting = gateway.loop.after(waitMs, this::connect);
    tell(StreamState.WAITING, status, waitMs);
  }

  private static boolean isStream(int status, String contentType) {
    return status == 200 && contentType != null && contentType.toLowerCase(java.util.Locale.ROOT).matches("text/event-stream\\s*(;.*)?");
  }

  /** One connection, from the question for a token to its end. */
  private final class Attempt implements Transport.Answer {
    private final Comeback.Ending ending = new Comeback.Ending();
    private final EventStreamParser parser = new EventStreamParser(lastEventId);
    private Loop.Timer silence = Loop.Timer.NONE;
    private Loop.Timer renewal = Loop.Timer.NONE;
    private Transport.Call call;
    private String token;
    private int status;
    private long openedAt = -1;

    private boolean isCurrent() {
      return attempt == this;
    }

    void begin() {
      watchSilence();
      if (freshToken != null) {
        String known = freshToken;
        freshToken = null;
        request(known);
        return;
      }
      gateway.token(false, (known, failed) -> {
        if (!isCurrent()) return;
        if (failed == null) request(known);
        else end(false);
      });
    }

    private void request(String known) {
      token = known;
      Map<String, String> headers = gateway.headers(known, "Accept", "text/event-stream");
      if (!lastEventId.isEmpty()) headers.put("Last-Event-ID", lastEventId);
      call = gateway.open(new Transport.Request("GET", url, headers, null, SILENCE_MS), this);
    }

    private void watchSilence() {
      silence.cancel();
      silence = gateway.loop.after(SILENCE_MS, () -> {
        if (isCurrent()) end(false);
      });
    }

    void stop() {
      silence.cancel();
      renewal.cancel();
      if (call != null) call.cancel();
    }

    /** Goes on with another connection at once. */
    void renew() {
      stop();
      attempt = null;
      connect();
    }

    @Override
    public void head(int answered, String contentType, String retryAfter) {
      status = answered;
      if (!isStream(answered, contentType)) {
        refuse(retryAfter);
        return;
      }
      openedAt = gateway.loop.nowMs();
      refusedToken = null;
      watchSilence();
      tell(StreamState.OPEN, 0, 0);
      if (!isCurrent()) return;
      Long renewalInMs = gateway.tokens == null ? null : TokenClaims.renewalInMs(token, gateway.loop.wallMs());
      if (renewalInMs != null) renewal = gateway.loop.after(renewalInMs, this::renewToken);
    }

    /** Streams end with their tokens. With another in time, this one goes on before it is ended. */
    private void renewToken() {
      gateway.token(true, (fresh, failed) -> {
        if (!isCurrent() || failed != null || fresh == null || !TokenClaims.endsLater(fresh, token)) return;
        freshToken = fresh;
        renew();
      });
    }

    @Override
    public void text(String piece) {
      if (openedAt < 0) return;
      watchSilence();
      for (EventStreamParser.Event event : parser.push(piece)) {
        if (!isCurrent()) return;
        hand(() -> receive(event));
        // What the app has seen need not come again.
        lastEventId = event.id;
      }
    }

    private void receive(EventStreamParser.Event event) {
      try {
        if (event.type.equals("snapshot")) handler.snapshot(new JSONObject(event.data));
        else if (event.type.equals("command")) handler.command(new JSONObject(event.data));
        else if (event.type.equals("result")) handler.result(new JSONObject(event.data));
      } catch (JSONException damaged) {
        throw new IllegalStateException("the gateway sent no JSON: " + event.data, damaged);
      }
    }

    private void refuse(String retryAfter) {
      ending.retryAfterMs = gateway.retryAfterMs(retryAfter);
      call.cancel();
      // A token may have ended on its way; another is tried once.
      if (status == 401 && gateway.tokens != null && (refusedToken == null || !refusedToken.equals(token))) {
        String refused = token;
        refusedToken = token == null ? "" : token;
        gateway.token(true, (fresh, failed) -> {
          if (!isCurrent()) return;
          if (failed != null || fresh == null || fresh.equals(refused)) {
            giveUp();
            return;
          }
          freshToken = fresh;
          refusedToken = fresh;
          renew();
        });
        return;
      }
      giveUp();
    }

    private void giveUp() {
      // One room another gateway may have, which a balancer may choose the next time.
      if (status == 421 && rooms.size() > 1) CommandStream.this.end(StreamState.ELSEWHERE, status);
      else if (Backoff.isFinal(status)) CommandStream.this.end(StreamState.REFUSED, status);
      else end(false);
    }

    @Override
    public void end(boolean isWhole) {
      if (!isCurrent()) return;
      stop();
      if (openedAt >= 0) {
        ending.openMs = gateway.loop.nowMs() - openedAt;
        ending.retryMs = parser.retryMs;
        ending.isOrderly = isWhole;
      }
      comeBack(ending, status);
    }
  }
}
