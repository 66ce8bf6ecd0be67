package flyscreen.client;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.json.JSONArray;
import org.json.JSONObject;

/** What a viewer's client does that no case in another language's form says. */
final class Viewers {
  interface Expect {
    void that(String about, Object is, Object should);
  }

  private Viewers() {}

  static void run(Expect expect) throws Exception {
    streams(expect);
    withoutStreams(expect);
    grabs(expect);
    taps(expect);
    stale(expect);
    closing(expect);
    addresses(expect);
    redirects(expect);
  }

  private static JSONObject command(String id, long atMs, String kind) throws Exception {
    return new JSONObject().put("roomId", "r1").put("id", id).put("atMs", atMs).put(kind, new JSONObject());
  }

  private static void streams(Expect expect) throws Exception {
    Followed one = new Followed();
    one.stream.say("command", command("t/0/1/0", 1000, "roomEnd"), "7").end(false);
    one.loop.pass(6000);
    expect.that("a stream that broke comes again from where it was", one.gateway.last().request.headers.get("Last-Event-ID"), "7");
    one.gateway.last().open().say("command", command("t/0/1/0", 1000, "roomEnd"), "7");
    one.gateway.last().say("command", command("t/0/2/0", 1001, "roomEnd"), "8");
    one.loop.pass(10);
    expect.that("a command that comes twice is told once", one.heard.toString(), "[t/0/1/0, t/0/2/0]");
    int asked = one.gateway.asked.size();
    one.loop.pass(31_000);
    expect.that("a stream that is silent for less than two pings stays", one.gateway.asked.size(), asked);
    one.loop.pass(7000);
    expect.that("a stream that is silent for longer is broken", one.gateway.asked.size(), asked + 1);
    one.client.follow(Arrays.asList("r1", "r2"));
    one.loop.settle();
    expect.that("rooms are encoded each", one.gateway.last().request.url, "https://g/commands?rooms=r1,r2&user=7");
    one.client.close();
  }

  private static void withoutStreams(Expect expect) throws Exception {
    Followed one = new Followed();
    one.client.follow(Arrays.asList("r1", "r2"));
    one.loop.settle();
    one.gateway.last().open();
    one.loop.pass(5000);
    int apart = one.gateway.asked.size();
    expect.that("rooms of a stream that brings nothing get a stream each", one.gateway.asked.get(apart - 2).request.url, "https://g/rooms/r1/commands?user=7");
    one.gateway.asked.get(apart - 2).open();
    one.gateway.asked.get(apart - 1).open();
    one.loop.pass(5000);
    expect.that("and then are asked for what comes next", one.gateway.asked.get(apart).request.url, "https://g/rooms/r1/next");
    JSONObject snapshot = new JSONObject().put("roomId", "r1").put("nowMs", 1000).put("lagMs", 0).put("commands", new JSONArray());
    one.gateway.asked.get(apart).reply(200, new JSONObject().put("id", "x-1").put("snapshot", snapshot).toString(), null);
    one.loop.pass(0);
    expect.that("from the id that was told", one.gateway.last().request.url, "https://g/rooms/r1/next?after=x-1");
    JSONObject next = new JSONObject().put("id", "x-2").put("lagMs", 100).put("commands", new JSONArray().put(command("t/0/1/0", 900, "roomEnd")));
    one.gateway.last().reply(200, next.toString(), null);
    one.loop.pass(1);
    expect.that("commands are told", one.heard.toString(), "[t/0/1/0]");
    int asked = one.gateway.asked.size();
    one.gateway.last().answer(204, null, null).end(true);
    one.loop.pass(999);
    expect.that("where there is nothing it waits", one.gateway.asked.size(), asked);
    one.loop.pass(1);
    expect.that("and asks the same again", one.gateway.last().request.url, "https://g/rooms/r1/next?after=x-2");
    one.gateway.last().reply(410, "{\"error\":\"too_old\",\"message\":\"x\"}", null);
    one.loop.pass(0);
    expect.that("an id that is too old is forgotten", one.gateway.last().request.url, "https://g/rooms/r1/next");
    one.client.close();
  }

  private static void grabs(Expect expect) throws Exception {
    Followed one = new Followed();
    CompletableFuture<JSONObject> grab = one.client.grab("r1", "a", 3);
    one.loop.settle();
    one.gateway.last().reply(202, "{\"topic\":\"t\",\"partition\":0,\"offset\":5}", null);
    one.loop.settle();
    JSONObject result = new JSONObject().put("id", "t/0/5").put("roomId", "r1").put("rainId", "a").put("packet", 3)
        .put("outcome", "won").put("coins", 9);
    one.stream.say("result", result, "2").say("result", result, "2");
    one.loop.settle();
    expect.that("a grab's result", grab.join().optLong("coins"), 9);
    expect.that("is told once", one.heard.toString(), "[t/0/5]");
    CompletableFuture<JSONObject> never = one.client.grab("r1", "a", 4);
    one.loop.settle();
    one.gateway.last().reply(202, "{\"topic\":\"t\",\"partition\":0,\"offset\":6}", null);
    one.loop.pass(3000);
    expect.that("the gateway is asked for a result that doesn't come", one.gateway.last().request.url, "https://g/rooms/r1/results?user=7");
    one.loop.pass(8000);
    expect.that("and without one the grab fails", never.isCompletedExceptionally(), true);
    one.client.close();
  }

