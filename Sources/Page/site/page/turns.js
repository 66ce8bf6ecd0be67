/** The part of a turn that may go into drawing: a frame, or a finger, waits for no more. */
const DRAWING_MS = 6;
/** No more wait: a page that is out of sight may be given no turns. */
const MOST = 400;
/** A frame that doesn't come is waited for no longer. */
const FRAME_MS = 250;
/** For each so many commands that wait, a frame has one more new view: nobody comes late for ever. */
const BEHIND = 16;

/** @import { Command } from "../client/commands.js" */

/** Makes many elements, which the next frame styles, lays out and paints. @param {Command} command */
const makesView = ({ giftShow, wishFly, crowdShow, spotShow }) => Boolean(giftShow ?? wishFly ?? crowdShow ?? spotShow);

/**
 * Draws commands between frames, a few at a time and in their order, and of new views about one a frame: many at once hold up
 * neither a finger nor a frame. Moving things are at the place of their time, whenever they are drawn.
 */
export class Turns {
  /** @type {Command[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  /** The number of views that no frame has shown yet. */
  #newViews = 0;
  /** The number of frames that were waited for. */
  #frames = 0;

  /** @param {(command: Command) => void} draw @param {() => void} onDrawn after each turn */
  constructor(draw, onDrawn) {
    this.draw = draw;
    this.onDrawn = onDrawn;
  }

  /** @param {Command} command */
  add(command) {
    this.#waiting.push(command);
    if (this.#waiting.length > MOST) this.finish();
    else this.#goOn();
  }

  /** Draws all that waits, now. */
  finish() {
    if (this.#waiting.length > 0) this.#drawWhile(() => true);
  }

  /** Forgets what waits. */
  drop() {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#showed();
    this.#waiting = [];
  }

  /** Draws what waits, soon. A view that comes after another lets that be shown first. */
  #goOn() {
    if (this.#mayDraw) this.#next ??= setTimeout(() => this.#turn());
  }

  get #mayDraw() {
    const [next] = this.#waiting;
    return next !== undefined && (!makesView(next) || this.#newViews < 1 + Math.floor(this.#waiting.length / BEHIND));
  }

  #addView() {
    this.#newViews += 1;
    if (this.#newViews > 1) return;
    const frame = this.#frames;
    const isShown = () => {
      if (frame !== this.#frames) return;
      this.#showed();
      this.#goOn();
    };
    // Timers that a frame sets ring when it is over.
    requestAnimationFrame(() => setTimeout(isShown));
    setTimeout(isShown, FRAME_MS);
  }

  #showed() {
    this.#newViews = 0;
    this.#frames += 1;
  }

  #turn() {
    const startedAt = performance.now();
    this.#drawWhile(() => this.#mayDraw && performance.now() - startedAt < DRAWING_MS);
  }

  /** Draws the first, and on for as long as the next one may be. */
  #drawWhile(mayBe) {
    clearTimeout(this.#next);
    this.#next = undefined;
    try {
      do {
        const command = this.#waiting.shift();
        if (makesView(command)) this.#addView();
        this.draw(command);
      } while (this.#waiting.length > 0 && mayBe());
    } finally {
      // One that can't be drawn keeps none back.
      this.#goOn();
      this.onDrawn();
    }
  }
}
