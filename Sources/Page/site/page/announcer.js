import { element } from "./element.js";
import { nameOfGift } from "./giftArt.js";
import { words } from "./words.js";

const EVERY_MS = 4000;

/**
 * Says what happens to those who listen rather than look: the weightiest of the last few seconds, not everything.
 */
export class Announcer {
  #best = { weight: 0, text: "" };
  #timer = 0;
  /** @type {Map<string, import("../client/commands.js").GiftShow>} combos that may be told of */
  #combos = new Map();

  constructor() {
    this.node = element("p.away", { role: "status", "aria-live": "polite" });
  }

  /** @param {import("../client/commands.js").Command} command of the room on screen */
  hear({ giftShow, giftHide, wishFly, rainCountdown }) {
    if (giftShow) {
      this.#combos.set(giftShow.comboId, giftShow);
      if (this.#combos.size > 64) this.#combos.delete(this.#combos.keys().next().value);
    } else if (giftHide) {
      const show = this.#combos.get(giftHide.comboId);
      const { count } = giftHide;
      if (show) this.#offer(show.value * count, words.announceGift(show.sender.name || show.sender.userId, nameOfGift(show.giftId, show.giftName), count));
    } else if (wishFly) this.#offer(10, words.announceWish(wishFly.sender.name, wishFly.text));
    else if (rainCountdown && rainCountdown.left > 0) this.say(words.announceRain(rainCountdown.left));
  }

  /** @param {string} text at once */
  say(text) {
    this.node.textContent = text;
  }

  #offer(weight, text) {
    if (weight >= this.#best.weight) this.#best = { weight, text };
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      this.say(this.#best.text);
      this.#best = { weight: 0, text: "" };
    }, EVERY_MS);
  }
}
