import { newId } from "../client/outbox.js";
import { presents } from "./catalogue.js";

/** @import { Flyscreen } from "../client/flyscreen.js" */
/** @import { Viewer } from "./viewer.js" */

const FLOOD = 42;
const FLOOD_RHYTHM_MS = 70;

const crowd = ["阿花", "小明", "Mia ✨", "星星⭐", "月半弯", "Élodie", "さくら", "민지", "Lucky7", "追光者", "海盐芝士", "Mr. Fox 🦊"];

/** The parts of a gift that an event has. @param {import("./catalogue.js").Present} present */
const bare = ({ giftId, giftName, value }) => ({ giftId, giftName, value });

/**
 * Sends this viewer's events, of the kinds that the gateway takes from them.
 */
export class Sending {
  /** The gift that combos are made of: the last one that was chosen, and how many at a time. */
  present = presents()[0];
  count = 1;

  /**
   * @param {Flyscreen} flyscreen
   * @param {Viewer} viewer
   * @param {{roomId: () => string | undefined, hasEnded: (roomId: string) => boolean, isNamed: () => boolean, onFailed: (error: any) => void,
   *   onGift: (present: import("./catalogue.js").Present, count: number) => void}} acts `roomId` of
   *   the room on screen; `hasEnded`: a room that takes nothing; `isNamed`: whether a token says who the viewer is; `onFailed`: something was not taken
   */
  constructor(flyscreen, viewer, acts) {
    this.flyscreen = flyscreen;
    this.viewer = viewer;
    this.acts = acts;
  }

  /** @param {import("./catalogue.js").Present} [present] @param {number} [count] */
  gift(present = this.present, count = this.count) {
    [this.present, this.count] = [present, count];
    if (!this.viewer.kinds.has("gift") || this.acts.hasEnded(this.acts.roomId())) return;
    this.acts.onGift(present, count);
    this.#send("gift", (roomId) => this.flyscreen.gift(roomId, { ...bare(present), count }));
  }

  /** Sends as a crowd would, at once. With a token all of it is this viewer's. */
  flood() {
    const roomId = this.acts.roomId();
    for (let i = 0; i < FLOOD; i += 1) {
      const name = crowd[Math.floor(Math.random() * crowd.length)];
      const sender = this.acts.isNamed() ? this.flyscreen.sender : { userId: `crowd-${crowd.indexOf(name)}`, name, avatarUrl: "" };
      const present = presents()[Math.floor(presents().length * Math.random() ** 1.7)];
      setTimeout(() => this.#send("gift", () => this.flyscreen.gift(roomId, { ...bare(present), sender }), roomId), i * FLOOD_RHYTHM_MS);
    }
  }

  /** @param {string} text @returns {Promise<import("../client/ownWishes.js").WishEnd | null>} null: it was not taken */
  wish(text) {
    return this.#send("wish", (roomId) => this.flyscreen.wish(roomId, text));
  }

  /** @param {string} wishId */
  likeWish(wishId) {
    this.#send("wishLike", (roomId) => this.flyscreen.like(roomId, wishId));
  }

  /** @param {{x: number, y: number}} point thousandths of the stage @param {number} atMs @returns {boolean} whether it is a like */
  tap(point, atMs) {
    const roomId = this.#likedRoom;
    return roomId !== undefined && this.flyscreen.tap(roomId, point, atMs);
  }

  /** @param {{x: number, y: number}} point thousandths of the stage */
  like(point) {
    const roomId = this.#likedRoom;
    if (roomId !== undefined) this.flyscreen.likeRoom(roomId, point);
  }

  /** The room on screen, if the viewer may like it. */
  get #likedRoom() {
    const roomId = this.acts.roomId();
    return this.viewer.kinds.has("taps") && roomId !== undefined && !this.acts.hasEnded(roomId) ? roomId : undefined;
  }

  /** @param {{rainId: string, packet: number}} packet */
  grab(packet) {
    return this.#send("rainGrab", (roomId) => this.flyscreen.grab(roomId, packet));
  }

  rain() {
    const rainStart = { rainId: `rain-${newId().slice(0, 8)}`, durationMs: 12_000, perSecond: 4, countdown: 3, budget: 300, winEvery: 2 };
    this.#send("rainStart", (roomId) => this.flyscreen.send(roomId, { rainStart }));
  }

  /**
   * Anything would make an ended room live again, for everybody.
   * @template T @param {string} kind @param {(roomId: string) => Promise<T>} send @returns {Promise<T | null>}
   */
  async #send(kind, send, roomId = this.acts.roomId()) {
    if (!this.viewer.kinds.has(kind) || roomId === undefined || this.acts.hasEnded(roomId)) return null;
    try {
      return await send(roomId);
    } catch (error) {
      this.acts.onFailed(error);
      return null;
    }
  }
}
