import { drawing, element, say } from "./element.js";
import { isReduced } from "./motion.js";
import { mayTouch } from "./stage.js";
import { words } from "./words.js";

/** @import { Command, Result } from "../client/commands.js" */

const OVER_MS = 4000;

/**
 * The words about the rains of a room, each in a place of its own: the countdown to the next rain, the packets opened so far of
 * all that run, and the end of the last one. A countdown is a line where something else has the middle of the stage.
 */
export class RainBoard {
  /** @type {Map<string, {startMs: number, left: number, tally: any, coins: number}>} those that have not ended */
  #rains = new Map();
  #startTimer = 0;
  #overTimer = 0;
  #givesWay = false;

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.number = element("span.countdown-number");
    this.countdown = element(
      "div.countdown", { hidden: true },
      element("p.countdown-title", {}, words.rain),
      element("div.countdown-ring", {}, drawing('<svg viewBox="0 0 120 120" aria-hidden="true"><circle cx="60" cy="60" r="54"/></svg>'), this.number),
      element("p.countdown-note", { hidden: !mayTouch }, words.rainSoon));
    this.tally = element("p.tally", { hidden: true });
    this.summary = element("p.summary", { hidden: true });
    this.node = element("div.rain-board", {}, this.countdown, this.tally, this.summary);
    /** The air of the whole room while it rains. */
    this.sky = element("div.rain-sky", { "aria-hidden": "true" });
  }

  /** @param {Command} command */
  apply({ atMs, rainCountdown, rainDrop, rainTally, rainEnd }) {
    if (rainCountdown) this.#count(rainCountdown);
    else if (rainDrop) this.#rain(rainDrop.rainId);
    else if (rainTally) {
      this.#rain(rainTally.rainId).tally = rainTally;
      this.#draw();
    } else if (rainEnd) this.#end(rainEnd.rainId, atMs);
  }

  /** @param {Result} result */
  answer({ rainId, coins }) {
    const rain = this.#rains.get(rainId);
    if (rain) rain.coins += coins;
  }

  /** Something has the middle of the stage, or nothing has. @param {boolean} givesWay */
  giveWay(givesWay) {
    this.#givesWay = givesWay;
    this.#draw();
  }

  /** @param {Command[]} commands of a snapshot */
  keep(commands) {
    const stays = new Set(commands.map((command) => (command.rainCountdown ?? command.rainDrop ?? command.rainTally)?.rainId));
    for (const rainId of this.#rains.keys()) if (!stays.has(rainId)) this.#rains.delete(rainId);
    if (this.#rains.size === 0) this.clear();
    else this.#draw();
  }

  clear() {
    this.#rains.clear();
    clearTimeout(this.#overTimer);
    this.summary.hidden = true;
    this.#draw();
  }

  #rain(rainId) {
    let rain = this.#rains.get(rainId);
    if (!rain) this.#rains.set(rainId, (rain = { startMs: 0, left: 0, tally: null, coins: 0 }));
    this.sky.classList.add("is-on");
    return rain;
  }

  #count({ rainId, left, startMs }) {
    Object.assign(this.#rain(rainId), { startMs, left });
    this.#draw();
    if (this.countdown.hidden || isReduced()) return;
    this.number.animate(
      [{ transform: "scale(2.2)", opacity: 0 }, { transform: "scale(.9)", opacity: 1, offset: 0.28 }, { transform: "none", opacity: 1, offset: 0.4 }, { transform: "scale(.96)", opacity: 0.9 }],
      { duration: 1000, easing: "ease-out" });
  }

  #end(rainId, atMs) {
    const rain = this.#rains.get(rainId);
    this.#rains.delete(rainId);
    this.#draw();
    const staysMs = OVER_MS - (this.now() - atMs);
    // While others run, theirs are the numbers.
    if (!rain?.tally || staysMs <= 0 || !this.tally.hidden) return;
    const { opened, winners, coins } = rain.tally;
    this.summary.replaceChildren(
      element("b", {}, words.rainOver), element("span", {}, words.tally(opened, winners, coins)));
    if (rain.coins > 0) this.summary.append(element("strong", {}, words.yours(rain.coins)));
    this.summary.hidden = false;
    clearTimeout(this.#overTimer);
    this.#overTimer = setTimeout(() => {
      this.summary.hidden = true;
      this.#draw();
    }, staysMs);
    this.#draw();
  }

  #draw() {
    const rains = [...this.#rains.values()];
    const now = this.now();
    const next = rains.filter(({ startMs, left }) => left > 0 && startMs > now).sort((a, b) => a.startMs - b.startMs)[0];
    const told = rains.map(({ tally }) => tally).filter(Boolean);
    const sum = (part) => told.reduce((sum, tally) => sum + tally[part], 0);
    const isLine = this.#givesWay || told.length > 0 || !this.summary.hidden;
    this.sky.classList.toggle("is-on", rains.length > 0);
    clearTimeout(this.#startTimer);
    if (next) {
      this.number.textContent = String(next.left);
      this.#startTimer = setTimeout(() => this.#draw(), next.startMs - now);
    }
    this.countdown.hidden = !next || isLine;
    this.tally.hidden = next ? !isLine : told.length === 0;
    if (next) say(this.tally, [words.rain, next.left, ...(mayTouch ? [words.rainSoon] : [])].join(" · "));
    else say(this.tally, words.tally(sum("opened"), sum("winners"), sum("coins")));
  }
}
