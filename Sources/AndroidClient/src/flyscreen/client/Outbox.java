package flyscreen.client;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Events on their way to the gateway, in their order. One that failed for no fault of its own is tried again with the same
 * id, which counts once however often it arrives.
 */
final class Outbox {
  /** Requests at a time, and events that may wait. */
  private static final int AT_ONCE = 3;
  private static final int MOST = 120;
  /** The same of taps, which go one by one: two in their order are a like. */
  private static final int MOST_TAPS = 30;
  /** A gateway answers once the broker has the event; what is not answered by then is sent again. */
  private static final long ANSWER_MS = 15_000;
  /** An {@code eventId} counts once for a minute, so tries end well before. */
  static final long WITHIN_MS = 30_000;
  private static final long MOST_WAIT_MS = 5000;
  private static final SecureRandom IDS = new SecureRandom();

  /** Hears the gateway, on the loop. */
  interface Listener {
    /** The gateway asks to slow down. */
    void busy();

    /** The gateway has answered. */
    void heard();
  }

  private final Gateway gateway;
  private final Listener listener;
  private final Backoff backoff;
  private final List<Letter> queue = new ArrayList<>();
  private final List<Letter> underWay = new ArrayList<>();
  private long pausedUntil = Long.MIN_VALUE;
  /** The number of pauses so far. */
  private int pauses;
  private Loop.Timer timer = Loop.Timer.NONE;

  Outbox(Gateway gateway, Listener listener) {
    this.gateway = gateway;
    this.listener = listener;
    backoff = new Backoff(400, gateway.random);
  }

  /** An id that nobody can guess. */
  static String newId() {
    byte[] bytes = new byte[12];
    IDS.nextBytes(bytes);
    StringBuilder id = new StringBuilder();
    for (byte one : bytes) id.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
    return id.toString();
  }

  /** How long a kind of event is worth sending, in milliseconds. */
  static long worthMs(String kind) {
    return kind.equals("tap") ? 1000 : kind.equals("rainGrab") ? 10_000 : WITHIN_MS;
  }

  /** Sends an event. The future fails with a {@link SendError}. */
  CompletableFuture<Delivery> send(String roomId, String kind, JSONObject body, String eventId, long withinMs) {
    if (roomId == null || roomId.isEmpty()) throw new IllegalArgumentException("an event is sent to a room: give its id");
    Letter letter = new Letter(roomId, kind, body, eventId);
    int waiting = 0;
    for (Letter one : queue) if (one.isTap == letter.isTap) waiting++;
    if (waiting >= (letter.isTap ? MOST_TAPS : MOST)) {
      listener.busy();
      letter.fail(new SendError("too many events wait", 0, "too_many_waiting", "", false));
      return letter.end;
    }
    letter.goodUntil = gateway.loop.nowMs() + withinMs;
    letter.expiry = gateway.loop.after(withinMs, letter::expire);
    queue.add(letter);
    pump();
    return letter.end;
  }

  /** No need to wait any longer before the next try. */
  void retryNow() {
    pausedUntil = Long.MIN_VALUE;
    pump();
  }

  void close() {
    List<Letter> all = new ArrayList<>(queue);
    all.addAll(underWay);
    queue.clear();
    timer.cancel();
    for (Letter letter : all) {
      letter.fail(new SendError("the client was closed", 0, "closed", "", letter.mayHaveArrived));
      letter.stop();
    }
  }

  private void pump() {
    timer.cancel();
    if (queue.isEmpty()) return;
    long now = gateway.loop.nowMs();
    if (pausedUntil > now) {
      timer = gateway.loop.after(pausedUntil - now, this::pump);
      return;
    }
    for (Letter letter : new ArrayList<>(queue)) {
      int others = 0;
      for (Letter one : underWay) if (one.isTap == letter.isTap) others++;
      if (others >= (letter.isTap ? 1 : AT_ONCE) || letter.goodUntil <= now) continue;
      queue.remove(letter);
      underWay.add(letter);
      letter.post();
    }
  }

  /** Waits before the next try of any event. Of those that fail side by side only the first makes the wait longer. */
  private void pause(int pausesAtTry, long askedMs) {
    long now = gateway.loop.nowMs();
    if (pausesAtTry < pauses) {
      pausedUntil = Math.max(pausedUntil, now + Backoff.obeyed(askedMs));
    } else {
      pauses++;
      pausedUntil = now + backoff.next(MOST_WAIT_MS, askedMs);
    }
  }

  /** An event on its way. */
  private final class Letter {
    final CompletableFuture<Delivery> end = new CompletableFuture<>();
    final String url;
    final String text;
    final String eventId;
    final boolean isTap;
    long goodUntil;
    Loop.Timer expiry = Loop.Timer.NONE;
    boolean mayHaveArrived;
    /** The token that was refused; null: none was. */
    private String refusedToken;
    private SendError last;
    private Try trying;

