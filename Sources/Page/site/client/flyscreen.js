import { addressOf } from "./address.js";
import { ChannelFeed } from "./channelFeed.js";
import { Grabs } from "./grabs.js";
import { LiveRoom } from "./liveRoom.js";
import { newId, Outbox } from "./outbox.js";
import { OwnWishes } from "./ownWishes.js";
import { RoomStreams } from "./roomStreams.js";
import { report } from "./surroundings.js";
import { Taps } from "./taps.js";
import { askForToken } from "./token.js";

/** @typedef {import("./commandStream.js").StreamOptions} StreamOptions */
/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Point} Point */
/** @typedef {import("./commands.js").Result} Result */
/** @typedef {import("./commands.js").Snapshot} Snapshot */
/** @typedef {import("./outbox.js").Delivery} Delivery */
/** @typedef {import("./ownWishes.js").OwnWish} OwnWish */
/** @typedef {import("./ownWishes.js").WishEnd} WishEnd */

/** @typedef {import("./commandStream.js").StreamState} StreamState */
/** @typedef {import("./events.js").EventBody} EventBody */
/** @typedef {import("./token.js").Signal} Signal */
/** @typedef {import("./events.js").Gift} Gift */
/** @typedef {import("./events.js").EventSender} EventSender */

/**
 * The events of a Flyscreen, by name:
 *
 * - `screen`: `room.screen` is another: by a snapshot, by commands, or since something on it ended by time; once for all that
 *   came at a time. `room.view` is what it shows now, in an object that never changes.
 * - `snapshot`: `room.screen` was told anew, whole.
 * - `command`: it was due and is in `room.screen` now. `lateMs`: how long ago, as after a break: what is over by then neither
 *   sounds nor moves any more.
 * - `stale`: items of `room.screen` were over, since no command told of them any more, or none told of its pins and goals
 *   (`screen.isStalled`).
 * - `result`: what a grab of `user` gave, each once.
 * - `wishes`: this viewer's wishes that don't fly yet (`ownWishes`) are others now.
 * - `state`: how the stream of these rooms is.
 * - `untold`: likes of this viewer's were not taken, or not in time; the next tell of them, too.
 * - `busy`: the gateway asks this viewer to slow down.
 *
 * @typedef {object} FlyscreenEvents
 * @property {{roomId: string, room: LiveRoom}} screen
 * @property {{roomId: string, room: LiveRoom}} snapshot
 * @property {{roomId: string, room: LiveRoom, command: Command, lateMs: number}} command
 * @property {{roomId: string, room: LiveRoom}} stale
 * @property {{roomId: string, result: Result}} result
 * @property {{roomId: string}} wishes
 * @property {{rooms: string[], state: StreamState, status?: number, retryInMs?: number, error?: Error}} state
 * @property {{roomId: string, error: import("./outbox.js").SendError}} untold
 * @property {{}} busy
 */

/**
 * An event of one name; without a name, any of them: `type` tells which.
 * @template {keyof FlyscreenEvents} [Name=keyof FlyscreenEvents]
 * @typedef {{[Each in Name]: {readonly type: Each, readonly detail: FlyscreenEvents[Each]}}[Name]} FlyscreenEvent
 */

/** Where an event of a viewer's says whose it is. @type {Record<string, "sender" | "userId">} */
const SAYS_WHO = { gift: "sender", wish: "sender", wishLike: "userId", tap: "userId", taps: "userId", rainGrab: "userId" };

/**
 * Follows rooms, tells what happens in them (FlyscreenEvents), and sends what a viewer does.
 *
 * An event is tried again with one `eventId`, as long as that may help and its time is not over (half a minute; a second
 * for a tap). Then, or when the gateway refuses it, its promise fails with a SendError. The sender is the token's
 * `sub`; without a token, the option `sender`.
 */
export class Flyscreen {
  /** By the name of their events. @type {Map<string, Map<(event: any) => void, {once?: boolean}>>} */
  #listeners = new Map();
  /** @type {Map<string, LiveRoom>} */
  #rooms = new Map();
  /** @type {string[]} */
  #wanted = [];
  #isPaused = false;
  /** Rooms that a channel tells, rather than a stream; null: streams do. @type {Map<string, ChannelFeed> | null} */
  #feeds;
  /** Rooms that a stream tells now. @type {Set<string>} */
  #told = new Set();
  /** This viewer's taps, by room. @type {Map<string, Taps>} */
  #taps = new Map();
  /** Results that were told, the last few. @type {Set<string>} */
  #toldResults = new Set();
  #lagMs;
  #options;
  #outbox;
  #wishes;
  #grabs;
  #streams;

