import { nameOf } from "../client/names.js";
import { Air, picture as painted, sharedNow } from "./air.js";
import { avatar } from "./avatar.js";
import { giftOf } from "./catalogue.js";
import { choreography, sparks } from "./choreography.js";
import { element } from "./element.js";
import { readExtra } from "./extra.js";
import { giftArt, nameOfGift } from "./giftArt.js";
import { isReduced } from "./motion.js";
import { picture } from "./picture.js";
import { direction, words } from "./words.js";

/** @import { Command, SpotShow } from "../client/commands.js" */

const SPARKS = 26;
const SPARK = { width: 12, height: 12, edge: 14, shadow: { colour: "#ffd34d", blur: 12, y: 0 } };
const round = (colour) => `<circle cx="6" cy="6" r="6" fill="${colour}"/>`;
const looks = [...["#ffe07a", "#ff7ab8", "#8fe9ff"].map(round), `<rect width="12" height="12" rx="2" fill="#fff"/>`]
  .map((look) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12">${look}</svg>`);

/**
 * The item that fills the screen: a dear gift, or what the platform shows; the server says what, when, and for how long. It takes
 * no taps, and nothing of it is moved by the page's own thread: a compositor moves it, and sparks are drawn by the painter.
 */
export class Moments {
  /** @type {HTMLElement | null} */
  #shown = null;
  #spotId = "";
  #timer = 0;
  #leaving = 0;
  /** Hears whether an item has the middle of the stage. @type {(isFilled: boolean) => void} */
  onFill = () => {};

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.node = element("div.moments", { "aria-hidden": "true" });
    this.sparks = new Air("moment-sparks");
  }

  /** @param {number} width @param {number} height pixels of the stage */
  resize(width, height) {
    this.sparks.resize(width, height);
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
    this.onFill(spotShow.kind !== "entrance");
    this.#timer = setTimeout(() => this.clear(), left);
  }

  /** Keeps the item on the screen, unless it was taken back. @param {Command[]} commands of a snapshot */
  keep(commands) {
    if (!commands.some(({ spotShow }) => spotShow?.spotId === this.#spotId)) this.clear();
  }

  clear() {
    clearTimeout(this.#timer);
    clearTimeout(this.#leaving);
    this.sparks.clear();
    if (this.#shown) this.onFill(false);
    this.#shown?.remove();
    this.#shown = null;
    this.#spotId = "";
  }

  /** @param {SpotShow} show @param {number} late how much of its time is over */
  #draw(show, late) {
    const { kind, sender, receiverId, receiverName, giftId, giftName, tier, text, style, durationMs, extra } = show;
    const { icon, effect, badge } = readExtra(extra);
    const what = giftId
      ? element("span", {}, ` ${words.sent} `, element("bdi", {}, nameOfGift(giftId, giftName)))
      : element("bdi", {}, text || (kind === "entrance" ? words.entered : ""));
    if (giftId && receiverId) what.append(` ${words.to} `, element("bdi", {}, nameOf({ name: receiverName, userId: receiverId })));
    const line = element("p.moment-line", { dir: direction }, avatar(sender, badge), element("bdi", {}, nameOf(sender)), ...(what.textContent ? [what] : []));
    const node = element("div.moment", { "data-tier": tier, "data-kind": kind, "data-style": style }, line);
    const time = { duration: durationMs, delay: -late, fill: /** @type {const} */ ("both") };
    // However long it stays, it comes and goes in a moment. Between them nothing moves it: each frame would style it anew.
    const share = (most, ms) => Math.min(most, ms / durationMs);
    node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: share(0.08, 400) * durationMs, delay: -late, fill: "backwards" });
    const leaveMs = share(0.14, 600) * durationMs;
    const staysMs = durationMs - late - leaveMs;
    const leave = () => node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: leaveMs, delay: Math.min(0, staysMs), fill: "forwards" });
    this.#leaving = setTimeout(leave, staysMs);
    // An entrance is a strip, whatever the platform has for it.
    const film = kind === "entrance" || isReduced() ? null : picture(effect || (giftOf(giftId)?.effect ?? ""), () => {
      film?.remove();
      this.#fill(node, line, show, icon, time);
    });
    if (kind === "entrance") {
      node.classList.add("is-strip");
      if (!isReduced()) line.animate([{ transform: "translateX(110cqw)", easing: "cubic-bezier(.1, .8, .2, 1)" }, { transform: "none", offset: share(0.16, 700) }, { transform: "none", offset: 1 - share(0.14, 600), easing: "ease-in" }, { transform: "translateX(-110cqw)" }], time);
    } else if (film) {
      film.classList.add("moment-film");
      node.prepend(film);
    } else this.#fill(node, line, show, icon, time);
    return node;
  }

  /** The page's own effect: the gift moves in its own way, and sparks fly. A star is for what is no gift. */
  #fill(node, line, { giftId, tier }, icon, time) {
    const halo = element("div.moment-halo");
    const art = element("div.moment-art", {}, giftArt(giftId || "star", icon || undefined));
    node.classList.add(`is-tier-${Math.min(tier || 2, 4)}`);
    node.prepend(halo, this.sparks.node, art);
    if (isReduced()) return;
    const { way, sparks: kindOfSparks } = choreography(giftId);
    halo.animate([{ transform: "scale(.3) rotate(0)" }, { transform: "scale(1.1) rotate(80deg)" }], time);
    art.animate(way, time);
    const aside = { transform: "translateY(-8px)" };
    line.animate([aside, { ...aside, offset: 0.625, easing: "ease-out" }, { transform: "none" }], { ...time, duration: 0.32 * time.duration, fill: "backwards" });
    this.#sparkle(kindOfSparks, time);
  }

  /** @param {keyof typeof sparks} kind @param {{duration: number, delay: number}} time */
  #sparkle(kind, { duration, delay }) {
    for (let i = 0; i < SPARKS; i += 1) {
      const begin = duration * (0.15 + 0.45 * (kind === "burst" ? 0 : i / SPARKS));
      this.sparks.fly(`spark ${i}`, {
        art: painted(`spark ${i % looks.length}`, looks[i % looks.length], SPARK),
        level: 0, width: SPARK.width + 2 * SPARK.edge, height: SPARK.height + 2 * SPARK.edge,
        startMs: sharedNow() + delay + begin, durationMs: duration * (0.32 + Math.random() * 0.12), isEased: true, frames: sparks[kind](i / SPARKS),
      });
    }
  }
}
