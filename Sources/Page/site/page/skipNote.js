import { element } from "./element.js";
import { short } from "./words.js";

/** @import { Skipped } from "../client/commands.js" */

const STAYS_MS = 2600;

/** The reasons that are told. Items that were taken back, or came when the room ended, need no note. */
const TOLD = new Set(["overflow", "expired"]);

/**
 * The gifts and wishes that a flood brought beyond what a screen can show, counted.
 */
export class SkipNote {
  #units = { gift: 0, wish: 0 };
  #timer = 0;

  constructor() {
    this.node = element("p.skips", { hidden: true });
  }

  /** @param {Skipped} skipped */
  tell({ stage, reason, units }) {
    if (!TOLD.has(reason)) return;
    this.#units[stage] = (this.#units[stage] ?? 0) + units;
    const { gift, wish } = this.#units;
    const parts = [gift > 0 && `+${short(gift)} 🎁`, wish > 0 && `+${short(wish)} 💬`];
    this.node.textContent = parts.filter(Boolean).join("   ");
    this.node.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clear(), STAYS_MS);
  }

  clear() {
    clearTimeout(this.#timer);
    this.#units = { gift: 0, wish: 0 };
    this.node.hidden = true;
  }
}
