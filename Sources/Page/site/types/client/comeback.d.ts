/**
 * How an attempt to stream ended.
 *
 * @typedef {object} Ending
 * @property {number | null} openMs how long the stream was open; null: it never was
 * @property {boolean} [isOrderly] its last byte came: the server ended it, nothing broke
 * @property {number | null} [retryMs] the last `retry` of the stream, if it had one
 * @property {number} [retryAfterMs] what a refusal asked for
 */
/**
 * When a stream that ended is opened again. `Tests/ClientCases/coming-back.json` has the cases.
 *
 * An orderly end is followed after the `retry` that the server gave. Anything else is a failure: the wait doubles with
 * each, up to a limit, and begins anew once a stream has stayed open for a second.
 */
export class Comeback {
    /** @param {{baseMs?: number, random?: () => number}} [options] */
    constructor({ baseMs, random }?: {
        baseMs?: number;
        random?: () => number;
    });
    /**
     * @param {Ending} ending
     * @param {number} mostMs the longest wait beyond what the server asks for
     * @returns {number} milliseconds to wait
     */
    wait({ openMs, isOrderly, retryMs, retryAfterMs }: Ending, mostMs: number): number;
    #private;
}
/**
 * How an attempt to stream ended.
 */
export type Ending = {
    /**
     * how long the stream was open; null: it never was
     */
    openMs: number | null;
    /**
     * its last byte came: the server ended it, nothing broke
     */
    isOrderly?: boolean;
    /**
     * the last `retry` of the stream, if it had one
     */
    retryMs?: number | null;
    /**
     * what a refusal asked for
     */
    retryAfterMs?: number;
};
