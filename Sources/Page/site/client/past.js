/** @typedef {import("./commands.js").Past} Past */
/** @typedef {import("./commands.js").Retracted} Retracted */

/**
 * Whether something of this user, or of this wish, is taken back.
 * @param {Retracted} retracted
 * @param {{userId?: string, wishId?: string}} what
 */
export const isTakenBack = (retracted, { userId = "", wishId = "" }) =>
  (userId !== "" && retracted.userId === userId) || (wishId !== "" && retracted.wishId === wishId);

/**
 * A room's past without the wishes and the givers that are taken back.
 * @param {Past} past
 * @param {Retracted} retracted
 * @returns {Past}
 */
export function without(past, retracted) {
  return {
    ...past,
    givers: past.givers.filter(({ sender }) => !isTakenBack(retracted, sender)),
    wishes: past.wishes.filter(({ wishId, sender }) => !isTakenBack(retracted, { wishId, userId: sender.userId })),
  };
}
