/** `crypto.randomUUID` is not there on pages that came without TLS. */
export function newId(): string;
/**
 * Where an event lies in Kafka. Commands whose `id` begins with `topic/partition/offset` come of it.
 * @typedef {{topic: string, partition: number, offset: number, eventId: string}} Delivery
 *
 * @typedef {object} OutboxOptions
 * @property {string} [url] the gateway's address; without it, paths are those of the page
 * @property {TokenSource} [token]
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [random] in 0 ..< 1
 * @property {() => void} [onBusy] the gateway asks to slow down
 * @property {() => void} [onHeard] the gateway answers
 *
 * @typedef {object} Letter
 * @property {string} path
 * @property {string} body
 * @property {string} eventId
 * @property {number} goodUntil
 * @property {string | undefined} refusedToken
 * @property {SendError | null} last what was wrong with the last try
 * @property {(delivery: Delivery) => void} resolve
 * @property {(error: SendError) => void} reject
 */
/** Why an event was not taken. */
export class SendError extends Error {
    /**
     * @param {string} message for people
     * @param {{status?: number, error?: string, reason?: string}} [detail]
     */
    constructor(message: string, { status, error, reason }?: {
        status?: number;
        error?: string;
        reason?: string;
    });
    /** 0: the gateway did not answer, or the event was not sent. */
    status: number;
    /** The gateway's word for it (`kind_not_allowed`); `unreachable`, `too_late`, `too_many_waiting` or `no_result`. */
    error: string;
    /** Of a 400: why the event was not understood. */
    reason: string;
}
/**
 * Events on their way to the gateway, in their order. One that failed for no fault of its own is tried again with the
 * same id, which counts once however often it arrives; what is asked to wait does.
 */
export class Outbox {
    /** @param {OutboxOptions} [options] */
    constructor({ url, token, fetch, random, onBusy, onHeard }?: OutboxOptions);
    url: string;
    token: import("./token.js").TokenSource;
    fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
    onBusy: () => void;
    onHeard: () => void;
    /**
     * @param {string} roomId
     * @param {object} body one of those of STAGES.md, section 2: `{ tap: { x: 500, y: 500 } }`
     * @param {{withinMs?: number, eventId?: string}} [options] `withinMs`: after that it is not worth sending
     * @returns {Promise<Delivery>} once Kafka has it; fails with a SendError
     */
    send(roomId: string, body: object, { withinMs, eventId }?: {
        withinMs?: number;
        eventId?: string;
    }): Promise<Delivery>;
    /** No need to wait any longer before the next try. */
    retryNow(): void;
    #private;
}
export type TokenSource = import("./token.js").TokenSource;
/**
 * Where an event lies in Kafka. Commands whose `id` begins with `topic/partition/offset` come of it.
 */
export type Delivery = {
    topic: string;
    partition: number;
    offset: number;
    eventId: string;
};
/**
 * Where an event lies in Kafka. Commands whose `id` begins with `topic/partition/offset` come of it.
 */
export type OutboxOptions = {
    /**
     * the gateway's address; without it, paths are those of the page
     */
    url?: string;
    token?: TokenSource;
    fetch?: typeof globalThis.fetch;
    /**
     * in 0 ..< 1
     */
    random?: () => number;
    /**
     * the gateway asks to slow down
     */
    onBusy?: () => void;
    /**
     * the gateway answers
     */
    onHeard?: () => void;
};
/**
 * Where an event lies in Kafka. Commands whose `id` begins with `topic/partition/offset` come of it.
 */
export type Letter = {
    path: string;
    body: string;
    eventId: string;
    goodUntil: number;
    refusedToken: string | undefined;
    /**
     * what was wrong with the last try
     */
    last: SendError | null;
    resolve: (delivery: Delivery) => void;
    reject: (error: SendError) => void;
};
