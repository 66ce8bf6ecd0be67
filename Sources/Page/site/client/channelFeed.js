/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Snapshot} Snapshot */

/** So many of the last pushes are kept. */
const MOST = 1000;

/**
 * A room by a channel of the platform's own, which pushes commands (CLIENTS.md, "Bring your own channel").
 * `Tests/ClientCases/feeds.json` has the cases.
 */
export class ChannelFeed {
  /** Whether nothing is missing between the snapshot and what was pushed since. */
  isJoined = false;
  /** What was pushed since the subscription: a snapshot may come that lacks it. @type {Command[]} */
  #pushed = [];

  /** @param {import("./liveRoom.js").LiveRoom} room */
  constructor(room) {
    this.room = room;
  }

  /** A subscription stands, the first or another: what was pushed before may have been lost. */
  subscribed() {
    [this.#pushed, this.isJoined] = [[], false];
  }

  /** @param {Command} command */
  push(command) {
    if (this.#pushed.length === MOST) this.#pushed.splice(0, MOST / 2);
    this.#pushed.push(command);
    if (this.room.isKnown) this.room.receive(command);
  }

  /** @param {Snapshot} snapshot with its `position` */
  reset(snapshot) {
    this.room.reset(snapshot);
    // All of a room's commands come in one order. A snapshot that has the first that was pushed has all before.
    this.isJoined = this.#pushed.length === 0 || !this.room.screen.isNew(this.#pushed[0]);
    for (const command of this.#pushed) this.room.receive(command);
  }
}
