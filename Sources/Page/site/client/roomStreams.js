import { CommandStream } from "./commandStream.js";

/** @typedef {import("./commandStream.js").StreamHandler} StreamHandler */
/** @typedef {import("./commandStream.js").StreamOptions} StreamOptions */
/** @typedef {import("./commandStream.js").StreamState} StreamState */

/** Streams at a time where each room has its own: over HTTP/1.1 a browser has six connections to a host. */
const MOST_APART = 3;

/**
 * Streams for a set of rooms that changes: one for all of them, or one for each where no single gateway has them all.
 *
 * The stream before goes on, when the set changes, until the new one has told every room; a room is told by one stream
 * at a time, and changes over with the snapshot of the new one, so nothing is missed between them.
 */
export class RoomStreams {
  /** @type {{stream: CommandStream, rooms: string[]}[]} the newest last */
  #streams = [];
  /** @type {Map<string, CommandStream>} who tells a room */
  #teller = new Map();
  /** @type {string[]} the most wanted first */
  #wanted = [];
  /** @type {string[]} as many of them as may be followed at a time */
  #rooms = [];
  #most = Infinity;
  #eachApart = false;
  /** Whether rooms are asked for again and again, since there can be no streams. */
  #polls = false;

  /**
   * @param {StreamHandler & {state?: (state: StreamState, detail: object) => void}} handler
   * @param {StreamOptions} [options]
   */
  constructor(handler, options = {}) {
    this.handler = handler;
    this.options = options;
    if (options.polls) [this.#polls, this.#eachApart, this.#most] = [true, true, MOST_APART];
  }

  /**
   * Follows these rooms from now on, and no others.
   * @param {string[]} rooms the most wanted first: a gateway, or a browser, may not have enough for all
   */
  follow(rooms) {
    this.#wanted = [...new Set(rooms)];
    const before = this.#rooms;
    this.#rooms = this.#wanted.slice(0, this.#most);
    if (this.#rooms.length === before.length && this.#rooms.every((room) => before.includes(room))) return;
    if (this.#rooms.length === 0) return this.close();
    for (const room of this.#teller.keys()) if (!this.#rooms.includes(room)) this.#teller.delete(room);
    if (this.#eachApart) {
      this.#closeAll((one) => !this.#rooms.includes(one.rooms[0]));
      for (const room of this.#rooms) if (!this.#streams.some((one) => one.rooms[0] === room)) this.#open([room]);
    } else {
      // A stream that was overtaken before it told anything is of no use.
      this.#closeAll((one) => this.#streams.length > 1 && !this.#tells(one));
      this.#open(this.#rooms);
    }
  }

  close() {
    this.#wanted = this.#rooms = [];
    this.#teller.clear();
    this.#closeAll(() => true);
  }

  /** Streams that wait connect now, and those that were refused ask again. */
  retryNow() {
    for (const { stream } of this.#streams) stream.retryNow();
    const isRefused = ({ stream }) => stream.state === "refused";
    if (!this.#streams.some(isRefused)) return;
    this.#closeAll(isRefused);
    this.#followAnew();
  }

  /** The gateway has answered something else. */
  wake() {
    for (const { stream } of this.#streams) stream.wake();
  }

  /** There is another token. */
  renew() {
    for (const { stream } of this.#streams) stream.renew();
    this.retryNow();
  }

  #followAnew() {
    this.#rooms = [];
    this.follow(this.#wanted);
  }

  /** @param {string[]} rooms */
  #open(rooms) {
    const one = { rooms, stream: /** @type {any} */ (null) };
    one.stream = new CommandStream(
      rooms,
      {
        snapshot: (snapshot) => {
          const { roomId } = snapshot;
          if (!this.#rooms.includes(roomId) || this.#isOlder(one, this.#teller.get(roomId))) return;
          this.#teller.set(roomId, one.stream);
          this.handler.snapshot(snapshot);
          // Those before that tell no room any more have been followed by this one.
          if (!this.#eachApart) this.#closeAll((other) => this.#isOlder(other, one.stream) && !this.#tells(other));
        },
        command: (command) => this.#teller.get(command.roomId) === one.stream && this.handler.command(command),
        result: (result) => this.handler.result?.(result),
        pace: (pace) => this.handler.pace?.(pace, rooms.filter((room) => this.#teller.get(room) === one.stream)),
        polls: () => void ([this.#polls, this.#eachApart, this.#most] = [true, true, MOST_APART]),
        state: (state, detail) => this.#hear(one, state, detail),
      },
      { ...this.options, polls: this.#polls });
    this.#streams.push(one);
  }

  #tells(one) {
    return [...this.#teller.values()].includes(one.stream);
  }

  /** @param {CommandStream | undefined} stream */
  #isOlder(one, stream) {
    return this.#streams.indexOf(one) < this.#streams.findIndex((other) => other.stream === stream);
  }

  #hear(one, state, detail) {
    const isNewest = one === this.#streams.at(-1);
    // The gateway answers one, so the others connect now.
    if (state === "open") for (const { stream } of this.#streams) if (stream !== one.stream) stream.wake();
    if (state === "elsewhere") {
      [this.#eachApart, this.#most] = [true, MOST_APART];
      this.#teller.clear();
      this.#closeAll(() => true);
      this.#followAnew();
    } else if (state === "refused" && detail.status === 400 && one.rooms.length > 1 && isNewest) {
      // It takes fewer rooms at a time: the most wanted ones, then.
      this.#most = Math.max(1, one.rooms.length - 2);
      this.#followAnew();
    } else if (isNewest || this.#eachApart) {
      this.handler.state?.(state, { ...detail, rooms: one.rooms });
    }
  }

  /** @param {(one: any) => boolean} which */
  #closeAll(which) {
    const leaving = this.#streams.filter(which);
    this.#streams = this.#streams.filter((one) => !leaving.includes(one));
    for (const { stream } of leaving) stream.close();
  }
}
