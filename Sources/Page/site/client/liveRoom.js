import { LogClock } from "./logClock.js";
import { without } from "./past.js";
import { Screen } from "./screen.js";

/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Snapshot} Snapshot */

/** Timers take no more. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A room as time goes by: its clock, its screen, and commands that have come but whose time has not.
 *
 * It lags behind the log by `lagMs`, as the gateway tells it or the app wants it. That is what a command may take to come
 * and still be acted upon at its very moment, so that what moves begins at its beginning and beats come evenly.
 */
export class LiveRoom {
  /** @type {Command[]} by the order in which they came */
  #pending = [];
  /** Rings when a command is due, or something ends. */
  #timer = 0;
  #isClosed = false;
  /** The version of the screen that `onScreen` has heard of, and whether it is about to hear of another. */
  #shown = 0;
  #isTelling = false;
  /** @type {{version: number, view: import("./screen.js").ScreenView} | null} */
  #view = null;
  /** Whether the gateway tells the lag. */
  #followsPace;
  /** The stale items of the screen that `onStale` has heard of. */
  #stale = 0;

  /**
   * @param {string} roomId
   * @param {{lagMs?: number, localNow?: () => number, onCommand?: (command: Command) => void,
   *   onReset?: () => void, onStale?: () => void, onScreen?: () => void}} [options] `onStale`: items are over, since no command
   *   told of them any more; `onScreen`: the screen is another, once for all that came at a time
   */
  constructor(roomId, { lagMs, localNow = () => performance.now(), onCommand, onReset, onStale, onScreen } = {}) {
    this.roomId = roomId;
    this.#followsPace = lagMs === undefined;
    this.localNow = localNow;
    this.onCommand = onCommand;
    this.onReset = onReset;
    this.onStale = onStale;
    this.onScreen = onScreen;
    this.clock = new LogClock();
    if (lagMs !== undefined) this.clock.setLag(lagMs, localNow());
    this.screen = new Screen(roomId);
    /** Whether a snapshot of its screen has come. */
    this.isKnown = false;
    /**
     * The room's past, as it was told last without what was taken back since, or empty since the room ended; null: nothing is
     * known.
     * @type {import("./commands.js").Past | null}
     */
    this.past = null;
  }

  /** Log time, NaN before anything is known. */
  get logMs() {
    return this.clock.isSet ? this.clock.now(this.localNow()) : NaN;
  }

  /** How far behind the log it is shown now. */
  get lagMs() {
    return this.clock.lag(this.localNow());
  }

  /** Log time as it is shown, 0 before anything is known. */
  get nowMs() {
    return this.clock.isSet ? this.clock.shown(this.localNow()) : 0;
  }

  /**
   * The screen as it was when it changed last: the same object until it changes again, and then another.
   * @returns {import("./screen.js").ScreenView}
   */
  get view() {
    const { version } = this.screen;
    if (this.#view?.version !== version) this.#view = { version, view: this.screen.view };
    return this.#view.view;
  }

  /** @param {Snapshot} snapshot */
  reset(snapshot) {
    this.#pending = [];
    this.clock.anchor(snapshot.nowMs, this.localNow());
    this.pace(snapshot);
    this.screen.reset(snapshot);
    this.past = snapshot.past ?? null;
    this.isKnown = true;
    this.onReset?.();
    this.settle();
  }

  /** The gateway says how far behind the log it is to be shown. @param {{lagMs?: number}} told */
  pace({ lagMs }) {
    if (this.#followsPace && lagMs !== undefined && lagMs >= 0) this.clock.setLag(lagMs, this.localNow());
  }

  /** @param {Command} command */
  receive(command) {
    this.clock.observe(command.atMs, this.localNow());
    this.#pending.push(command);
    this.settle();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#pending = [];
  }

  /**
   * Acts on commands that are due, in the room's order, whatever their times say, and takes away what is over.
   * @returns {Screen} as of now
   */
  settle() {
    clearTimeout(this.#timer);
    if (this.#isClosed || !this.clock.isSet) return this.screen;
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
    this.screen.advance(Math.floor(nowMs));
    this.#tellStale();
    this.#tellScreen();
    const nextMs = Math.min(this.#pending[0]?.atMs ?? Infinity, this.screen.nextChangeMs);
    if (nextMs < Infinity && !this.#isClosed) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.settle(), Math.min(LONGEST_MS, Math.max(0, Math.ceil(nextMs - nowMs))));
    }
    return this.screen;
  }

  /** What comes in one piece is told at once. */
  #tellScreen() {
    if (this.#isTelling || !this.onScreen || this.screen.version === this.#shown) return;
    this.#isTelling = true;
    Promise.resolve().then(() => {
      this.#isTelling = false;
      this.#shown = this.screen.version;
      if (!this.#isClosed) this.onScreen?.();
    });
  }

  #tellStale() {
    const { stale } = this.screen;
    if (stale === this.#stale) return;
    this.#stale = stale;
    this.onStale?.();
  }
}
