/** @typedef {import("./commandStream.js").StreamOptions} StreamOptions */
/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Point} Point */
/** @typedef {import("./commands.js").Result} Result */
/** @typedef {import("./outbox.js").Delivery} Delivery */
/** @typedef {import("./ownWishes.js").OwnWish} OwnWish */
/**
 * Follows rooms, and sends what a viewer does in them. Events, each a CustomEvent whose `detail` has the `roomId`:
 *
 * - `snapshot`: `room.screen` was told anew, whole.
 * - `command` (`command`): it was due and is in `room.screen` now.
 * - `result` (`result`): what a grab of `user` gave, each once.
 * - `wishes`: this viewer's wishes that don't fly yet (`ownWishes`) are others now.
 * - `state` (`state`, and `rooms` rather than one): how their stream is, see StreamState.
 * - `busy`, without a room: the gateway asks this viewer to slow down.
 *
 * What is sent is tried again with one `eventId` for half a minute, as long as trying may help; then, or when the
 * gateway refuses it, its promise fails with a SendError. Who sends is the token's `sub`; where there is no token,
 * the option `sender`.
 */
export class Flyscreen extends EventTarget {
    /**
     * @param {StreamOptions & {lagMs?: number, sender?: {userId?: string, name?: string, avatarUrl?: string}}} [options]
     *   `lagMs`: how far behind the log rooms are shown; `sender`: who this viewer is, by default `user`
     */
    constructor({ lagMs, sender, ...options }?: StreamOptions & {
        lagMs?: number;
        sender?: {
            userId?: string;
            name?: string;
            avatarUrl?: string;
        };
    });
    lagMs: number;
    options: {
        /**
         * the gateway's address; without it, paths are those of the page
         */
        url?: string;
        /**
         * a JWT, or who is asked for one
         */
        token?: import("./token.js").TokenSource;
        /**
         * also tells this user's results
         */
        user?: string;
        /**
         * a stream that says nothing for so long, not even that it lives, is given up
         */
        silenceMs?: number;
        fetch?: typeof fetch;
        /**
         * in 0 ..< 1
         */
        random?: () => number;
    };
    sender: {
        userId: string;
        name: string;
        avatarUrl: string;
    };
    outbox: Outbox;
    wishes: OwnWishes;
    grabs: Grabs;
    streams: RoomStreams;
    /**
     * These rooms from now on, and no others. What is known of those that stay is kept.
     * @param {string[]} roomIds the most wanted first: the one on screen, its neighbours, theirs. Where a gateway has too
     *   few rooms for a stream, or each needs its own, the last ones are known once they come further to the front
     */
    follow(roomIds: string[]): void;
    /**
     * @param {string} roomId
     * @returns {LiveRoom | undefined} of a room that is followed
     */
    room(roomId: string): LiveRoom | undefined;
    /** The network is back, say, or somebody asks for it: no need to wait any longer; and what was refused may not be. */
    retryNow(): void;
    /** The gateway has answered something else: streams that wait for it connect now, unless it asked them to wait. */
    wake(): void;
    /** There is another token: streams go on with that, and those that were refused ask again. */
    renewToken(): void;
    /** Gives the connection back: nobody looks. What is known of the rooms is kept, and gets old. */
    pause(): void;
    /** Somebody looks again: every room is told anew. */
    resume(): void;
    close(): void;
    /**
     * Sends an event.
     * @param {string} roomId
     * @param {object} body one of those of STAGES.md, section 2: `{ tap: { x: 500, y: 500 } }`
     * @param {{withinMs?: number, eventId?: string}} [options] `withinMs`: after that it is not worth sending; `eventId`:
     *   counts once a minute, however often it is sent
     * @returns {Promise<Delivery>} once Kafka has it
     */
    send(roomId: string, body: object, options?: {
        withinMs?: number;
        eventId?: string;
    }): Promise<Delivery>;
    /**
     * Sends a gift, which `gateway.events.kinds` or the token must allow.
     * @param {string} roomId
     * @param {{giftId: string, giftName?: string, value?: number, count?: number, receiverId?: string, streakId?: string,
     *   sender?: {userId?: string, name?: string, avatarUrl?: string}}} gift
     */
    gift(roomId: string, gift: {
        giftId: string;
        giftName?: string;
        value?: number;
        count?: number;
        receiverId?: string;
        streakId?: string;
        sender?: {
            userId?: string;
            name?: string;
            avatarUrl?: string;
        };
    }): Promise<import("./outbox.js").Delivery>;
    /**
     * Makes a wish. Until it flies it is one of `ownWishes`.
     * @param {string} roomId
     * @param {string} text
     * @param {{style?: string, wishId?: string}} [options]
     * @returns {Promise<"flies" | "skipped">} `skipped`: too many waited, or it was taken back; it is never shown
     */
    wish(roomId: string, text: string, { style, wishId }?: {
        style?: string;
        wishId?: string;
    }): Promise<"flies" | "skipped">;
    /** @param {string} roomId @returns {OwnWish[]} this viewer's wishes that don't fly yet, the oldest first */
    ownWishes(roomId: string): OwnWish[];
    /** @param {string} roomId @param {string} wishId */
    like(roomId: string, wishId: string): Promise<import("./outbox.js").Delivery>;
    /**
     * Two taps in quick succession are a like (STAGES.md, section 5), so a tap that is late is not sent.
     * @param {string} roomId
     * @param {Point} point
     */
    tap(roomId: string, { x, y }: Point): Promise<import("./outbox.js").Delivery>;
    /**
     * Opens a red packet. Its answer comes by the room's stream, which must be followed with `user`.
     * @param {string} roomId
     * @param {{rainId: string, packet: number}} packet
     * @returns {Promise<Result>} what it gave; fails with `no_result` if nothing is told of it within ten seconds
     */
    grab(roomId: string, { rainId, packet }: {
        rainId: string;
        packet: number;
    }): Promise<Result>;
    #private;
}
export type StreamOptions = import("./commandStream.js").StreamOptions;
export type Command = import("./commands.js").Command;
export type Point = import("./commands.js").Point;
export type Result = import("./commands.js").Result;
export type Delivery = import("./outbox.js").Delivery;
export type OwnWish = import("./ownWishes.js").OwnWish;
import { Outbox } from "./outbox.js";
import { OwnWishes } from "./ownWishes.js";
import { Grabs } from "./grabs.js";
import { RoomStreams } from "./roomStreams.js";
import { LiveRoom } from "./liveRoom.js";
