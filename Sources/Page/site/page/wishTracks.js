import { logOf } from "../client/appliedCommands.js";
import { nameOf } from "../client/names.js";
import { avatar, letters } from "./avatar.js";
import { element, say } from "./element.js";
import { readExtra } from "./extra.js";
import { isReduced, moveSince, removeAfter } from "./motion.js";
import { short, words } from "./words.js";

/** @import { Command } from "../client/commands.js" */

/** `wish.stageWidth` at its default. What keeps apart there keeps apart on wider stages; narrower ones are scaled. */
const narrowestStage = 375;
/** However wide the narrowest stage in use is by its setting, nothing is made smaller than for one of this. */
const widestStage = 1500;
/** Two banners on a track that would come nearer than this show that the stage's width is set to more. */
const nearest = 12;
const fewTracks = 3;
const leastFont = 12;

/**
 * Wishes on their tracks, each exactly as wide as its command says, from right to left in its time.
 */
export class WishTracks {
  /** @type {Map<string, {node: HTMLElement, fly: any, atMs: number, flight: Animation}>} by the command's id */
  #banners = new Map();
  #leastWidth = narrowestStage;
  /** The stage's width: in pixels, and in the units of banners' widths. */
  #width = narrowestStage;
  #stageWidth = narrowestStage;
  /** Wishes that this viewer likes, the last few. */
  #liked = new Set();

  /**
   * @param {() => number} now log time, as it is shown
   * @param {{canLike: boolean}} viewer
   */
  constructor(now, viewer) {
    this.now = now;
    this.viewer = viewer;
    this.node = element("div.wishes");
  }

