/**
 * The words of the wire (STAGES.md, section 10), as types. Times are milliseconds of log time, spans milliseconds.
 *
 * @typedef {{userId: string, name: string, avatarUrl: string}} Sender
 *
 * @typedef {{comboId: string, lane: number, sender: Sender, receiverId: string, giftId: string, giftName: string,
 *   value: number, from: number, total: number, enterMs: number, tier: number, extra: string}} GiftShow `tier` 0: it costs
 *   little; `extra`: the platform's own
 * @typedef {{comboId: string, lane: number, count: number, tickMs: number}} GiftBump
 * @typedef {{comboId: string, lane: number, count: number, exitMs: number}} GiftHide
 * @typedef {{wishId: string, track: number, sender: Sender, text: string, style: string, width: number,
 *   durationMs: number, likes: number, extra: string}} WishFly
 * @typedef {{wishId: string, likes: number}} WishLikes
 * @typedef {{wishId: string}} WishGone it was taken back
 * @typedef {{x: number, y: number}} Point thousandths of the stage, 0…999
 * @typedef {{count: number, points: Point[]}} LikeBurst
 * @typedef {{rainId: string, left: number, startMs: number, durationMs: number, extra: string}} RainCountdown
 * @typedef {{rainId: string, packet: number, x: number, fallMs: number, angle: number, spin: number,
 *   toX: number, spinMs: number}} RainDrop it falls from `x` to `toX` and turns by `spin` within `spinMs`, once
 * @typedef {{rainId: string, opened: number, winners: number, coins: number}} RainTally
 * @typedef {{rainId: string}} RainEnd
 * @typedef {{spotId: string, kind: string, comboId: string, sender: Sender, receiverId: string, giftId: string,
 *   giftName: string, value: number, total: number, tier: number, text: string, style: string, durationMs: number,
 *   extra: string}} SpotShow it fills the screen for `durationMs`; `kind` is `gift`, or a word of the platform's; of such
 *   the combo and the gift are empty
 * @typedef {{spotId: string}} SpotGone it was taken back
 * @typedef {{crowdId: string, receiverId: string, giftId: string, giftName: string, value: number, items: number,
 *   units: number, names: Sender[]}} CrowdShow so many combos of this gift, which found no lane; `names`: up to three who
 *   sent the dearest
 * @typedef {{crowdId: string}} CrowdHide the bar is free
 * @typedef {{stage: "gift" | "wish" | "spot", reason: "overflow" | "expired" | "retracted" | "ended",
 *   items: number, units: number}} Skipped
 *
 * @typedef {{}} RoomEnd nothing that came of this log is on the screen any more
 *
 * A command has exactly one of the bodies. Of a kind that is not known here, it draws nothing.
 * @typedef {{roomId: string, id: string, atMs: number, giftShow?: GiftShow, giftBump?: GiftBump, giftHide?: GiftHide,
 *   wishFly?: WishFly, wishLikes?: WishLikes, likeBurst?: LikeBurst, rainCountdown?: RainCountdown,
 *   rainDrop?: RainDrop, rainTally?: RainTally, rainEnd?: RainEnd, wishGone?: WishGone,
 *   spotShow?: SpotShow, spotGone?: SpotGone, crowdShow?: CrowdShow, crowdHide?: CrowdHide, skipped?: Skipped, roomEnd?: RoomEnd}} Command
 *
 * A room's screen at `nowMs`, as the commands that draw it.
 * @typedef {{roomId: string, nowMs: number, commands: Command[], past?: Past}} Snapshot
 *
 * The past of a room, as far back as its gateway knows it; an older gateway tells nothing.
 * @typedef {{sinceMs: number, givers: {sender: Sender, gifts: number, coins: number}[],
 *   crowds: {gifts: number, coins: number}, wishes: PastWish[]}} Past who gave the most coins first, of gifts that were
 *   drawn; what crowds told beside that; the latest wish first
 * @typedef {{atMs: number, wishId: string, sender: Sender, text: string, style: string, likes: number}} PastWish
 *
 * The result of one grab of a red packet.
 * @typedef {{id: string, roomId: string, eventId: string, rainId: string, packet: number, userId: string,
 *   outcome: "won" | "empty" | "again" | "missed", coins: number}} Result
 */
export {};
