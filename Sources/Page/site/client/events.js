/**
 * The events that viewers and platforms send (STAGES.md, section 2), as types.
 */

/**
 * @typedef {{userId?: string, name?: string, avatarUrl?: string}} SenderFields who sends; the token's `sub` fills in `userId`
 */

/**
 * @typedef {{sender?: SenderFields, giftId: string, giftName?: string, value?: number, count?: number, receiverId?: string,
 *   streakId?: string, holdMs?: number}} GiftFields
 */

/**
 * @typedef {{sender?: SenderFields, wishId?: string, text: string, style?: string}} WishFields
 */

/**
 * @typedef {{rainId: string, durationMs: number, perSecond?: number, countdown?: number, budget?: number, winEvery?: number,
 *   prizes?: number[]}} RainStartFields
 */

/**
 * @typedef {{userId?: string, wishId?: string, comboId?: string, muteMs?: number}} RetractFields
 */

/**
 * The body of an event: exactly one kind.
 * @typedef {{gift: GiftFields} | {wish: WishFields} | {wishLike: {userId?: string, wishId: string}}
 *   | {tap: {userId?: string, x: number, y: number}} | {rainStart: RainStartFields}
 *   | {rainGrab: {userId?: string, rainId: string, packet: number}} | {retract: RetractFields}
 *   | {roomSettings: {set: Record<string, string | number>, forMs?: number}} | {roomEnd: {}}} EventBody
 */
export {};
