/** The fastest delivery counts for this long: clocks drift apart, so a newer one is needed then. */
const SPAN_MS = 30_000;
/** On its way to where it should be, the time that is shown goes by one in so many parts slower or faster. */
const GLIDE = 10;
/** From farther off it is set at once: the device has slept, say. */
const FAR_MS = 2000;

/**
 * Log time, as a client knows it: what a snapshot said, and the time that has passed since by the client's own clock.
 *
 * Commands take their time to come, some longer than others. Whichever came fastest tells best how far the log is, so
 * the clock goes by the fastest of the last half minute or so.
 *
 * A room is shown some time behind the log. When that lag changes, or the clock is known better, the time that is shown
 * glides there and never jumps.
 */
export class LogClock {
  /** Log time less local time, of the fastest delivery in this span of time and in the one before. */
  #offset = -Infinity;
  #offsetBefore = -Infinity;
  #spanEndsAt = Infinity;
  /** How far behind the log it should be; NaN: none was told. */
  #lagMs = NaN;
  /** Shown time less local time: where it glides to, and where it was at `#since`. */
  #aim = NaN;
  #from = NaN;
  #since = NaN;

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
    this.#glide(localMs, !this.#lagMs);
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
    this.#glide(localMs, !this.#lagMs);
  }

  /**
   * Another lag from now on. The first counts at once.
   * @param {number} lagMs
   * @param {number} localMs
   */
  setLag(lagMs, localMs) {
    const isFirst = Number.isNaN(this.#lagMs);
    this.#lagMs = lagMs;
    this.#glide(localMs, isFirst);
  }

  /**
   * @param {number} localMs
   * @returns {number} how far behind the log the room is shown
   */
  lag(localMs) {
    return this.isSet ? this.now(localMs) - this.shown(localMs) : this.#lagMs || 0;
  }

  /**
   * @param {number} localMs
   * @returns {number} log time
   */
  now(localMs) {
    return localMs + Math.max(this.#offset, this.#offsetBefore);
  }

  /**
   * @param {number} localMs
   * @returns {number} log time as the room is shown
   */
  shown(localMs) {
    const way = this.#aim - this.#from;
    return localMs + this.#from + Math.sign(way) * Math.min(Math.abs(way), (localMs - this.#since) / GLIDE);
  }

  /** From now on the shown time goes to where it should be. Without a lag there is no time to glide: commands are due as they come. */
  #glide(localMs, isAtOnce) {
    if (!this.isSet) return;
    const aim = this.now(0) - (this.#lagMs || 0);
    if (aim === this.#aim) return;
    const from = this.shown(localMs) - localMs;
    this.#from = !isAtOnce && Math.abs(aim - from) <= FAR_MS ? from : aim;
    [this.#aim, this.#since] = [aim, localMs];
  }
}
