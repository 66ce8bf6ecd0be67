/** @import { Command } from "../client/commands.js" */

/** Notes, in half tones above 220 Hz, of what is heard; a chord or a run. */
const tunes = {
  gift: [12, 19], spot: [0, 7, 12, 16, 24], packet: [24], wish: [17], goal: [12, 16, 19, 24],
};
const BUMP_EVERY_MS = 70;
const VOLUME = 0.08;
/** The tones at a time, whatever comes: all of them together are no louder than can be played. */
const VOICES = 10;
/** An event is heard when it happens, or not at all. */
const LATE_MS = 500;

/** Sounds of the room on screen, made here. Off until a viewer turns them on; a page may not begin by itself. */
export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  #bumpedAt = 0;
  #voices = 0;

  get isOn() {
    return this.#context !== null;
  }

  toggle() {
    if (this.#context) {
      this.#context.close();
      this.#context = null;
      this.#voices = 0;
    } else this.#context = new AudioContext();
  }

  /**
   * @param {Command} command of the room on screen
   * @param {number} lateMs how long ago it was due
   * @param {boolean} [isReached] whether a goal is reached by it
   */
  hear({ giftShow, giftBump, spotShow, wishFly, rainDrop }, lateMs, isReached) {
    if (!this.#context || lateMs > LATE_MS) return;
    if (isReached) this.#play(tunes.goal, 0.09, 0.6);
    else if (spotShow) this.#play(tunes.spot, 0.11, 0.9);
    else if (giftShow) this.#play(tunes.gift, 0.07, 0.3);
    else if (giftBump) this.#bump(giftBump.count);
    else if (wishFly) this.#play(tunes.wish, 0, 0.25);
    else if (rainDrop) this.#play(tunes.packet, 0, 0.1);
  }

  /** The higher a number, the higher its note. @param {number} count */
  #bump(count) {
    if (performance.now() - this.#bumpedAt < BUMP_EVERY_MS) return;
    this.#bumpedAt = performance.now();
    this.#play([12 + Math.min(24, Math.round(4 * Math.log2(count + 1)))], 0, 0.12);
  }

  /** @param {number[]} notes @param {number} step seconds from one to the next @param {number} lasts seconds */
  #play(notes, step, lasts) {
    const context = this.#context;
    if (this.#voices + notes.length > VOICES) return;
    notes.forEach((note, i) => {
      const [from, tone, volume] = [context.currentTime + i * step, context.createOscillator(), context.createGain()];
      tone.type = "triangle";
      tone.frequency.value = 220 * 2 ** (note / 12);
      volume.gain.setValueAtTime(VOLUME, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + lasts);
      this.#voices += 1;
      tone.onended = () => context === this.#context && (this.#voices -= 1);
      tone.connect(volume).connect(context.destination);
      tone.start(from);
      tone.stop(from + lasts);
    });
  }
}
