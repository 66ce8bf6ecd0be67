import { isOn } from "../client/hits.js";
import { picture, sharedNow } from "./air.js";
import { drawing, element } from "./element.js";
import { at } from "./flight.js";
import { isReduced, removeAfter } from "./motion.js";
import { words } from "./words.js";

/** @import { Air } from "./air.js" */
/** @import { Place } from "./flight.js" */
/** @import { Command, Result } from "../client/commands.js" */

/** A sender may ask for a hundred a second; a screen that is covered needs no more. */
const LIMIT = 240;
/** An answer that has not come by then is not waited for. */
const ANSWER_MS = 12_000;
/** Buttons come to where their packets are as often as this, some of them at a time: each is styled anew. */
const FOLLOW_MS = 400;
const FOLLOW_PARTS = 4;
/** On its side a stage is low: packets are smaller, and leave the lanes to be seen. */
const LOW_STAGE = 520;
const EDGE = 20;
const shadow = { colour: "rgb(60 0 10 / 0.55)", blur: 12, y: 4 };

const art = `<svg xmlns="http://www.w3.org/2000/svg" preserveAspectRatio="none" class="packet-art" viewBox="0 0 52 70" aria-hidden="true"><defs><linearGradient id="g-packet" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ff5a4d"/><stop offset="1" stop-color="#d3122e"/></linearGradient></defs><g><rect x="1" y="1" width="50" height="68" rx="7" fill="url(#g-packet)"/><rect x="3" y="3" width="46" height="64" rx="5.5" fill="none" stroke="#ffd98a" stroke-opacity=".55"/><path d="M9 52c6-6 10-2 10 1M43 52c-6-6-10-2-10 1M12 60h28" fill="none" stroke="#ffb84d" stroke-opacity=".8" stroke-width="1.6" stroke-linecap="round"/></g><path class="packet-flap" d="M1 8c0-4 3-7 7-7h36c4 0 7 3 7 7v14C40 34 12 34 1 22z" fill="#e8253b" stroke="#ffcf7a" stroke-opacity=".7"/><g class="packet-seal"><circle cx="26" cy="29" r="10" fill="#ffd66b"/><circle cx="26" cy="29" r="8" fill="none" stroke="#d99a1f"/><path d="M26 24v10M21.5 26.5l4.5 4 4.5-4M22 31h8" stroke="#c02a1c" stroke-width="1.7" stroke-linecap="round" fill="none"/></g></svg>`;

/**
 * Red packets in the air: they fall and turn, and a tap opens one. Those that fall are drawn with all else that flies;
 * for a keyboard and a screen reader each has a button, that follows it.
 */
export class RedPackets {
  /** @type {Map<string, {node: HTMLElement, drop: any, startMs: number, isOpened: boolean, timer: number}>} */
  #packets = new Map();
  #stage = { width: 0, height: 0 };
  #size = { width: 58, height: 78 };
  #follower = 0;
  #part = 0;

