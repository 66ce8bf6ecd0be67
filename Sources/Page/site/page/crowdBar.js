import { nameOf } from "../client/names.js";
import { avatar } from "./avatar.js";
import { element, say } from "./element.js";
import { giftArt, nameOfGift } from "./giftArt.js";
import { direction, short, words } from "./words.js";

/** @import { Command, CrowdShow } from "../client/commands.js" */

/** The bar for crowds: how many gifts of one kind found no lane, and who sent the dearest. */
export class CrowdBar {
  #crowdId = "";
  /** What is drawn of whom, by part. @type {Record<string, string>} */
  #drawn = {};

  constructor() {
    this.art = element("span.crowd-art");
    this.faces = element("span.crowd-faces");
    this.names = element("span.crowd-names");
    this.more = element("span.crowd-more");
    this.gift = element("span.away");
    this.number = element("b.crowd-number");
    this.node = element(
      "div.line.crowd", { hidden: true, dir: direction },
      this.art, this.faces, element("span.crowd-words", {}, this.names, this.more, this.gift), this.number);
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
  }

  /** @param {CrowdShow} crowd */
  #draw({ crowdId, giftId, giftName, items, units, names }) {
    this.#crowdId = crowdId;
    this.node.hidden = false;
    this.node.dataset.crowd = crowdId;
    const who = names.map(nameOf);
    this.#set("art", giftId, () => [giftArt(giftId)]);
    // Each name is read its own way, whatever the others are.
    this.#set("names", who.join("\n"), () => who.flatMap((name, i) => [...(i > 0 ? [words.comma] : []), element("bdi", {}, name)]));
    this.#set("faces", JSON.stringify(names), () => names.map((one) => avatar(one)));
    for (const [part, text] of Object.entries({
      more: items > who.length ? words.crowdMore(items - who.length) : "",
      gift: ` ${words.sent} ${nameOfGift(giftId, giftName)}`, number: `×${short(units)}`,
    })) say(this[part], text);
  }

  /** Makes anew only what changes: a bar counts each second, and mostly of the same. */
  #set(part, key, make) {
    if (this.#drawn[part] === key) return;
    this.#drawn[part] = key;
    this[part].replaceChildren(...make());
  }
}
