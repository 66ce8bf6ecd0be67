package flyscreen.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Grabs of red packets that wait for their results. */
final class Grabs {
  /** A worker answers within milliseconds; a stream that broke meanwhile comes back within seconds. */
  private static final long ANSWER_MS = 10_000;
  private static final long ASK_MS = 3000;

  private static final class Waiting {
    final String roomId;
    final String rainId;
    final long packet;
    final String eventId;
    final CompletableFuture<JSONObject> result = new CompletableFuture<>();

    Waiting(String roomId, String rainId, long packet, String eventId) {
      this.roomId = roomId;
      this.rainId = rainId;
      this.packet = packet;
      this.eventId = eventId;
    }

    boolean isAnsweredBy(JSONObject told) {
      if (told.optString("eventId").equals(eventId)) return true;
      return told.optString("roomId").equals(roomId) && told.optString("rainId").equals(rainId)
          && told.optLong("packet") == packet;
    }
  }

  private final Gateway gateway;
  private final List<Waiting> waiting = new ArrayList<>();

  Grabs(Gateway gateway) {
    this.gateway = gateway;
  }

  /** Waits for the result of a grab. The future fails as the sending does, or with {@code no_result}. */
  CompletableFuture<JSONObject> wait(
      String roomId, String rainId, long packet, String eventId, CompletableFuture<Delivery> sent) {
    Waiting one = new Waiting(roomId, rainId, packet, eventId);
    waiting.add(one);
    one.result.whenComplete((result, failed) -> waiting.remove(one));
    sent.whenComplete((place, failed) -> {
      if (failed != null) {
        one.result.completeExceptionally(failed);
        return;
      }
      if (one.result.isDone()) return;
      Loop.Timer ask = gateway.loop.after(ASK_MS, () -> ask(roomId));
      Loop.Timer late = gateway.loop.after(ANSWER_MS, () -> one.result.completeExceptionally(
          new SendError("no answer to the grab has come", 0, "no_result", "", true)));
      one.result.whenComplete((result, ended) -> {
        ask.cancel();
        late.cancel();
      });
    });
    return one.result;
  }

  /** A result of this viewer's has come. */
  void hear(JSONObject result) {
    for (Waiting one : new ArrayList<>(waiting)) if (one.isAnsweredBy(result)) one.result.complete(result);
  }

  void close() {
    for (Waiting one : new ArrayList<>(waiting)) one.result.completeExceptionally(Gateway.closed());
  }

  /** Asks the gateway for the last results of this viewer's in a room. */
  private void ask(String roomId) {
    if (gateway.user.isEmpty()) return;
    gateway.token(false, (token, failed) -> {
      if (failed != null) return;
      String url = gateway.url + "/rooms/" + Gateway.encoded(roomId) + "/results?user=" + Gateway.encoded(gateway.user);
      StringBuilder text = new StringBuilder();
      gateway.open(
          new Transport.Request("GET", url, gateway.headers(token, "Accept", "application/json"), null, (int) ANSWER_MS),
          new Transport.Answer() {
            private int status;

            @Override
            public void head(int answered, String contentType, String retryAfter) {
              status = answered;
            }

            @Override
            public void text(String piece) {
              text.append(piece);
            }

            @Override
            public void end(boolean isWhole) {
              if (isWhole && status == 200) hearAll(text.toString());
            }
          });
    });
  }

  private void hearAll(String text) {
    try {
      JSONArray results = new JSONObject(text).optJSONArray("results");
      for (int i = 0; results != null && i < results.length(); i++) hear(results.getJSONObject(i));
    } catch (JSONException notTheGateways) {
      // The stream may still bring the result.
    }
  }
}
