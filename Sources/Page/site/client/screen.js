import { AppliedCommands, logOf } from "./appliedCommands.js";
import { itemsAt } from "./hits.js";

/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").GiftShow} GiftShow */
/** @typedef {import("./commands.js").GoalShow} GoalShow */
/** @typedef {import("./commands.js").LikeBurst} LikeBurst */
/** @typedef {import("./commands.js").PinShow} PinShow */
/** @typedef {import("./commands.js").RainCountdown} RainCountdown */
/** @typedef {import("./commands.js").RainDrop} RainDrop */
/** @typedef {import("./commands.js").RainTally} RainTally */
/** @typedef {import("./commands.js").CrowdShow} CrowdShow */
/** @typedef {import("./commands.js").Snapshot} Snapshot */
/** @typedef {import("./commands.js").SpotShow} SpotShow */
/** @typedef {import("./commands.js").WishFly} WishFly */

/**
 * A combo on its lane. `leavesMs`: when it is gone, once it was hidden; `count`: the last number drawn, 0 before the
 * first; `bumpedAtMs`: when that popped, as far as this screen saw it; `shownAtMs`: when it began to enter, or was
 * refreshed, by the command `id`.
 * @typedef {{id: string, show: GiftShow, count: number, total: number, shownAtMs: number, bumpedAtMs: number | null,
 *   leavesMs: number | null}} GiftView
 */

/**
 * A wish on its way from right to left.
 * @typedef {{id: string, fly: WishFly, startMs: number, landMs: number, likes: number, likedAtMs: number | null}} Banner
 */

/**
 * A packet that falls.
 * @typedef {{id: string, drop: RainDrop, startMs: number, landMs: number}} Drop
 */

/**
 * A rain that has not ended; a reader that began in its middle may lack the countdown. `toldMs`: the last command of the rain,
 * or the landing of its last packet.
 * @typedef {{id: string, countdown: Told<RainCountdown> | null, tally: Told<RainTally> | null, drops: Drop[], toldMs: number}} Rain
 */

/**
 * Hearts that were thrown at once.
 * @typedef {{id: string, atMs: number, count: number, points: LikeBurst["points"]}} Burst
 */

/**
 * The item that fills the screen, until `endMs`, by the command `id`.
 * @typedef {{id: string, show: SpotShow, startMs: number, endMs: number}} SpotView
 */

/**
 * The bar while it shows a crowd, as the command `id` told it last.
 * @typedef {{id: string, show: CrowdShow, atMs: number}} CrowdView
 */

/**
 * A pin, until its `endMs`, as the command `id` told it last.
 * @typedef {{id: string, show: PinShow, atMs: number}} PinView
 */

/**
 * A goal as the command `id` told it last, with what has been counted since. `countedAtMs`, `reachedAtMs`: when that changed
 * last, and when it was reached, as far as this screen saw it.
 * @typedef {{id: string, show: GoalShow, atMs: number, countedAtMs: number | null, reachedAtMs: number | null}} GoalView
 */

/**
 * How many items, and units in them, were not shown, of one stage for one reason; the last at `atMs`.
 * @typedef {{stage: string, reason: string, items: number, units: number, atMs: number}} SkipCount
 */

/**
 * A screen that changes no more, nor does anything in it.
 * @typedef {{readonly [Name in "roomId" | "nowMs" | "gifts" | "banners" | "rains" | "bursts" | "spot" | "crowd" | "pins" | "goals"
 *   | "skips" | "isEnded" | "isStalled"]: Screen[Name]}} ScreenView
 */

/**
 * A body, with what its command said beside it.
 * @template What
 * @typedef {{command: string, atMs: number, body: What}} Told
 */

/**
 * All that is on a screen, kind by kind, in the order of snapshots. Whatever else shows, ends or is told again follows from
 * this list. Of each kind: `keep` takes away the parts of an item for which `stays(command, endMs)` is false, and tells
 * whether any is left. `command` is the id of the command that brought the part, `endMs` when it ends without one
 * (`Infinity`: it doesn't). `commands` draws an item on another screen; nothing does what is over in a moment. `toldMs`: of an
 * item that stays until a command ends it, when a command last told of it; null: it ends by itself.
 */
