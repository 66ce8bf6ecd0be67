/**
 * How long to wait before the next attempt: longer with each that fails, and never the same for all who lost the same
 * gateway at the same moment.
 */
export class Backoff {
    /** No server means more than an hour; and timers take no more than 24 days. @param {number} askedMs */
    static obeyed(askedMs: any): number;
    /** @param {{baseMs?: number, mostMs?: number, random?: () => number}} [options] */
    constructor({ baseMs, mostMs, random }?: {
        baseMs?: number;
        mostMs?: number;
        random?: () => number;
    });
    baseMs: number;
    mostMs: number;
    random: () => number;
    /** It works again. */
    reset(): void;
    /**
     * An attempt has failed.
     * @param {number} [leastMs] what the server asked for
     * @returns {number} milliseconds to wait, between half of the span that doubles with each failure and all of it
     */
    next(leastMs?: number): number;
    #private;
}
