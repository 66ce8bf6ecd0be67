import { Air, picture, sharedNow } from "./air.js";
import { isReduced } from "./motion.js";

/** Hearts at a time: a crowd may tap as it likes. */
const LIMIT = 70;
const SIZE = 46;
const OWN_SIZE = 84;
const colours = ["#ff3b6b", "#ff6aa8", "#ff8d5c", "#ffd05c", "#b06bff", "#5ca8ff", "#ff4fd8"];
const art = (colour) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="${colour}" d="M32 57C13 44 5 34 5 22 5 13 12 7 19 7c6 0 10 3 13 8 3-5 7-8 13-8 7 0 14 6 14 15 0 12-8 22-27 35z"/><path fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-opacity=".85" d="M13 24c0-5 3-9 8-9"/></svg>`;

/**
 * Hearts that rise from where somebody tapped.
 */
export class Hearts {
  /** @type {Map<string, number>} the times at which hearts land */
  #flying = new Map();
  #thrown = 0;

  /** @param {Air} air */
  constructor(air) {
    this.air = air;
  }

  /**
   * @param {{x: number, y: number}[]} points thousandths of the stage
   * @param {{isOwn?: boolean}} [how]
   */
  throw(points, { isOwn = false } = {}) {
    const now = sharedNow();
    for (const [key, landsAt] of this.#flying) if (landsAt <= now) this.#flying.delete(key);
    for (const point of points) {
      if (this.#flying.size >= LIMIT) return;
      const key = `heart ${(this.#thrown += 1)}`;
      const durationMs = 1300 + 700 * Math.random();
      const size = isOwn ? OWN_SIZE : SIZE;
      const colour = isOwn ? 0 : Math.floor(Math.random() * colours.length);
      this.#flying.set(key, now + durationMs);
      this.air.fly(key, {
        art: picture(isOwn ? "own heart" : `heart ${colour}`, art(colours[colour]), { width: size, height: size }),
        level: 0, width: size, height: size, startMs: now, durationMs, isEased: true, frames: frames(point, size, isOwn),
      });
    }
  }

  clear() {
    for (const key of this.#flying.keys()) this.air.land(key);
    this.#flying.clear();
  }
}

/** The chances here are for the eye alone: no two hearts rise alike. */
function frames({ x, y }, height, isOwn) {
  // A heart begins at a finger's tip.
  const place = (offset, sway, rise, size, turn, opacity) =>
    ({ offset, x: x / 1000, xPx: sway, y: y / 1000, yPx: -0.24 * height - rise, turn, size, opacity });
  if (isReduced()) return [place(0, 0, 0, 1, 0, 0), place(0.2, 0, 0, 1, 0, 1), place(0.7, 0, 0, 1, 0, 1), place(1, 0, 0, 1, 0, 0)];
  const lean = (Math.random() - 0.5) * 50;
  const sway = (Math.random() - 0.5) * 90;
  const size = isOwn ? 1 : 0.5 + Math.random() * 0.45;
  const rise = isOwn ? 120 : 150 + Math.random() * 130;
  return [
    place(0, 0, 0, size * 0.2, lean, 0),
    place(0.1, 0, 0, size * 1.25, lean, 1),
    place(0.18, 0, 0, size * 0.94, lean, 1),
    place(0.55, sway * 0.6, rise * 0.5, size, lean * 0.3, 0.95),
    place(1, sway, rise, size * (isOwn ? 1.7 : 0.8), -lean * 0.4, 0),
  ];
}
