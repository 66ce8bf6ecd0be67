package flyscreen.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * One room's screen: its commands, folded, as Schemas/CLIENTS.md says ("From commands to a screen").
 *
 * <p>Commands come in the room's order. The time that passes between them is told by {@link #advance}, since what flies
 * lands and what leaves is gone without a command.
 */
public final class Screen {
  /** How long hearts are shown, and how many bursts at most. */
  static final long BURST_MS = 2000;
  static final int BURST_LIMIT = 64;

  public final String roomId;
  private long nowMs;
  private final List<Item.GiftView> gifts = new ArrayList<>();
  private final List<Item.Banner> banners = new ArrayList<>();
  private final List<Item.Rain> rains = new ArrayList<>();
  private final List<Item.Burst> bursts = new ArrayList<>();
  private final List<Item.Pin> pins = new ArrayList<>();
  private final List<Item.Goal> goals = new ArrayList<>();
  private final List<Item.Skip> skips = new ArrayList<>();
  private Item.Spot spot;
  private Item.Crowd crowd;
  /** The end of the room, until any other command comes. */
  private Item.Told end;
  private AppliedCommands applied = new AppliedCommands();
  /** No item ends before then: most commands pass without a look at all items. */
  private long nextChangeMs = Long.MAX_VALUE;
  /** An item that only a command ends is over when no command has told of it for so long; 0: no such span is known. */
  private long staleAfterMs;
  private boolean isStalled;
  /** The time of the latest command that was drawn. */
  private long lastMs;
  /** The items so far that were over for want of a command. */
  private int stale;

  public Screen(String roomId) {
    this.roomId = roomId;
  }

  /** The log time that is known to have come, in milliseconds since 1970. */
  public long nowMs() {
    return nowMs;
  }

  /** The gift views by lane, from the top. */
  public List<Item.GiftView> gifts() {
    return Collections.unmodifiableList(gifts);
  }

  /** The banners in the order in which they started. */
  public List<Item.Banner> banners() {
    return Collections.unmodifiableList(banners);
  }

  /** The rains by their ids. */
  public List<Item.Rain> rains() {
    return Collections.unmodifiableList(rains);
  }

  /** The hearts, the latest last. */
  public List<Item.Burst> bursts() {
    return Collections.unmodifiableList(bursts);
  }

  /** The pins in the order in which they began. */
  public List<Item.Pin> pins() {
    return Collections.unmodifiableList(pins);
  }

  /** The goals and battles in the order in which they began. */
  public List<Item.Goal> goals() {
    return Collections.unmodifiableList(goals);
  }

  /** The skipped items since the last snapshot, by stage and reason. */
  public List<Item.Skip> skips() {
    return Collections.unmodifiableList(skips);
  }

  /** The item that fills the screen; null: none does. */
  public Item.Spot spot() {
    return spot;
  }

  /** The crowd on the bar; null: the bar is free. */
  public Item.Crowd crowd() {
    return crowd;
  }

  /** Whether the room has ended and no command has come since. Items of another log may be shown still. */
  public boolean isEnded() {
    return end != null;
  }

  /** Whether an item was over for want of a command, and no command has come since: the log stands still. */
  public boolean isStalled() {
    return isStalled;
  }

  /**
   * All that flies under a finger, the topmost first: packets ({@link Item.Drop}) above banners ({@link Item.Banner}), later ones
   * above earlier ones. {@code x} and {@code y} are in the units of the layout; {@code atMs} is the log time of the frame that
   * is shown.
   */
  public List<Item> itemsAt(double x, double y, long atMs, Layout layout) {
    List<Item> found = new ArrayList<>();
    for (Item.Rain rain : rains) {
      for (Item.Drop drop : rain.drops) {
        if (drop.startMs <= atMs && atMs < drop.landMs && layout.isOn(drop, x, y, atMs)) found.add(0, drop);
      }
    }
    found.sort((one, other) -> Long.compare(other.startMs, one.startMs));
    int packets = found.size();
    for (Item.Banner banner : banners) {
      if (banner.startMs <= atMs && atMs < banner.landMs && layout.isOn(banner, x, y, atMs)) found.add(packets, banner);
    }
    return found;
  }

