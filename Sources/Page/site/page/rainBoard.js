import { drawing, element, say } from "./element.js";
import { isReduced } from "./motion.js";
import { words } from "./words.js";

/** @import { Command, Result } from "../client/commands.js" */

const OVER_MS = 4000;

/**
 * The words about the rains of a room: the countdown, the packets opened so far, and the end.
 */
export class RainBoard {
  /** @type {Map<string, {startMs: number, tally: any, coins: number}>} those that have not ended */
  #rains = new Map();
  #startTimer = 0;
  #overTimer = 0;

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.number = element("span.countdown-number");
    this.countdown = element(
      "div.countdown", { hidden: true },
      element("p.countdown-title", {}, words.rain),
      element("div.countdown-ring", {}, drawing('<svg viewBox="0 0 120 120" aria-hidden="true"><circle cx="60" cy="60" r="54"/></svg>'), this.number),
      element("p.countdown-note", {}, words.rainSoon));
    this.tally = element("p.tally", { hidden: true });
    this.node = element("div.rain-board", {}, this.countdown, this.tally);
    /** The air of the whole room while it rains. */
    this.sky = element("div.rain-sky", { "aria-hidden": "true" });
  }

  /** @param {Command} command */
  apply({ atMs, rainCountdown, rainDrop, rainTally, rainEnd }) {
    if (rainCountdown) this.#count(rainCountdown);
    else if (rainDrop) this.#rain(rainDrop.rainId);
    else if (rainTally) this.#tell(rainTally);
    else if (rainEnd) this.#end(rainEnd.rainId, atMs);
  }

  /** @param {Result} result */
  answer({ rainId, coins }) {
    const rain = this.#rains.get(rainId);
    if (rain) rain.coins += coins;
  }

  /** @param {Command[]} commands of a snapshot */
  keep(commands) {
    const stays = new Set(commands.map((command) => (command.rainCountdown ?? command.rainDrop ?? command.rainTally)?.rainId));
    for (const rainId of this.#rains.keys()) if (!stays.has(rainId)) this.#rains.delete(rainId);
    if (this.#rains.size === 0) this.clear();
  }

  clear() {
    this.#rains.clear();
    clearTimeout(this.#startTimer);
    clearTimeout(this.#overTimer);
    this.countdown.hidden = this.tally.hidden = true;
    this.tally.classList.remove("is-over");
    this.sky.classList.remove("is-on");
  }

  #rain(rainId) {
    let rain = this.#rains.get(rainId);
    if (!rain) this.#rains.set(rainId, (rain = { startMs: 0, tally: null, coins: 0 }));
    this.sky.classList.add("is-on");
    return rain;
  }

  #count({ rainId, left, startMs }) {
    this.#rain(rainId).startMs = startMs;
    const waitMs = startMs - this.now();
    if (left === 0 || waitMs <= 0) return;
    this.number.textContent = String(left);
    this.countdown.hidden = false;
    clearTimeout(this.#startTimer);
    this.#startTimer = setTimeout(() => (this.countdown.hidden = true), waitMs);
    if (isReduced()) return;
    this.number.animate(
      [{ transform: "scale(2.2)", opacity: 0 }, { transform: "scale(.9)", opacity: 1, offset: 0.28 }, { transform: "none", opacity: 1, offset: 0.4 }, { transform: "scale(.96)", opacity: 0.9 }],
      { duration: 1000, easing: "ease-out" });
  }

  #tell(tally) {
    this.#rain(tally.rainId).tally = tally;
    clearTimeout(this.#overTimer);
    this.tally.classList.remove("is-over");
    say(this.tally, words.tally(tally.opened, tally.winners, tally.coins));
    this.tally.hidden = false;
  }

  #end(rainId, atMs) {
    const rain = this.#rains.get(rainId);
    this.#rains.delete(rainId);
    if (this.#rains.size > 0) return;
    this.sky.classList.remove("is-on");
    this.countdown.hidden = true;
    const staysMs = OVER_MS - (this.now() - atMs);
    if (!rain?.tally || staysMs <= 0) return void (this.tally.hidden = true);
    const { opened, winners, coins } = rain.tally;
    this.tally.replaceChildren(
      element("b", {}, words.rainOver), element("span", {}, words.tally(opened, winners, coins)));
    if (rain.coins > 0) this.tally.append(element("strong", {}, words.yours(rain.coins)));
    this.tally.classList.add("is-over");
    this.tally.hidden = false;
    this.#overTimer = setTimeout(() => (this.tally.hidden = true), staysMs);
  }
}
