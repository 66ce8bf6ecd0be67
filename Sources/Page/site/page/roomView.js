import { Screen } from "../client/screen.js";
import { Air } from "./air.js";
import { avatar } from "./avatar.js";
import { element } from "./element.js";
import { Hearts } from "./hearts.js";
import { drawersOf } from "./kinds.js";
import { LastWishes, wishIcon } from "./lastWishes.js";
import { isReduced } from "./motion.js";
import { scene } from "./scene.js";
import { Senders } from "./senders.js";
import { isQuiet, isWatched, only } from "./stage.js";
import { Turns } from "./turns.js";
import { words } from "./words.js";

/** A room in which nothing has happened for so long is quiet. */
const QUIET_MS = 60_000;

/** @import { LiveRoom } from "../client/liveRoom.js" */
/** @import { Command } from "../client/commands.js" */

/**
 * A room as a viewer sees it. Only while it is awake does it draw; a neighbour sleeps, and wakes from what its screen
 * shows by then, without a word from the network.
 */
export class RoomView {
  isAwake = false;
  likes = 0;
  #isCleared = false;
  #isAway = false;
  #headTimer = 0;
  #lifeTimer = 0;
  /** The time by this machine's clock when something last happened in the room. */
  #livedAt = -Infinity;
  /** @type {"live" | "quiet" | "stalled" | "away" | "ended"} */
  #life = "quiet";
  /** Points of this viewer's own, that come back in a burst and have been drawn by then. @type {string[]} */
  #ownPoints = [];

