import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { giftArt, nameOfGift } from "./giftArt.js";
import { isReduced } from "./motion.js";
import { words } from "./words.js";

/** @import { Command, SpotShow } from "../client/commands.js" */

const SPARKS = 26;

/**
 * What fills the screen: a dear gift, or what the platform shows; the server says what, when, and for how long. It takes
 * no taps, and only what a compositor moves by itself is moved.
 */
export class Moments {
  /** @type {HTMLElement | null} */
  #shown = null;
  #spotId = "";
  #timer = 0;

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.node = element("div.moments", { "aria-hidden": "true" });
  }

  /** @param {Command} command */
  apply({ atMs, spotShow, spotGone }) {
    if (spotGone?.spotId === this.#spotId) this.clear();
    if (!spotShow) return;
    const late = Math.max(0, this.now() - atMs);
    const left = spotShow.durationMs - late;
    if (left <= 0 || (this.#shown && this.#spotId === spotShow.spotId)) return;
    this.clear();
    this.#spotId = spotShow.spotId;
    this.#shown = this.#draw(spotShow, late);
    this.node.append(this.#shown);
    this.#timer = setTimeout(() => this.clear(), left);
  }

  /** What is shown stays, unless it was taken back. @param {Command[]} commands of a snapshot */
  keep(commands) {
    if (!commands.some(({ spotShow }) => spotShow?.spotId === this.#spotId)) this.clear();
  }

  clear() {
    clearTimeout(this.#timer);
    this.#shown?.remove();
    this.#shown = null;
    this.#spotId = "";
  }

  /** @param {SpotShow} show @param {number} late how much of its time is over */
  #draw({ kind, sender, giftId, giftName, tier, text, style, durationMs }, late) {
    const halo = element("div.moment-halo");
    const art = element("div.moment-art", {}, giftArt(giftId || kind));
    const name = element("bdi", {}, sender.name || sender.userId);
    const what = giftId
      ? element("span", {}, ` ${words.sent} `, element("bdi", {}, nameOfGift(giftId, giftName)))
      : element("bdi", {}, text || kind);
    const line = element("p.moment-line", {}, avatar(sender), name, what);
    const sparks = element("div.moment-sparks");
    const node = element(`div.moment.is-tier-${Math.min(tier || 2, 4)}`, { "data-tier": tier, "data-kind": kind, "data-style": style }, halo, sparks, art, line);
    const time = { duration: durationMs, delay: -late, fill: "both" };
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
        { duration: 1300 + Math.random() * 500, delay: 620 - late, easing: "ease-out", fill: "both" });
    }
    return node;
  }
}
