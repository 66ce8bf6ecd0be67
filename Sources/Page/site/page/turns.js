/** The part of a turn that may go into drawing: a frame, or a finger, waits for no more. */
const DRAWING_MS = 6;
/** No more wait: a page that is out of sight may be given no turns. */
const MOST = 400;

/** @import { Command } from "../client/commands.js" */

/**
 * Draws commands between frames, a few at a time and in their order: many at once hold up neither a finger nor a frame.
 * Moving things are at the place of their time, whenever they are drawn.
 */
export class Turns {
  /** @type {Command[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;

  /** @param {(command: Command) => void} draw @param {() => void} onDrawn after each turn */
  constructor(draw, onDrawn) {
    this.draw = draw;
    this.onDrawn = onDrawn;
  }

  /** @param {Command} command */
  add(command) {
    this.#waiting.push(command);
    if (this.#waiting.length > MOST) this.finish();
    else this.#next ??= setTimeout(() => this.#turn());
  }

  /** Draws all that waits, now. */
  finish() {
    if (this.#waiting.length > 0) this.#drawWhile(() => true);
  }

  /** Forgets what waits. */
  drop() {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#waiting = [];
  }

  #turn() {
    const startedAt = performance.now();
    this.#drawWhile(() => performance.now() - startedAt < DRAWING_MS);
  }

  /** Draws the first, and on for as long as the next one may be. */
  #drawWhile(mayBe) {
    clearTimeout(this.#next);
    this.#next = undefined;
    try {
      do this.draw(this.#waiting.shift());
      while (this.#waiting.length > 0 && mayBe());
    } finally {
      // One that can't be drawn keeps none back.
      if (this.#waiting.length > 0) this.#next = setTimeout(() => this.#turn());
      this.onDrawn();
    }
  }
}