  /**
   * @param {Air} air
   * @param {() => number} now log time, as it is shown
   * @param {{canGrab: boolean}} viewer
   */
  constructor(air, now, viewer) {
    this.air = air;
    this.now = now;
    this.viewer = viewer;
    this.node = element("div.packets", { tabIndex: -1, role: "group", "aria-label": words.rain });
    // Whoever gives a packet the focus sees where it is.
    this.node.addEventListener("focusin", ({ target }) => this.#lead(target));
    this.node.addEventListener("focusout", ({ target }) => target.getAnimations().forEach((lead) => lead.cancel()));
  }

  /** @param {number} width @param {number} height pixels of the stage */
  resize(width, height) {
    this.#stage = { width, height };
    const across = height <= LOW_STAGE ? 42 : 58;
    this.#size = { width: across, height: (across * 78) / 58 };
    this.node.style.setProperty("--packet", `${across}px`);
    // The picture is ready before the first one falls.
    this.#picture();
    for (const [key, packet] of this.#packets) if (!packet.isOpened) this.#fly(key, packet);
    this.#follow();
  }

  /** @param {Command} command */
  apply({ atMs, rainDrop }) {
    if (!rainDrop) return;
    const key = `${rainDrop.rainId} ${rainDrop.packet}`;
    if (this.#packets.has(key) || this.#packets.size >= LIMIT) return;
    const late = this.now() - atMs;
    if (late >= rainDrop.fallMs) return;
    const node = element(
      "button.packet",
      {
        type: "button", disabled: !this.viewer.canGrab, "data-target": "packet", "data-rain": rainDrop.rainId,
        "data-packet": rainDrop.packet, "aria-label": words.openPacket,
      });
    const timer = setTimeout(() => this.#remove(key), rainDrop.fallMs - late);
    const packet = { node, drop: rainDrop, startMs: sharedNow() - late, isOpened: false, timer };
    this.#packets.set(key, packet);
    this.#fly(key, packet);
    this.#put(packet);
    this.node.append(node);
    this.#follower ||= setInterval(() => this.#followPart(), FOLLOW_MS / FOLLOW_PARTS);
  }

  /** Whether any are in the air. */
  get isRaining() {
    return this.#packets.size > 0;
  }

  /** @param {Command[]} commands of a snapshot */
  keep(commands) {
    const stays = new Set(commands.map(({ rainDrop }) => rainDrop && `${rainDrop.rainId} ${rainDrop.packet}`));
    for (const [key, { isOpened }] of this.#packets) if (!isOpened && !stays.has(key)) this.#remove(key);
  }

  clear() {
    for (const key of this.#packets.keys()) this.#remove(key);
  }

  /**
   * The packet under a finger: the one that is drawn last.
   * @param {{x: number, y: number}} point in pixels of the stage
   * @returns {HTMLElement | null}
   */
  under(point) {
    if (!this.viewer.canGrab) return null;
    const isUnder = (packet) => !packet.isOpened && isOn(point, this.#place(packet), this.#size);
    return [...this.#packets.values()].findLast(isUnder)?.node ?? null;
  }

  /**
   * This viewer opens it: it stays where it is until its answer has come.
   * @param {HTMLElement} node
   * @returns {{rainId: string, packet: number} | null} null if it was opened before
   */
  open(node) {
    const found = [...this.#packets].find(([, packet]) => packet.node === node);
    if (!found || found[1].isOpened || !this.viewer.canGrab) return null;
    const [key, packet] = found;
    packet.isOpened = true;
    clearTimeout(packet.timer);
    for (const lead of node.getAnimations()) lead.cancel();
    // The prize keeps to the inside of the stage, and stands upright: only the art keeps its turn.
    const { x, turn } = this.#put(packet, true);
    node.style.setProperty("--at", String(x / this.#stage.width));
    this.air.land(key);
    const opened = drawing(art);
    opened.style.rotate = `${turn}deg`;
    node.append(opened);
    // It takes further taps, and does nothing with them: they are none on the room behind it.
    node.classList.add("is-opening");
    node.setAttribute("aria-disabled", "true");
    packet.timer = setTimeout(() => this.#close(key, packet), ANSWER_MS);
    return { rainId: packet.drop.rainId, packet: packet.drop.packet };
  }

  /** @param {Result} result @returns {boolean} whether its packet is on the stage, and shows it now */
  answer({ rainId, packet: number, outcome, coins }) {
    const key = `${rainId} ${number}`;
    const packet = this.#packets.get(key);
    if (!packet?.isOpened || packet.node.dataset.outcome) return false;
    const { node } = packet;
    clearTimeout(packet.timer);
    node.dataset.outcome = outcome;
    node.dataset.coins = String(coins);
    node.classList.replace("is-opening", "is-open");
    const text = outcome === "won" ? `+${coins}` : words[outcome];
    const prize = element("span.prize", { role: "status" }, text);
    if (outcome === "won") prize.append(element("small", {}, words.coin(coins)));
    node.append(prize);
    if (outcome === "won" && !isReduced()) this.#scatter(node);
    packet.timer = setTimeout(() => this.#close(key, packet), 1500);
    return true;
  }

  /** There will be no answer. @param {{rainId: string, packet: number}} grab */
  giveUp({ rainId, packet: number }) {
    const key = `${rainId} ${number}`;
    const packet = this.#packets.get(key);
    if (!packet || packet.node.dataset.outcome) return;
    clearTimeout(packet.timer);
    this.#close(key, packet);
  }

  #close(key, { node }) {
    const leave = node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 300, fill: "forwards" });
    removeAfter(leave, () => this.#remove(key));
  }

  #scatter(node) {
    for (let i = 0; i < 9; i += 1) {
      const coin = element("span.coin");
      node.append(coin);
      const angle = (i / 9) * 6.283 + Math.random() * 0.5;
      const far = 44 + Math.random() * 34;
      const flight = coin.animate(
        [
          { transform: "scale(.3)", opacity: 1 },
          { transform: `translate(${Math.cos(angle) * far}px, ${Math.sin(angle) * far - 16}px)`, opacity: 1, offset: 0.5 },
          { transform: `translate(${Math.cos(angle) * far * 1.15}px, ${Math.sin(angle) * far + 56}px) scale(.7)`, opacity: 0 },
        ],
        { duration: 900, easing: "ease-out", fill: "both" });
      removeAfter(flight, () => coin.remove());
    }
  }

  #picture() {
    return picture(`packet ${this.#size.width}`, art, { ...this.#size, edge: EDGE, shadow });
  }

  /** It flies from where it is by now. */
  #fly(key, { drop, startMs }) {
    const { width, height } = this.#size;
    this.air.fly(key, {
      art: this.#picture(), level: 1, width: width + 2 * EDGE, height: height + 2 * EDGE,
      startMs, durationMs: drop.fallMs, frames: (isReduced() ? standing : falling)(drop, this.#size),
    });
  }

  /** @returns {{x: number, y: number, turn: number}} the middle of a packet now, in pixels of the stage */
  #place({ drop, startMs }) {
    const share = Math.min(1, Math.max(0, (sharedNow() - startMs) / drop.fallMs));
    const { x, xPx, y, yPx, turn } = at((isReduced() ? standing : falling)(drop, this.#size), share);
    return { x: x * this.#stage.width + xPx, y: y * this.#stage.height + yPx, turn };
  }

  /** Puts the button where its packet is. */
  #put(packet, isUpright = false) {
    const place = this.#place(packet);
    packet.node.style.transform = this.#transform(place, isUpright);
    return place;
  }

  #transform({ x, y, turn }, isUpright = false) {
    const { width, height } = this.#size;
    return `translate(${(x - width / 2).toFixed(1)}px, ${(y - height / 2).toFixed(1)}px)${isUpright ? "" : ` rotate(${turn.toFixed(1)}deg)`}`;
  }

  #follow() {
    for (const packet of this.#packets.values()) if (!packet.isOpened) this.#put(packet);
  }

  #followPart() {
    this.#part = (this.#part + 1) % FOLLOW_PARTS;
    for (const packet of this.#packets.values()) {
      if (!packet.isOpened && packet.drop.packet % FOLLOW_PARTS === this.#part) this.#put(packet);
    }
  }

  /** The button with the focus is with its packet at every moment. @param {HTMLElement} node */
  #lead(node) {
    const packet = [...this.#packets.values()].find((one) => one.node === node);
    if (!packet || packet.isOpened || isReduced()) return;
    const { width, height } = this.#stage;
    const frames = falling(packet.drop, this.#size).map(({ offset, x, xPx, y, yPx, turn }) => ({
      offset, transform: this.#transform({ x: x * width + xPx, y: y * height + yPx, turn }),
    }));
    node.animate(frames, { duration: packet.drop.fallMs, fill: "both" }).startTime = packet.startMs - performance.timeOrigin;
  }

  #remove(key) {
    const packet = this.#packets.get(key);
    clearTimeout(packet?.timer);
    this.air.land(key);
    this.#packets.delete(key);
    // The focus goes on to the packet that came next, or stays in this place.
    if (packet?.node === document.activeElement) ([...this.#packets.values()].find(({ isOpened }) => !isOpened)?.node ?? this.node).focus({ preventScroll: true });
    packet?.node.remove();
    if (this.#packets.size > 0) return;
    clearInterval(this.#follower);
    this.#follower = 0;
  }
}

/** The share of its fall after which a packet turns no more. An older gateway names none: the packet turns all the way down. */
const turning = ({ fallMs, spinMs = fallMs }) => Math.min(1, Math.max(0.001, spinMs / fallMs));

/** The degrees that a packet has turned by then. @param {any} drop @param {number} fallen share of its fall */
const turned = (drop, fallen) => drop.spin * Math.min(1, fallen / turning(drop));

/** The way of a packet: down from above the stage to below it, aside and round. @returns {Place[]} */
function falling(drop, { width, height }) {
  const { x, toX = x, angle } = drop;
  const place = (share) => {
    const aside = (x + (toX - x) * share) / 999;
    return { offset: share, x: aside, xPx: width * (0.5 - aside), y: share, yPx: 90 * (share - 1) + height / 2, turn: angle + turned(drop, share), size: 1, opacity: 1 };
  };
  return [...new Set([0, turning(drop), 1])].map(place);
}

/** The way of a packet with reduced motion: it stands as long as it would have fallen, away from those before it. @returns {Place[]} */
function standing({ packet, x }, { width, height }) {
  const aside = x / 999;
  const place = (offset, opacity) =>
    ({ offset, x: aside, xPx: width * (0.5 - aside), y: 0.16 + 0.54 * ((packet * 0.618) % 1), yPx: height / 2, turn: 0, size: 1, opacity });
  return [place(0, 0), place(0.08, 1), place(0.92, 1), place(1, 0)];
}
