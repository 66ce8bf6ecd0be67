import { nameOf } from "../client/names.js";
import { element } from "./element.js";
import { nameOfGift } from "./giftArt.js";
import { words } from "./words.js";

const EVERY_MS = 4000;
/** An event that was over so long ago is told no more. */
const LATE_MS = 5000;
/** What fills the screen, but for gifts, which have a price, is as weighty as this many coins. */
const DEAR = 500;

/**
 * Says what happens to those who listen rather than look: the weightiest of the last few seconds, not everything.
 */
export class Announcer {
  #best = { weight: 0, text: "" };
  #timer = 0;
  #isLate = false;
  /** @type {Map<string, import("../client/commands.js").GiftShow>} combos that may be told of */
  #combos = new Map();
  /** The crowd on the bar, as it was heard last. */
  #crowd = { crowdId: "", units: 0 };

  constructor() {
    this.node = element("p.away", { role: "status", "aria-live": "polite" });
  }

  /**
   * @param {import("../client/commands.js").Command} command of the room on screen
   * @param {number} lateMs how long ago it was due
   */
  hear({ giftShow, giftHide, wishFly, rainCountdown, spotShow, crowdShow }, lateMs) {
    this.#isLate = lateMs > LATE_MS;
    if (giftShow) {
      this.#combos.set(giftShow.comboId, giftShow);
      if (this.#combos.size > 64) this.#combos.delete(this.#combos.keys().next().value);
    } else if (giftHide) {
      const show = this.#combos.get(giftHide.comboId);
      const { count } = giftHide;
      if (show) this.#offer(show.value * count, words.announceGift(nameOf(show.sender), nameOfGift(show.giftId, show.giftName), count));
    } else if (wishFly) this.#offer(10, words.announceWish(nameOf(wishFly.sender), wishFly.text));
    else if (spotShow) this.#hearSpot(spotShow);
    else if (crowdShow) this.#hearCrowd(crowdShow);
    else if (rainCountdown && rainCountdown.left > 0 && lateMs < 1000) this.say(words.announceRain(rainCountdown.left));
  }

  /** @param {string} text at once */
  say(text) {
    this.node.textContent = text;
  }

  /** @param {import("../client/commands.js").SpotShow} show */
  #hearSpot({ kind, sender, giftId, giftName, value, total, text }) {
    const name = nameOf(sender);
    if (giftId) this.#offer(value * Math.max(1, total), words.announceGift(name, nameOfGift(giftId, giftName), Math.max(1, total)));
    else this.#offer(DEAR, `${name} ${text || (kind === "entrance" ? words.entered : "")}`.trim());
  }

  /** A crowd is as weighty as what joined it. @param {import("../client/commands.js").CrowdShow} show */
  #hearCrowd({ crowdId, giftId, giftName, value, items, units, names }) {
    const more = units - (this.#crowd.crowdId === crowdId ? this.#crowd.units : 0);
    this.#crowd = { crowdId, units };
    const who = names.map(nameOf);
    const all = items > who.length ? `${words.crowd(who)} ${words.crowdMore(items - who.length)}` : words.crowd(who);
    this.#offer(value * more, words.announceGift(all, nameOfGift(giftId, giftName), units));
  }

  #offer(weight, text) {
    if (this.#isLate) return;
    if (weight >= this.#best.weight) this.#best = { weight, text };
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      this.say(this.#best.text);
      this.#best = { weight: 0, text: "" };
    }, EVERY_MS);
  }
}