  private static void taps(Expect expect) throws Exception {
    Followed one = new Followed();
    StringBuilder likes = new StringBuilder();
    for (long wait : new long[] {0, 299, 999, 1000, 300, 299}) {
      one.loop.pass(wait);
      likes.append(one.client.tap("r1", 500, 400) ? 1 : 0);
    }
    expect.that("which taps are likes", likes.toString(), "011001");
    one.loop.pass(1000);
    JSONArray counts = new JSONArray();
    String run = null;
    for (ScriptedGateway.Asked asked : one.gateway.asked) {
      if (asked.request.body == null) continue;
      JSONObject taps = asked.sent().getJSONObject("taps");
      counts.put(taps.getLong("count"));
      run = taps.getString("runId");
      expect.that("whose taps", taps.getString("userId"), "7");
    }
    expect.that("runs tell how many likes so far", counts, new JSONArray("[1,2,3]"));
    for (ScriptedGateway.Asked asked : one.gateway.asked) {
      if (asked.request.body != null) asked.reply(202, "{\"topic\":\"t\",\"partition\":0,\"offset\":5}", null);
    }
    one.loop.pass(30_000);
    one.client.tap("r1", 1, 1);
    one.client.tap("r1", 1, 1);
    one.loop.pass(1);
    JSONObject next = one.gateway.last().sent().getJSONObject("taps");
    expect.that("after half a minute another run begins", next.getString("runId").equals(run), false);
    expect.that("which counts anew", next.getLong("count"), 1);
    one.client.close();
  }

  private static void stale(Expect expect) throws Exception {
    Followed one = new Followed();
    JSONObject show = new JSONObject().put("comboId", "c").put("lane", 0).put("total", 2);
    JSONObject gift = new JSONObject().put("roomId", "r1").put("id", "t/0/1/0").put("atMs", 1000).put("giftShow", show);
    JSONObject snapshot = new JSONObject().put("roomId", "r1").put("nowMs", 1000).put("staleAfterMs", 32_300)
        .put("commands", new JSONArray().put(gift));
    one.stream.say("snapshot", snapshot, "2").end(false);
    one.loop.pass(32_200);
    expect.that("a view stays while a command may tell of it", one.heard.toString(), "[]");
    one.loop.pass(400);
    expect.that("and is over without one, though no stream is open and nobody draws", one.heard.toString(), "[stale]");
    LiveRoom room = one.client.room("r1");
    expect.that("the room is stalled", room.screen().isStalled() && room.screen().gifts().isEmpty(), true);
    one.client.close();
  }

  private static void closing(Expect expect) throws Exception {
    Followed one = new Followed();
    CompletableFuture<Delivery> sent = one.client.like("r1", "w");
    one.loop.settle();
    one.client.close();
    expect.that("a closed client fails what is on its way", sent.isCompletedExceptionally(), true);
    expect.that("ends its stream", one.stream.isGone, true);
    expect.that("and leaves no timer", one.loop.timers(), 0);
    expect.that("nor threads", one.loop.isClosed && one.gateway.isClosed, true);
  }

  private static void redirects(Expect expect) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    server.createContext("/", exchange -> {
      exchange.getResponseHeaders().set("Location", address + "/elsewhere");
      exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/elsewhere") ? 200 : 302, -1);
      exchange.close();
    });
    server.start();
    CompletableFuture<Integer> told = new CompletableFuture<>();
    HttpTransport transport = new HttpTransport();
    transport.open(new Transport.Request("GET", address + "/commands", Collections.emptyMap(), null, 10_000), new Transport.Answer() {
      @Override
      public void head(int status, String contentType, String retryAfter) {
        told.complete(status);
      }

      @Override
      public void text(String piece) {}

      @Override
      public void end(boolean isWhole) {
        told.complete(0);
      }
    });
    expect.that("a redirect is not followed", told.get(10, TimeUnit.SECONDS), 302);
    transport.close();
    server.stop(0);
  }

  private static void addresses(Expect expect) {
    for (String url : new String[] {"gateway.example", "https://", "ftp://gateway.example", ""}) {
      String told = "";
      try {
        new Flyscreen.Builder(url, Runnable::run).build(new Flyscreen.Listener() {});
      } catch (IllegalArgumentException refused) {
        told = "refused";
      }
      expect.that("the address " + url, told, "refused");
    }
    new Flyscreen.Builder("HTTP://127.0.0.1:8080/live/", Runnable::run).build(new Flyscreen.Listener() {}).close();
  }
}