    Letter(String roomId, String kind, JSONObject body, String eventId) {
      url = gateway.url + "/rooms/" + Gateway.encoded(roomId) + "/events";
      this.eventId = eventId;
      isTap = kind.equals("tap");
      try {
        text = new JSONObject().put("eventId", eventId).put("roomId", roomId).put(kind, body).toString();
      } catch (JSONException unfit) {
        throw new IllegalArgumentException(unfit);
      }
    }

    void fail(SendError error) {
      expiry.cancel();
      end.completeExceptionally(error);
    }

    void stop() {
      if (trying != null) trying.over();
    }

    /** Its time is over, whatever it waits for. */
    void expire() {
      queue.remove(this);
      SendError never = trying != null
          ? new SendError("the gateway did not answer in time", 0, "unreachable", "", mayHaveArrived)
          : new SendError("its time was over", 0, "too_late", "", mayHaveArrived);
      fail(last == null ? never : last.having(mayHaveArrived));
      if (trying == null) return;
      stop();
      pump();
    }

    void post() {
      trying = new Try(this);
      trying.begin();
    }
  }

  /** One try of an event. */
  private final class Try implements Transport.Answer {
    private final Letter letter;
    private final boolean before;
    private final int pausesBefore = pauses;
    private final StringBuilder text = new StringBuilder();
    private Loop.Timer late = Loop.Timer.NONE;
    private Transport.Call call;
    private String token;
    private int status;
    private long retryAfterMs;

    Try(Letter letter) {
      this.letter = letter;
      before = letter.mayHaveArrived;
    }

    void begin() {
      late = gateway.loop.after(ANSWER_MS, () -> done(0, new JSONObject()));
      gateway.token(letter.refusedToken != null, (known, failed) -> {
        if (letter.trying != this) return;
        token = known == null ? "" : known;
        if (failed != null) {
          done(0, new JSONObject());
        } else if (token.equals(letter.refusedToken)) {
          // The same again is of no use, and is refused as the first was.
          done(401, error("unauthorized", "the token is refused"));
        } else {
          Map<String, String> headers = gateway.headers(token, "Content-Type", "application/json");
          // True until an answer says otherwise.
          letter.mayHaveArrived = true;
          call = gateway.open(new Transport.Request("POST", letter.url, headers, letter.text, (int) ANSWER_MS), this);
        }
      });
    }

    /** Ends the try, whatever comes of it. */
    void over() {
      late.cancel();
      if (call != null) call.cancel();
      underWay.remove(letter);
      letter.trying = null;
    }

    @Override
    public void head(int answered, String contentType, String retryAfter) {
      status = answered;
      retryAfterMs = gateway.retryAfterMs(retryAfter);
    }

    @Override
    public void text(String piece) {
      if (text.length() < 65_536) text.append(piece);
    }

    @Override
    public void end(boolean isWhole) {
      JSONObject answer;
      try {
        answer = new JSONObject(text.toString());
      } catch (JSONException notTheGateways) {
        answer = new JSONObject();
      }
      // An answer that neither tells the place nor refuses is not the gateway's: a hotel's login page, say.
      boolean isTaken = status == 202 && answer.opt("topic") instanceof String && answer.opt("partition") instanceof Number
          && answer.opt("offset") instanceof Number;
      if (status < 400 && !isTaken) {
        retryAfterMs = 0;
        done(0, new JSONObject());
      } else {
        done(status, answer);
      }
    }

    private void done(int status, JSONObject answer) {
      if (letter.trying != this) return;
      over();
      String word = answer.optString("error", status == 0 ? "unreachable" : String.valueOf(status));
      // A gateway that is not ready has not even read the event.
      boolean isUnread = word.equals("not_ready");
      if (status >= 500 && !isUnread) letter.mayHaveArrived = true;
      else if (status > 0) letter.mayHaveArrived = before;
      String message = answer.optString("message", status == 0 ? "the gateway did not answer" : "the gateway answered " + status);
      SendError error = new SendError(message, status, word, answer.optString("reason"), letter.mayHaveArrived);
      if (status == 202) {
        backoff.reset();
        letter.expiry.cancel();
        letter.end.complete(
            new Delivery(answer.optString("topic"), answer.optInt("partition"), answer.optLong("offset"), letter.eventId));
      } else if (!Backoff.isFinal(status)) {
        if (status == 429) listener.busy();
        letter.last = error;
        pause(pausesBefore, retryAfterMs);
        queue.add(0, letter);
      } else if (status == 401 && gateway.tokens != null && letter.refusedToken == null) {
        // The token may have ended on its way; another is tried once.
        letter.refusedToken = token;
        queue.add(0, letter);
      } else {
        letter.fail(error);
      }
      // An answer of the gateway's own, that is, not of something between.
      if (status != 0 && !isUnread && status < 500) listener.heard();
      pump();
    }
  }

  private static JSONObject error(String word, String message) {
    try {
      return new JSONObject().put("error", word).put("message", message);
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
