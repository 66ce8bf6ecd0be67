package flyscreen.client;

import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Something on a screen, as the command that brought it told. {@link #body} has every field of that command, also those
 * that this library doesn't know; STAGES.md, section 10, lists them.
 */
public abstract class Item {
  /** The id of the command: {@code topic/partition/offset/n}. */
  public final String id;
  /** The fields of the command. */
  public final JSONObject body;
  /** The log time of the command, in milliseconds since 1970. */
  public final long startMs;

  Item(String id, long startMs, JSONObject body) {
    this.id = id;
    this.startMs = startMs;
    this.body = body;
  }

  public final String text(String field) {
    return body.optString(field);
  }

  public final long number(String field) {
    return body.optLong(field);
  }

  public final Sender sender() {
    return Sender.of(body.optJSONObject("sender"));
  }

  /** A combo on its lane. */
  public static final class GiftView extends Item {
    /** The lane, 0 at the top. */
    public final int lane;
    public final String comboId;
    /** The last number drawn; 0 before the first. */
    public long count;
    /** How many gifts have come; at least {@link #count}. */
    public long total;
    /** When the number popped, as far as this screen saw it; null: it hasn't. */
    public Long bumpedAtMs;
    /** When the view is gone, once it leaves; null: it stays. */
    public Long leavesMs;

    GiftView(String id, long startMs, JSONObject show) {
      super(id, startMs, show);
      lane = show.optInt("lane");
      comboId = show.optString("comboId");
      count = show.optLong("from");
      total = Math.max(show.optLong("total"), count);
    }

    public String giftId() {
      return text("giftId");
    }

    public String giftName() {
      return text("giftName");
    }

    /** The name of whom the gift is for; empty: for nobody in particular, or the platform told no name. */
    public String receiverName() {
      return text("receiverName");
    }

    /** The price of one. */
    public long value() {
      return number("value");
    }

    /** How dear the combo is, from 0. */
    public int tier() {
      return (int) number("tier");
    }
  }

  /** A wish on its way from right to left. */
  public static final class Banner extends Item {
    public final String wishId;
    public final int track;
    public final long landMs;
    public long likes;

    Banner(String id, long startMs, JSONObject fly) {
      super(id, startMs, fly);
      wishId = fly.optString("wishId");
      track = fly.optInt("track");
      landMs = startMs + fly.optLong("durationMs");
      likes = fly.optLong("likes");
    }

    public String text() {
      return text("text");
    }

    /** The width in units of the setting {@code wish.stageWidth}, 375 unless the platform has set another. */
    public int width() {
      return (int) number("width");
    }

    /** The place of the left edge at a log time, on a stage of this width. */
    public double left(double atMs, double stageWidth) {
      return stageWidth - (stageWidth + width()) * (atMs - startMs) / number("durationMs");
    }
  }

  /** A red packet that falls. */
  public static final class Drop extends Item {
    public final String rainId;
    public final long packet;
    public final long landMs;

    Drop(String id, long startMs, JSONObject drop) {
      super(id, startMs, drop);
      rainId = drop.optString("rainId");
      packet = drop.optLong("packet");
      landMs = startMs + drop.optLong("fallMs");
    }

    /** The part of its way that the packet has fallen at a log time: 0 at the top, 1 at the bottom. */
    public double fallen(double atMs) {
      return (atMs - startMs) / number("fallMs");
    }

    /** The packet's place across the stage at a log time, in thousandths of its width. */
    public double x(double atMs) {
      return number("x") + (number("toX") - number("x")) * fallen(atMs);
    }

    /** The packet's turn at a log time, in degrees. */
    public double degrees(double atMs) {
      double turned = number("spinMs") == 0 ? 1 : Math.min(1, (atMs - startMs) / number("spinMs"));
      return number("angle") + number("spin") * turned;
    }
  }

  /** A rain that has not ended. A client that came in its middle may lack the countdown and the tally. */
  public static final class Rain {
    public final String rainId;
    /** The last {@code rainCountdown}; null: none was told. */
    public Told countdown;
    /** The last {@code rainTally}; null: none was told. */
    public Told tally;
    public final List<Drop> drops = new ArrayList<>();
    /** The last command of the rain, or the landing of its last packet. */
    long toldMs;

    Rain(String rainId) {
      this.rainId = rainId;
    }
  }

  /** A command that stays for its fields alone. */
  public static final class Told extends Item {
    Told(String id, long startMs, JSONObject body) {
      super(id, startMs, body);
    }
  }

  /** Hearts that were thrown at once. */
  public static final class Burst extends Item {
    public final long count;

    Burst(String id, long startMs, JSONObject burst) {
      super(id, startMs, burst);
      count = burst.optLong("count");
    }
  }

  /** The item that fills the screen. */
  public static final class Spot extends Item {
    public final String spotId;
    public final long endMs;

    Spot(String id, long startMs, JSONObject show) {
      super(id, startMs, show);
      spotId = show.optString("spotId");
      endMs = startMs + show.optLong("durationMs");
    }
  }

  /** The bar while it shows a crowd: many who sent one kind of gift. */
  public static final class Crowd extends Item {
    public final String crowdId;

    Crowd(String id, long startMs, JSONObject show) {
      super(id, startMs, show);
      crowdId = show.optString("crowdId");
    }

    /** Those who gave most, at most three. */
    public List<Sender> names() {
      List<Sender> senders = new ArrayList<>();
      JSONArray names = body.optJSONArray("names");
      for (int i = 0; names != null && i < names.length(); i++) senders.add(Sender.of(names.optJSONObject(i)));
      return senders;
    }
  }

  /** A message that stays for its time. */
  public static final class Pin extends Item {
    public final String pinId;
    public final long endMs;

    Pin(String id, long atMs, JSONObject show) {
      super(id, atMs, show);
      pinId = show.optString("pinId");
      endMs = show.optLong("endMs");
    }

    public String text() {
      return text("text");
    }

    /** Whether the pin comes before those that are dearer. */
    public boolean isFirst() {
      return number("first") == 1;
    }
  }

  /** A goal, or a battle if it has sides. */
  public static final class Goal extends Item {
    public final String goalId;
    /** The last command that told the count. */
    Told counted;

    Goal(String id, long atMs, JSONObject show) {
      super(id, atMs, show);
      goalId = show.optString("goalId");
      counted = new Told(id, atMs, show);
    }

    public long progress() {
      return counted.number("progress");
    }

    public boolean isReached() {
      return counted.number("reached") == 1;
    }

    public long target() {
      return number("target");
    }

    /** The sides of a battle, each {@code {id, total}}; empty: the goal has none. */
    public JSONArray sides() {
      JSONArray sides = counted.body.optJSONArray("sides");
      return sides == null ? new JSONArray() : sides;
    }

    public long endMs() {
      return number("endMs");
    }
  }

  /** What was skipped, of one stage for one reason. */
  public static final class Skip {
    public final String stage;
    public final String reason;
    public long items;
    public long units;

    Skip(String stage, String reason) {
      this.stage = stage;
      this.reason = reason;
    }
  }
}
