/** The fastest delivery counts for this long: clocks drift apart, so a newer one is needed then. */
const SPAN_MS = 30_000;

/**
 * Log time, as a client knows it: what a snapshot said, and the time that has passed since by the client's own clock.
 *
 * Commands take their time to come, some longer than others. Whichever came fastest tells best how far the log is, so
 * the clock goes by the fastest of the last half minute or so.
 */
export class LogClock {
  /** Log time less local time, of the fastest delivery in this span of time and in the one before. */
  #offset = -Infinity;
  #offsetBefore = -Infinity;
  #spanEndsAt = Infinity;

  /** Whether it has been told any time. */
  get isSet() {
    return this.#offset > -Infinity;
  }

  /**
   * A snapshot says what time it is.
   * @param {number} nowMs log time
   * @param {number} localMs `performance.now()`, say; any clock that only moves forward
   */
  anchor(nowMs, localMs) {
    this.#offset = nowMs - localMs;
    this.#offsetBefore = -Infinity;
    this.#spanEndsAt = localMs + SPAN_MS;
  }

  /**
   * A command of `atMs` has come, so it is no earlier than that.
   * @param {number} atMs
   * @param {number} localMs
   */
  observe(atMs, localMs) {
    if (localMs >= this.#spanEndsAt) {
      this.#offsetBefore = this.#offset;
      this.#offset = -Infinity;
      this.#spanEndsAt = localMs + SPAN_MS;
    } else if (!this.isSet) {
      this.#spanEndsAt = localMs + SPAN_MS;
    }
    this.#offset = Math.max(this.#offset, atMs - localMs);
  }

  /**
   * @param {number} localMs
   * @returns {number} log time
   */
  now(localMs) {
    return localMs + Math.max(this.#offset, this.#offsetBefore);
  }
}
