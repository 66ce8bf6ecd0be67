/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type Sender = {
    userId: string;
    name: string;
    avatarUrl: string;
};
/**
 * `tier`: 0, or none from an
 *  older gateway: it costs little
 */
export type GiftShow = {
    comboId: string;
    lane: number;
    sender: Sender;
    receiverId: string;
    giftId: string;
    giftName: string;
    value: number;
    from: number;
    total: number;
    enterMs: number;
    tier?: number;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type GiftBump = {
    comboId: string;
    lane: number;
    count: number;
    tickMs: number;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type GiftHide = {
    comboId: string;
    lane: number;
    count: number;
    exitMs: number;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type WishFly = {
    wishId: string;
    track: number;
    sender: Sender;
    text: string;
    style: string;
    width: number;
    durationMs: number;
    likes: number;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type WishLikes = {
    wishId: string;
    likes: number;
};
/**
 * it was taken back
 */
export type WishGone = {
    wishId: string;
};
/**
 * thousandths of the stage, 0…999
 */
export type Point = {
    x: number;
    y: number;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type LikeBurst = {
    count: number;
    points: Point[];
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type RainCountdown = {
    rainId: string;
    left: number;
    startMs: number;
    durationMs: number;
};
/**
 * it falls from `x` to `toX` and turns by `spin` within `spinMs`; without them,
 * from an older gateway, straight down, turning all the way
 */
export type RainDrop = {
    rainId: string;
    packet: number;
    x: number;
    fallMs: number;
    angle: number;
    spin: number;
    toX?: number;
    spinMs?: number;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type RainTally = {
    rainId: string;
    opened: number;
    winners: number;
    coins: number;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type RainEnd = {
    rainId: string;
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type Skipped = {
    stage: "gift" | "wish";
    reason: "overflow" | "expired" | "retracted" | "ended";
    items: number;
    units: number;
};
/**
 * nothing that came of this log is on the screen any more
 *
 * A command has exactly one of the bodies. Of a kind that is not known here, it draws nothing.
 */
export type RoomEnd = {};
/**
 * What is on a room's screen at `nowMs`, as commands that draw it.
 */
export type Command = {
    roomId: string;
    id: string;
    atMs: number;
    giftShow?: GiftShow;
    giftBump?: GiftBump;
    giftHide?: GiftHide;
    wishFly?: WishFly;
    wishLikes?: WishLikes;
    likeBurst?: LikeBurst;
    rainCountdown?: RainCountdown;
    rainDrop?: RainDrop;
    rainTally?: RainTally;
    rainEnd?: RainEnd;
    wishGone?: WishGone;
    skipped?: Skipped;
    roomEnd?: RoomEnd;
};
/**
 * What one grab of a red packet gave.
 */
export type Snapshot = {
    roomId: string;
    nowMs: number;
    commands: Command[];
};
/**
 * The words of the wire (STAGES.md, section 8), as types. Times are milliseconds of log time, spans milliseconds.
 */
export type Result = {
    id: string;
    roomId: string;
    eventId: string;
    rainId: string;
    packet: number;
    userId: string;
    outcome: "won" | "empty" | "again" | "missed";
    coins: number;
};
