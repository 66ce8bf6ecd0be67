import { LogClock } from "./logClock.js";
import { without } from "./past.js";
import { Screen } from "./screen.js";

/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Snapshot} Snapshot */

/** Timers ring this much later than a span that counts from the last command. */
const SLACK_MS = 200;

/**
 * A room as time goes by: its clock, its screen, and commands that have come but whose time has not.
 *
 * It lags behind the log by `lagMs`. That is what a command may take to come and still be acted upon at its very
 * moment, so that what moves begins at its beginning and beats come evenly.
 */
export class LiveRoom {
  /** @type {Command[]} by the order in which they came */
  #pending = [];
  #timer = 0;
  /** Rings when nothing has come for so long that what stands on the screen may be over. */
  #silence = 0;
  /** The stale items of the screen that `onStale` has heard of. */
  #stale = 0;

  /**
   * @param {string} roomId
   * @param {{lagMs?: number, localNow?: () => number, onCommand?: (command: Command) => void,
   *   onReset?: () => void, onStale?: () => void}} [options] `onStale`: items are over, since no command told of them any more
   */
  constructor(roomId, { lagMs = 0, localNow = () => performance.now(), onCommand, onReset, onStale } = {}) {
    this.roomId = roomId;
    this.lagMs = lagMs;
    this.localNow = localNow;
    this.onCommand = onCommand;
    this.onReset = onReset;
    this.onStale = onStale;
    this.clock = new LogClock();
    this.screen = new Screen(roomId);
    /** Whether a snapshot of its screen has come. */
    this.isKnown = false;
    /** The room's past, as it was told last without what was taken back since, or empty since the room ended; null: nothing is known. @type {import("./commands.js").Past | null} */
    this.past = null;
  }

  /** Log time, NaN before anything is known. */
  get logMs() {
    return this.clock.isSet ? this.clock.now(this.localNow()) : NaN;
  }

  /** Log time as it is shown, 0 before anything is known. */
  get nowMs() {
    return this.clock.isSet ? this.logMs - this.lagMs : 0;
  }

  /** @param {Snapshot} snapshot */
  reset(snapshot) {
    this.#pending = [];
    this.clock.anchor(snapshot.nowMs, this.localNow());
    this.screen.reset(snapshot);
    this.past = snapshot.past ?? null;
    this.isKnown = true;
    this.#watchSilence();
    this.onReset?.();
  }

  /** @param {Command} command */
  receive(command) {
    this.clock.observe(command.atMs, this.localNow());
    this.#pending.push(command);
    this.#settle();
  }

  /** The screen as of now: what has landed by now is gone from it. */
  settle() {
    this.#settle();
    this.screen.advance(Math.floor(this.nowMs));
    this.#tellStale();
    return this.screen;
  }

  close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#pending = [];
  }

  /** Acts on commands that are due, in the room's order, whatever their times say. */
  #settle() {
    clearTimeout(this.#timer);
    this.#watchSilence();
    const nowMs = this.nowMs;
    let due = 0;
    while (due < this.#pending.length && this.#pending[due].atMs <= nowMs) due += 1;
    for (const command of this.#pending.splice(0, due)) {
      if (!this.screen.apply(command)) continue;
      // An end ends the past, too, as in every gateway.
      if (command.roomEnd) this.past = { sinceMs: command.atMs, givers: [], crowds: { gifts: 0, coins: 0, told: [] }, wishes: [] };
      if (command.retracted && this.past) this.past = without(this.past, command.retracted);
      this.onCommand?.(command);
    }
    this.#tellStale();
    if (this.#pending.length > 0) {
      this.#timer = setTimeout(() => this.#settle(), Math.max(0, Math.ceil(this.#pending[0].atMs - nowMs)));
    }
  }

  #watchSilence() {
    clearTimeout(this.#silence);
    const { staleAfterMs } = this.screen;
    // A moment later than the span, since the clock may have been set back by a slower command.
    if (staleAfterMs > 0) this.#silence = setTimeout(() => this.settle(), staleAfterMs + this.lagMs + SLACK_MS);
  }

  #tellStale() {
    const { stale } = this.screen;
    if (stale === this.#stale) return;
    this.#stale = stale;
    this.onStale?.();
  }
}
