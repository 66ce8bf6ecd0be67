/**
 * Log time, as a client knows it: what a snapshot said, and the time that has passed since by the client's own clock.
 *
 * Commands take their time to come, some longer than others. Whichever came fastest tells best how far the log is, so
 * the clock goes by the fastest of the last half minute or so.
 */
export class LogClock {
    /** Whether it has been told any time. */
    get isSet(): boolean;
    /**
     * A snapshot says what time it is.
     * @param {number} nowMs log time
     * @param {number} localMs `performance.now()`, say; any clock that only moves forward
     */
    anchor(nowMs: number, localMs: number): void;
    /**
     * A command of `atMs` has come, so it is no earlier than that.
     * @param {number} atMs
     * @param {number} localMs
     */
    observe(atMs: number, localMs: number): void;
    /**
     * @param {number} localMs
     * @returns {number} log time
     */
    now(localMs: number): number;
    #private;
}
