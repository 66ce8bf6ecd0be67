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
/** The number of sparks made in a frame: the first flies only a while later. */
const SPARKS_A_FRAME = 7;

/**
 * The item that fills the screen: a dear gift, or what the platform shows; the server says what, when, and for how long. It takes
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

  /** Keeps the item on the screen, unless it was taken back. @param {Command[]} commands of a snapshot */
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
  #draw(show, late) {
    const { kind, sender, giftId, giftName, tier, text, style, durationMs, extra } = show;
    const { icon, effect, badge } = readExtra(extra);
    const what = giftId
      ? element("span", {}, ` ${words.sent} `, element("bdi", {}, nameOfGift(giftId, giftName)))
      : element("bdi", {}, text || (kind === "entrance" ? words.entered : ""));
    const line = element("p.moment-line", { dir: direction }, avatar(sender, badge), element("bdi", {}, sender.name || sender.userId), ...(what.textContent ? [what] : []));
    const node = element("div.moment", { "data-tier": tier, "data-kind": kind, "data-style": style }, line);
    const time = { duration: durationMs, delay: -late, fill: /** @type {const} */ ("both") };
    // However long it stays, it comes and goes in a moment.
    const share = (most, ms) => Math.min(most, ms / durationMs);
    node.animate([{ opacity: 0 }, { opacity: 1, offset: share(0.08, 400) }, { opacity: 1, offset: 1 - share(0.14, 600) }, { opacity: 0 }], time);
    const film = picture(effect || (giftOf(giftId)?.effect ?? ""), () => {
      film?.remove();
      this.#fill(node, line, show, icon, time);
    });
    if (kind === "entrance") {
      node.classList.add("is-strip");
      if (!isReduced()) line.animate([{ transform: "translateX(110cqw)", easing: "cubic-bezier(.1, .8, .2, 1)" }, { transform: "none", offset: share(0.16, 700) }, { transform: "none", offset: 1 - share(0.14, 600), easing: "ease-in" }, { transform: "translateX(-110cqw)" }], time);
    } else if (film && !isReduced()) {
      film.classList.add("moment-film");
      node.prepend(film);
    } else this.#fill(node, line, show, icon, time);
    return node;
  }

  /** The page's own effect: the gift moves in its own way, and sparks fly. */
  #fill(node, line, { kind, giftId, tier }, icon, time) {
    const halo = element("div.moment-halo");
    const art = element("div.moment-art", {}, giftArt(giftId || kind, icon || undefined));
    const flying = element("div.moment-sparks");
    node.classList.add(`is-tier-${Math.min(tier || 2, 4)}`);
    node.prepend(halo, flying, art);
    if (isReduced()) return;
    const { way, sparks: kindOfSparks } = choreography(giftId);
    halo.animate([{ transform: "scale(.3) rotate(0)" }, { transform: "scale(1.1) rotate(80deg)" }], time);
    art.animate(way, time);
    line.animate([{ transform: "translateY(24px)" }, { transform: "translateY(24px)", offset: 0.2, easing: "ease-out" }, { transform: "none", offset: 0.32 }, { transform: "none" }], time);
    const startedAt = performance.now();
    requestAnimationFrame(() => this.#sparkle(flying, kindOfSparks, { ...time, startedAt }, 0));
  }

  /** Makes sparks, from this one on. */
  #sparkle(flying, kind, time, first) {
    if (!flying.isConnected) return;
    const late = performance.now() - time.startedAt;
    const next = Math.min(SPARKS, first + SPARKS_A_FRAME);
    for (let i = first; i < next; i += 1) {
      const spark = element(`i.spark.is-${i % 4}`);
      flying.append(spark);
      const delay = time.duration * (0.15 + 0.45 * (kind === "burst" ? 0 : i / SPARKS)) + time.delay - late;
      spark.animate(sparks[kind](i / SPARKS), { duration: time.duration * (0.32 + Math.random() * 0.12), delay, easing: "ease-out", fill: "both" });
    }
    if (next < SPARKS) requestAnimationFrame(() => this.#sparkle(flying, kind, time, next));
  }
}
