package flyscreen.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Wishes of this viewer's, from when they are made until they fly, or until it is known that they never will. A wish that
 * is equal to one that flies is a like of that, and so has flown.
 */
final class OwnWishes {
  /** A wish that is equal to one that began to fly so recently is a like of it ({@code wish.mergeMs}). */
  private static final long MERGE_MS = 3000;
  /** A wish is queued for 30 s at most ({@code wish.maxWaitMs}), and one that is skipped then is told within a second. */
  private static final long WAIT_MS = 32_000;
  /** The most wishes that a past tells: where it has fewer, no other has flown. */
  private static final int MOST_TOLD = 20;
  private static final int MOST_ENDS = 64;

  /** What this class asks its client. */
  interface Surroundings {
    void changed(String roomId);

    /** A room's log time; null: not known. */
    Long logMs(String roomId);

    /** Whether a stream tells the room now. */
    boolean isTold(String roomId);
  }

  private static final class Waiting {
    final String roomId;
    final OwnWish wish;
    final long madeAt;
    final CompletableFuture<OwnWish.End> end = new CompletableFuture<>();
    /** Where Kafka has the wish; null: not known yet. */
    Delivery place;
    Loop.Timer timer = Loop.Timer.NONE;
    /** The wish may have flown, and no stream told of it. */
    boolean mayBeMissed;

    Waiting(String roomId, OwnWish wish, long madeAt) {
      this.roomId = roomId;
      this.wish = wish;
      this.madeAt = madeAt;
    }
  }

  /** A wish that was seen flying. */
  private static final class Fly {
    final String roomId;
    final String text;
    final String style;
    final long startMs;

    Fly(String roomId, JSONObject body, long startMs) {
      this.roomId = roomId;
      this.text = body.optString("text");
      this.style = body.optString("style");
      this.startMs = startMs;
    }
  }

  private final Loop loop;
  private final Surroundings surroundings;
  private final Map<String, Waiting> wishes = new LinkedHashMap<>();
  /** The last commands that ended wishes which don't fly, while one of these was on its way. */
  private final ArrayDeque<JSONObject> ends = new ArrayDeque<>();
  /** The last wishes that were seen flying. */
  private final ArrayDeque<Fly> flies = new ArrayDeque<>();

  OwnWishes(Loop loop, Surroundings surroundings) {
    this.loop = loop;
    this.surroundings = surroundings;
  }

  List<OwnWish> of(String roomId) {
    List<OwnWish> list = new ArrayList<>();
    for (Waiting one : wishes.values()) if (one.roomId.equals(roomId)) list.add(one.wish);
    return list;
  }

  /** Watches a wish. The future fails as its sending does. */
  CompletableFuture<OwnWish.End> add(String roomId, OwnWish wish, CompletableFuture<Delivery> sent) {
    Waiting one = new Waiting(roomId, wish, loop.nowMs());
    wishes.put(wish.wishId, one);
    surroundings.changed(roomId);
    sent.whenComplete((place, failed) -> {
      if (failed != null) {
        one.end.completeExceptionally(failed);
        end(one, OwnWish.End.SKIPPED);
      } else if (wishes.get(wish.wishId) == one) {
        settle(one, place);
      }
    });
    return one.end;
  }

  /** The wish has arrived. The stream may have been faster than this answer. */
  private void settle(Waiting one, Delivery place) {
    one.place = place;
    for (Fly fly : flies) {
      if (!isLike(one, fly)) continue;
      end(one, OwnWish.End.FLIES);
      return;
    }
    for (JSONObject command : ends) {
      if (!isSkipped(one, command)) continue;
      skip(one, command);
      return;
    }
    one.timer = loop.after(WAIT_MS, () -> {
      boolean isUnknown = one.mayBeMissed || !surroundings.isTold(one.roomId);
      end(one, isUnknown ? OwnWish.End.UNKNOWN : OwnWish.End.SKIPPED);
    });
  }

