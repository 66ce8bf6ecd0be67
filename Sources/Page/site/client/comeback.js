import { Backoff } from "./backoff.js";

/** A stream that stayed open for so long has worked, whether or not it had something to say. */
const WORKED_MS = 1000;

/**
 * The end of an attempt to stream.
 *
 * @typedef {object} Ending
 * @property {number | null} openMs how long the stream was open; null: it never was
 * @property {boolean} [isOrderly] its last byte came: the server ended it, nothing broke
 * @property {number | null} [retryMs] the last `retry` of the stream, if it had one
 * @property {number} [retryAfterMs] what a refusal asked for
 */

/**
 * The wait before a stream is opened again. `Tests/ClientCases/coming-back.json` has the cases.
 *
 * An orderly end is followed after the `retry` that the server gave. Anything else is a failure: the wait doubles with
 * each, up to a limit, and begins anew once a stream has stayed open for a second.
 */
export class Comeback {
  #backoff;
  /** The wait that the last open stream asked for; it holds until the next is open. */
  #retryMs = 0;

  /** @param {{baseMs?: number, random?: () => number}} [options] */
  constructor({ baseMs = 500, random = Math.random } = {}) {
    this.#backoff = new Backoff({ baseMs, mostMs: Infinity, random });
  }

  /**
   * @param {Ending} ending
   * @param {number} mostMs the longest wait beyond what the server asks for
   * @returns {number} milliseconds to wait
   */
  wait({ openMs, isOrderly = false, retryMs = null, retryAfterMs = 0 }, mostMs) {
    if (openMs !== null) this.#retryMs = retryMs ?? 0;
    const hasWorked = openMs !== null && openMs >= WORKED_MS;
    if (hasWorked) this.#backoff.reset();
    if (hasWorked && isOrderly && retryMs !== null) return Backoff.obeyed(retryMs);
    this.#backoff.mostMs = mostMs;
    return this.#backoff.next(Math.max(this.#retryMs, retryAfterMs));
  }
}
