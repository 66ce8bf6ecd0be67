import { nameOfGift } from "./giftArt.js";
import { words } from "./words.js";

/** @import { Command } from "../client/commands.js" */

const MOST = 100;

/** Commands of a room in words: a number that pops says whose it is. */
export class Sentences {
  /** @type {Map<string, string>} senders of combos, by combo */
  #names = new Map();

  /** @param {Command} command @returns {string} empty for a kind that is not known here */
  of({ giftShow, giftBump, giftHide, wishFly, wishLikes, wishGone, likeBurst, rainCountdown, rainDrop, rainTally, rainEnd, spotShow, spotGone,
    crowdShow, crowdHide, skipped, roomEnd }) {
    const { log } = words;
    if (giftShow) {
      const { comboId, sender, giftId, giftName, lane, from } = giftShow;
      const name = sender.name || sender.userId;
      const isKnown = this.#names.has(comboId);
      this.#names.set(comboId, name);
      if (this.#names.size > MOST) this.#names.delete(this.#names.keys().next().value);
      const gift = nameOfGift(giftId, giftName);
      return isKnown ? log.giftRefresh(name, gift, from) : log.giftShow(name, gift, lane + 1);
    }
    if (giftBump) return log.giftBump(this.#names.get(giftBump.comboId) ?? "…", giftBump.count);
    if (giftHide) return log.giftHide(this.#names.get(giftHide.comboId) ?? "…", giftHide.count);
    if (wishFly) return log.wishFly(wishFly.sender.name || wishFly.sender.userId, wishFly.text);
    if (wishLikes) return log.wishLikes(wishLikes.likes);
    if (wishGone) return log.wishGone();
    if (likeBurst) return log.likeBurst(likeBurst.count);
    if (rainCountdown) return log.rainCountdown(rainCountdown.left);
    if (rainDrop) return log.rainDrop(rainDrop.packet);
    if (rainTally) return log.rainTally(rainTally.opened, rainTally.coins);
    if (rainEnd) return log.rainEnd();
    if (spotShow) {
      const { sender, giftId, giftName, kind } = spotShow;
      return log.spotShow(sender.name || sender.userId, giftId ? nameOfGift(giftId, giftName) : kind);
    }
    if (spotGone) return log.spotGone();
    if (crowdShow) return log.crowdShow(nameOfGift(crowdShow.giftId, crowdShow.giftName), crowdShow.units, crowdShow.items);
    if (crowdHide) return log.crowdHide();
    if (skipped) return log.skipped(skipped.units, skipped.stage, skipped.reason);
    return roomEnd ? log.roomEnd() : "";
  }
}
