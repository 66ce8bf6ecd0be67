import { nameOf } from "../client/names.js";
import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { readExtra } from "./extra.js";
import { isReduced, moveSince } from "./motion.js";
import { isWatched } from "./stage.js";
import { direction, short, words } from "./words.js";

/** @import { Command, PinShow } from "../client/commands.js" */

/** Where nobody can scroll, the row goes on by itself after this time. */
const TURN_MS = 5000;
/** The way on along the row. */
const on = direction === "rtl" ? -1 : 1;

/** Pins on a row that scrolls: those that come first, then the dearest; a bar tells the time that is left to each. */
export class Pins {
  /** @type {Map<string, {show: PinShow, node: HTMLElement, timer: ReturnType<typeof setTimeout>}>} */
  #pins = new Map();
  #turn = 0;

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.node = element("div.pins", { role: "list", tabIndex: isWatched ? -1 : 0, "aria-label": words.pins });
    // A wheel turns sideways here.
    this.node.addEventListener("wheel", (event) => {
      if (this.node.scrollWidth <= this.node.clientWidth) return;
      event.stopPropagation();
      this.node.scrollLeft += event.deltaX || on * event.deltaY;
    }, { passive: true });
  }

  /** @param {Command} command */
  apply({ pinShow, pinGone }) {
    if (pinShow) this.#show(pinShow);
    else if (pinGone) this.#remove(pinGone.pinId);
  }

  /** @param {Command[]} commands of a snapshot */
  keep(commands) {
    const stays = new Set(commands.map(({ pinShow }) => pinShow?.pinId));
    for (const pinId of this.#pins.keys()) if (!stays.has(pinId)) this.#remove(pinId);
  }

  clear() {
    this.keep([]);
  }

  /** @param {PinShow} show */
  #show(show) {
    const there = this.#pins.get(show.pinId);
    // It is told again as it is.
    if (there?.show.startMs === show.startMs && there.show.endMs === show.endMs) return;
    if (there) this.#remove(show.pinId);
    const leftMs = show.endMs - this.now();
    if (leftMs <= 0) return;
    const node = this.#draw(show);
    // Timers take no more than 24 days.
    const timer = setTimeout(() => this.#remove(show.pinId), Math.min(leftMs, 2 ** 31 - 1));
    const next = [...this.#pins.values()].filter((other) => comesBefore(show, other.show))
      .reduce((/** @type {any} */ a, b) => (a && comesBefore(a.show, b.show) ? a : b), null);
    this.node.insertBefore(node, next?.node ?? null);
    this.#pins.set(show.pinId, { show, node, timer });
    this.#tellRoom();
  }

  /** @param {PinShow} show */
  #draw(show) {
    const { pinId, sender, text, style, value, first, startMs, endMs, extra } = show;
    const name = nameOf(sender);
    const left = element("span.pin-left");
    const node = element(
      "div.pin", { role: "listitem", "data-pin": pinId, "data-style": style, title: `${name}: ${text}` },
      avatar(sender, readExtra(extra).badge),
      element("span.pin-words", {}, element("bdi.pin-name", {}, name), element("bdi.pin-text", {}, text.replaceAll("\n", " "))),
      left);
    if (value > 0) node.append(element("b.pin-value", {}, short(value)));
    node.classList.toggle("is-first", first === 1);
    node.classList.toggle("is-dear", first !== 1 && value > 0);
    moveSince(left, [{ transform: "none" }, { transform: "scaleX(0)" }], { atMs: startMs, now: this.now, durationMs: endMs - startMs });
    return node;
  }

  /** @param {string} pinId */
  #remove(pinId) {
    const pin = this.#pins.get(pinId);
    if (!pin) return;
    clearTimeout(pin.timer);
    pin.node.remove();
    this.#pins.delete(pinId);
    this.#tellRoom();
  }

  /** Makes room for the row, and lets it go on where nobody can scroll. */
  #tellRoom() {
    const hasPins = this.#pins.size > 0;
    this.node.parentElement?.style.setProperty("--pins", hasPins ? "1" : "0");
    this.node.parentElement?.classList.toggle("has-pins", hasPins);
    if (!isWatched) return;
    if (!hasPins) clearInterval(this.#turn);
    this.#turn = hasPins ? this.#turn || setInterval(() => this.#goOn(), TURN_MS) : 0;
  }

  #goOn() {
    const { node } = this;
    const isAtEnd = Math.abs(node.scrollLeft) + node.clientWidth >= node.scrollWidth - 1;
    const first = /** @type {HTMLElement | null} */ (node.firstElementChild);
    node.scrollTo({ left: isAtEnd ? 0 : node.scrollLeft + on * (first?.offsetWidth ?? 0), behavior: isReduced() ? "auto" : "smooth" });
  }
}

/** Whether a pin stands before another. @param {PinShow} a @param {PinShow} b */
function comesBefore(a, b) {
  return a.first !== b.first ? a.first > b.first : a.value !== b.value ? a.value > b.value : a.startMs < b.startMs;
}
