/** The part of a frame that may go into drawing. */
const DRAWING_MS = 6;
/** No command waits for longer: a machine that can't keep up falls behind by no more. */
const LONGEST_MS = 250;
/** No more wait: a page that is out of sight may be given no frames. */
const MOST = 400;

/** @import { Command } from "../client/commands.js" */

/**
 * Draws commands as frames have time for them, in their order: many at once don't hold up a finger. Moving things are
 * at the place of their time, whenever they are drawn.
 */
export class Turns {
  /** @type {{command: Command, cameAt: number}[]} */
  #waiting = [];
  #frame = 0;

  /** @param {(command: Command) => void} draw @param {() => void} onDrawn after each turn */
  constructor(draw, onDrawn) {
    this.draw = draw;
    this.onDrawn = onDrawn;
  }

  /** @param {Command} command */
  add(command) {
    this.#waiting.push({ command, cameAt: performance.now() });
    if (this.#waiting.length > MOST) this.finish();
    else this.#frame ||= requestAnimationFrame(() => this.#turn());
  }

  /** Draws all that waits, now. */
  finish() {
    if (this.#waiting.length > 0) this.#drawWhile(() => true);
  }

  /** Forgets what waits. */
  drop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting = [];
  }

  #turn() {
    const startedAt = performance.now();
    this.#drawWhile(({ cameAt }) => performance.now() - startedAt < DRAWING_MS || startedAt - cameAt > LONGEST_MS);
  }

  /** Draws the first, and on for as long as the next one may be. */
  #drawWhile(mayBe) {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    try {
      do this.draw(this.#waiting.shift().command);
      while (this.#waiting.length > 0 && mayBe(this.#waiting[0]));
    } finally {
      // One that can't be drawn keeps none back.
      if (this.#waiting.length > 0) this.#frame = requestAnimationFrame(() => this.#turn());
      this.onDrawn();
    }
  }
}
