/**
 * `connecting`; `open`; `waiting` for `retryInMs` before it connects again; and, for good: `refused` (the token, or a
 * room that is not there), `elsewhere` (no gateway has all of these rooms) and `closed`.
 *
 * @typedef {"connecting" | "open" | "waiting" | "refused" | "elsewhere" | "closed"} StreamState
 *
 * `status` of a refusal; of one that passes, too. 0: no answer came.
 * @typedef {{status?: number, retryInMs?: number}} StateDetail
 *
 * @typedef {object} StreamOptions
 * @property {string} [url] the gateway's address; without it, paths are those of the page
 * @property {TokenSource} [token] a JWT, or who is asked for one
 * @property {string} [user] also tells this user's results
 * @property {number} [silenceMs] a stream that says nothing for so long, not even that it lives, is given up
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [random] in 0 ..< 1
 *
 * @typedef {object} StreamHandler
 * @property {(snapshot: Snapshot) => void} snapshot
 * @property {(command: Command) => void} command
 * @property {(result: Result) => void} [result]
 * @property {(state: StreamState, detail: StateDetail) => void} [state]
 */
/**
 * One stream of the commands of some rooms: it comes again when it breaks, from where it was.
 *
 * Made with `fetch` rather than EventSource, which can neither send a token as a header nor tell a refusal (401) from
 * a gateway that is busy (503) or the wrong one (421).
 */
export class CommandStream {
    /**
     * @param {string[]} rooms
     * @param {StreamHandler} handler
     * @param {StreamOptions} [options]
     */
    constructor(rooms: string[], handler: StreamHandler, { url, token, user, silenceMs, fetch, random }?: StreamOptions);
    /** @type {StreamState} */
    state: StreamState;
    rooms: string[];
    handler: StreamHandler;
    url: string;
    token: import("./token.js").TokenSource;
    silenceMs: number;
    fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
    close(): void;
    /** The network is back, say: no need to wait any longer. */
    retryNow(): void;
    /** The gateway has answered something else: no need to wait any longer, unless the gateway itself asked for it. */
    wake(): void;
    /** There is another token: goes on with that, from where it is. */
    renew(): void;
    #private;
}
export type Command = import("./commands.js").Command;
export type Result = import("./commands.js").Result;
export type Snapshot = import("./commands.js").Snapshot;
export type Ending = import("./comeback.js").Ending;
export type TokenSource = import("./token.js").TokenSource;
/**
 * `status` of a refusal; of one that passes, too. 0: no answer came.
 */
export type StreamState = "connecting" | "open" | "waiting" | "refused" | "elsewhere" | "closed";
/**
 * `connecting`; `open`; `waiting` for `retryInMs` before it connects again; and, for good: `refused` (the token, or a
 * room that is not there), `elsewhere` (no gateway has all of these rooms) and `closed`.
 */
export type StateDetail = {
    status?: number;
    retryInMs?: number;
};
/**
 * `connecting`; `open`; `waiting` for `retryInMs` before it connects again; and, for good: `refused` (the token, or a
 * room that is not there), `elsewhere` (no gateway has all of these rooms) and `closed`.
 */
export type StreamOptions = {
    /**
     * the gateway's address; without it, paths are those of the page
     */
    url?: string;
    /**
     * a JWT, or who is asked for one
     */
    token?: TokenSource;
    /**
     * also tells this user's results
     */
    user?: string;
    /**
     * a stream that says nothing for so long, not even that it lives, is given up
     */
    silenceMs?: number;
    fetch?: typeof globalThis.fetch;
    /**
     * in 0 ..< 1
     */
    random?: () => number;
};
/**
 * `connecting`; `open`; `waiting` for `retryInMs` before it connects again; and, for good: `refused` (the token, or a
 * room that is not there), `elsewhere` (no gateway has all of these rooms) and `closed`.
 */
export type StreamHandler = {
    snapshot: (snapshot: Snapshot) => void;
    command: (command: Command) => void;
    result?: (result: Result) => void;
    state?: (state: StreamState, detail: StateDetail) => void;
};
