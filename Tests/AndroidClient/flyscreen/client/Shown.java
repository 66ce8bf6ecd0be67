package flyscreen.client;

import org.json.JSONArray;
import org.json.JSONObject;

/** A screen in the form of Tests/ScreenCases/README.md. */
final class Shown {
  private static final long STAGE = 375;

  private Shown() {}

  static JSONObject of(Screen screen) throws Exception {
    JSONObject shown = new JSONObject().put("nowMs", screen.nowMs()).put("ended", screen.isEnded())
        .put("stalled", screen.isStalled());
    JSONArray gifts = new JSONArray();
    for (Item.GiftView view : screen.gifts()) {
      JSONObject one = new JSONObject().put("lane", view.lane).put("comboId", view.comboId).put("count", view.count)
          .put("total", view.total).put("enteredMs", view.startMs + view.number("enterMs"));
      if (view.leavesMs != null) one.put("leavesMs", view.leavesMs);
      gifts.put(one);
    }
    JSONArray banners = new JSONArray();
    for (Item.Banner banner : screen.banners()) {
      long way = STAGE + banner.width();
      long flown = way * (screen.nowMs() - banner.startMs) / banner.number("durationMs");
      banners.put(new JSONObject().put("wishId", banner.wishId).put("track", banner.track).put("startMs", banner.startMs)
          .put("likes", banner.likes).put("left", STAGE - flown));
    }
    JSONArray rains = new JSONArray();
    for (Item.Rain rain : screen.rains()) {
      JSONArray drops = new JSONArray();
      for (Item.Drop drop : rain.drops) {
        long fallen = 1000 * (screen.nowMs() - drop.startMs) / drop.number("fallMs");
        drops.put(new JSONObject().put("packet", drop.packet).put("fallen", fallen));
      }
      JSONObject one = new JSONObject().put("rainId", rain.rainId).put("drops", drops);
      if (rain.countdown != null) one.put("left", rain.countdown.number("left"));
      if (rain.tally != null) one.put("opened", rain.tally.number("opened"));
      rains.put(one);
    }
    JSONArray bursts = new JSONArray();
    for (Item.Burst burst : screen.bursts()) bursts.put(burst.count);
    JSONArray skips = new JSONArray();
    for (Item.Skip skip : screen.skips()) {
      skips.put(new JSONObject().put("stage", skip.stage).put("reason", skip.reason).put("items", skip.items).put("units", skip.units));
    }
    shown.put("gifts", gifts).put("banners", banners).put("rains", rains).put("bursts", bursts).put("skips", skips);
    Item.Spot spot = screen.spot();
    shown.put("spot", spot == null ? JSONObject.NULL
        : new JSONObject().put("spotId", spot.spotId).put("startMs", spot.startMs).put("endMs", spot.endMs));
    Item.Crowd crowd = screen.crowd();
    if (crowd == null) {
      shown.put("crowd", JSONObject.NULL);
    } else {
      JSONArray names = new JSONArray();
      for (Sender sender : crowd.names()) names.put(sender.userId);
      shown.put("crowd", new JSONObject().put("crowdId", crowd.crowdId).put("items", crowd.number("items"))
          .put("units", crowd.number("units")).put("names", names));
    }
    JSONArray pins = new JSONArray();
    for (Item.Pin pin : screen.pins()) {
      pins.put(new JSONObject().put("pinId", pin.pinId).put("startMs", pin.number("startMs")).put("endMs", pin.endMs));
    }
    JSONArray goals = new JSONArray();
    for (Item.Goal goal : screen.goals()) {
      goals.put(new JSONObject().put("goalId", goal.goalId).put("progress", goal.progress())
          .put("reached", goal.isReached() ? 1 : 0).put("sides", goal.sides()).put("endMs", goal.endMs()));
    }
    shown.put("pins", pins).put("goals", goals);
    return shown.put("snapshot", screen.snapshot());
  }
}