  /** The topmost of {@link #itemsAt}; null: nothing flies there. */
  public Item itemAt(double x, double y, long atMs, Layout layout) {
    List<Item> found = itemsAt(x, y, atMs, layout);
    return found.isEmpty() ? null : found.get(0);
  }

  /** Whether a command has not come yet, nor one after it of the same log. */
  boolean isNew(JSONObject command) {
    return applied.isNew(command.optString("id"), command.optLong("atMs"));
  }

  long staleAfterMs() {
    return staleAfterMs;
  }

  int stale() {
    return stale;
  }

  /** Draws a command of this room. Returns false, and draws nothing, if the command came before. */
  public boolean apply(JSONObject command) {
    String id = command.optString("id");
    long atMs = command.optLong("atMs");
    if (!applied.insert(id, atMs)) return false;
    advance(atMs);
    draw(command, id, atMs);
    // What a late command told may be over already.
    if (nextChangeMs <= nowMs) sweep();
    return true;
  }

  /** Lets log time pass: what is over by then is gone. Time never goes back. */
  public void advance(long toMs) {
    if (toMs <= nowMs) return;
    nowMs = toMs;
    if (toMs >= nextChangeMs) sweep();
  }

  /** Shows a snapshot, and nothing from before. */
  public void reset(JSONObject snapshot) {
    for (List<?> list : lists()) list.clear();
    skips.clear();
    spot = null;
    crowd = null;
    end = null;
    isStalled = false;
    lastMs = 0;
    staleAfterMs = snapshot.optLong("staleAfterMs");
    nowMs = snapshot.optLong("nowMs");
    applied = new AppliedCommands();
    nextChangeMs = Long.MAX_VALUE;
    JSONArray position = snapshot.optJSONArray("position");
    for (int i = 0; position != null && i < position.length(); i++) {
      JSONObject mark = position.optJSONObject(i);
      if (mark != null) applied.insert(mark.optString("id"), mark.optLong("atMs"));
    }
    JSONArray commands = snapshot.optJSONArray("commands");
    for (int i = 0; commands != null && i < commands.length(); i++) {
      JSONObject command = commands.optJSONObject(i);
      if (command == null) continue;
      applied.insert(command.optString("id"), command.optLong("atMs"));
      draw(command, command.optString("id"), command.optLong("atMs"));
    }
    if (nextChangeMs <= nowMs) sweep();
  }

  private List<List<?>> lists() {
    List<List<?>> all = new ArrayList<>();
    Collections.addAll(all, gifts, banners, rains, bursts, pins, goals);
    return all;
  }

  private void draw(JSONObject command, String id, long atMs) {
    end = null;
    isStalled = false;
    lastMs = Math.max(lastMs, atMs);
    if (staleAfterMs > 0) nextChangeMs = Math.min(nextChangeMs, atMs + staleAfterMs);
    // Beside id, atMs and roomId a command has one member, its kind.
    for (Iterator<String> names = command.keys(); names.hasNext();) {
      String kind = names.next();
      JSONObject body = command.optJSONObject(kind);
      if (body != null) draw(kind, body, id, atMs);
    }
  }

