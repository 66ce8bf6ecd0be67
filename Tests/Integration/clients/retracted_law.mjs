// What is taken back is on no screen, in no past and in no list of a viewer who was there, or comes later: random logs, as the
// engine decided them (Schemas/vectors).
import { readdirSync, readFileSync } from "node:fs";
import { expect, report, SITE } from "./scripted.mjs";

// The lists draw nothing here, but their modules look at a page.
Object.assign(globalThis, { document: new EventTarget(), navigator: { languages: ["en"] } });
const { LiveRoom } = await import(`${SITE}/client/liveRoom.js`);
const { LastWishes } = await import(`${SITE}/page/lastWishes.js`);
const { Senders } = await import(`${SITE}/page/senders.js`);

/** A room as the page keeps it, with its lists. */
class Viewer {
  senders = new Senders();
  wishes = new LastWishes();

  constructor(snapshot) {
    this.room = new LiveRoom(snapshot.roomId, { localNow: () => 0, onCommand: (command) => this.#hear(command) });
    this.room.reset(snapshot);
    this.senders.begin(snapshot.past, snapshot.commands);
    this.wishes.begin(snapshot.past);
  }

  /** As RoomView.apply. */
  #hear(command) {
    this.senders.apply(command);
    if (command.wishFly) this.wishes.add(command.wishFly);
    else if (command.wishGone) this.wishes.remove(command.wishGone.wishId);
    else if (command.retracted) this.wishes.takeBack(command.retracted);
    if (command.roomEnd) {
      this.senders.begin(this.room.past, []);
      this.wishes.begin(this.room.past);
    }
  }

  /** What a gateway would tell who comes now. */
  get snapshot() {
    const givers = this.senders.ranking(20).map(({ sender, gifts, coins }) => ({ sender, gifts, coins }));
    const wishes = this.wishes.all.slice(0, 20).map((fly) => ({ atMs: 0, ...fly }));
    return { ...this.room.screen.snapshot, past: { sinceMs: 0, givers, crowds: { gifts: 0, coins: 0, told: [] }, wishes } };
  }

  /** Everything that has an id or a user: [id, user]. */
  get there() {
    const { gifts, banners, pins, goals, spot } = this.room.screen;
    const { past } = this.room;
    return [
      ...gifts.filter(({ leavesMs }) => leavesMs === null).map(({ show }) => [show.comboId, show.sender.userId]),
      ...banners.map(({ fly }) => [fly.wishId, fly.sender.userId]),
      ...pins.map(({ show }) => [show.pinId, show.sender.userId]), ...goals.map(({ show }) => [show.goalId, ""]),
      ...(spot ? [[spot.show.spotId, spot.show.sender.userId], [spot.show.comboId, ""]] : []),
      ...past.wishes.map(({ wishId, sender }) => [wishId, sender.userId]), ...past.givers.map(({ sender }) => ["", sender.userId]),
      ...this.wishes.all.map(({ wishId, sender }) => [wishId, sender.userId]), ...this.senders.ranking().map(({ sender }) => ["", sender.userId]),
    ];
  }
}

/** The ids, and the users, that were taken back and have not come again. */
class TakenBack {
  #ids = new Set();
  #users = new Set();

  hear({ retracted, wishFly, giftShow, spotShow, pinShow, goalShow }) {
    const { userId = "", ...ids } = retracted ?? {};
    for (const id of Object.values(ids)) if (id) this.#ids.add(id);
    if (userId) this.#users.add(userId);
    const came = wishFly ?? giftShow ?? spotShow ?? pinShow ?? goalShow;
    if (!came) return;
    this.#ids.delete(wishFly?.wishId ?? giftShow?.comboId ?? spotShow?.spotId ?? pinShow?.pinId ?? goalShow?.goalId);
    this.#users.delete(came.sender?.userId);
  }

  of(there) {
    return there.filter(([id, user]) => this.#ids.has(id) || this.#users.has(user));
  }
}

const vectors = new URL("../../../Schemas/vectors/", import.meta.url);
for (const name of readdirSync(vectors)) {
  const text = readFileSync(new URL(`${name}/commands.ndjson`, vectors), "utf8");
  if (!text.includes('"retracted":')) continue;
  const past = { sinceMs: 0, givers: [], crowds: { gifts: 0, coins: 0, told: [] }, wishes: [] };
  /** By room: its commands in groups, each what came of one thing. */
  const rooms = new Map();
  for (const command of text.split("\n").filter(Boolean).map((line) => JSON.parse(line))) {
    const groups = rooms.get(command.roomId) ?? [];
    const key = `${command.id.slice(0, command.id.lastIndexOf("/"))} ${command.atMs}`;
    if (groups.at(-1)?.key === key) groups.at(-1).commands.push(command);
    else groups.push({ key, commands: [command] });
    rooms.set(command.roomId, groups);
  }
  for (const [roomId, groups] of rooms) {
    const taken = new TakenBack();
    const viewers = [new Viewer({ roomId, nowMs: 0, commands: [], past })];
    room: for (const [place, { key, commands }] of groups.entries()) {
      // Of those who come late the last one is watched.
      if (place % 7 === 0) viewers.splice(1, 1, new Viewer(viewers[0].snapshot)).forEach(({ room }) => room.close());
      for (const command of commands) {
        taken.hear(command);
        for (const { room } of viewers) room.receive(command);
      }
      const isRetract = commands.some(({ retracted }) => retracted);
      for (const [number, viewer] of viewers.entries()) {
        const left = taken.of(viewer.there);
        if (isRetract || left.length > 0) expect(`${name}, ${roomId}, after ${key}, viewer ${number}`, left, []);
        // One is enough.
        if (left.length > 0) break room;
      }
    }
    for (const { room } of viewers) room.close();
  }
}

report();