  /**
   * @param {string} roomId
   * @param {() => LiveRoom | undefined} room
   * @param {{canLike: boolean, canGrab: boolean}} viewer
   * @param {{openRanking: () => void, openWishes: () => void, onLikes: () => void, onLife: () => void, onDrawn: () => void, goNext: () => void, hasNext: () => boolean}} acts
   */
  constructor(roomId, room, viewer, acts) {
    this.roomId = roomId;
    this.room = room;
    this.acts = acts;
    const now = () => room()?.nowMs ?? 0;
    const place = scene(roomId);
    this.tint = place.tint;
    this.senders = new Senders();
    const { air, wishes, packets, board, moments, nodes, drawers } = drawersOf(now, () => room()?.screen.staleAfterMs ?? 0, viewer);
    Object.assign(this, { air, wishes, packets, board, moments, drawers });
    this.ownAir = new Air("of-own");
    this.hearts = new Hearts(air);
    this.ownHearts = new Hearts(this.ownAir);
    this.turns = new Turns((command) => this.#draw(command), () => acts.onDrawn());
    this.lastWishes = new LastWishes();
    this.overTitle = element("h3");
    this.overNote = element("p");
    this.next = element("button.room-next", { type: "button", "data-target": "control", onclick: () => acts.goNext() }, words.nextRoom);
    this.over = element("div.room-over", { hidden: true, role: "status" }, this.overTitle, this.overNote, this.next);
    this.life = element("span.live", { "data-life": "quiet" }, words.quiet);
    this.faces = element("span.faces");
    this.head = element(
      "header.room-head", {},
      element(
        "div.room-name", {},
        avatar({ userId: roomId, name: roomId.replace(/^[^\p{L}\p{N}\p{Emoji}]+/u, "") || "?", avatarUrl: "" }),
        element(
          "div.room-title", {},
          element("h2", {}, element("bdi", {}, roomId)),
          element("p", {}, this.life))),
      element("button.wish-list", { type: "button", disabled: isWatched, "data-target": "control", "aria-label": words.lastWishes, onclick: () => acts.openWishes() }, wishIcon()),
      element("button.ranking", { type: "button", disabled: isWatched, "data-target": "control", "aria-label": words.ranking, onclick: () => acts.openRanking() }, this.faces));
    this.hud = element("div.hud", {}, this.head, ...nodes, this.over);
    this.node = element(
      "article.room.is-away", { "data-room": roomId, "aria-label": roomId, inert: true },
      place.node, element("div.scrim"), board.sky, this.hud, this.ownAir.node);
    this.node.style.setProperty("--tint", place.tint);
    this.node.style.setProperty("--glow", place.glow);
  }

  /** @param {number} width @param {number} height pixels */
  resize(width, height) {
    this.node.style.setProperty("--stage-height", `${height}px`);
    this.node.style.setProperty("--stage-width", `${width}px`);
    for (const part of [this.air, this.ownAir, this.packets, this.moments]) part.resize(width, height);
    this.wishes.resize(width);
  }

  /** Draws the room as it is by now. */
  wake() {
    if (this.isAwake) return;
    this.isAwake = true;
    this.node.classList.remove("is-away");
    const screen = this.room()?.settle();
    if (screen) for (const command of screen.snapshot.commands) this.#draw(command);
    this.#drawHead();
    this.#drawLife();
  }

  sleep() {
    if (!this.isAwake) return;
    this.isAwake = false;
    this.node.classList.add("is-away");
    clearTimeout(this.#lifeTimer);
    this.turns.drop();
    for (const drawer of [...this.drawers, this.hearts, this.ownHearts, this.air, this.ownAir]) drawer.clear();
  }

  /** A new snapshot has come: nodes that are still right stay as they are. */
  reset() {
    const { commands } = this.room().screen.snapshot;
    const { past } = this.room();
    this.senders.begin(past, commands);
    this.lastWishes.begin(past);
    for (const command of past ? [] : commands) {
      if (command.wishFly) this.lastWishes.add(command.wishFly);
    }
    if (commands.length > 0) this.#livedAt = performance.now();
    if (!this.isAwake) return;
    this.#drawLife();
    this.turns.drop();
    for (const drawer of this.drawers) drawer.keep(commands);
    for (const command of commands) this.#draw(command);
    this.#drawHeadSoon();
  }

  /** @param {Command} command that is due */
  apply(command) {
    if (this.senders.apply(command)) this.#drawHeadSoon();
    if (command.likeBurst) this.likes += command.likeBurst.count;
    if (command.wishFly) this.lastWishes.add(command.wishFly);
    else if (command.wishLikes) this.lastWishes.like(command.wishLikes);
    else if (command.wishGone) this.lastWishes.remove(command.wishGone.wishId);
    else if (command.retracted) this.lastWishes.takeBack(command.retracted);
    this.#livedAt = performance.now();
    if (this.isAwake) this.turns.add(command);
    if (command.roomEnd) this.#end();
    else if (this.#life !== "live" || !this.over.hidden) this.#drawLife();
  }

  /** @param {import("../client/commands.js").Result} result @returns {boolean} whether the viewer sees its packet */
  answer(result) {
    this.board.answer(result);
    return this.packets.answer(result);
  }

  /** Items were over, since no command told of them any more. */
  dropStale() {
    if (!this.isAwake) return;
    this.turns.finish();
    this.#keepShown();
    this.#drawLife();
  }

  #keepShown() {
    const { commands } = this.room().screen.snapshot;
    for (const drawer of this.drawers) drawer.keep(commands);
  }

  /** This viewer's tap is a like: its heart is thrown at once. @param {{x: number, y: number}} point */
  throwOwn(point) {
    this.ownHearts.throw([point], { isOwn: true });
    this.#ownPoints.push(`${point.x} ${point.y}`);
    if (this.#ownPoints.length > 64) this.#ownPoints.shift();
  }

  /** Whether no stream tells of it. @param {boolean} isAway */
  set isAway(isAway) {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    this.#drawLife();
  }

  get isCleared() {
    return this.#isCleared;
  }

  /** Clears the stage of everything but the room, or brings it back. */
  set isCleared(isCleared) {
    this.#isCleared = isCleared;
    this.hud.inert = isCleared;
    this.shift(isCleared ? 1 : 0, true);
  }

  /** @param {number} share of the stage's width that everything is moved to the right @param {boolean} settles */
  shift(share, settles) {
    this.hud.classList.toggle("is-settling", settles && !isReduced());
    this.hud.style.transform = share > 0 ? `translateX(${Math.min(1, share) * 100}%)` : "";
    this.hud.style.opacity = share >= 1 ? "0" : "";
  }

  #draw(command) {
    for (const drawer of this.drawers) drawer.apply(command);
    if (command.likeBurst) {
      const isOver = (this.room()?.nowMs ?? 0) - command.atMs >= Screen.burstMs;
      if (!isOver && !isQuiet && (only?.includes("likes") ?? true)) this.hearts.throw(command.likeBurst.points.filter((point) => !this.#isOwn(point)));
      this.acts.onLikes();
    }
  }

  /** The room has ended, as far as this log tells of it: what stays is another's. Its past begins anew. */
  #end() {
    const { past } = this.room();
    this.senders.begin(past, []);
    this.lastWishes.begin(past);
    this.#drawHeadSoon();
    this.turns.finish();
    if (this.isAwake) this.#keepShown();
    if (this.isAwake && this.#isOver) this.hearts.clear();
    this.#drawLife();
  }

  /** Whether it has ended on all that it was shown from. */
  get #isOver() {
    const screen = this.room()?.screen;
    return screen?.isEnded === true && screen.snapshot.commands.every(({ roomEnd }) => roomEnd);
  }

  /** LIVE stands where something lives: a room may be quiet, or over until something comes. */
  #drawLife() {
    const isQuiet = performance.now() - this.#livedAt > QUIET_MS;
    const isStalled = this.room()?.screen.isStalled === true;
    const life = this.#isOver ? "ended" : this.#isAway ? "away" : isStalled ? "stalled" : isQuiet ? "quiet" : "live";
    clearTimeout(this.#lifeTimer);
    if (life === "live" && this.isAwake) this.#lifeTimer = setTimeout(() => this.#drawLife(), QUIET_MS);
    this.#drawOver(life);
    if (life === this.#life) return;
    this.#life = life;
    this.life.textContent = words[life === "stalled" ? "quiet" : life === "away" ? "offline" : life];
    this.life.dataset.life = life;
    this.acts.onLife();
  }

  /** Words in the middle: that the room has ended or stands still, or that nothing is known of it. @param {string} life */
  #drawOver(life) {
    const isUnheardOf = life !== "away" && this.#livedAt === -Infinity && this.room()?.isKnown === true && !this.room().past;
    this.over.hidden = life !== "ended" && life !== "stalled" && !isUnheardOf;
    if (this.over.hidden) return;
    // Whoever sets up what is only looked at sees whether the room is the right one.
    const [title, note] = life === "ended" ? [words.endedNote, ""] : life === "stalled" ? words.stalled : isWatched ? [words.unheardOf[0], this.roomId] : words.unheardOf;
    this.overTitle.textContent = title;
    this.overNote.textContent = note;
    this.next.hidden = isWatched || life !== "ended" || !this.acts.hasNext();
  }

  /** Whether it has ended, and nothing has come since. */
  get hasEnded() {
    return this.#life === "ended";
  }

  #isOwn({ x, y }) {
    const place = this.#ownPoints.indexOf(`${x} ${y}`);
    if (place >= 0) this.#ownPoints.splice(place, 1);
    return place >= 0;
  }

  /** Faces change at their leisure: in a flood everything else comes first. */
  #drawHeadSoon() {
    if (this.#headTimer || !this.isAwake) return;
    this.#headTimer = setTimeout(() => {
      this.#headTimer = 0;
      if (this.isAwake) this.#drawHead();
    }, 600);
  }

  #drawHead() {
    const best = this.senders.ranking(3).map(({ sender }) => sender);
    const key = best.map(({ userId }) => userId).join("\n");
    if (this.faces.dataset.key === key) return;
    this.faces.dataset.key = key;
    this.faces.replaceChildren(...best.map((one) => avatar(one)));
  }
}
