/** Grabs of this viewer's that wait for their answers. */
export class Grabs {
    /** @param {(roomId: string) => Promise<Result[]>} ask what the gateway knows; none if it can't tell */
    constructor(ask: (roomId: string) => Promise<Result[]>);
    ask: (roomId: string) => Promise<Result[]>;
    /**
     * @param {string} roomId
     * @param {{rainId: string, packet: number, eventId: string}} grab
     * @param {Promise<Delivery>} sent
     * @returns {Promise<Result>} fails as the sending does, or with `no_result`
     */
    wait(roomId: string, { rainId, packet, eventId }: {
        rainId: string;
        packet: number;
        eventId: string;
    }, sent: Promise<Delivery>): Promise<Result>;
    /** @param {Result} result of this viewer's */
    hear(result: Result): void;
    #private;
}
export type Delivery = import("./outbox.js").Delivery;
export type Result = import("./commands.js").Result;
