import { nameOf } from "../client/names.js";
import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { giftArt } from "./giftArt.js";
import { short, timeOf, words } from "./words.js";

/** @import { Senders } from "./senders.js" */
/** @import { Sheet } from "./sheet.js" */

const MOST = 50;

/**
 * The ranking of a room's senders, on a sheet.
 * @param {Sheet} sheet
 * @param {Senders} senders
 */
export function openRanking(sheet, senders) {
  const people = senders.ranking(MOST);
  const rows = people.map(({ sender, gifts, coins, isLate }, place) =>
    element(
      `li.rank${place < 3 ? `.is-${place + 1}` : ""}`, { "data-user": sender.userId },
      element("span.rank-place", {}, String(place + 1)),
      avatar(sender),
      element(
        "div.rank-who", {}, element("span.rank-name", { dir: "auto" }, nameOf(sender)),
        element("span.rank-gifts", {}, `×${short(gifts)}${isLate ? ` · ${words.since("")}` : ""}`)),
      element("b.rank-coins", {}, short(coins))));
  const { crowds, sinceMs } = senders;
  if (crowds.gifts > 0) {
    rows.push(element(
      "li.rank", {}, element("span.rank-place", {}, "+"),
      element("div.rank-who", {}, element("span.rank-name", {}, words.inCrowds), element("span.rank-gifts", {}, `×${short(crowds.gifts)}`)), element("b.rank-coins", {}, short(crowds.coins))));
  }
  const content = rows.length > 0 ? element("ol.ranks", {}, ...rows) : element("p.nobody", {}, giftArt("box"), words.nobody(timeOf(sinceMs)));
  sheet.open(words.ranking, words.since(timeOf(sinceMs)), [content]);
}