const kinds = {
  gifts: {
    keep: ({ id, leavesMs }, stays) => stays(id, leavesMs ?? Infinity),
    toldMs: ({ shownAtMs, bumpedAtMs, leavesMs }) => (leavesMs === null ? Math.max(shownAtMs, bumpedAtMs ?? 0) : null),
    commands: ({ id, show, count, total, shownAtMs, leavesMs }) =>
      leavesMs === null ? [{ id, atMs: shownAtMs, giftShow: { ...show, from: count, total } }] : [],
  },
  banners: {
    keep: ({ id, landMs }, stays) => stays(id, landMs),
    commands: ({ id, fly, startMs, likes }) => [{ id, atMs: startMs, wishFly: { ...fly, likes } }],
  },
  rains: {
    keep: (rain, stays) => {
      if (rain.countdown && !stays(rain.countdown.command, Infinity)) rain.countdown = null;
      if (rain.tally && !stays(rain.tally.command, Infinity)) rain.tally = null;
      rain.drops = rain.drops.filter(({ id, landMs }) => stays(id, landMs));
      return rain.countdown !== null || rain.tally !== null || rain.drops.length > 0;
    },
    toldMs: ({ toldMs }) => toldMs,
    commands: ({ countdown, drops, tally }) => [
      ...(countdown ? [{ id: countdown.command, atMs: countdown.atMs, rainCountdown: countdown.body }] : []),
      ...drops.map(({ id, drop, startMs }) => ({ id, atMs: startMs, rainDrop: drop })),
      ...(tally ? [{ id: tally.command, atMs: tally.atMs, rainTally: tally.body }] : []),
    ],
  },
  spot: {
    keep: ({ id, endMs }, stays) => stays(id, endMs),
    commands: ({ id, show, startMs }) => [{ id, atMs: startMs, spotShow: show }],
  },
  crowd: {
    keep: ({ id }, stays) => stays(id, Infinity),
    toldMs: ({ atMs }) => atMs,
    commands: ({ id, show, atMs }) => [{ id, atMs, crowdShow: show }],
  },
  pins: {
    keep: ({ id, show }, stays) => stays(id, show.endMs),
    commands: ({ id, show, atMs }) => [{ id, atMs, pinShow: show }],
  },
  goals: {
    keep: ({ id }, stays) => stays(id, Infinity),
    toldMs: ({ show, atMs }) => Math.max(show.endMs, atMs),
    commands: ({ id, show, atMs }) => [{ id, atMs, goalShow: show }],
  },
  bursts: {
    keep: ({ id, atMs }, stays) => stays(id, atMs + Screen.burstMs),
    commands: () => [],
  },
};

/**
 * One room's screen: its commands, folded, by the rules of the server's own `Screen`.
 *
 * Commands come in the room's order; the time that passes between them is told by `advance`, since what flies lands
 * and what leaves is gone without a command.
 *
 * A screen that began with a snapshot shows what one shows that has seen every command, but for what is over in a
 * moment: views that were leaving, bursts, numbers that had just popped; and it counts skips from there.
 */
export class Screen {
  /** The time that a burst is kept, and the number of them at most. */
  static burstMs = 2000;
  static burstLimit = 64;

  /** The log time that is known to have come. */
  nowMs = 0;
  /** @type {GiftView[]} by lane, from the top; a lane that has none is free */
  gifts = [];
  /** @type {Banner[]} in the order in which they started */
  banners = [];
  /** @type {Rain[]} by their ids: who joins late has them in the same order */
  rains = [];
  /** @type {Burst[]} the latest last */
  bursts = [];
  /** @type {SpotView | null} null: nothing fills the screen */
  spot = null;
  /** @type {CrowdView | null} null: the bar is free */
  crowd = null;
  /** @type {PinView[]} in the order in which they began */
  pins = [];
  /** @type {GoalView[]} in the order in which they began */
  goals = [];
  /** @type {SkipCount[]} */
  skips = [];
  /** An item that only a command ends is over when no command has told of it for so long; 0: the gateway tells no such span. */
  staleAfterMs = 0;
  /** The number of items that were over for want of a command. */
  stale = 0;
  /** Whether the log stands still: such an item was over, or none told of pins and goals in time; and no command has come since. */
  isStalled = false;
  /** The time of the latest command that was drawn. */
  #lastMs = 0;
  #applied = new AppliedCommands();
  /** Before then nothing lands, leaves or fades: most commands pass without a look at everything. */
  #nextChangeMs = Infinity;
  #version = 0;
  /**
   * The end of the room, until anything else comes.
   * @type {Pick<Command, "id" | "atMs" | "roomEnd"> | null}
   */
  #end = null;

