import { asImage, drawing, element } from "./element.js";
import { isReduced, moveSince, removeAfter } from "./motion.js";
import { words } from "./words.js";

/** @import { Command, Result } from "../client/commands.js" */

/** A sender may ask for a hundred a second; a screen that is covered needs no more. */
const LIMIT = 240;
/** An answer that has not come by then is not waited for. */
const ANSWER_MS = 12_000;

const art = `<svg xmlns="http://www.w3.org/2000/svg" class="packet-art" viewBox="0 0 52 70" aria-hidden="true"><defs><linearGradient id="g-packet" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ff5a4d"/><stop offset="1" stop-color="#d3122e"/></linearGradient></defs><g><rect x="1" y="1" width="50" height="68" rx="7" fill="url(#g-packet)"/><rect x="3" y="3" width="46" height="64" rx="5.5" fill="none" stroke="#ffd98a" stroke-opacity=".55"/><path d="M9 52c6-6 10-2 10 1M43 52c-6-6-10-2-10 1M12 60h28" fill="none" stroke="#ffb84d" stroke-opacity=".8" stroke-width="1.6" stroke-linecap="round"/></g><path class="packet-flap" d="M1 8c0-4 3-7 7-7h36c4 0 7 3 7 7v14C40 34 12 34 1 22z" fill="#e8253b" stroke="#ffcf7a" stroke-opacity=".7"/><g class="packet-seal"><circle cx="26" cy="29" r="10" fill="#ffd66b"/><circle cx="26" cy="29" r="8" fill="none" stroke="#d99a1f"/><path d="M26 24v10M21.5 26.5l4.5 4 4.5-4M22 31h8" stroke="#c02a1c" stroke-width="1.7" stroke-linecap="round" fill="none"/></g></svg>`;

/**
 * Red packets in the air: they fall and turn, and a tap opens one.
 */
export class RedPackets {
  /** @type {Map<string, {node: HTMLElement, drop: any, fall: Animation, isOpened: boolean, timer: number}>} */
  #packets = new Map();

  /**
   * @param {() => number} now log time, as it is shown
   * @param {{canGrab: boolean}} viewer
   */
  constructor(now, viewer) {
    this.now = now;
    this.viewer = viewer;
    this.node = element("div.packets");
    this.node.style.setProperty("--art", asImage(art));
  }

  /** @param {Command} command */
  apply({ atMs, rainDrop }) {
    if (!rainDrop) return;
    const key = `${rainDrop.rainId} ${rainDrop.packet}`;
    if (this.#packets.has(key) || this.#packets.size >= LIMIT) return;
    if (atMs + rainDrop.fallMs <= this.now()) return;
    const node = element(
      "button.packet",
      {
        type: "button", disabled: !this.viewer.canGrab, "data-target": "packet", "data-rain": rainDrop.rainId,
        "data-packet": rainDrop.packet, "aria-label": words.openPacket,
      });
    node.style.setProperty("--x", String(rainDrop.x / 999));
    this.node.append(node);
    const fall = moveSince(node, isReduced() ? standing(rainDrop) : falling(rainDrop, true), { atMs, now: this.now, durationMs: rainDrop.fallMs });
    const packet = { node, drop: rainDrop, fall, isOpened: false, timer: 0 };
    this.#packets.set(key, packet);
    removeAfter(fall, () => packet.isOpened || this.#remove(key));
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
   * This viewer opens it: it stays where it is until its answer has come.
   * @param {HTMLElement} node
   * @returns {{rainId: string, packet: number} | null} null if it was opened before
   */
  open(node) {
    const found = [...this.#packets].find(([, packet]) => packet.node === node);
    if (!found || found[1].isOpened || !this.viewer.canGrab) return null;
    const [key, packet] = found;
    packet.isOpened = true;
    packet.fall.pause();
    // The prize keeps to the inside of the stage, and stands upright: only the art keeps its turn.
    const { x, toX = x, angle } = packet.drop;
    const fallen = isReduced() ? 0 : (packet.fall.effect.getComputedTiming().progress ?? 0);
    node.style.setProperty("--at", String((x + (toX - x) * fallen) / 999));
    const opened = drawing(art);
    if (!isReduced()) {
      packet.fall.effect.setKeyframes(falling(packet.drop, false));
      opened.style.rotate = `${angle + turned(packet.drop, fallen)}deg`;
    }
    node.append(opened);
    // It takes further taps, and does nothing with them: they are none on the room behind it.
    node.classList.add("is-opening");
    node.setAttribute("aria-disabled", "true");
    packet.timer = setTimeout(() => this.#close(key, packet), ANSWER_MS);
    return { rainId: packet.drop.rainId, packet: packet.drop.packet };
  }

  /** @param {Result} result */
  answer({ rainId, packet: number, outcome, coins }) {
    const key = `${rainId} ${number}`;
    const packet = this.#packets.get(key);
    if (!packet?.isOpened || packet.node.dataset.outcome) return;
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

  #remove(key) {
    const packet = this.#packets.get(key);
    clearTimeout(packet?.timer);
    packet?.node.remove();
    this.#packets.delete(key);
  }
}

/** The share of its fall after which a packet turns no more. An older gateway names none: the packet turns all the way down. */
const turning = ({ fallMs, spinMs = fallMs }) => Math.min(1, Math.max(0.001, spinMs / fallMs));

/** The degrees that a packet has turned by then. @param {any} drop @param {number} fallen share of its fall */
const turned = (drop, fallen) => drop.spin * Math.min(1, fallen / turning(drop));

/** The way of a packet: down, aside and round in one animation, so that each is one layer. @param {any} drop @param {boolean} turns */
function falling(drop, turns) {
  const { x, toX = x, angle } = drop;
  const at = (share) => {
    const aside = `calc(${(((toX - x) / 999) * share).toFixed(5)} * (var(--stage-width) - var(--packet)))`;
    const down = `calc(${share.toFixed(5)} * (var(--stage-height) + 90px) - 90px)`;
    const turn = turns ? ` rotate(${angle + turned(drop, share)}deg)` : "";
    return { offset: share, transform: `translate(${aside}, ${down})${turn}` };
  };
  return [...new Set([0, turning(drop), 1])].map(at);
}

/** The way of a packet with reduced motion: it stands as long as it would have fallen, away from those before it. */
function standing({ packet }) {
  const y = 0.16 + 0.54 * ((packet * 0.618) % 1);
  const transform = `translateY(calc(var(--stage-height) * ${y.toFixed(3)}))`;
  return [
    { transform, opacity: 0 }, { transform, opacity: 1, offset: 0.08 },
    { transform, opacity: 1, offset: 0.92 }, { transform, opacity: 0 },
  ];
}
