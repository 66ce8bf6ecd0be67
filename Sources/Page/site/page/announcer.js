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
  #best = /** @type {{weight: number, text: string, of: Record<string, string>}} */ ({ weight: 0, text: "", of: {} });
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
   * @param {import("../client/screen.js").GoalView} [reached] the goal that is reached by it
   */
  hear({ atMs, giftShow, giftHide, wishFly, rainCountdown, spotShow, crowdShow, pinShow, retracted }, lateMs, reached) {
    this.#isLate = lateMs > LATE_MS;
    if (reached) this.#offer(DEAR, `${words.goalReached} ${reached.show.text}`.trim(), { goalId: reached.show.goalId });
    if (giftShow) {
      this.#combos.set(giftShow.comboId, giftShow);
      if (this.#combos.size > 64) this.#combos.delete(this.#combos.keys().next().value);
    } else if (giftHide) {
      const show = this.#combos.get(giftHide.comboId);
      const { count } = giftHide;
      if (show) this.#offer(show.value * count, words.announceGift(nameOf(show.sender), nameOfGift(show.giftId, show.giftName), count), { userId: show.sender.userId, comboId: show.comboId });
    } else if (wishFly) this.#offer(10, words.announceWish(nameOf(wishFly.sender), wishFly.text), { userId: wishFly.sender.userId, wishId: wishFly.wishId });
    else if (spotShow) this.#hearSpot(spotShow);
    else if (pinShow) {
      // It is told again now and then.
      if (pinShow.startMs === atMs) this.#offer(pinShow.value, words.announceWish(nameOf(pinShow.sender), pinShow.text), { userId: pinShow.sender.userId, pinId: pinShow.pinId });
    } else if (retracted) this.#takeBack(retracted);
    else if (crowdShow) this.#hearCrowd(crowdShow);
    else if (rainCountdown && rainCountdown.left > 0 && lateMs < 1000) this.say(words.announceRain(rainCountdown.left));
  }

  /** @param {string} text at once */
  say(text) {
    this.node.textContent = text;
  }

  /** @param {import("../client/commands.js").SpotShow} show */
  #hearSpot({ spotId, comboId, kind, sender, giftId, giftName, value, total, text }) {
    const of = { spotId, comboId, userId: sender.userId };
    const name = nameOf(sender);
    if (giftId) this.#offer(value * Math.max(1, total), words.announceGift(name, nameOfGift(giftId, giftName), Math.max(1, total)), of);
    else this.#offer(DEAR, `${name} ${text || (kind === "entrance" ? words.entered : "")}`.trim(), of);
  }

  /** A crowd is as weighty as what joined it. @param {import("../client/commands.js").CrowdShow} show */
  #hearCrowd({ crowdId, giftId, giftName, value, items, units, names }) {
    const more = units - (this.#crowd.crowdId === crowdId ? this.#crowd.units : 0);
    this.#crowd = { crowdId, units };
    const who = names.map(nameOf);
    const all = items > who.length ? `${who.join(words.comma)} ${words.crowdMore(items - who.length)}` : who.join(words.comma);
    this.#offer(value * more, words.announceGift(all, nameOfGift(giftId, giftName), units));
  }

  /** What waits to be said is not, if it is taken back. */
  #takeBack(retracted) {
    const isGone = Object.entries(this.#best.of).some(([name, id]) => id !== "" && retracted[name] === id);
    if (isGone) this.#best = { weight: 0, text: "", of: {} };
  }

  #offer(weight, text, of = {}) {
    if (this.#isLate) return;
    if (weight >= this.#best.weight) this.#best = { weight, text, of };
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      if (this.#best.text) this.say(this.#best.text);
      this.#best = { weight: 0, text: "", of: {} };
    }, EVERY_MS);
  }
}
