/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").GiftShow} GiftShow */
/** @typedef {import("./commands.js").LikeBurst} LikeBurst */
/** @typedef {import("./commands.js").RainCountdown} RainCountdown */
/** @typedef {import("./commands.js").RainDrop} RainDrop */
/** @typedef {import("./commands.js").RainTally} RainTally */
/** @typedef {import("./commands.js").Snapshot} Snapshot */
/** @typedef {import("./commands.js").WishFly} WishFly */
/**
 * A combo on its lane. `leavesMs`: when it is gone, once it was hidden; `count`: the last number drawn, 0 before the
 * first; `bumpedAtMs`: when that popped, as far as this screen saw it; `shownAtMs`: when it began to enter, or was
 * refreshed, by the command `id`.
 * @typedef {{id: string, show: GiftShow, count: number, total: number, shownAtMs: number, bumpedAtMs: number | null,
 *   leavesMs: number | null}} GiftView
 *
 * A wish on its way from right to left.
 * @typedef {{id: string, fly: WishFly, startMs: number, landMs: number, likes: number, likedAtMs: number | null}} Banner
 *
 * A packet that falls.
 * @typedef {{id: string, drop: RainDrop, startMs: number, landMs: number}} Drop
 *
 * A rain that has not ended; a reader that began in its middle may lack the countdown.
 * @typedef {{id: string, countdown: Told<RainCountdown> | null, tally: Told<RainTally> | null, drops: Drop[]}} Rain
 *
 * @typedef {{id: string, atMs: number, count: number, points: LikeBurst["points"]}} Burst
 * @typedef {{stage: string, reason: string, items: number, units: number, atMs: number}} SkipCount
 */
/**
 * A body, with what its command said beside it.
 * @template Body
 * @typedef {{command: string, atMs: number, body: Body}} Told
 */
/**
 * What is on one room's screen: its commands, folded, by the rules of the server's own `Screen`.
 *
 * Commands come in the room's order; the time that passes between them is told by `advance`, since what flies lands
 * and what leaves is gone without a command.
 *
 * A screen that began with a snapshot shows what one shows that has seen every command, but for what is over in a
 * moment: views that were leaving, bursts, numbers that had just popped; and it counts skips from there.
 */
export class Screen {
    /** How long a burst is kept, and how many at most. */
    static burstMs: number;
    static burstLimit: number;
    /** @param {string} roomId */
    constructor(roomId: string);
    /** How far log time is known to have come. */
    nowMs: number;
    /** @type {GiftView[]} by lane, from the top; a lane that has none is free */
    gifts: GiftView[];
    /** @type {Banner[]} in the order in which they started */
    banners: Banner[];
    /** @type {Rain[]} by their ids: who joins late has them in the same order */
    rains: Rain[];
    /** @type {Burst[]} the latest last */
    bursts: Burst[];
    /** @type {SkipCount[]} */
    skips: SkipCount[];
    /** Whether the room has ended, and nothing has come since; what came from another log may be shown still. */
    isEnded: boolean;
    roomId: string;
    /**
     * Draws a command of this room. One that came before, by its id, changes nothing.
     * @param {Command} command
     * @returns {boolean} whether it was new
     */
    apply(command: Command): boolean;
    /**
     * Lets time pass: banners and packets land, and lanes whose view has left are free. Time never goes back.
     * @param {number} nowMs
     */
    advance(nowMs: number): void;
    /**
     * Shows what the snapshot shows, and nothing of what was before.
     * @param {Snapshot} snapshot
     */
    reset(snapshot: Snapshot): void;
    /**
     * What draws this screen on another, at this moment: commands by their time; of one time gifts, wishes, rains.
     * @returns {Snapshot}
     */
    get snapshot(): import("./commands.js").Snapshot;
    #private;
}
export type Command = import("./commands.js").Command;
export type GiftShow = import("./commands.js").GiftShow;
export type LikeBurst = import("./commands.js").LikeBurst;
export type RainCountdown = import("./commands.js").RainCountdown;
export type RainDrop = import("./commands.js").RainDrop;
export type RainTally = import("./commands.js").RainTally;
export type Snapshot = import("./commands.js").Snapshot;
export type WishFly = import("./commands.js").WishFly;
/**
 * A wish on its way from right to left.
 */
export type GiftView = {
    id: string;
    show: GiftShow;
    count: number;
    total: number;
    shownAtMs: number;
    bumpedAtMs: number | null;
    leavesMs: number | null;
};
/**
 * A packet that falls.
 */
export type Banner = {
    id: string;
    fly: WishFly;
    startMs: number;
    landMs: number;
    likes: number;
    likedAtMs: number | null;
};
/**
 * A rain that has not ended; a reader that began in its middle may lack the countdown.
 */
export type Drop = {
    id: string;
    drop: RainDrop;
    startMs: number;
    landMs: number;
};
/**
 * A combo on its lane. `leavesMs`: when it is gone, once it was hidden; `count`: the last number drawn, 0 before the
 * first; `bumpedAtMs`: when that popped, as far as this screen saw it; `shownAtMs`: when it began to enter, or was
 * refreshed, by the command `id`.
 */
export type Rain = {
    id: string;
    countdown: Told<RainCountdown> | null;
    tally: Told<RainTally> | null;
    drops: Drop[];
};
/**
 * A combo on its lane. `leavesMs`: when it is gone, once it was hidden; `count`: the last number drawn, 0 before the
 * first; `bumpedAtMs`: when that popped, as far as this screen saw it; `shownAtMs`: when it began to enter, or was
 * refreshed, by the command `id`.
 */
export type Burst = {
    id: string;
    atMs: number;
    count: number;
    points: LikeBurst["points"];
};
/**
 * A combo on its lane. `leavesMs`: when it is gone, once it was hidden; `count`: the last number drawn, 0 before the
 * first; `bumpedAtMs`: when that popped, as far as this screen saw it; `shownAtMs`: when it began to enter, or was
 * refreshed, by the command `id`.
 */
export type SkipCount = {
    stage: string;
    reason: string;
    items: number;
    units: number;
    atMs: number;
};
/**
 * A body, with what its command said beside it.
 */
export type Told<Body_1> = {
    command: string;
    atMs: number;
    body: Body;
};