  /** A command was drawn, or is told in a snapshot. */
  void hear(JSONObject command) {
    JSONObject fly = command.optJSONObject("wishFly");
    if (fly != null) {
      Waiting flown = wishes.get(fly.optString("wishId"));
      if (flown != null) end(flown, OwnWish.End.FLIES);
      hear(new Fly(command.optString("roomId"), fly, command.optLong("atMs")));
    }
    JSONObject skipped = command.optJSONObject("skipped");
    boolean ends = (skipped != null && skipped.optString("stage").equals("wish")) || command.has("roomEnd");
    if (wishes.isEmpty() || !ends) return;
    if (this.ends.size() == MOST_ENDS) this.ends.poll();
    this.ends.add(command);
    for (Waiting one : new ArrayList<>(wishes.values())) if (isSkipped(one, command)) skip(one, command);
  }

  /** A room is told anew: wishes may have flown meanwhile. */
  void hearPast(String roomId, JSONObject past) {
    JSONArray told = past == null ? null : past.optJSONArray("wishes");
    if (told == null) return;
    for (int i = told.length() - 1; i >= 0; i--) {
      JSONObject wish = told.optJSONObject(i);
      Waiting one = wishes.get(wish.optString("wishId"));
      if (one != null && one.roomId.equals(roomId) && isSince(one, wish.optLong("atMs"))) end(one, OwnWish.End.FLIES);
      hear(new Fly(roomId, wish, wish.optLong("atMs")));
    }
    long knownMs = past.optLong("sinceMs");
    if (told.length() >= MOST_TOLD) knownMs = Math.max(knownMs, told.optJSONObject(MOST_TOLD - 1).optLong("atMs"));
    for (Waiting one : wishes.values()) if (one.roomId.equals(roomId) && isSince(one, knownMs)) one.mayBeMissed = true;
  }

  private void hear(Fly fly) {
    if (flies.size() > MOST_TOLD) flies.poll();
    flies.add(fly);
    for (Waiting one : new ArrayList<>(wishes.values())) {
      if (one.place != null && isLike(one, fly)) end(one, OwnWish.End.FLIES);
    }
  }

  void close() {
    for (Waiting one : new ArrayList<>(wishes.values())) end(one, OwnWish.End.UNKNOWN);
  }

  private void skip(Waiting one, JSONObject command) {
    end(one, command.has("roomEnd") && one.mayBeMissed ? OwnWish.End.UNKNOWN : OwnWish.End.SKIPPED);
  }

  private void end(Waiting one, OwnWish.End how) {
    one.timer.cancel();
    if (!wishes.remove(one.wish.wishId, one)) return;
    one.end.complete(how);
    surroundings.changed(one.roomId);
  }

  /** Whether a wish is a like of a flying one: it came less than MERGE_MS after that began, or before. */
  private boolean isLike(Waiting one, Fly fly) {
    if (!fly.roomId.equals(one.roomId) || !fly.style.equals(one.wish.style)) return false;
    if (!isSince(one, fly.startMs + MERGE_MS)) return false;
    if (fly.text.equals(one.wish.text)) return true;
    return fly.text.endsWith("…") && one.wish.text.startsWith(fly.text.substring(0, fly.text.length() - 1));
  }

  /** Whether this log time is after that at which the wish was made. */
  private boolean isSince(Waiting one, long atMs) {
    Long logMs = surroundings.logMs(one.roomId);
    return logMs != null && atMs > logMs - (loop.nowMs() - one.madeAt);
  }

  /**
   * Whether a command ends this wish. A wish that is skipped on arrival has a command of its own record; those that are
   * queued when their room ends have none.
   */
  private static boolean isSkipped(Waiting one, JSONObject command) {
    CommandId origin = CommandId.of(command.optString("id"));
    if (one.place == null || origin == null || !one.roomId.equals(command.optString("roomId"))) return false;
    if (!origin.log.equals(one.place.topic + "/" + one.place.partition)) return false;
    return command.has("roomEnd") ? one.place.offset < origin.offset : one.place.offset == origin.offset;
  }
}
