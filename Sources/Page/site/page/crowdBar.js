import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { giftArt, nameOfGift } from "./giftArt.js";
import { direction, short, words } from "./words.js";

/** @import { Command, CrowdShow } from "../client/commands.js" */

/** The bar for crowds: how many gifts of one kind found no lane, and who sent the dearest. */
export class CrowdBar {
  #crowdId = "";

  constructor() {
    this.node = element("div.crowd", { hidden: true, role: "status", dir: direction });
  }

  /** @param {Command} command */
  apply({ crowdShow, crowdHide }) {
    if (crowdShow) this.#draw(crowdShow);
    else if (crowdHide?.crowdId === this.#crowdId) this.clear();
  }

  /** @param {Command[]} commands of a snapshot */
  keep(commands) {
    if (!commands.some(({ crowdShow }) => crowdShow?.crowdId === this.#crowdId)) this.clear();
  }

  clear() {
    this.#crowdId = "";
    this.node.hidden = true;
    this.node.replaceChildren();
  }

  /** @param {CrowdShow} crowd */
  #draw({ crowdId, giftId, giftName, items, units, names }) {
    this.#crowdId = crowdId;
    this.node.hidden = false;
    this.node.dataset.crowd = crowdId;
    const who = names.map(({ name, userId }) => name || userId);
    this.node.replaceChildren(
      giftArt(giftId),
      element("span.crowd-faces", {}, ...names.map((one) => avatar(one))),
      element(
        "span.crowd-words", {},
        element("bdi.crowd-names", {}, words.crowd(who)),
        element("span.crowd-more", {}, items > who.length ? words.crowdMore(items - who.length) : ""),
        element("span.away", {}, ` ${words.sent} ${nameOfGift(giftId, giftName)}`)),
      element("b.crowd-number", {}, `×${short(units)}`));
  }
}
