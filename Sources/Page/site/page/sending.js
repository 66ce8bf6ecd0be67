import { presents } from "./giftArt.js";
import { newId } from "./outbox.js";

/** @import { Outbox } from "./outbox.js" */
/** @import { Viewer } from "./viewer.js" */

const COMBO = 12;
const COMBO_RHYTHM_MS = 180;
const FLOOD = 42;
const FLOOD_RHYTHM_MS = 70;
/** A tap is a like by when it comes; what comes much later is another. */
const TAP_GOOD_MS = 1500;

const crowd = ["阿花", "小明", "Mia ✨", "星星⭐", "月半弯", "Élodie", "さくら", "민지", "Lucky7", "追光者", "海盐芝士", "Mr. Fox 🦊"];

/**
 * What this viewer does, as events for the gateway.
 */
export class Sending {
  /** The gift that combos are made of: the last one that was chosen. */
  present = presents[0];

  /**
   * @param {Outbox} outbox
   * @param {Viewer} viewer
   * @param {() => string | undefined} roomId of the room on screen
   */
  constructor(outbox, viewer, roomId) {
    this.outbox = outbox;
    this.viewer = viewer;
    this.roomId = roomId;
  }

  gift(present = this.present) {
    this.present = present;
    this.#send(this.#giftOf(this.#sender, present));
  }

  /** The same gift again and again, in the rhythm of a thumb. */
  combo() {
    const [roomId, present] = [this.roomId(), this.present];
    for (let i = 0; i < COMBO; i += 1) {
      setTimeout(() => this.#send(this.#giftOf(this.#sender, present), roomId), i * COMBO_RHYTHM_MS);
    }
  }

  /** As if everybody sent something at once. Where a token names the viewer, it is all theirs. */
  flood() {
    const roomId = this.roomId();
    for (let i = 0; i < FLOOD; i += 1) {
      const name = crowd[Math.floor(Math.random() * crowd.length)];
      const sender = this.outbox.token ? this.#sender : { userId: `crowd-${crowd.indexOf(name)}`, name, avatarUrl: "" };
      const present = presents[Math.floor(presents.length * Math.random() ** 1.7)];
      setTimeout(() => this.#send(this.#giftOf(sender, present), roomId), i * FLOOD_RHYTHM_MS);
    }
  }

  /** @param {string} text */
  wish(text) {
    this.#send({ wish: { sender: this.#sender, text, style: "", wishId: newId() } });
  }

  likeWish(wishId) {
    this.#send({ wishLike: { userId: this.viewer.userId, wishId } });
  }

  /** @param {{x: number, y: number}} point thousandths of the stage */
  tap({ x, y }) {
    this.#send({ tap: { userId: this.viewer.userId, x, y } }, this.roomId(), TAP_GOOD_MS);
  }

  /** @param {{rainId: string, packet: number}} packet */
  grab({ rainId, packet }) {
    this.#send({ rainGrab: { rainId, packet, userId: this.viewer.userId } });
  }

  rain() {
    this.#send({ rainStart: { rainId: `rain-${newId().slice(0, 8)}`, durationMs: 12_000, perSecond: 4, countdown: 3, budget: 300, winEvery: 2 } });
  }

  get #sender() {
    const { userId, name, avatarUrl } = this.viewer;
    return { userId, name, avatarUrl };
  }

  #giftOf(sender, present) {
    return { gift: { sender, ...present, count: 1 } };
  }

  #send(body, roomId = this.roomId(), withinMs = Infinity) {
    const [kind] = Object.keys(body);
    if (this.viewer.kinds.has(kind) && roomId !== undefined) this.outbox.send(roomId, body, { withinMs });
  }
}

