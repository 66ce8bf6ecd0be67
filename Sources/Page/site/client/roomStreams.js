import { CommandStream } from "./commandStream.js";

/** @import { StreamHandler, StreamOptions, StreamState } from "./commandStream.js" */

/**
 * Streams for a set of rooms that changes: one for all of them, or one for each where no single gateway has them all.
 *
 * When the set changes, the stream before goes on until the new one has told every room; a room is told by one stream
 * at a time, and changes over with the snapshot of the new one, so nothing is missed between them.
 */
export class RoomStreams {
  /** @type {{stream: CommandStream, rooms: string[], untold: Set<string>}[]} the newest last */
  #streams = [];
  /** @type {Map<string, CommandStream>} who tells a room */
  #teller = new Map();
  /** @type {string[]} */
  #rooms = [];
  #eachApart = false;

  /**
   * @param {StreamHandler & {state?: (state: StreamState, detail: object) => void}} handler
   * @param {StreamOptions} [options]
   */
  constructor(handler, options = {}) {
    this.handler = handler;
    this.options = options;
  }

  /**
   * Follows these rooms from now on, and no others.
   * @param {string[]} rooms
   */
  follow(rooms) {
    rooms = [...new Set(rooms)];
    if (rooms.join("\n") === this.#rooms.join("\n")) return;
    this.#rooms = rooms;
    if (rooms.length === 0) return this.close();
    for (const [room, teller] of this.#teller) {
      if (!rooms.includes(room)) this.#teller.delete(room);
      else if (!this.#streams.some(({ stream }) => stream === teller)) this.#teller.delete(room);
    }
    if (this.#eachApart) {
      for (const room of rooms) if (!this.#streams.some((one) => one.rooms.includes(room))) this.#open([room]);
      this.#closeAll((one) => !rooms.includes(one.rooms[0]));
    } else {
      // One that was overtaken before it told anything is of no use.
      this.#closeAll((one) => one.untold.size === one.rooms.length && this.#streams.length > 1);
      this.#open(rooms);
    }
  }

  close() {
    this.#rooms = [];
    this.#teller.clear();
    this.#closeAll(() => true);
  }

  retryNow() {
    for (const { stream } of this.#streams) stream.retryNow();
  }

  /** @param {string[]} rooms */
  #open(rooms) {
    const one = { rooms, untold: new Set(rooms), stream: /** @type {any} */ (null) };
    const tells = (roomId) => this.#teller.get(roomId) === one.stream;
    one.stream = new CommandStream(
      rooms,
      {
        snapshot: (snapshot) => {
          const { roomId } = snapshot;
          one.untold.delete(roomId);
          if (!this.#rooms.includes(roomId) || this.#isOlder(one, this.#teller.get(roomId))) return;
          this.#teller.set(roomId, one.stream);
          this.handler.snapshot(snapshot);
          if (one.untold.size === 0 && !this.#eachApart) this.#closeBefore(one);
        },
        command: (command) => tells(command.roomId) && this.handler.command(command),
        result: (result) => this.handler.result?.(result),
        state: (state, detail) => this.#hear(one, state, detail),
      },
      this.options);
    this.#streams.push(one);
  }

  #isOlder(one, teller) {
    const place = this.#streams.findIndex(({ stream }) => stream === teller);
    return place >= 0 && this.#streams.indexOf(one) < place;
  }

  #hear(one, state, detail) {
    if (state === "elsewhere" && one.rooms.length > 1) {
      this.#eachApart = true;
      this.#closeAll(() => true);
      for (const room of this.#rooms) this.#open([room]);
    } else if (state === "elsewhere") {
      // Behind a balancer another gateway may answer the next time.
      this.#streams.splice(this.#streams.indexOf(one), 1);
      this.handler.state?.("waiting", { ...detail, rooms: one.rooms });
      setTimeout(() => {
        if (this.#rooms.includes(one.rooms[0]) && !this.#streams.some((s) => s.rooms[0] === one.rooms[0])) {
          this.#open(one.rooms);
        }
      }, 1000 + 2000 * Math.random());
    } else if (one === this.#streams.at(-1) || this.#eachApart) {
      this.handler.state?.(state, { ...detail, rooms: one.rooms });
    }
  }

  #closeBefore(one) {
    this.#closeAll((other) => this.#streams.indexOf(other) < this.#streams.indexOf(one));
  }

  /** @param {(one: any) => boolean} which */
  #closeAll(which) {
    const leaving = this.#streams.filter(which);
    this.#streams = this.#streams.filter((one) => !leaving.includes(one));
    for (const { stream } of leaving) stream.close();
  }
}
