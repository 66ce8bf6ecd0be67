package flyscreen.client;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.json.JSONArray;
import org.json.JSONObject;

/** {@code Cases TESTS}: runs the cases of Tests/ScreenCases and Tests/ClientCases, and prints {@code {looks, wrong}}. */
final class Cases {
  /** Chance that always gives the longest wait, and always the shortest. */
  private static final Random LONGEST = chance(Math.nextDown(1.0));
  private static final Random SHORTEST = chance(0);
  private static final String PLACE = "{\"topic\":\"im.wishes\",\"partition\":2,\"offset\":40}";
  private static final long NEVER = 100_000_000;

  private static int looks;
  private static final List<String> wrong = new ArrayList<>();

  private static Random chance(double always) {
    return new Random() {
      private static final long serialVersionUID = 1;

      @Override
      public double nextDouble() {
        return always;
      }
    };
  }

  private static void expect(String about, Object is, Object should) {
    looks++;
    if (!canonical(is).equals(canonical(should))) wrong.add(about + ": " + canonical(is) + " rather than " + canonical(should));
  }

  /** A value as text that is equal for equal values. */
  private static String canonical(Object value) {
    if (value instanceof JSONObject) {
      TreeMap<String, String> members = new TreeMap<>();
      JSONObject object = (JSONObject) value;
      for (Iterator<String> names = object.keys(); names.hasNext();) {
        String name = names.next();
        members.put(name, canonical(object.opt(name)));
      }
      return members.toString();
    }
    if (value instanceof JSONArray) {
      List<String> items = new ArrayList<>();
      for (int i = 0; i < ((JSONArray) value).length(); i++) items.add(canonical(((JSONArray) value).opt(i)));
      return items.toString();
    }
    if (value instanceof Number) return String.valueOf(((Number) value).longValue());
    return value == null || value == JSONObject.NULL ? "null" : value instanceof String ? JSONObject.quote((String) value) : value.toString();
  }

  private static String read(File file) throws Exception {
    return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
  }

  private static List<JSONObject> list(File file) throws Exception {
    return objects(new JSONArray(read(file)));
  }

  private static List<JSONObject> objects(JSONArray array) throws Exception {
    List<JSONObject> objects = new ArrayList<>();
    for (int i = 0; array != null && i < array.length(); i++) objects.add(array.getJSONObject(i));
    return objects;
  }

  public static void main(String[] arguments) throws Exception {
    File tests = new File(arguments[0]);
    File[] screens = new File(tests, "ScreenCases").listFiles((folder, name) -> name.endsWith(".json"));
    Arrays.sort(screens);
    for (File file : screens) screen(file.getName(), new JSONObject(read(file)));
    File cases = new File(tests, "ClientCases");
    for (JSONObject one : list(new File(cases, "coming-back.json"))) comingBack(one);
    for (JSONObject one : list(new File(cases, "taps.json"))) taps(one);
    for (JSONObject one : list(new File(cases, "hits.json"))) hits(one);
    for (JSONObject one : list(new File(cases, "feeds.json"))) feed(one);
    for (JSONObject one : list(new File(cases, "names.json"))) {
      expect("a name", new Sender("7", one.getString("name"), "").shownName(), one.getString("shown"));
    }
    for (JSONObject one : list(new File(cases, "retry-after.json"))) {
      Gateway gateway = new Gateway("https://g", "7", null, null, new VirtualLoop(1445412480_000L), SHORTEST);
      expect("Retry-After: " + one.getString("header"), gateway.retryAfterMs(one.getString("header")), one.getLong("waitMs"));
    }
    for (JSONObject one : list(new File(cases, "sending.json"))) sending(one);
    for (JSONObject one : list(new File(cases, "refusals.json"))) refusal(one);
    for (JSONObject one : list(new File(cases, "waking.json"))) waking(one);
    for (JSONObject one : list(new File(cases, "own-wishes.json"))) ownWish(one);
    for (JSONObject one : list(new File(cases, "pace.json"))) pace(one);
    Viewers.run(Cases::expect);
    System.out.println(new JSONObject().put("looks", looks).put("wrong", new JSONArray(wrong)));
  }

  // Screens.