  /**
   * The stage is `width` pixels wide: everything flies on where it is, in proportion.
   * @param {number} width
   */
  resize(width) {
    this.#width = width;
    this.#stageWidth = Math.max(this.#leastWidth, width);
    this.node.style.setProperty("--scale", String(width / this.#stageWidth));
    for (const { fly, flight } of this.#banners.values()) flight.effect.setKeyframes(this.#way(fly));
  }

  /** @param {Command} command */
  apply({ id, atMs, wishFly, wishLikes, wishGone }) {
    if (wishFly) this.#fly(id, wishFly, atMs);
    else if (wishGone) this.#takeBack(wishGone.wishId, id);
    else if (wishLikes) this.#setLikes(wishLikes);
  }

  /** @param {Command[]} commands of a snapshot */
  keep(commands) {
    const stays = new Set(commands.filter(({ wishFly }) => wishFly).map(({ id }) => id));
    for (const id of this.#banners.keys()) if (!stays.has(id)) this.#remove(id);
  }

  clear() {
    for (const id of this.#banners.keys()) this.#remove(id);
  }

  /**
   * This viewer likes it: told once.
   * @param {HTMLElement} node
   * @returns {string | null} the wish, if it was not liked before
   */
  like(node) {
    const { wish } = node.dataset;
    if (!this.viewer.canLike || wish === undefined || this.#liked.has(wish)) return null;
    this.#liked.add(wish);
    if (this.#liked.size > 200) this.#liked.delete(this.#liked.values().next().value);
    node.classList.add("is-liked");
    node.setAttribute("aria-pressed", "true");
    return wish;
  }

  #fly(id, fly, atMs) {
    const there = this.#banners.get(id);
    if (there) return this.#show(there, fly.likes);
    if (atMs + fly.durationMs <= this.now()) return;
    const node = this.#draw(fly);
    const before = [...this.#banners.values()].findLast((banner) => banner.fly.track === fly.track);
    if (before) this.#learnWidth(before, fly, atMs);
    this.#makeRoom(fly.track);
    if (isReduced()) this.#standAlone(fly.track);
    this.node.append(node);
    fit(node.querySelector(".wish-words"), fly.width);
    const flight = moveSince(node, this.#way(fly), { atMs, now: this.now, durationMs: fly.durationMs });
    // The clock may have been set right since the one before it started: that must not bring them nearer, or hardly.
    if (before) flight.startTime = Math.max(flight.startTime, before.flight.startTime + 0.99 * (atMs - before.atMs));
    const banner = { node, fly, atMs, flight };
    this.#banners.set(id, banner);
    this.#show(banner, fly.likes);
    removeAfter(flight, () => this.#remove(id));
  }

  /**
   * The setting `wish.stageWidth` shows in how soon after another a track takes a banner (STAGES.md, section 4): sooner
   * than they could keep apart on this stage, and the narrowest in use is wider. This one is scaled then.
   */
  #learnWidth({ fly: { width, durationMs }, atMs: beforeMs }, fly, atMs) {
    const after = atMs - beforeMs;
    if (durationMs !== fly.durationMs || after <= 0 || after >= durationMs) return;
    const forTail = ((width + nearest) * durationMs) / after - width;
    const forHead = (nearest * durationMs + fly.width * (durationMs - after)) / after;
    const leastWidth = Math.min(widestStage, Math.max(forTail, forHead));
    if (leastWidth <= this.#leastWidth) return;
    this.#leastWidth = leastWidth;
    this.resize(this.#width);
  }

  #way({ width }) {
    if (isReduced()) {
      return [{ opacity: 0 }, { opacity: 1, offset: 0.05 }, { opacity: 1, offset: 0.95 }, { opacity: 0 }];
    }
    return [{ transform: `translateX(${this.#stageWidth}px)` }, { transform: `translateX(${-width}px)` }];
  }

  /** Lets a track hold one banner, with reduced motion. */
  #standAlone(track) {
    for (const [id, banner] of this.#banners) if (banner.fly.track === track) this.#remove(id);
  }

  #setLikes({ wishId, likes }) {
    const banner = [...this.#banners.values()].findLast(({ fly }) => fly.wishId === wishId);
    if (!banner) return;
    this.#show(banner, likes);
    if (isReduced()) return;
    banner.node.querySelector(".wish-heart").animate(
      [{ transform: "scale(1.5)" }, { transform: "none" }], { duration: 260, easing: "ease-out" });
  }

  /** It was taken back: it fades where it is. @param {string} wishId @param {string} commandId of the same log as its own */
  #takeBack(wishId, commandId) {
    for (const [id, { node, fly }] of this.#banners) {
      if (fly.wishId !== wishId || logOf(id) !== logOf(commandId)) continue;
      this.#banners.delete(id);
      node.disabled = true;
      removeAfter(node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: isReduced() ? 1 : 200, fill: "forwards" }), () => node.remove());
    }
  }

  #show({ node }, likes) {
    node.dataset.likes = String(likes);
    say(node.querySelector(".wish-likes"), likes > 0 ? short(likes) : "");
  }

  #remove(id) {
    this.#banners.get(id)?.node.remove();
    this.#banners.delete(id);
  }

  #makeRoom(track) {
    const tracks = Number(this.node.style.getPropertyValue("--tracks")) || fewTracks;
    if (track >= tracks) this.node.style.setProperty("--tracks", String(track + 1));
  }

  #draw({ wishId, track, sender, text, style, width, extra }) {
    const name = nameOf(sender);
    const isLiked = this.#liked.has(wishId);
    const node = element(
      "button.wish",
      {
        type: "button", disabled: !this.viewer.canLike, "data-wish": wishId, "data-track": track, "data-target": "wish",
        "aria-label": words.likeWish(name, text), "aria-pressed": String(isLiked),
      },
      avatar(sender, readExtra(extra).badge),
      element("span.wish-words", {}, element("bdi.wish-sender", {}, sender.name && name), element("bdi.wish-text", {}, text)),
      element("span.wish-heart", { "aria-hidden": "true" }),
      element("span.wish-likes", { "aria-hidden": "true" }));
    if (style === "gold" || style === "neon") node.classList.add(`is-${style}`);
    if (isLiked) node.classList.add("is-liked");
    node.style.width = `${width}px`;
    node.style.setProperty("--track", String(track));
    return node;
  }
}

/** The pixels of a banner beside its words: its edges, the face, the gap after it, the heart. */
const beside = 3 + 28 + 5 + 26 + 4;
const gap = 5;
const closer = -0.01;

/** Measures a text without any layout, which would be one for each wish. */
class Ruler {
  #context = document.createElement("canvas").getContext("2d");
  #family = "";

  /** @param {string} text @param {string} weight @param {number} size pixels */
  width(text, weight, size) {
    this.#family ||= getComputedStyle(document.documentElement).fontFamily;
    this.#context.font = `${weight} ${size}px ${this.#family}`;
    return this.#context.measureText(text).width;
  }
}

const ruler = new Ruler();

/**
 * The width is the command's, and the font that draws may be wider than it thought. Then all is set a little smaller and closer.
 * What still doesn't fit is cut: the name first, by no letter more than it must, then the text. Whatever is left stands on both sides.
 * @param {HTMLElement} words a name and a text
 * @param {number} width of the banner
 */
function fit(words, width) {
  const [name, text] = [...words.children].map(({ textContent }) => textContent);
  const room = width - beside;
  /** The pixels that the text and so much of the name need. */
  const needed = (size, spacing, shown = name) =>
    (shown ? ruler.width(shown, "600", size) + gap : 0) + ruler.width(text, "400", size) + (shown.length + text.length) * spacing * size;
  if (needed(14, 0) <= room) return;
  words.classList.add("is-close");
  const size = Math.min(14, Math.max(leastFont, (14 * room) / needed(14, closer) - 0.2));
  words.style.fontSize = `${size}px`;
  if (needed(size, closer) <= room) return;
  const kept = [...letters.segment(name)].map(({ segment }) => segment);
  let shown = name;
  while (kept.length > 0 && needed(size, closer, shown) > room) {
    kept.pop();
    shown = kept.length > 0 ? `${kept.join("")}…` : "";
  }
  words.firstElementChild.textContent = shown;
  words.classList.toggle("is-cut", needed(size, closer, shown) > room);
}
