/**
 * Server-sent events out of text that comes in pieces, as the HTML standard reads them.
 *
 * @typedef {{type: string, data: string, id: string}} StreamEvent `id`: the last one that was sent, also before
 */
export class EventStreamParser {
    /** What the server would have a client wait before it comes again, if it said so. @type {number | null} */
    retryMs: any;
    /**
     * @param {string} text
     * @returns {StreamEvent[]} those that are whole now
     */
    push(text: string): StreamEvent[];
    #private;
}
/**
 * `id`: the last one that was sent, also before
 */
export type StreamEvent = {
    type: string;
    data: string;
    id: string;
};
