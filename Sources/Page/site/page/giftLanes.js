import { nameOf } from "../client/names.js";
import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { readExtra } from "./extra.js";
import { giftArt, nameOfGift } from "./giftArt.js";
import { celebrate, CELEBRATES_MS, milestoneOf } from "./milestones.js";
import { isReduced, moveSince, removeAfter, spring } from "./motion.js";
import { isRight } from "./stage.js";
import { direction, words } from "./words.js";

/** @import { Command } from "../client/commands.js" */

/** The finery of a view, by its tier; the lowest has none. */
const dress = ["", "is-gold", "is-grand"];
const fewLanes = 2;
/** The way to the edge that it comes in from. */
const out = isRight ? 1 : -1;
/** The part of a count after which it strikes. */
const STRIKE = 0.36;

/**
 * Gift views on their lanes: each slides in, its number pops, it holds, and it leaves upwards.
 */
export class GiftLanes {
  /** @type {Map<number, {comboId: string, node: HTMLElement, number: HTMLElement, isLeaving: boolean,
   *   popping?: {tickMs: number, digits: number, animations: Animation[]}}>} */
  #views = new Map();

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.node = element("div.gifts");
  }

  /** @param {Command} command */
  apply({ atMs, giftShow, giftBump, giftHide }) {
    if (giftShow) this.#show(giftShow, atMs);
    else if (giftBump) this.#bump(giftBump, atMs);
    else if (giftHide) this.#hide(giftHide, atMs);
  }

  /**
   * Keeps what stands on its lane by this word, and nothing else.
   * @param {Command[]} commands of a snapshot
   */
  keep(commands) {
    const stays = new Set(commands.map(({ giftShow }) => giftShow && `${giftShow.lane} ${giftShow.comboId}`));
    for (const [lane, view] of this.#views) {
      if (view.isLeaving || !stays.has(`${lane} ${view.comboId}`)) this.#remove(lane, view);
    }
  }

  clear() {
    for (const [lane, view] of this.#views) this.#remove(lane, view);
    this.node.replaceChildren();
  }

  #show(show, atMs) {
    const { lane, comboId, from, enterMs } = show;
    const there = this.#views.get(lane);
    if (there && there.comboId === comboId && !there.isLeaving) {
      // Its tier may have risen.
      dressUp(there.node, show.tier);
      return setNumber(there, from);
    }
    if (there) this.#remove(lane, there);
    const view = { comboId, isLeaving: false, ...this.#draw(show) };
    this.#views.set(lane, view);
    setNumber(view, from);
    this.#makeRoom(lane);
    this.node.append(view.node);
    const time = { atMs, now: this.now, durationMs: enterMs };
    if (isReduced()) moveSince(view.node, [{ opacity: 0 }, { opacity: 1 }], time);
    else {
      moveSince(view.node, [{ transform: `translateX(${out * 112}%)` }, { transform: "none" }], { ...time, easing: spring });
      const art = view.node.querySelector(".gift-art");
      const late = [{ transform: `translateX(${out * 90}px) rotate(${out * 24}deg) scale(.6)`, opacity: 0 }, { transform: "none", opacity: 1 }];
      moveSince(art, late, { ...time, atMs: atMs + enterMs * 0.4, durationMs: enterMs, easing: spring });
    }
  }

  #bump({ comboId, lane, count, tickMs }, atMs) {
    const view = this.#shown(comboId, lane);
    if (!view) return;
    const since = this.now() - atMs;
    const milestone = milestoneOf(Number(view.node.dataset.count), count);
    if (milestone && since < CELEBRATES_MS) {
      // One that comes soon after another takes its place.
      view.node.querySelector(".milestone")?.remove();
      view.node.firstElementChild.append(celebrate(milestone, { atMs, now: this.now }));
    }
    setNumber(view, count);
    if (isReduced()) return;
    // A count that is late is only told: its pop is over.
    if (since > tickMs * (1 + STRIKE)) return;
    const [pop, ...strikes] = this.#popping(view, tickMs, String(count).length);
    pop.startTime = performance.now() - since;
    for (const strike of strikes) strike.startTime = pop.startTime + tickMs * STRIKE;
  }

  /** The animations of a count, which begin anew with each; greater numbers pop higher. */
  #popping(view, tickMs, digits) {
    if (view.popping?.tickMs === tickMs && view.popping.digits === digits) return view.popping.animations;
    const big = Math.min(2.1, 1.6 + digits * 0.15);
    const move = (selector, frames, easing) => view.node.querySelector(selector).animate(frames, { duration: Math.max(1, tickMs), easing, fill: "both" });
    const animations = [
      move(".gift-number", [
        { transform: `scale(${big})`, opacity: 0.4, easing: "ease-in" },
        { transform: "scale(.88)", opacity: 1, offset: 0.4, easing: "ease-out" },
        { transform: "scale(1.07)", offset: 0.68 },
        { transform: "none", opacity: 1 },
      ], "linear"),
      // Sparks fly as it strikes, and the gift jolts.
      move(".gift-flash", [{ opacity: 0, transform: "scale(.4)" }, { opacity: 0.95, transform: "scale(.7)", offset: 0.1 }, { opacity: 0, transform: "scale(1.6)" }], "ease-out"),
      move(".gift-art", [{ transform: "none" }, { transform: "scale(1.13) rotate(-5deg)", offset: 0.25 }, { transform: "none" }], "ease-out"),
    ];
    view.popping?.animations.forEach((animation) => animation.cancel());
    view.popping = { tickMs, digits, animations };
    return animations;
  }

  #hide({ comboId, lane, count, exitMs }, atMs) {
    const view = this.#shown(comboId, lane);
    if (!view) return;
    setNumber(view, count);
    view.isLeaving = true;
    view.node.classList.add("is-leaving");
    const up = isReduced() ? "none" : "translateY(-26px)";
    const animation = moveSince(
      view.node, [{ opacity: 1, transform: "none" }, { opacity: 0, transform: up }],
      { atMs, now: this.now, durationMs: exitMs, easing: "ease-in" });
    removeAfter(animation, () => this.#remove(lane, view));
  }

  #shown(comboId, lane) {
    const view = this.#views.get(lane);
    return view && view.comboId === comboId && !view.isLeaving ? view : null;
  }

  #remove(lane, view) {
    view.node.remove();
    if (this.#views.get(lane) === view) this.#views.delete(lane);
  }

  /** A setting may give a room many lanes: then each gets less room. */
  #makeRoom(lane) {
    const lanes = Number(this.node.style.getPropertyValue("--lanes")) || fewLanes;
    if (lane >= lanes) this.node.style.setProperty("--lanes", String(lane + 1));
  }

  /** @param {import("../client/commands.js").GiftShow} show */
  #draw({ comboId, lane, sender, receiverId, receiverName, giftId, giftName, tier, extra }) {
    const { icon, badge } = readExtra(extra);
    const number = element("span.gift-number");
    const what = element("p.gift-what", { dir: direction }, receiverId ? "" : `${words.sent} `, element("bdi", {}, nameOfGift(giftId, giftName)));
    if (receiverId) what.append(` ${words.to} `, element("bdi.gift-receiver", {}, nameOf({ name: receiverName, userId: receiverId })));
    const node = element(
      "div.gift", { "data-combo": comboId, "data-lane": lane },
      element(
        "div.gift-body", {},
        avatar(sender, badge),
        element("div.gift-words", {}, element("p.gift-sender", { dir: "auto" }, nameOf(sender)), what),
        giftArt(giftId, icon || undefined)),
      element("div.gift-count", { "aria-hidden": "true" }, element("span.gift-flash"), number));
    dressUp(node, tier);
    node.style.setProperty("--lane", String(lane));
    return { node, number };
  }
}

/** @param {HTMLElement} node @param {number} [tier] none from an older gateway */
function dressUp(node, tier = 0) {
  node.classList.remove(...dress.filter(Boolean));
  const finery = dress[Math.min(tier, dress.length - 1)];
  if (finery) node.classList.add(finery);
  node.dataset.tier = String(tier);
}

function setNumber({ node, number }, count) {
  node.dataset.count = String(count);
  const text = count > 0 ? String(count) : "";
  if (number.dataset.text === text) return;
  number.dataset.text = text;
  number.style.setProperty("--digits", String(text.length));
  // A number that counts on is the same node: nothing is made or attached anew.
  if (text && number.lastChild) /** @type {Text} */ (number.lastChild).data = text;
  else number.replaceChildren(...(text ? [element("i", {}, "×"), text] : []));
}