  private void draw(String kind, JSONObject body, String id, long atMs) {
    switch (kind) {
      case "giftShow": drawShow(body, id, atMs); break;
      case "giftBump": drawCount(shownGift(body), body, atMs); break;
      case "giftHide": drawHide(body, atMs); break;
      case "wishFly": drawWish(body, id, atMs); break;
      case "wishLikes": drawLikes(body); break;
      case "wishGone":
        banners.removeIf(one -> one.wishId.equals(body.optString("wishId")) && isOfLog(one, CommandId.logOf(id)));
        break;
      case "likeBurst": drawBurst(body, id, atMs); break;
      case "rainCountdown": rain(body, atMs).countdown = new Item.Told(id, atMs, body); break;
      case "rainDrop": drawDrop(body, id, atMs); break;
      case "rainTally": rain(body, atMs).tally = new Item.Told(id, atMs, body); break;
      case "rainEnd": rains.removeIf(one -> one.rainId.equals(body.optString("rainId"))); break;
      case "spotShow": drawSpot(body, id, atMs); break;
      case "spotGone": if (spot != null && spot.spotId.equals(body.optString("spotId"))) spot = null; break;
      case "crowdShow": crowd = new Item.Crowd(id, atMs, body); break;
      case "crowdHide": if (crowd != null && crowd.crowdId.equals(body.optString("crowdId"))) crowd = null; break;
      case "pinShow": drawPin(body, id, atMs); break;
      case "pinGone": pins.removeIf(one -> one.pinId.equals(body.optString("pinId"))); break;
      case "goalShow": drawGoal(body, id, atMs); break;
      case "goalCount": drawGoalCount(body, id, atMs); break;
      case "goalEnd": goals.removeIf(one -> one.goalId.equals(body.optString("goalId"))); break;
      case "skipped": drawSkipped(body); break;
      case "roomEnd": drawEnd(body, id, atMs); break;
      default: // A newer server's kind draws nothing here.
    }
  }

  private void drawShow(JSONObject show, String id, long atMs) {
    Item.GiftView view = new Item.GiftView(id, atMs, show);
    int at = 0;
    while (at < gifts.size() && gifts.get(at).lane < view.lane) at++;
    if (at == gifts.size() || gifts.get(at).lane != view.lane) {
      gifts.add(at, view);
      return;
    }
    Item.GiftView before = gifts.set(at, view);
    if (before.comboId.equals(view.comboId) && before.leavesMs == null) view.bumpedAtMs = before.bumpedAtMs;
  }

  /** The view of just this combo on just this lane; null if the screen never saw it, or it leaves. */
  private Item.GiftView shownGift(JSONObject body) {
    for (Item.GiftView view : gifts) {
      if (view.lane == body.optInt("lane") && view.comboId.equals(body.optString("comboId")) && view.leavesMs == null) {
        return view;
      }
    }
    return null;
  }

  private void drawCount(Item.GiftView view, JSONObject body, long atMs) {
    if (view == null) return;
    view.count = body.optLong("count");
    view.total = Math.max(view.total, view.count);
    view.bumpedAtMs = atMs;
  }

  private void drawHide(JSONObject hide, long atMs) {
    Item.GiftView view = shownGift(hide);
    if (view == null) return;
    view.count = hide.optLong("count");
    view.total = Math.max(view.total, view.count);
    view.leavesMs = atMs + hide.optLong("exitMs");
    if (!ends(view.leavesMs)) gifts.remove(view);
  }

  private void drawWish(JSONObject fly, String id, long atMs) {
    Item.Banner banner = new Item.Banner(id, atMs, fly);
    if (!ends(banner.landMs)) return;
    int at = banners.size();
    while (at > 0 && banners.get(at - 1).startMs > atMs) at--;
    banners.add(at, banner);
  }

  private void drawLikes(JSONObject likes) {
    for (int i = banners.size() - 1; i >= 0; i--) {
      if (!banners.get(i).wishId.equals(likes.optString("wishId"))) continue;
      banners.get(i).likes = likes.optLong("likes");
      return;
    }
  }

  private void drawBurst(JSONObject burst, String id, long atMs) {
    if (!ends(atMs + BURST_MS)) return;
    if (bursts.size() == BURST_LIMIT) bursts.remove(0);
    bursts.add(new Item.Burst(id, atMs, burst));
  }

  private void drawDrop(JSONObject body, String id, long atMs) {
    Item.Drop drop = new Item.Drop(id, atMs, body);
    if (ends(drop.landMs)) rain(body, drop.landMs).drops.add(drop);
  }

  /** The rain of this id, from now on; told of until {@code toldMs}. */
  private Item.Rain rain(JSONObject body, long toldMs) {
    String rainId = body.optString("rainId");
    int at = 0;
    while (at < rains.size() && comesBefore(rains.get(at).rainId, rainId)) at++;
    if (at == rains.size() || !rains.get(at).rainId.equals(rainId)) rains.add(at, new Item.Rain(rainId));
    rains.get(at).toldMs = Math.max(rains.get(at).toldMs, toldMs);
    return rains.get(at);
  }