  private static void screen(String name, JSONObject one) throws Exception {
    Screen screen = new Screen(one.getString("roomId"));
    int number = 0;
    for (JSONObject step : objects(one.getJSONArray("steps"))) {
      number++;
      if (step.has("apply")) screen.apply(step.getJSONObject("apply"));
      if (step.has("advance")) screen.advance(step.getLong("advance"));
      if (step.has("reset")) screen.reset(step.getJSONObject("reset"));
      JSONObject should = step.optJSONObject("expect");
      if (should == null) continue;
      JSONObject is = Shown.of(screen);
      for (Iterator<String> members = should.keys(); members.hasNext();) {
        String member = members.next();
        expect(name + " " + number + " " + member, is.opt(member), should.get(member));
      }
    }
  }

  // Clients.

  private static void comingBack(JSONObject one) throws Exception {
    Comeback comeback = new Comeback(LONGEST);
    for (JSONObject end : objects(one.getJSONArray("ends"))) {
      Comeback.Ending ending = new Comeback.Ending();
      if (end.has("openMs")) ending.openMs = end.getLong("openMs");
      if (end.has("retryMs")) ending.retryMs = end.getLong("retryMs");
      ending.isOrderly = end.optBoolean("orderly");
      ending.retryAfterMs = end.optLong("retryAfterMs");
      long waited = comeback.wait(ending, one.getLong("limitMs"));
      // The longest chance is a little less than all of the span.
      long should = end.getLong("waitMs");
      expect(one.getString("about"), waited == should - 1 ? should : waited, should);
    }
  }

  private static void taps(JSONObject one) throws Exception {
    TapRecogniser recogniser = new TapRecogniser();
    JSONArray likes = new JSONArray();
    long now = 0;
    JSONArray waits = one.getJSONArray("waitsMs");
    for (int i = 0; i < waits.length(); i++) likes.put(recogniser.tap(now += waits.getLong(i)));
    expect(one.getString("about"), likes, one.get("likes"));
  }

  private static void hits(JSONObject one) throws Exception {
    JSONObject told = one.getJSONObject("layout");
    Layout layout = new Layout(told.getDouble("width"), told.getDouble("height"));
    layout.stageWidth = told.getDouble("stageWidth");
    layout.firstTrack = told.getJSONObject("wishes").getDouble("top");
    layout.trackStep = told.getJSONObject("wishes").getDouble("step");
    layout.bannerHeight = told.getJSONObject("wishes").getDouble("height");
    layout.packetWidth = told.getJSONObject("packets").getDouble("width");
    layout.packetHeight = told.getJSONObject("packets").getDouble("height");
    Screen screen = new Screen("r");
    for (JSONObject command : objects(one.getJSONArray("commands"))) screen.apply(command);
    for (JSONObject look : objects(one.getJSONArray("looks"))) {
      long atMs = look.getLong("atMs");
      screen.advance(atMs);
      JSONArray under = new JSONArray();
      for (Item item : screen.itemsAt(look.getDouble("x"), look.getDouble("y"), atMs, layout)) under.put(item.id);
      expect(one.getString("about") + ": " + look, under, look.get("under"));
      Item first = screen.itemAt(look.getDouble("x"), look.getDouble("y"), atMs, layout);
      expect("the topmost: " + look, first == null ? null : first.id, look.getJSONArray("under").opt(0));
    }
  }

  private static void feed(JSONObject one) throws Exception {
    VirtualLoop loop = new VirtualLoop();
    ScriptedGateway nobody = new ScriptedGateway(loop);
    Gateway gateway = new Gateway("https://g", "7", null, nobody, loop, SHORTEST);
    Flyscreen client = new Flyscreen(new Flyscreen.Builder("https://g", Runnable::run).fed(), gateway, new Flyscreen.Listener() {});
    client.follow(Collections.singletonList("r1"));
    int number = 0;
    for (JSONObject step : objects(one.getJSONArray("steps"))) {
      String about = one.getString("about") + ": step " + number++;
      if (step.has("subscribed")) client.subscribed("r1");
      if (step.has("push")) expect(about, client.feed(step.getJSONObject("push")), step.getBoolean("joined"));
      if (step.has("snapshot")) expect(about, client.feed(step.getJSONObject("snapshot")), step.getBoolean("joined"));
      if (!step.has("shows")) continue;
      JSONObject gifts = new JSONObject();
      JSONArray banners = new JSONArray();
      for (Item.GiftView view : client.room("r1").screen().gifts()) gifts.put(view.comboId, view.count);
      for (Item.Banner banner : client.room("r1").screen().banners()) banners.put(banner.wishId);
      expect(about, new JSONObject().put("gifts", gifts).put("banners", banners), step.getJSONObject("shows"));
    }
    expect("a client that is fed opens no stream", nobody.asked.size(), 0);
    client.close();
  }

