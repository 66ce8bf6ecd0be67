import { originOf } from "./appliedCommands.js";

/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Past} Past */
/** @typedef {import("./outbox.js").Delivery} Delivery */

/** A wish that is equal to one that began to fly so recently is a like of it (`wish.mergeMs`). */
const MERGE_MS = 3000;

/** A wish is queued for `wish.maxWaitMs` (30 s) at most, and what is skipped then is told within a second. */
const WAIT_MS = 32_000;

/** The most wishes that a past tells: where it has fewer, no other has flown. */
const MOST_TOLD = 20;

/**
 * What became of a wish. `skipped`: too many waited, or it was taken back; it is never shown. `unknown`: the stream of its
 * room was not there all the time, so nobody can tell.
 * @typedef {"flies" | "skipped" | "unknown"} WishEnd
 */

/**
 * A wish of this viewer's that doesn't fly yet.
 * @typedef {{wishId: string, text: string, style: string}} OwnWish
 */

/**
 * Wishes of this viewer's, from when they are made until they fly, or until it is known that they never will. One that
 * is equal to a wish that flies has flown, too: it is a like of that.
 */
export class OwnWishes {
  /** @type {Map<string, {wish: OwnWish, roomId: string, madeAt: number, place: Delivery | null, timer: ReturnType<typeof setTimeout> | undefined,
   *   mayBeMissed: boolean, end: (how: WishEnd) => void}>} by wish; `place`: where Kafka has it, if that is known; `mayBeMissed`: it may have flown, and nothing told of it */
  #wishes = new Map();

  /** The last commands that ended wishes which don't fly, while one of these was on its way. @type {Command[]} */
  #skips = [];

  /** The last wishes that were seen flying. @type {{roomId: string, text: string, style: string, startMs: number}[]} */
  #flies = [];

  /**
   * @param {(roomId: string) => void} onChange
   * @param {(roomId: string) => number} logMs a room's log time, NaN if it isn't known
   * @param {(roomId: string) => boolean} isTold whether a stream tells the room now
   */
  constructor(onChange, logMs, isTold) {
    this.onChange = onChange;
    this.logMs = logMs;
    this.isTold = isTold;
  }

  /** @param {string} roomId @returns {OwnWish[]} the oldest first */
  of(roomId) {
    return [...this.#wishes.values()].filter((one) => one.roomId === roomId).map(({ wish }) => wish);
  }

  /**
   * @param {string} roomId
   * @param {OwnWish} wish
   * @param {Promise<Delivery>} sent
   * @returns {Promise<WishEnd>} fails as the sending does
   */
  async add(roomId, wish, sent) {
    const { wishId } = wish;
    const ended = new Promise((resolve) => {
      const one = { wish, roomId, madeAt: performance.now(), place: null, timer: undefined, mayBeMissed: false, end: resolve };
      this.#wishes.set(wishId, one);
    });
    this.onChange(roomId);
    try {
      const place = await sent;
      const one = this.#wishes.get(wishId);
      if (one) {
        one.place = place;
        // The stream may be faster than the answer.
        const skip = this.#skips.find((command) => isSkipped(one, command));
        if (this.#flies.some((fly) => this.#isLike(one, fly))) this.#end(wishId, "flies");
        else if (skip) this.#skip(wishId, one, skip);
        else one.timer = setTimeout(() => this.#end(wishId, one.mayBeMissed || !this.isTold(roomId) ? "unknown" : "skipped"), WAIT_MS);
      }
    } catch (error) {
      this.#end(wishId, "skipped");
      throw error;
    }
    return ended;
  }

  /** @param {Command} command that was drawn, or is told in a snapshot */
  hear(command) {
    const { roomId, atMs, wishFly, skipped, roomEnd } = command;
    if (wishFly) {
      this.#end(wishFly.wishId, "flies");
      this.#hearFly({ roomId, text: wishFly.text, style: wishFly.style, startMs: atMs });
    }
    if (this.#wishes.size === 0 || !(skipped?.stage === "wish" || roomEnd)) return;
    this.#skips = [...this.#skips.slice(-63), command];
    for (const [wishId, one] of this.#wishes) if (isSkipped(one, command)) this.#skip(wishId, one, command);
  }

  /** A room is told anew: wishes may have flown meanwhile. @param {string} roomId @param {Past | null} past */
  hearPast(roomId, past) {
    if (!past) return;
    const { sinceMs, wishes } = past;
    for (const { wishId, text, style, atMs } of [...wishes].reverse()) {
      const one = this.#wishes.get(wishId);
      if (one?.roomId === roomId && this.#isSince(one, atMs)) this.#end(wishId, "flies");
      this.#hearFly({ roomId, text, style, startMs: atMs });
    }
    const knownMs = wishes.length < MOST_TOLD ? sinceMs : Math.max(sinceMs, wishes[MOST_TOLD - 1].atMs);
    for (const one of this.#wishes.values()) if (one.roomId === roomId && this.#isSince(one, knownMs)) one.mayBeMissed = true;
  }

  #hearFly(fly) {
    this.#flies = [...this.#flies.slice(-MOST_TOLD), fly];
    for (const [wishId, one] of this.#wishes) if (one.place && this.#isLike(one, fly)) this.#end(wishId, "flies");
  }

  #skip(wishId, { mayBeMissed }, { roomEnd }) {
    this.#end(wishId, roomEnd && mayBeMissed ? "unknown" : "skipped");
  }

  /** Whether a wish is a like of a flying one: it came less than MERGE_MS after that began, or before. */
  #isLike(one, fly) {
    return this.#isSince(one, fly.startMs + MERGE_MS) && isEqual(fly, one);
  }

  /** Whether this log time is after that at which the wish was made. */
  #isSince({ roomId, madeAt }, atMs) {
    return atMs > this.logMs(roomId) - (performance.now() - madeAt);
  }

  /** @param {string} wishId @param {WishEnd} how */
  #end(wishId, how) {
    const one = this.#wishes.get(wishId);
    if (!one) return;
    clearTimeout(one.timer);
    this.#wishes.delete(wishId);
    one.end(how);
    this.onChange(one.roomId);
  }
}

/** Whether a wish would be a like of the flying one, whose text is cut. */
function isEqual(fly, { wish, roomId }) {
  if (fly.roomId !== roomId || fly.style !== (wish.style ?? "")) return false;
  return fly.text === wish.text || (fly.text.endsWith("…") && wish.text.startsWith(fly.text.slice(0, -1)));
}

/**
 * Whether a command, which tells of a skipped wish or ends the room, ends this one. A wish that is skipped on arrival has a
 * command of its own record, unless another was told just before; those that are queued when their room ends have none.
 */
function isSkipped({ roomId, place }, { roomId: room, id, roomEnd }) {
  const origin = originOf(id);
  if (!place || roomId !== room || origin?.log !== `${place.topic}/${place.partition}`) return false;
  return roomEnd ? place.offset < origin.offset : place.offset === origin.offset;
}