  private void drawSpot(JSONObject show, String id, long atMs) {
    Item.Spot shown = new Item.Spot(id, atMs, show);
    if (ends(shown.endMs)) spot = shown;
  }

  private void drawPin(JSONObject show, String id, long atMs) {
    Item.Pin pin = new Item.Pin(id, atMs, show);
    pins.removeIf(one -> one.pinId.equals(pin.pinId));
    if (!ends(pin.endMs)) return;
    int at = 0;
    while (at < pins.size() && beganBefore(pins.get(at), pins.get(at).pinId, pin, pin.pinId)) at++;
    pins.add(at, pin);
  }

  private void drawGoal(JSONObject show, String id, long atMs) {
    Item.Goal goal = new Item.Goal(id, atMs, show);
    goals.removeIf(one -> one.goalId.equals(goal.goalId));
    int at = 0;
    while (at < goals.size() && beganBefore(goals.get(at), goals.get(at).goalId, goal, goal.goalId)) at++;
    goals.add(at, goal);
  }

  /** Whether a pin or a goal began before another, or in the same millisecond with an id that comes before. */
  private static boolean beganBefore(Item item, String id, Item other, String otherId) {
    long began = item.number("startMs");
    long otherBegan = other.number("startMs");
    return began < otherBegan || (began == otherBegan && comesBefore(id, otherId));
  }

  private void drawGoalCount(JSONObject count, String id, long atMs) {
    for (Item.Goal goal : goals) {
      if (goal.goalId.equals(count.optString("goalId"))) goal.counted = new Item.Told(id, atMs, count);
    }
  }

  private void drawSkipped(JSONObject told) {
    String stage = told.optString("stage");
    String reason = told.optString("reason");
    Item.Skip skip = null;
    for (Item.Skip one : skips) if (one.stage.equals(stage) && one.reason.equals(reason)) skip = one;
    if (skip == null) skips.add(skip = new Item.Skip(stage, reason));
    skip.items += told.optLong("items");
    skip.units += told.optLong("units");
  }

  /** No item is shown any more that came from this log. */
  private void drawEnd(JSONObject body, String id, long atMs) {
    String log = CommandId.logOf(id);
    keep((item, endMs) -> !isOfLog(item, log));
    end = new Item.Told(id, atMs, body);
  }

  private static boolean isOfLog(Item item, String log) {
    String from = CommandId.logOf(item.id);
    return from == null ? log == null : from.equals(log);
  }

  // Time.

  /** Something drawn is over at this time. False if it is over already. */
  private boolean ends(long atMs) {
    if (atMs <= nowMs) return false;
    nextChangeMs = Math.min(nextChangeMs, atMs);
    return true;
  }

  private void sweep() {
    nextChangeMs = Long.MAX_VALUE;
    if (staleAfterMs > 0) dropStale();
    keep((item, endMs) -> {
      if (endMs <= nowMs) return false;
      nextChangeMs = Math.min(nextChangeMs, endMs);
      return true;
    });
  }

  /** Takes away the items that a command should have ended, or told of again, long ago. */
  private void dropStale() {
    gifts.removeIf(one ->
        one.leavesMs == null && isStale(one.bumpedAtMs == null ? one.startMs : Math.max(one.startMs, one.bumpedAtMs)));
    rains.removeIf(one -> isStale(one.toldMs));
    goals.removeIf(one -> isStale(Math.max(one.endMs(), one.startMs)));
    if (crowd != null && isStale(crowd.startMs)) crowd = null;
    // Pins, and goals that run, end by time, and commands tell them again within the span.
    boolean mustBeTold = pins.stream().anyMatch(one -> one.endMs > nowMs) || goals.stream().anyMatch(one -> one.endMs() > nowMs);
    if (mustBeTold && !isStalled) isStale(lastMs);
  }

  private boolean isStale(long toldMs) {
    long overMs = toldMs + staleAfterMs;
    if (overMs > nowMs) {
      nextChangeMs = Math.min(nextChangeMs, overMs);
      return false;
    }
    isStalled = true;
    stale++;
    return true;
  }

