/**
 * The meaning of fingers, from their places and times. Pure: it neither knows a page nor reads a clock.
 *
 * A finger that stays about where it went down, and not for long, taps. One that moves drags, along one axis, and ends
 * in a swipe if it went far or fast enough. It is never both. A second finger may tap while the first does; only one
 * drags.
 *
 * @typedef {{id: number, x: number, y: number, t: number, target?: any}} Touch pixels, milliseconds; `target`: what was
 *   under the finger as it went down, if that is a thing of its own
 *
 * @typedef {{kind: "tap", x: number, y: number, t: number, target: any}
 *   | {kind: "drag", axis: "x" | "y", dx: number, dy: number}
 *   | {kind: "drop", axis: "x" | "y", dx: number, dy: number, swipe: "left" | "right" | "up" | "down" | null}} Gesture
 */
export class GestureRecogniser {
  /** @type {Map<number, {from: Touch, last: Touch, before: Touch, isTap: boolean}>} */
  #touches = new Map();
  /** @type {{id: number, axis: "x" | "y"} | null} */
  #drag = null;

  /**
   * @param {{slop?: number, longMs?: number, far?: number, fast?: number}} [limits] pixels that a tap may move, how long
   *   it may last; from how many pixels on a drag is a swipe, or from how many in a millisecond
   */
  constructor({ slop = 12, longMs = 600, far = 110, fast = 0.35 } = {}) {
    Object.assign(this, { slop, longMs, far, fast });
  }

  /** Whether a finger drags now. */
  get isDragging() {
    return this.#drag !== null;
  }

  /** @param {Touch} touch */
  down(touch) {
    this.#touches.set(touch.id, { from: touch, last: touch, before: touch, isTap: true });
  }

  /** @param {Touch} touch @returns {Gesture | null} */
  move(touch) {
    const finger = this.#touches.get(touch.id);
    if (!finger) return null;
    // The last few moves tell the speed; the very last one alone would not.
    if (touch.t - finger.before.t > 60) finger.before = finger.last;
    finger.last = touch;
    const [dx, dy] = [touch.x - finger.from.x, touch.y - finger.from.y];
    if (finger.isTap && Math.hypot(dx, dy) > this.slop) {
      finger.isTap = false;
      this.#drag ??= { id: touch.id, axis: Math.abs(dx) > Math.abs(dy) ? "x" : "y" };
    }
    return this.#drag?.id === touch.id ? { kind: "drag", axis: this.#drag.axis, dx, dy } : null;
  }

  /** @param {Touch} touch @returns {Gesture | null} */
  up(touch) {
    this.move(touch);
    const finger = this.#touches.get(touch.id);
    if (!finger) return null;
    this.#touches.delete(touch.id);
    if (this.#drag?.id === touch.id) return this.#drop(finger, true);
    const { from } = finger;
    if (!finger.isTap || touch.t - from.t > this.longMs) return null;
    return { kind: "tap", x: from.x, y: from.y, t: from.t, target: from.target ?? null };
  }

  /** The system took the finger away. @param {number} id @returns {Gesture | null} */
  cancel(id) {
    const finger = this.#touches.get(id);
    this.#touches.delete(id);
    return finger && this.#drag?.id === id ? this.#drop(finger, false) : null;
  }

  #drop({ from, last, before }, counts) {
    const { axis } = this.#drag;
    this.#drag = null;
    const [dx, dy] = [last.x - from.x, last.y - from.y];
    const way = axis === "x" ? dx : dy;
    const speed = (axis === "x" ? last.x - before.x : last.y - before.y) / Math.max(1, last.t - before.t);
    const isFast = Math.abs(speed) >= this.fast && Math.sign(speed) === Math.sign(way) && last.t - before.t < 200;
    // A swipe that turned back is none.
    const isBack = Math.abs(speed) >= this.fast && Math.sign(speed) !== Math.sign(way);
    const isSwipe = counts && !isBack && (isFast || Math.abs(way) >= this.far);
    const [back, forth] = axis === "x" ? ["left", "right"] : ["up", "down"];
    return { kind: "drop", axis, dx, dy, swipe: isSwipe ? (way < 0 ? back : forth) : null };
  }
}
