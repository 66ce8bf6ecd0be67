package flyscreen.client;

import java.util.List;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * One stream of the commands of some rooms. When it breaks, it comes again, from where it was. Where a stream brings
 * nothing, it asks for its room's next commands instead, again and again; all else is the same.
 */
final class CommandStream {
  /** The longest wait between two attempts, beyond what a server asks for: while somebody looks, and while nobody does. */
  static final long WATCHED_MS = 5000;
  static final long HIDDEN_MS = 30_000;
  /** A gateway says something every 15 seconds, so a stream that is silent for longer than two of these is broken. */
  static final int SILENCE_MS = 32_000;
  /** A stream begins to say something at once. One that brings nothing for so long is held up on its way. */
  static final long EMPTY_MS = 5000;
  /** The wait before a room is asked for again where there was nothing to tell. */
  static final long POLL_MS = 1000;

  /** Hears a stream, on the loop. */
  interface Handler {
    void snapshot(JSONObject snapshot);

    void command(JSONObject command);

    void result(JSONObject result);

    /** How far behind the log the rooms are to be shown. */
    void pace(JSONObject pace);

    /** No stream can be had here. */
    void polls();

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
  /** The address of the next commands, to which the last id is added. */
  private final String nextUrl;
  /** Whether a room's next commands are asked for now, rather than a stream. */
  private boolean polls;
  /** Whether the app wants that, or a stream was held up and this was not. */
  private boolean mustPoll;
  /** When it began to ask for next commands, while each was answered; -1: it doesn't. */
  private long polledSince = -1;
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

  CommandStream(List<String> rooms, boolean polls, Gateway gateway, Handler handler) {
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
    nextUrl = gateway.url + "/rooms/" + Gateway.encoded(rooms.get(0)) + "/next";
    this.polls = polls && rooms.size() == 1;
    mustPoll = this.polls;
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
    if (polledSince < 0) tell(StreamState.CONNECTING, 0, 0);
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
    /** Whether it asks for next commands, and whether the answer tells them. */
    private final boolean asksNext = polls;
    private boolean isNext;
    private boolean hasText;
    private final StringBuilder body = new StringBuilder();

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
      Map<String, String> headers = gateway.headers(known, "Accept", asksNext ? "application/json" : "text/event-stream");
      String address = url;
      if (asksNext) address = lastEventId.isEmpty() ? nextUrl : nextUrl + "?after=" + Gateway.encoded(lastEventId);
      else if (!lastEventId.isEmpty()) headers.put("Last-Event-ID", lastEventId);
      call = gateway.open(new Transport.Request("GET", address, headers, null, SILENCE_MS), this);
    }

    private void watchSilence() {
      silence.cancel();
      boolean isHeldUp = openedAt >= 0 && !hasText;
      silence = gateway.loop.after(isHeldUp ? EMPTY_MS : SILENCE_MS, () -> {
        if (!isCurrent()) return;
        if (asksNext || hasText || call == null) end(false);
        else fallBack();
      });
    }

    /** Nothing comes by a stream: something on its way holds it back until its end, or the gateway is not there. */
    private void fallBack() {
      boolean hasHead = openedAt >= 0;
      if (rooms.size() > 1) {
        if (hasHead) CommandStream.this.end(StreamState.ELSEWHERE, 0);
        else end(false);
        return;
      }
      polls = true;
      if (hasHead) renew();
      else end(false);
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
      if (asksNext) {
        isNext = answered == 204 || (answered == 410 && !lastEventId.isEmpty())
            || (answered == 200 && contentType != null && contentType.toLowerCase(java.util.Locale.ROOT).matches("application/json\\s*(;.*)?"));
        if (!isNext) refuse(retryAfter);
        return;
      }
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
      hasText = true;
      if (isNext) body.append(piece);
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
        else if (event.type.equals("pace")) handler.pace(new JSONObject(event.data));
      } catch (JSONException damaged) {
        throw new IllegalStateException("the gateway sent no JSON: " + event.data, damaged);
      }
    }

    /** The answer to a question for next commands is whole. */
    private void takeNext() {
      JSONObject next;
      try {
        next = status == 200 ? new JSONObject(body.toString()) : new JSONObject();
      } catch (JSONException damaged) {
        isNext = false;
        end(false);
        return;
      }
      stop();
      if (polledSince < 0) {
        polledSince = gateway.loop.nowMs();
        mustPoll = true;
        refusedToken = null;
        handler.polls();
        tell(StreamState.OPEN, 0, 0);
        if (!isCurrent()) return;
      }
      JSONObject snapshot = next.optJSONObject("snapshot");
      if (snapshot != null) hand(() -> handler.snapshot(snapshot));
      if (next.has("lagMs")) hand(() -> handler.pace(next));
      JSONArray commands = next.optJSONArray("commands");
      for (int i = 0; commands != null && i < commands.length() && isCurrent(); i++) {
        JSONObject command = commands.optJSONObject(i);
        hand(() -> handler.command(command));
      }
      if (!isCurrent()) return;
      // An id that is too old is forgotten.
      if (status != 204) lastEventId = next.optString("id");
      attempt = null;
      if (gateway.tokens != null) freshToken = token;
      isWaiting = true;
      waiting = gateway.loop.after(status == 204 ? POLL_MS : 0, CommandStream.this::connect);
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
      // An older gateway has streams alone.
      if (asksNext && !mustPoll && status == 404) {
        end(false);
        return;
      }
      // One room another gateway may have, which a balancer may choose the next time.
      if (status == 421 && rooms.size() > 1) CommandStream.this.end(StreamState.ELSEWHERE, status);
      else if (Backoff.isFinal(status)) CommandStream.this.end(StreamState.REFUSED, status);
      else end(false);
    }

    @Override
    public void end(boolean isWhole) {
      if (!isCurrent()) return;
      if (isNext && isWhole) {
        takeNext();
        return;
      }
      stop();
      if (asksNext) {
        // Perhaps there was no gateway rather than a stream that is held up.
        polls = mustPoll;
        if (polledSince >= 0) ending.openMs = gateway.loop.nowMs() - polledSince;
        polledSince = -1;
      }
      if (openedAt >= 0) {
        ending.openMs = gateway.loop.nowMs() - openedAt;
        ending.retryMs = parser.retryMs;
        ending.isOrderly = isWhole;
      }
      comeBack(ending, status);
    }
  }
}