  private static void pace(JSONObject one) throws Exception {
    VirtualLoop loop = new VirtualLoop();
    LiveRoom room = new LiveRoom("r", one.has("ownLagMs") ? one.getLong("ownLagMs") : null, loop, new LiveRoom.Listener() {
      @Override
      public void reset(LiveRoom room) {}

      @Override
      public void command(LiveRoom room, JSONObject command) {}

      @Override
      public void stale(LiveRoom room) {}
    });
    long begin = loop.nowMs();
    for (JSONObject step : objects(one.getJSONArray("steps"))) {
      loop.pass(step.getLong("localMs") - (loop.nowMs() - begin));
      if (step.has("snapshot")) room.reset(step.getJSONObject("snapshot").put("roomId", "r").put("commands", new JSONArray()));
      if (step.has("pace")) room.pace(step.getJSONObject("pace"));
      if (step.has("commandAtMs")) room.receive(new JSONObject().put("roomId", "r").put("id", "").put("atMs", step.getLong("commandAtMs")));
      if (step.has("shownMs")) expect(one.getString("about"), room.nowMs(), step.getLong("shownMs"));
    }
  }

  private static TokenSource tokens(String kind) {
    if (kind.isEmpty()) return null;
    int[] asked = {0};
    return renew -> CompletableFuture.completedFuture("t" + (kind.equals("renewed") ? ++asked[0] : 0));
  }

  private static void sending(JSONObject one) throws Exception {
    String about = one.getString("about");
    VirtualLoop loop = new VirtualLoop();
    List<Transport.Request> asked = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    List<JSONObject> answers = objects(one.getJSONArray("answers"));
    Transport transport = new Transport() {
      @Override
      public Call open(Request request, Answer answer) {
        JSONObject now = answers.get(asked.size());
        asked.add(request);
        times.add(loop.nowMs());
        if (now.has("status")) {
          answer.head(now.optInt("status"), "application/json", now.has("retryAfterS") ? now.optString("retryAfterS") : null);
          answer.text(now.has("text") ? now.optString("text") : now.has("body") ? now.opt("body").toString() : "\"oops\"");
        }
        answer.end(now.has("status"));
        return () -> {};
      }

      @Override
      public void close() {}
    };
    Gateway gateway = new Gateway("https://g", "7", tokens(one.optString("token")), transport, loop, SHORTEST);
    Outbox outbox = new Outbox(gateway, new Outbox.Listener() {
      @Override
      public void busy() {}

      @Override
      public void heard() {}
    });
    JSONObject like = new JSONObject().put("userId", "7").put("wishId", "w");
    CompletableFuture<Delivery> sent = outbox.send("r 1", "wishLike", like, Outbox.newId(), Outbox.WITHIN_MS);
    loop.pass(60_000);
    expect(about + ": outcome", outcome(sent), one.getString("outcome"));
    expect(about + ": tries", asked.size(), one.getInt("tries"));
    for (Transport.Request each : asked) expect(about + ": one body", each.body, asked.get(0).body);
    expect(about + ": place", asked.get(0).url, "https://g/rooms/r%201/events");
    JSONArray least = one.optJSONArray("leastWaitsMs");
    for (int i = 0; least != null && i < least.length(); i++) {
      long waited = times.get(i + 1) - times.get(i);
      expect(about + ": wait " + i + " of " + waited, waited >= least.getLong(i), true);
    }
  }

  private static String outcome(CompletableFuture<?> sent) {
    if (!sent.isDone()) return "nothing";
    String[] how = {"delivered"};
    sent.whenComplete((value, failed) -> {
      if (failed != null) how[0] = failed instanceof SendError ? ((SendError) failed).error : failed.toString();
    });
    return how[0];
  }

