import { nameOf } from "../client/names.js";
import { isTakenBack } from "../client/past.js";
import { avatar } from "./avatar.js";
import { drawing, element } from "./element.js";
import { short, timeOf, words } from "./words.js";

/** @import { Sheet } from "./sheet.js" */
/** @import { Past, PastWish, WishFly, WishLikes } from "../client/commands.js" */

const MOST = 50;

/** The last wishes that flew in a room: since the time that the gateway tells, or else since the page was opened. */
export class LastWishes {
  /** @type {Map<string, WishFly | PastWish>} by wish, the latest last */
  #wishes = new Map();
  /** Log time; null: since this viewer came. @type {number | null} */
  sinceMs = null;

  /** Begins anew with the past. @param {Past | null} past */
  begin(past) {
    if (!past) return;
    this.sinceMs = past.sinceMs;
    this.#wishes = new Map([...past.wishes].reverse().map((wish) => [wish.wishId, wish]));
  }

  /** @param {WishFly} fly */
  add(fly) {
    this.#wishes.delete(fly.wishId);
    this.#wishes.set(fly.wishId, fly);
    if (this.#wishes.size > MOST) this.#wishes.delete(this.#wishes.keys().next().value);
  }

  /** @param {WishLikes} likes */
  like({ wishId, likes }) {
    const fly = this.#wishes.get(wishId);
    if (fly) this.#wishes.set(wishId, { ...fly, likes });
  }

  /** @param {string} wishId */
  remove(wishId) {
    this.#wishes.delete(wishId);
  }

  /** Leaves out what is taken back. @param {import("../client/commands.js").Retracted} retracted */
  takeBack(retracted) {
    for (const [wishId, { sender }] of this.#wishes) {
      if (isTakenBack(retracted, { wishId, userId: sender.userId })) this.#wishes.delete(wishId);
    }
  }

  /** @returns {(WishFly | PastWish)[]} the latest first */
  get all() {
    return [...this.#wishes.values()].reverse();
  }
}

/**
 * The last wishes of a room, on a sheet.
 * @param {Sheet} sheet
 * @param {LastWishes} wishes
 */
export function openWishes(sheet, wishes) {
  const rows = wishes.all.map(({ wishId, sender, text, likes }) =>
    element(
      "li.last-wish", { "data-wish": wishId },
      avatar(sender),
      element("div", {}, element("b", { dir: "auto" }, nameOf(sender)), element("p", { dir: "auto" }, text)),
      ...(likes > 0 ? [element("span.last-likes", { role: "img", "aria-label": words.likes(likes) }, `♥ ${short(likes)}`)] : [])));
  const content = rows.length > 0 ? element("ol.ranks", {}, ...rows) : element("p.nobody", {}, words.noWishes(timeOf(wishes.sinceMs)));
  sheet.open(words.lastWishes, words.since(timeOf(wishes.sinceMs)), [content]);
}

export const wishIcon = () =>
  drawing('<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M4 5.500C4 4.700 4.700 4 5.500 4h13c.8 0 1.500.7 1.500 1.500v9c0 .8-.7 1.500-1.500 1.500H11l-4.500 4v-4h-1C4.700 16 4 15.300 4 14.500z" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/><path d="M12 13c-2.600-1.700-3.700-3-3.700-4.300 0-1 .8-1.700 1.800-1.700.8 0 1.500.4 1.900 1 .4-.6 1.100-1 1.900-1 1 0 1.800.7 1.800 1.700 0 1.300-1.100 2.600-3.700 4.300z" fill="currentColor"/></svg>');
