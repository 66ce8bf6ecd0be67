import { nameOf } from "../client/names.js";
import { nameOfGift } from "./giftArt.js";
import { words } from "./words.js";

/** @import { Command } from "../client/commands.js" */

const MOST = 100;
/** Words that people chose turn nothing around them, whichever way they are read. */
const isolate = (words) => `\u2068${words}\u2069`;

/** Commands of a room in words, by the languages' `log`: a number that pops says whose it is. */
export class Sentences {
  /** @type {Map<string, string>} senders of combos, by combo */
  #names = new Map();

  /** @param {Command} command @returns {string} empty for a kind that is not known here */
  of(command) {
    const { log } = words;
    const kind = Object.keys(log).find((kind) => typeof command[kind] === "object");
    if (!kind) return "";
    const body = command[kind];
    const { sender, comboId, giftId, giftName, text } = body;
    const isRefresh = kind === "giftShow" && this.#names.has(comboId);
    if (kind === "giftShow") this.#learn(comboId, sender);
    const name = sender ? nameOf(sender) : this.#names.get(comboId) ?? "…";
    const gift = giftId ? isolate(nameOfGift(giftId, giftName)) : "";
    return log[isRefresh ? "giftRefresh" : kind](text ? { ...body, text: isolate(text) } : body, { name: isolate(name), gift });
  }

  #learn(comboId, sender) {
    this.#names.set(comboId, nameOf(sender));
    if (this.#names.size > MOST) this.#names.delete(this.#names.keys().next().value);
  }
}
