import { LiveRoom } from "./liveRoom.js";
import { RoomStreams } from "./roomStreams.js";

/** @import { StreamOptions } from "./commandStream.js" */

/**
 * Follows rooms. Events, each a CustomEvent whose `detail` has the `roomId`:
 *
 * - `snapshot`: `room.screen` was told anew, whole.
 * - `command` (`command`): it was due and is in `room.screen` now.
 * - `result` (`result`): what a grab of `user` gave.
 * - `state` (`state`, and `rooms` rather than one): how their stream is, see StreamState.
 */
export class Flyscreen extends EventTarget {
  /** @type {Map<string, LiveRoom>} */
  #rooms = new Map();
  /** @type {string[]} */
  #wanted = [];
  #isPaused = false;

  /** @param {StreamOptions & {lagMs?: number}} [options] */
  constructor({ lagMs = 0, ...options } = {}) {
    super();
    this.lagMs = lagMs;
    this.streams = new RoomStreams(
      {
        snapshot: (snapshot) => this.#rooms.get(snapshot.roomId)?.reset(snapshot),
        command: (command) => this.#rooms.get(command.roomId)?.receive(command),
        result: (result) => this.#tell("result", { roomId: result.roomId, result }),
        state: (state, detail) => this.#tell("state", { state, ...detail }),
      },
      options);
  }

  /**
   * These rooms from now on, and no others. What is known of those that stay is kept.
   * @param {string[]} roomIds the most wanted first: the one on screen, its neighbours, theirs. Where a gateway has too
   *   few rooms for a stream, or each needs its own, the last ones are known once they come further to the front
   */
  follow(roomIds) {
    this.#wanted = [...roomIds];
    for (const [roomId, room] of this.#rooms) {
      if (roomIds.includes(roomId)) continue;
      room.close();
      this.#rooms.delete(roomId);
    }
    for (const roomId of roomIds) {
      if (this.#rooms.has(roomId)) continue;
      const room = new LiveRoom(roomId, {
        lagMs: this.lagMs,
        onCommand: (command) => this.#tell("command", { roomId, room, command }),
        onReset: () => this.#tell("snapshot", { roomId, room }),
      });
      this.#rooms.set(roomId, room);
    }
    if (!this.#isPaused) this.streams.follow(roomIds);
  }

  /**
   * @param {string} roomId
   * @returns {LiveRoom | undefined} of a room that is followed
   */
  room(roomId) {
    return this.#rooms.get(roomId);
  }

  /** The network is back, say, or somebody asks for it: no need to wait any longer; and what was refused may not be. */
  retryNow() {
    this.streams.retryNow();
  }

  /** Gives the connection back: nobody looks. What is known of the rooms is kept, and gets old. */
  pause() {
    this.#isPaused = true;
    this.streams.close();
  }

  /** Somebody looks again: every room is told anew. */
  resume() {
    this.#isPaused = false;
    this.streams.follow(this.#wanted);
  }

  close() {
    this.follow([]);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
