/** The fastest delivery counts for this long: clocks drift apart, so a newer one is needed then. */
const SPAN_MS = 30_000;
/** While the lag changes, the time that is shown goes by one in so many parts slower or faster. */
const GLIDE = 10;

/**
 * Log time, as a client knows it: what a snapshot said, and the time that has passed since by the client's own clock.
 *
 * Commands take their time to come, some longer than others. Whichever came fastest tells best how far the log is, so
 * the clock goes by the fastest of the last half minute or so.
 *
 * A room is shown some time behind the log. When that lag changes, the time that is shown glides there and never jumps.
 */
export class LogClock {
  /** Log time less local time, of the fastest delivery in this span of time and in the one before. */
  #offset = -Infinity;
  #offsetBefore = -Infinity;
  #spanEndsAt = Infinity;
  /** The lag to which it glides, and the one that it had at `#lagSince`. */
  #lagMs = 0;
  #lagBefore = 0;
  #lagSince = NaN;

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
   * Another lag from now on. The first counts at once.
   * @param {number} lagMs
   * @param {number} localMs
   */
  setLag(lagMs, localMs) {
    this.#lagBefore = Number.isNaN(this.#lagSince) ? lagMs : this.lag(localMs);
    [this.#lagMs, this.#lagSince] = [lagMs, localMs];
  }

  /**
   * @param {number} localMs
   * @returns {number} how far behind the log the room is shown
   */
  lag(localMs) {
    if (Number.isNaN(this.#lagSince)) return 0;
    const way = this.#lagMs - this.#lagBefore;
    return this.#lagBefore + Math.sign(way) * Math.min(Math.abs(way), (localMs - this.#lagSince) / GLIDE);
  }

  /**
   * @param {number} localMs
   * @returns {number} log time
   */
  now(localMs) {
    return localMs + Math.max(this.#offset, this.#offsetBefore);
  }
}