  /**
   * @param {StreamOptions & {lagMs?: number, sender?: EventSender, isFed?: boolean}} [options]
   *   `lagMs`: how far behind the log rooms are shown, in place of what the gateway tells; `sender`: who this viewer is, by
   *   default `user`; `isFed`: no stream is opened, since a channel of the platform's own pushes commands (`feed`)
   */
  constructor({ lagMs, sender, isFed = false, ...options } = {}) {
    this.#feeds = isFed ? new Map() : null;
    this.#lagMs = lagMs;
    this.#options = options;
    /** This viewer. */
    this.sender = { userId: options.user ?? "", name: "", avatarUrl: "", ...sender };
    this.#outbox = new Outbox({
      ...options,
      onBusy: () => this.#tell("busy", {}),
      onHeard: () => this.wake(),
    });
    this.#wishes = new OwnWishes((roomId) => this.#tell("wishes", { roomId }), (roomId) => this.#rooms.get(roomId)?.logMs ?? NaN, (roomId) => this.#told.has(roomId));
    this.#grabs = new Grabs((roomId) => this.#results(roomId));
    this.#streams = new RoomStreams(
      {
        snapshot: (snapshot) => this.#hearSnapshot(snapshot),
        command: (command) => this.#rooms.get(command.roomId)?.receive(command),
        result: (result) => this.#hearResult(result),
        pace: (pace, rooms) => rooms.forEach((room) => this.#rooms.get(room)?.pace(pace)),
        state: (state, detail) => this.#hearState(/** @type {FlyscreenEvents["state"]} */ ({ state, ...detail })),
      },
      options);
  }

  /**
   * Calls `listener` with what each event of this name tells.
   * @template {keyof FlyscreenEvents} Name
   * @param {Name} name
   * @param {(detail: FlyscreenEvents[Name]) => void} listener
   * @returns {() => void} no more
   */
  on(name, listener) {
    /** @param {FlyscreenEvent<Name>} event */
    const hear = ({ detail }) => listener(detail);
    this.addEventListener(name, hear);
    return () => this.removeEventListener(name, hear);
  }

  /**
   * The same as an EventTarget has it, which not all surroundings have.
   * @template {keyof FlyscreenEvents} Name
   * @param {Name} type
   * @param {(event: FlyscreenEvent<Name>) => void} listener
   * @param {{once?: boolean, signal?: Signal}} [options]
   */
  addEventListener(type, listener, { once, signal } = {}) {
    if (signal?.aborted) return;
    const listeners = this.#listeners.get(type) ?? new Map();
    if (!listeners.has(listener)) listeners.set(listener, { once });
    this.#listeners.set(type, listeners);
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
  }

  /**
   * @template {keyof FlyscreenEvents} Name
   * @param {Name} type
   * @param {(event: FlyscreenEvent<Name>) => void} listener
   */
  removeEventListener(type, listener) {
    this.#listeners.get(type)?.delete(listener);
  }

  /**
   * Follows these rooms from now on, and no others. The screens of rooms that stay are kept.
   * @param {string[]} roomIds the most wanted first: the one on screen, its neighbours, theirs. Where a gateway has too
   *   few rooms for a stream, or each needs its own, the last ones are known once they come further to the front
   */
  follow(roomIds) {
    if (!Array.isArray(roomIds)) throw new TypeError("follow takes a list of rooms: [\"r1\"]");
    this.#wanted = [...roomIds];
    for (const [roomId, room] of this.#rooms) {
      if (roomIds.includes(roomId)) continue;
      room.close();
      this.#rooms.delete(roomId);
      this.#told.delete(roomId);
      this.#feeds?.delete(roomId);
      this.#taps.get(roomId)?.flush();
      this.#taps.delete(roomId);
    }
    for (const roomId of roomIds) {
      if (this.#rooms.has(roomId)) continue;
      const room = new LiveRoom(roomId, {
        lagMs: this.#lagMs,
        onCommand: (command) => {
          this.#wishes.hear(command);
          this.#tell("command", { roomId, room, command, lateMs: Math.max(0, room.nowMs - command.atMs) });
        },
        onStale: () => this.#tell("stale", { roomId, room }),
        onScreen: () => this.#tell("screen", { roomId, room }),
        onReset: () => {
          // Who hears of an end knows by then what may have flown before it.
          this.#wishes.hearPast(roomId, room.past);
          for (const command of room.screen.snapshot.commands) this.#wishes.hear(command);
          this.#tell("snapshot", { roomId, room });
        },
      });
      this.#rooms.set(roomId, room);
      this.#feeds?.set(roomId, new ChannelFeed(room));
    }
    if (!this.#isPaused && !this.#feeds) this.#streams.follow(roomIds);
  }

  /**
   * The channel's subscription to a room stands, the first or another: what was pushed before may have been lost. Get
   * `GET /rooms/{roomId}` now, and feed that.
   * @param {string} roomId
   */
  subscribed(roomId) {
    this.#told.delete(roomId);
    this.#feedOf(roomId)?.subscribed();
  }

  /**
   * A channel has pushed a command, or a result of this viewer's; or the gateway has told a snapshot.
   * @param {Command | Snapshot | Result} message
   * @returns {boolean} of its room, if that is followed, whether nothing is missing. False for a snapshot: it may be older than
   *   the subscription, so get another in a second
   */
  feed(message) {
    if ("outcome" in message) this.#hearResult(message);
    const feed = this.#feedOf(message.roomId);
    if (!feed) return false;
    if ("commands" in message) feed.reset(message);
    else if (!("outcome" in message)) feed.push(message);
    if (feed.isJoined) this.#told.add(message.roomId);
    return feed.isJoined;
  }

  /** @param {string} roomId */
  #feedOf(roomId) {
    if (!this.#feeds) throw new TypeError("rooms are fed only with the option isFed: true, which opens no streams");
    return this.#feeds.get(roomId);
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
    this.#streams.retryNow();
    this.#outbox.retryNow();
  }

  /** The gateway has answered something else: streams that wait for it connect now, unless it asked them to wait. */
  wake() {
    this.#streams.wake();
  }

  /** There is another token: streams go on with that, and those that were refused ask again. */
  renewToken() {
    this.#streams.renew();
  }

  /** Gives the connection back: nobody looks. What is known of the rooms is kept, and gets old. */
  pause() {
    this.#isPaused = true;
    for (const taps of this.#taps.values()) taps.flush();
    this.#told.clear();
    this.#streams.close();
  }

  /** Somebody looks again: every room is told anew. */
  resume() {
    this.#isPaused = false;
    if (!this.#feeds) this.#streams.follow(this.#wanted);
  }

  close() {
    this.follow([]);
  }

  // Events of this viewer.

  /**
   * Sends an event. What a viewer does is this one's if it doesn't say whose.
   * @param {string} roomId
   * @param {EventBody} body `{ tap: { x: 500, y: 500 } }`
   * @param {{withinMs?: number, eventId?: string}} [options] `withinMs`: after that it is over, half a minute at most (and if not
   *   told, but for a tap and a grab); `eventId`: counts once a minute, however often it is sent
   * @returns {Promise<Delivery>} once Kafka has it
   */
  send(roomId, body, options) {
    const [[kind, event] = [], another] = Object.entries(body);
    if (kind === undefined || another) throw new TypeError("an event has exactly one kind: { tap: { x: 500, y: 500 } }");
    const who = SAYS_WHO[kind];
    const mine = who && { [who]: who === "sender" ? this.sender : this.sender.userId };
    return this.#outbox.send(roomId, /** @type {EventBody} */ (mine ? { ...body, [kind]: { ...mine, ...event } } : body), options);
  }

  /**
   * Sends a gift, which `gateway.events.kinds` or the token must allow.
   * @param {string} roomId
   * @param {Gift} gift
   * @returns {Promise<Delivery>}
   */
  gift(roomId, gift) {
    return this.send(roomId, { gift: { count: 1, ...gift } });
  }

  /**
   * Makes a wish. Until it flies it is one of `ownWishes`.
   * @param {string} roomId
   * @param {string} text
   * @param {{style?: string, wishId?: string}} [options]
   * @returns {Promise<WishEnd>}
   */
  wish(roomId, text, { style = "", wishId = newId() } = {}) {
    const sent = this.send(roomId, { wish: { text, style, wishId } });
    return this.#wishes.add(roomId, { wishId, text, style }, sent);
  }

  /** @param {string} roomId @returns {OwnWish[]} this viewer's wishes that don't fly yet, the oldest first */
  ownWishes(roomId) {
    return this.#wishes.of(roomId);
  }

  /** @param {string} roomId @param {string} wishId */
  like(roomId, wishId) {
    return this.send(roomId, { wishLike: { wishId } });
  }

  /**
   * A finger touched the stage: two taps in quick succession are a like (STAGES.md, section 5). Likes are sent gathered, one
   * event a second; the next makes one good that is lost.
   * @param {string} roomId
   * @param {Point} point
   * @param {number} [atMs] `performance.now()` at that moment
   * @returns {boolean} whether it is a like: throw a heart then
   */
  tap(roomId, point, atMs) {
    return this.#tapsIn(roomId).tap(point, atMs);
  }

  /** A like by itself, as by a button. @param {string} roomId @param {Point} point where its heart is thrown */
  likeRoom(roomId, point) {
    this.#tapsIn(roomId).like(point);
  }

  /** @param {string} roomId */
  #tapsIn(roomId) {
    let taps = this.#taps.get(roomId);
    if (!taps) {
      taps = new Taps((run) => {
        this.send(roomId, { taps: run }).catch((error) => this.#tell("untold", { roomId, error }));
      });
      this.#taps.set(roomId, taps);
    }
    return taps;
  }

  /**
   * Opens a red packet. Its answer comes by the room's stream, which must be followed with `user`.
   * @param {string} roomId
   * @param {{rainId: string, packet: number}} packet
   * @returns {Promise<Result>} what it gave; fails with `no_result` if nothing is told of it within ten seconds
   */
  grab(roomId, { rainId, packet }) {
    const eventId = newId();
    const sent = this.send(roomId, { rainGrab: { rainId, packet } }, { eventId });
    return this.#grabs.wait(roomId, { rainId, packet, eventId }, sent);
  }

  /** @param {import("./commands.js").Snapshot} snapshot */
  #hearSnapshot(snapshot) {
    const room = this.#rooms.get(snapshot.roomId);
    if (!room) return;
    this.#told.add(snapshot.roomId);
    room.reset(snapshot);
  }

  /** @param {FlyscreenEvents["state"]} detail */
  #hearState(detail) {
    const { state, rooms } = detail;
    for (const room of rooms) {
      if (state === "open") this.#told.add(room);
      else if (state === "waiting" || state === "refused") this.#told.delete(room);
    }
    this.#tell("state", detail);
  }

  /** @param {Result} result */
  #hearResult(result) {
    this.#grabs.hear(result);
    // Streams that follow one another may tell the same.
    if (this.#toldResults.has(result.id)) return;
    this.#toldResults.add(result.id);
    if (this.#toldResults.size > 300) this.#toldResults.delete(this.#toldResults.values().next().value ?? "");
    this.#tell("result", { roomId: result.roomId, result });
  }

  /** @param {string} roomId @returns {Promise<Result[]>} the last of this viewer's in the room */
  async #results(roomId) {
    const { url = "", fetch = globalThis.fetch, user, token } = this.#options;
    if (!user) return [];
    const known = await askForToken(token);
    const address = `${addressOf(url)}/rooms/${encodeURIComponent(roomId)}/results?user=${encodeURIComponent(user)}`;
    const response = await fetch(address, { headers: known ? { Authorization: `Bearer ${known}` } : {}, cache: "no-store" });
    return response.ok ? (await response.json()).results : [];
  }

  /**
   * @template {keyof FlyscreenEvents} Name
   * @param {Name} type
   * @param {FlyscreenEvents[Name]} detail
   */
  #tell(type, detail) {
    for (const [listener, { once }] of [...(this.#listeners.get(type) ?? [])]) {
      // One that heard of it before may have removed the next.
      if (!this.#listeners.get(type)?.has(listener)) continue;
      if (once) this.#listeners.get(type)?.delete(listener);
      try {
        listener({ type, detail });
      } catch (error) {
        report(error);
      }
    }
  }
}
