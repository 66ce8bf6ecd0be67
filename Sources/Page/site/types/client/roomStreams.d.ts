/**
 * Streams for a set of rooms that changes: one for all of them, or one for each where no single gateway has them all.
 *
 * When the set changes, the stream before goes on until the new one has told every room; a room is told by one stream
 * at a time, and changes over with the snapshot of the new one, so nothing is missed between them.
 */
export class RoomStreams {
    /**
     * @param {StreamHandler & {state?: (state: StreamState, detail: object) => void}} handler
     * @param {StreamOptions} [options]
     */
    constructor(handler: import("./commandStream.js").StreamHandler & {
        state?: (state: StreamState, detail: object) => void;
    }, options?: StreamOptions);
    handler: import("./commandStream.js").StreamHandler & {
        state?: (state: StreamState, detail: object) => void;
    };
    options: import("./commandStream.js").StreamOptions;
    /**
     * Follows these rooms from now on, and no others.
     * @param {string[]} rooms the most wanted first: a gateway, or a browser, may not have enough for all
     */
    follow(rooms: string[]): void;
    close(): void;
    /** Streams that wait connect now, and those that were refused ask again. */
    retryNow(): void;
    /** The gateway has answered something else. */
    wake(): void;
    /** There is another token. */
    renew(): void;
    #private;
}
export type StreamHandler = import("./commandStream.js").StreamHandler;
export type StreamOptions = import("./commandStream.js").StreamOptions;
export type StreamState = import("./commandStream.js").StreamState;
