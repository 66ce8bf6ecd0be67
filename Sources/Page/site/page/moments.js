import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { giftArt, nameOfGift } from "./giftArt.js";
import { isReduced } from "./motion.js";
import { words } from "./words.js";

/** @import { Command, GiftShow } from "../client/commands.js" */

/** From this tier on a gift has a moment of its own. */
const LEAST_TIER = 2;
const MOMENT_MS = 2800;
/** One whose view began so long ago has had its time; so who joins late isn't shown what is over. */
const LATE_MS = 4000;
const SPARKS = 26;

/**
 * The moment of a dear gift: it has the whole stage, one at a time. It takes no taps, and only what a
 * compositor moves by itself is moved.
 */
export class Moments {
  /** @type {{show: GiftShow, atMs: number}[]} that wait, the dearest first */
  #queue = [];
  /** Combos that have had theirs, and with which tier. @type {Map<string, number>} */
  #had = new Map();
  /** @type {HTMLElement | null} */
  #shown = null;
  #timer = 0;

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.node = element("div.moments", { "aria-hidden": "true" });
  }

  /** @param {Command} command */
  apply({ atMs, giftShow }) {
    if (!giftShow || (giftShow.tier ?? 0) < LEAST_TIER) return;
    const { comboId, tier } = giftShow;
    if ((this.#had.get(comboId) ?? 0) >= tier) return;
    this.#had.set(comboId, tier);
    if (this.#had.size > 200) this.#had.delete(this.#had.keys().next().value);
    this.#queue.push({ show: giftShow, atMs });
    this.#queue.sort((a, b) => b.show.tier - a.show.tier || a.atMs - b.atMs);
    this.#next();
  }

  /** Forgets waiting moments of combos that are not there any more. @param {Command[]} commands of a snapshot */
  keep(commands) {
    const stays = new Set(commands.map(({ giftShow }) => giftShow?.comboId));
    this.#queue = this.#queue.filter(({ show }) => stays.has(show.comboId));
  }

  clear() {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#shown?.remove();
    this.#shown = null;
  }

  #next() {
    if (this.#shown) return;
    this.#queue = this.#queue.filter(({ atMs }) => this.now() - atMs < LATE_MS);
    const next = this.#queue.shift();
    if (!next) return;
    this.#shown = this.#draw(next.show);
    this.node.append(this.#shown);
    this.#timer = setTimeout(() => {
      this.#shown?.remove();
      this.#shown = null;
      this.#next();
    }, MOMENT_MS);
  }

  /** @param {GiftShow} show */
  #draw({ sender, giftId, giftName, tier }) {
    const halo = element("div.moment-halo");
    const art = element("div.moment-art", {}, giftArt(giftId));
    const name = element("bdi", {}, sender.name || sender.userId);
    const line = element("p.moment-line", {}, avatar(sender), name, element("span", {}, ` ${words.sent} `, element("bdi", {}, nameOfGift(giftId, giftName))));
    const sparks = element("div.moment-sparks");
    const node = element(`div.moment.is-tier-${Math.min(tier, 4)}`, { "data-tier": tier }, halo, sparks, art, line);
    const time = { duration: MOMENT_MS, fill: "both" };
    const fade = [{ opacity: 0 }, { opacity: 1, offset: 0.08 }, { opacity: 1, offset: 0.86 }, { opacity: 0 }];
    node.animate(fade, time);
    if (isReduced()) return node;
    halo.animate([{ transform: "scale(.3) rotate(0)" }, { transform: "scale(1.1) rotate(80deg)" }], time);
    art.animate(
      [
        { transform: "translateY(60cqh) scale(.3) rotate(-20deg)", easing: "cubic-bezier(.2, 1.2, .4, 1)" },
        { transform: "translateY(0) scale(1) rotate(3deg)", offset: 0.28, easing: "ease-in-out" },
        { transform: "translateY(-8px) scale(1.06) rotate(-3deg)", offset: 0.55, easing: "ease-in-out" },
        { transform: "translateY(0) scale(1) rotate(2deg)", offset: 0.8, easing: "ease-in" },
        { transform: "translateY(-30cqh) scale(.5)" },
      ],
      time);
    line.animate([{ transform: "translateY(24px)" }, { transform: "translateY(24px)", offset: 0.2, easing: "ease-out" }, { transform: "none", offset: 0.32 }, { transform: "none" }], time);
    for (let i = 0; i < SPARKS; i += 1) {
      const spark = element(`i.spark.is-${i % 4}`);
      sparks.append(spark);
      const angle = (i / SPARKS) * 6.283 + Math.random() * 0.3;
      const far = 110 + Math.random() * 150;
      const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far];
      spark.animate(
        [
          { transform: "scale(.2)", opacity: 0 },
          { transform: `translate(${x * 0.7}px, ${y * 0.7}px) scale(1)`, opacity: 1, offset: 0.4 },
          { transform: `translate(${x}px, ${y + 60}px) scale(.3)`, opacity: 0 },
        ],
        { duration: 1300 + Math.random() * 500, delay: 620, easing: "ease-out", fill: "both" });
    }
    return node;
  }
}