  /** @param {string} roomId */
  constructor(roomId) {
    this.roomId = roomId;
  }

  /** Whether the room has ended, and nothing has come since; what came from another log may be shown still. */
  get isEnded() {
    return this.#end !== null;
  }

  /** It grows with whatever changes what is shown: commands, snapshots, and what ends by time. */
  get version() {
    return this.#version;
  }

  /** The log time at which something may end without a command; `Infinity`: nothing does. */
  get nextChangeMs() {
    return this.#nextChangeMs;
  }

  /**
   * A copy of what is shown, for programs that compare: it never changes.
   * @returns {ScreenView}
   */
  get view() {
    const { roomId, nowMs, isEnded, isStalled, skips } = this;
    const view = { roomId, nowMs, isEnded, isStalled, skips: skips.map((skip) => ({ ...skip })) };
    for (const name of Object.keys(kinds)) {
      const copy = (item) => (item.drops ? { ...item, drops: [...item.drops] } : { ...item });
      view[name] = Array.isArray(this[name]) ? this[name].map(copy) : this[name] && copy(this[name]);
    }
    return /** @type {any} */ (view);
  }

  /**
   * Draws a command of this room. One that came before, by its id, changes nothing.
   * @param {Command} command
   * @returns {boolean} whether it was new
   */
  apply(command) {
    if (!this.#applied.insert(command.id, command.atMs)) return false;
    this.advance(command.atMs);
    this.#draw(command);
    // What a late command told may be over already.
    if (this.#nextChangeMs <= this.nowMs) this.#sweep();
    return true;
  }

  /**
   * Whether a command has not come yet, nor one after it of the same log.
   * @param {Command} command
   */
  isNew({ id, atMs }) {
    return this.#applied.isNew(id, atMs);
  }

  /**
   * Lets time pass: banners and packets land, and lanes whose view has left are free. Time never goes back.
   * @param {number} nowMs
   */
  advance(nowMs) {
    if (nowMs <= this.nowMs) return;
    this.nowMs = nowMs;
    if (nowMs >= this.#nextChangeMs) this.#sweep();
  }

  /**
   * Shows the snapshot, and nothing from before.
   * @param {Snapshot} snapshot
   */
  reset(snapshot) {
    for (const name of Object.keys(kinds)) this[name] = Array.isArray(this[name]) ? [] : null;
    Object.assign(this, { nowMs: snapshot.nowMs, skips: [], staleAfterMs: snapshot.staleAfterMs ?? 0, isStalled: false });
    this.#end = null;
    this.#applied = new AppliedCommands();
    this.#nextChangeMs = Infinity;
    this.#lastMs = 0;
    this.#version += 1;
    for (const { id, atMs } of snapshot.position ?? []) this.#applied.insert(id, atMs);
    for (const command of snapshot.commands) {
      this.#applied.insert(command.id, command.atMs);
      this.#draw(command);
    }
    if (this.#nextChangeMs <= this.nowMs) this.#sweep();
  }

  /**
   * The commands that draw this screen on another, at this moment: commands by their time; of one time gifts, wishes, rains, the
   * spot, the bar, pins, goals. The end of the room goes last: whatever came after it would undo it.
   * @returns {Snapshot}
   */
  get snapshot() {
    const { roomId, nowMs, staleAfterMs } = this;
    /** @type {Command[]} */
    const commands = [];
    for (const [name, kind] of Object.entries(kinds)) {
      for (const item of [this[name] ?? []].flat()) {
        commands.push(...kind.commands(item).map((command) => ({ roomId, ...command })));
      }
    }
    commands.sort((a, b) => a.atMs - b.atMs);
    if (this.#end) commands.push({ roomId, ...this.#end });
    return { roomId, nowMs, ...(staleAfterMs > 0 ? { staleAfterMs } : {}), commands };
  }

  /**
   * What flies under a finger: banners (with `fly`) and packets (with `drop`) where they are at that moment, the topmost first.
   * @param {{x: number, y: number}} point in the units of the layout
   * @param {number} atMs log time, as it is drawn
   * @param {import("./hits.js").Layout} layout
   * @returns {(Drop | Banner)[]}
   */
  itemsAt(point, atMs, layout) {
    return itemsAt(this, point, atMs, layout);
  }

  /**
   * The topmost of them.
   * @param {{x: number, y: number}} point
   * @param {number} atMs
   * @param {import("./hits.js").Layout} layout
   * @returns {Drop | Banner | null}
   */
  itemAt(point, atMs, layout) {
    return itemsAt(this, point, atMs, layout)[0] ?? null;
  }

  // The effect of each command.

  /** @param {Command} command */
  #draw(command) {
    const { id, atMs } = command;
    this.#version += 1;
    this.#end = null;
    this.isStalled = false;
    this.#lastMs = Math.max(this.#lastMs, atMs);
    if (this.staleAfterMs > 0) this.#nextChangeMs = Math.min(this.#nextChangeMs, atMs + this.staleAfterMs);
    if (command.giftShow) this.#drawShow(command.giftShow, id, atMs);
    else if (command.giftBump) this.#drawBump(command.giftBump, atMs);
    else if (command.giftHide) this.#drawHide(command.giftHide, atMs);
    else if (command.wishFly) this.#drawWish(command.wishFly, id, atMs);
    else if (command.wishLikes) this.#drawLikes(command.wishLikes, atMs);
    else if (command.likeBurst) this.#drawBurst(command.likeBurst, id, atMs);
    else if (command.rainCountdown) {
      this.#rain(command.rainCountdown.rainId, atMs).countdown = { command: id, atMs, body: command.rainCountdown };
    } else if (command.rainDrop) this.#drawDrop(command.rainDrop, id, atMs);
    else if (command.rainTally) {
      this.#rain(command.rainTally.rainId, atMs).tally = { command: id, atMs, body: command.rainTally };
    } else if (command.rainEnd) {
      const { rainId } = command.rainEnd;
      this.rains = this.rains.filter((rain) => rain.id !== rainId);
    } else if (command.wishGone) {
      const { wishId } = command.wishGone;
      this.banners = this.banners.filter((banner) => banner.fly.wishId !== wishId || logOf(banner.id) !== logOf(id));
    } else if (command.spotShow) this.#drawSpot(command.spotShow, id, atMs);
    else if (command.spotGone) {
      if (this.spot?.show.spotId === command.spotGone.spotId) this.spot = null;
    } else if (command.crowdShow) this.crowd = { id, show: command.crowdShow, atMs };
    else if (command.crowdHide) {
      if (this.crowd?.show.crowdId === command.crowdHide.crowdId) this.crowd = null;
    } else if (command.pinShow) this.#drawPin(command.pinShow, id, atMs);
    else if (command.pinGone) {
      const { pinId } = command.pinGone;
      this.pins = this.pins.filter(({ show }) => show.pinId !== pinId);
    } else if (command.goalShow) this.#drawGoal(command.goalShow, id, atMs);
    else if (command.goalCount) this.#drawGoalCount(command.goalCount, atMs);
    else if (command.goalEnd) {
      const { goalId } = command.goalEnd;
      this.goals = this.goals.filter(({ show }) => show.goalId !== goalId);
    } else if (command.retracted) {
      // Others tell what leaves the screen. Lists of what was shown leave out what is taken back.
    } else if (command.skipped) this.#drawSkipped(command.skipped, atMs);
    else if (command.roomEnd) this.#drawEnd(command.roomEnd, id, atMs);
  }

  #drawShow(show, id, atMs) {
    let place = this.gifts.findIndex((view) => view.show.lane >= show.lane);
    if (place < 0) place = this.gifts.length;
    const there = this.gifts[place]?.show.lane === show.lane ? this.gifts[place] : null;
    const isRefresh = there !== null && there.show.comboId === show.comboId && there.leavesMs === null;
    this.gifts.splice(place, there ? 1 : 0, {
      id,
      show,
      count: show.from,
      total: Math.max(show.total, show.from),
      shownAtMs: atMs,
      bumpedAtMs: isRefresh ? there.bumpedAtMs : null,
      leavesMs: null,
    });
  }

  #drawBump({ comboId, lane, count }, atMs) {
    // A reader that began in the middle hears of combos it has not been shown; a refresh will show them.
    const view = this.#shownGift(comboId, lane);
    if (view) Object.assign(view, { count, total: Math.max(view.total, count), bumpedAtMs: atMs });
  }

  #drawHide({ comboId, lane, count, exitMs }, atMs) {
    const view = this.#shownGift(comboId, lane);
    if (!view) return;
    const leavesMs = atMs + exitMs;
    if (this.#ends(leavesMs)) Object.assign(view, { count, total: Math.max(view.total, count), leavesMs });
    else this.gifts.splice(this.gifts.indexOf(view), 1);
  }

  #shownGift(comboId, lane) {
    return this.gifts.find(
      (view) => view.show.lane === lane && view.show.comboId === comboId && view.leavesMs === null);
  }

  #drawWish(fly, id, atMs) {
    const landMs = atMs + fly.durationMs;
    if (!this.#ends(landMs)) return;
    const place = this.banners.findLastIndex((banner) => banner.startMs <= atMs) + 1;
    this.banners.splice(place, 0, { id, fly, startMs: atMs, landMs, likes: fly.likes, likedAtMs: null });
  }

  #drawLikes({ wishId, likes }, atMs) {
    const banner = this.banners.findLast((banner) => banner.fly.wishId === wishId);
    if (banner) Object.assign(banner, { likes, likedAtMs: atMs });
  }