  private static void refusal(JSONObject one) throws Exception {
    VirtualLoop loop = new VirtualLoop();
    ScriptedGateway scripted = new ScriptedGateway(loop);
    List<StreamState> states = new ArrayList<>();
    Flyscreen client = client(scripted, loop, LONGEST, new Flyscreen.Listener() {
      @Override
      public void onState(List<String> rooms, StreamState state, int status, long retryInMs) {
        states.add(state);
      }
    });
    client.follow(Collections.singletonList("r1"));
    loop.settle();
    String type = one.optString("type", "application/json");
    scripted.last().answer(one.getInt("status"), type, null).end(true);
    loop.pass(10_000);
    String about = "an answer of " + one.getInt("status") + " and " + type;
    expect(about, states.contains(StreamState.REFUSED), one.getBoolean("ends"));
    expect(about, scripted.asked.size() > 1, !one.getBoolean("ends"));
    client.close();
  }

  static Flyscreen client(Transport transport, VirtualLoop loop, Random random, Flyscreen.Listener listener) {
    Flyscreen.Builder settings = new Flyscreen.Builder("https://g", Runnable::run).user("7");
    return new Flyscreen(settings, new Gateway("https://g", "7", null, transport, loop, random), listener);
  }

  private static void waking(JSONObject one) throws Exception {
    VirtualLoop loop = new VirtualLoop();
    ScriptedGateway scripted = new ScriptedGateway(loop);
    Flyscreen client = client(scripted, loop, LONGEST, new Flyscreen.Listener() {});
    client.follow(Arrays.asList("r1", "r2"));
    loop.settle();
    scripted.last().answer(421, "application/json", null);
    loop.settle();
    JSONObject wait = one.getJSONObject("wait");
    ScriptedGateway.Asked first = scripted.streams("/rooms/r1/").get(0);
    if (wait.has("status")) {
      first.answer(wait.getInt("status"), "application/json", wait.has("retryAfterS") ? wait.getString("retryAfterS") : null);
      first.end(true);
    } else {
      first.end(false);
    }
    loop.settle();
    if (one.has("call")) {
      if (one.getString("call").equals("wake")) client.wake();
      else client.retryNow();
    } else if (one.has("stream")) {
      ScriptedGateway.Asked second = scripted.streams("/rooms/r2/").get(0);
      if (one.getInt("stream") == 200) second.open();
      else second.answer(one.getInt("stream"), "application/json", null).end(true);
    } else {
      client.like("r1", "w1");
      loop.settle();
      int status = one.getInt("event");
      String error = status == 503 ? "not_ready" : "x";
      if (status == 0) scripted.last().end(false);
      else scripted.last().reply(status, status == 202 ? PLACE : "{\"error\":\"" + error + "\",\"message\":\"x\"}", null);
    }
    loop.settle();
    expect(one.getString("about"), scripted.streams("/rooms/r1/").size(), one.getBoolean("wakes") ? 2 : 1);
    client.close();
  }

  private static void ownWish(JSONObject one) throws Exception {
    Followed followed = new Followed();
    CompletableFuture<OwnWish.End> wish = followed.client.wish("r1", "hi", "");
    followed.loop.settle();
    ScriptedGateway.Asked posted = followed.gateway.last();
    List<JSONObject> told = objects(one.getJSONArray("told"));
    for (int i = 0; i <= told.size(); i++) {
      if (i == one.optInt("answered")) posted.reply(202, PLACE, null);
      followed.loop.settle();
      if (i == told.size()) break;
      JSONObject command = new JSONObject(told.get(i).toString()).put("roomId", "r1").put("atMs", 1001 + i);
      if (one.optBoolean("snapshots")) {
        JSONObject snapshot = new JSONObject().put("roomId", "r1").put("nowMs", 1001 + i).put("commands", new JSONArray().put(command));
        followed.stream.say("snapshot", snapshot, "" + (i + 2));
      } else {
        followed.stream.say("command", command, "" + (i + 2));
      }
      followed.loop.pass(1);
    }
    String how = !wish.isDone() ? "waits" : wish.join().toString().toLowerCase(java.util.Locale.ROOT);
    expect(one.getString("about"), how, one.getString("outcome"));
    expect(one.getString("about"), followed.client.ownWishes("r1").size(), how.equals("waits") ? 1 : 0);
    followed.client.close();
  }
}