  private interface Stays {
    /** {@code endMs}: when the item is over without a command; {@code Long.MAX_VALUE}: it isn't. */
    boolean stays(Item item, long endMs);
  }

  /** Takes away the items that don't stay. */
  private void keep(Stays rule) {
    long never = Long.MAX_VALUE;
    gifts.removeIf(one -> !rule.stays(one, one.leavesMs == null ? never : one.leavesMs));
    banners.removeIf(one -> !rule.stays(one, one.landMs));
    rains.removeIf(one -> {
      if (one.countdown != null && !rule.stays(one.countdown, never)) one.countdown = null;
      if (one.tally != null && !rule.stays(one.tally, never)) one.tally = null;
      one.drops.removeIf(drop -> !rule.stays(drop, drop.landMs));
      return one.countdown == null && one.tally == null && one.drops.isEmpty();
    });
    bursts.removeIf(one -> !rule.stays(one, one.startMs + BURST_MS));
    pins.removeIf(one -> !rule.stays(one, one.endMs));
    goals.removeIf(one -> !rule.stays(one, never));
    if (spot != null && !rule.stays(spot, spot.endMs)) spot = null;
    if (crowd != null && !rule.stays(crowd, never)) crowd = null;
  }

  /** By code points, as all folds have it: Java's own order has some the other way round. */
  private static boolean comesBefore(String a, String b) {
    int i = 0;
    while (i < a.length() && i < b.length() && a.codePointAt(i) == b.codePointAt(i)) {
      i += Character.charCount(a.codePointAt(i));
    }
    if (i >= b.length()) return false;
    return i >= a.length() || a.codePointAt(i) < b.codePointAt(i);
  }

  /** The commands that draw this screen on another, {@code {roomId, nowMs, commands}}, in the order of CLIENTS.md. */
  public JSONObject snapshot() {
    List<JSONObject> commands = new ArrayList<>();
    try {
      for (Item.GiftView view : gifts) {
        if (view.leavesMs != null) continue;
        add(commands, "giftShow", view, with(with(view.body, "from", view.count), "total", view.total));
      }
      for (Item.Banner banner : banners) add(commands, "wishFly", banner, with(banner.body, "likes", banner.likes));
      for (Item.Rain rain : rains) {
        if (rain.countdown != null) add(commands, "rainCountdown", rain.countdown, rain.countdown.body);
        for (Item.Drop drop : rain.drops) add(commands, "rainDrop", drop, drop.body);
        if (rain.tally != null) add(commands, "rainTally", rain.tally, rain.tally.body);
      }
      if (spot != null) add(commands, "spotShow", spot, spot.body);
      if (crowd != null) add(commands, "crowdShow", crowd, crowd.body);
      for (Item.Pin pin : pins) add(commands, "pinShow", pin, pin.body);
      for (Item.Goal goal : goals) {
        JSONObject show = with(with(goal.body, "progress", goal.progress()), "sides", goal.sides());
        add(commands, "goalShow", goal, with(show, "reached", goal.isReached() ? 1 : 0));
      }
      // A stable sort: of one time the kinds stay in the order above.
      Collections.sort(commands, (a, b) -> Long.compare(a.optLong("atMs"), b.optLong("atMs")));
      // The end of the room goes last: whatever came after would undo it.
      if (end != null) add(commands, "roomEnd", end, end.body);
      JSONObject snapshot = new JSONObject().put("roomId", roomId).put("nowMs", nowMs);
      if (staleAfterMs > 0) snapshot.put("staleAfterMs", staleAfterMs);
      return snapshot.put("commands", new JSONArray(commands));
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void add(List<JSONObject> commands, String kind, Item item, JSONObject body) throws JSONException {
    commands.add(new JSONObject().put("roomId", roomId).put("id", item.id).put("atMs", item.startMs).put(kind, body));
  }

  /** A copy of this object with another value of one member. */
  private static JSONObject with(JSONObject object, String name, Object value) throws JSONException {
    JSONObject copy = new JSONObject();
    for (Iterator<String> names = object.keys(); names.hasNext();) {
      String each = names.next();
      copy.put(each, object.get(each));
    }
    return copy.put(name, value);
  }
}