  #drawBurst({ count, points }, id, atMs) {
    if (!this.#ends(atMs + Screen.burstMs)) return;
    if (this.bursts.length === Screen.burstLimit) this.bursts.shift();
    this.bursts.push({ id, atMs, count, points });
  }

  #drawDrop(drop, id, atMs) {
    const landMs = atMs + drop.fallMs;
    if (this.#ends(landMs)) this.#rain(drop.rainId, landMs).drops.push({ id, drop, startMs: atMs, landMs });
  }

  #drawSpot(show, id, atMs) {
    const endMs = atMs + show.durationMs;
    if (this.#ends(endMs)) this.spot = { id, show, startMs: atMs, endMs };
  }

  /** One that is told again keeps its place. */
  #drawPin(show, id, atMs) {
    this.pins = this.pins.filter((pin) => pin.show.pinId !== show.pinId);
    if (this.#ends(show.endMs)) insert(this.pins, { id, show, atMs }, (pin) => pin.show.pinId);
  }

  #drawGoal(show, id, atMs) {
    const known = this.goals.find((goal) => goal.show.goalId === show.goalId);
    const before = known?.show.startMs === show.startMs ? known : null;
    this.goals = this.goals.filter((goal) => goal !== known);
    const countedAtMs = before && (before.show.progress === show.progress ? before.countedAtMs : atMs);
    const reachedAtMs = before && show.reached ? (before.show.reached ? before.reachedAtMs : atMs) : null;
    insert(this.goals, { id, show, atMs, countedAtMs, reachedAtMs }, (goal) => goal.show.goalId);
  }

  #drawGoalCount({ goalId, progress, reached, sides }, atMs) {
    // A reader that began in the middle hears of goals that it has not been shown; they are told again.
    const goal = this.goals.find(({ show }) => show.goalId === goalId);
    if (!goal) return;
    const reachedAtMs = !reached ? null : goal.show.reached ? goal.reachedAtMs : atMs;
    Object.assign(goal, { show: { ...goal.show, progress, reached, sides }, countedAtMs: atMs, reachedAtMs });
  }

  /** The rain of this name, from now on; told of until `toldMs`. */
  #rain(rainId, toldMs) {
    let place = this.rains.findIndex(({ id }) => !comesBefore(id, rainId));
    if (place < 0) place = this.rains.length;
    if (this.rains[place]?.id !== rainId) {
      this.rains.splice(place, 0, { id: rainId, countdown: null, tally: null, drops: [], toldMs });
    }
    this.rains[place].toldMs = Math.max(this.rains[place].toldMs, toldMs);
    return this.rains[place];
  }

  #drawSkipped({ stage, reason, items, units }, atMs) {
    let skip = this.skips.find((skip) => skip.stage === stage && skip.reason === reason);
    if (!skip) this.skips.push((skip = { stage, reason, items: 0, units: 0, atMs }));
    Object.assign(skip, { items: skip.items + items, units: skip.units + units, atMs });
  }

  /** Nothing is shown any more that came of this log. */
  #drawEnd(body, id, atMs) {
    this.#keep((command) => logOf(command) !== logOf(id));
    this.#end = { id, atMs, roomEnd: body };
  }

  // Time.

  /** Something that is drawn is over at `atMs`. False if it is already. */
  #ends(atMs) {
    if (atMs <= this.nowMs) return false;
    this.#nextChangeMs = Math.min(this.#nextChangeMs, atMs);
    return true;
  }

  #sweep() {
    this.#version += 1;
    this.#nextChangeMs = Infinity;
    if (this.staleAfterMs > 0) this.#dropStale();
    this.#keep((_, endMs) => {
      if (endMs <= this.nowMs) return false;
      this.#nextChangeMs = Math.min(this.#nextChangeMs, endMs);
      return true;
    });
  }

  /** Takes away the items that a command should have ended, or told of again, long ago. */
  #dropStale() {
    const isTold = (told) => {
      if (told === null) return true;
      const endMs = told + this.staleAfterMs;
      if (endMs > this.nowMs) this.#nextChangeMs = Math.min(this.#nextChangeMs, endMs);
      else [this.isStalled, this.stale] = [true, this.stale + 1];
      return endMs > this.nowMs;
    };
    for (const [name, { toldMs }] of Object.entries(kinds)) {
      if (!toldMs) continue;
      if (Array.isArray(this[name])) this[name] = this[name].filter((item) => isTold(toldMs(item)));
      else if (this[name] && !isTold(toldMs(this[name]))) this[name] = null;
    }
    // Pins, and goals that run, end by time, and commands tell them again within the span.
    if (!this.isStalled && [...this.pins, ...this.goals].some(({ show }) => show.endMs > this.nowMs)) isTold(this.#lastMs);
  }

  /** Takes away what `stays` is false for. @param {(command: string, endMs: number) => boolean} stays */
  #keep(stays) {
    for (const [name, kind] of Object.entries(kinds)) {
      const shown = this[name];
      if (Array.isArray(shown)) this[name] = shown.filter((item) => kind.keep(item, stays));
      else if (shown && !kind.keep(shown, stays)) this[name] = null;
    }
  }
}

/** Inserts an item by when it began; of one time by its id. */
function insert(items, item, idOf) {
  const { startMs } = item.show;
  const place = items.findIndex((other) =>
    other.show.startMs > startMs || (other.show.startMs === startMs && comesBefore(idOf(item), idOf(other))));
  items.splice(place < 0 ? items.length : place, 0, item);
}

/** By code points, as all folds have it. `<` goes by UTF-16, which has some the other way round. */
function comesBefore(a, b) {
  const [left, right] = [[...a], [...b]];
  const place = left.findIndex((character, i) => character !== right[i]);
  if (place < 0) return left.length < right.length;
  return place < right.length && left[place].codePointAt(0) < right[place].codePointAt(0);
}
