import { Air } from "./air.js";
import { CrowdBar } from "./crowdBar.js";
import { element } from "./element.js";
import { GiftLanes } from "./giftLanes.js";
import { Goals } from "./goals.js";
import { Moments } from "./moments.js";
import { Pins } from "./pins.js";
import { RainBoard } from "./rainBoard.js";
import { RedPackets } from "./redPackets.js";
import { isQuiet, isWatched, only } from "./stage.js";
import { WishTracks } from "./wishTracks.js";
import { short } from "./words.js";

/** @import { Command, Skipped } from "../client/commands.js" */

// Kinds of commands are told apart here: what draws each, and its place. What is a line of words stands here, too.

/**
 * Draws commands of some kinds, and passes over others. `keep` takes away whatever a snapshot doesn't have.
 * @typedef {{node: HTMLElement, apply: (command: Command) => void, keep: (commands: Command[]) => void, clear: () => void}} Drawer
 */

/** Whether the page's address asks for this part of a room. @param {string} part */
const isAsked = (part) => only?.includes(part) ?? true;

/**
 * All that draws a room's commands, but for hearts: a viewer's own are thrown without one.
 * @param {() => number} now log time, as it is shown
 * @param {() => number} staleAfterMs the span of a snapshot
 * @param {{canLike: boolean, canGrab: boolean}} viewer
 */
export function drawersOf(now, staleAfterMs, viewer) {
  const air = new Air("of-all");
  const wishes = new WishTracks(now, viewer);
  const packets = new RedPackets(air, now, viewer);
  const board = new RainBoard(now);
  const moments = new Moments(now);
  moments.onFill = (isFilled) => board.giveWay(isFilled);
  /** Lines above the lanes, from the top down, and whether they are asked for. @type {[Drawer, boolean][]} */
  const lines = [[new CrowdBar(), isAsked("gifts")], [new SkipNote(now), !isWatched]];
  lines.forEach(([{ node }], i) => node.style.setProperty("--line", String(lines.length - 1 - i)));
  /** From the lowest layer to the one on top. @type {[Drawer, boolean][]} */
  const all = [
    [wishes, isAsked("wishes")],
    [new Goals(now, staleAfterMs), isAsked("goals")],
    [new Pins(now), isAsked("pins")],
    [new GiftLanes(now), isAsked("gifts")],
    ...lines,
    [packets, isAsked("rain")],
    [moments, isAsked("moments") && !isQuiet],
    [board, isAsked("rain")],
  ];
  return {
    air, wishes, packets, board, moments,
    // Packets fall above wishes and below all else that is read. Those that are open are drawn by their buttons.
    nodes: all.flatMap(([{ node }]) => (node === wishes.node ? [node, air.node] : [node])),
    drawers: all.filter(([, isAsked]) => isAsked).map(([drawer]) => drawer),
  };
}

const SKIPS_STAY_MS = 2600;

/** The reasons that are told. Items that were taken back, or came when the room ended, need no note. */
const TOLD = new Set(["overflow", "expired"]);

/** The gifts and wishes that a flood brought beyond what a screen can show, counted. */
class SkipNote {
  #units = { gift: 0, wish: 0 };
  #timer = 0;

  /** @param {() => number} now log time, as it is shown */
  constructor(now) {
    this.now = now;
    this.node = element("p.line.skips", { hidden: true });
  }

  /** @param {Command} command */
  apply({ atMs, skipped }) {
    if (skipped && TOLD.has(skipped.reason) && this.now() - atMs < SKIPS_STAY_MS) this.#tell(skipped);
  }

  /** It goes by itself, unless the room is over. @param {Command[]} commands */
  keep(commands) {
    if (commands.length > 0 && commands.every(({ roomEnd }) => roomEnd)) this.clear();
  }

  clear() {
    clearTimeout(this.#timer);
    this.#units = { gift: 0, wish: 0 };
    this.node.hidden = true;
  }

  /** @param {Skipped} skipped */
  #tell({ stage, units }) {
    this.#units[stage] = (this.#units[stage] ?? 0) + units;
    const { gift, wish } = this.#units;
    const parts = [gift > 0 && `+${short(gift)} 🎁`, wish > 0 && `+${short(wish)} 💬`];
    this.node.textContent = parts.filter(Boolean).join("   ");
    this.node.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clear(), SKIPS_STAY_MS);
  }
}
