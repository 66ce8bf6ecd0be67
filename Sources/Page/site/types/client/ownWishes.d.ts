/**
 * A wish of this viewer's that doesn't fly yet.
 * @typedef {{wishId: string, text: string, style: string}} OwnWish
 */
/**
 * Wishes of this viewer's, from when they are made until they fly, or until it is known that they never will.
 */
export class OwnWishes {
    /** @param {(roomId: string) => void} onChange */
    constructor(onChange: (roomId: string) => void);
    onChange: (roomId: string) => void;
    /** @param {string} roomId @returns {OwnWish[]} the oldest first */
    of(roomId: string): OwnWish[];
    /**
     * @param {string} roomId
     * @param {OwnWish} wish
     * @param {Promise<Delivery>} sent
     * @returns {Promise<"flies" | "skipped">} fails as the sending does
     */
    add(roomId: string, wish: OwnWish, sent: Promise<Delivery>): Promise<"flies" | "skipped">;
    /** @param {Command} command that was drawn */
    hear({ id, wishFly, skipped }: Command): void;
    /** @param {string} roomId that ended: what was queued is skipped */
    endAll(roomId: string): void;
    #private;
}
export type Command = import("./commands.js").Command;
export type Delivery = import("./outbox.js").Delivery;
/**
 * A wish of this viewer's that doesn't fly yet.
 */
export type OwnWish = {
    wishId: string;
    text: string;
    style: string;
};
