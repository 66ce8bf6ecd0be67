/**
 * The wait before the next attempt. It grows with each failure, and chance spreads clients that lost the same gateway at
 * the same moment.
 */
export class Backoff {
  #failures = 0;

  /** @param {{baseMs?: number, mostMs?: number, random?: () => number}} [options] */
  constructor({ baseMs = 500, mostMs = 30_000, random = Math.random } = {}) {
    this.baseMs = baseMs;
    this.mostMs = mostMs;
    this.random = random;
  }

  /** It works again. */
  reset() {
    this.#failures = 0;
  }

  /**
   * An attempt has failed.
   * @param {number} [leastMs] what the server asked for
   * @returns {number} milliseconds to wait, between half of the span that doubles with each failure and all of it
   */
  next(leastMs = 0) {
    const spanMs = Math.min(this.mostMs, this.baseMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 64);
    return Backoff.obeyed(leastMs) + spanMs * (0.5 + 0.5 * this.random());
  }

  /** No server means more than an hour; and timers take no more than 24 days. @param {number} askedMs */
  static obeyed(askedMs) {
    return Math.min(askedMs, 3_600_000);
  }
}

/** Whether the same request would be refused again. @param {number} status of an answer */
export function isFinal(status) {
  return (status >= 400 && status < 500 && ![408, 421, 425, 429].includes(status)) || status === 501;
}

/**
 * How long a `Retry-After` asks to wait: it is a number of seconds, or an HTTP date.
 * @param {string | null | undefined} header
 * @param {number} [nowMs] the wall clock
 * @returns {number} milliseconds; 0 if it is neither, or past
 */
export function retryAfterMs(header, nowMs = Date.now()) {
  const text = (header ?? "").trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : /^[A-Za-z]/.test(text) ? Date.parse(text) - nowMs : 0;
  return Math.max(0, waitMs || 0);
}
