import { Flyscreen } from "../flyscreen.js";
import { Announcer } from "./announcer.js";
import { Controls } from "./controls.js";
import { Deck } from "./deck.js";
import { Desk } from "./desk.js";
import { Directory } from "./directory.js";
import { Fingers } from "./fingers.js";
import { prepareGiftArt } from "./giftArt.js";
import { onReducedChange } from "./motion.js";
import { Outbox } from "./outbox.js";
import { openRanking } from "./ranking.js";
import { RoomView } from "./roomView.js";
import { Sending } from "./sending.js";
import { Sheet } from "./sheet.js";
import { StatusPill } from "./statusPill.js";
import { whoLooks } from "./viewer.js";
import { isChinese, words } from "./words.js";

/** What a command may take to come and still begin at its very moment: idle logs tell theirs a tenth of a second late. */
const LAG_MS = 160;
const HIDDEN_MS = 20_000;
/** How far a wheel is turned before the next room comes, and how long it then must rest. */
const WHEEL_STEP = 60;
const WHEEL_REST_MS = 420;

const address = new URLSearchParams(location.search);
const token = address.get("access_token") ?? undefined;
const named = (address.get("rooms") ?? "").split(",").filter((room) => room !== "");

document.documentElement.lang = isChinese ? "zh" : "en";
prepareGiftArt();
const [phone, roomsNode, waiting] = ["phone", "rooms", "waiting"].map((id) => document.getElementById(id));
phone.setAttribute("aria-label", words.page);
waiting.querySelector("h2").textContent = words.waiting;
waiting.querySelector("p").textContent = words.waitingNote;

const viewer = whoLooks(token);
const flyscreen = new Flyscreen({ token, user: viewer.mayAskResults ? viewer.userId : undefined, lagMs: LAG_MS });
const status = new StatusPill({ onTrouble: (isTrouble) => phone.classList.toggle("is-away", isTrouble), retry: () => retryNow() });
const announcer = new Announcer();
phone.append(status.node, announcer.node);
const outbox = new Outbox({ token, onTrouble: (trouble) => status.say(words[trouble]) });
const deck = new Deck(roomsNode, {
  make: (roomId) => {
    const view = new RoomView(roomId, () => flyscreen.room(roomId), viewer, {
      openRanking: () => openRanking(sheet, deck.current.senders),
      onLikes: () => controls.showLikes(deck.current?.likes ?? 0),
    });
    if (flyscreen.room(roomId)?.isKnown) view.reset();
    return view;
  },
  follow: (rooms) => flyscreen.follow(rooms),
  onSwitch: () => {
    waiting.hidden = true;
    document.title = `${deck.current.roomId} · Flyscreen`;
    showTrouble();
    controls.isCleared = deck.current.isCleared;
    controls.showLikes(deck.current.likes);
    desk.showRooms(deck.rooms, deck.current.roomId);
    phone.style.setProperty("--tint", deck.current.tint);
    document.body.style.setProperty("--tint", deck.current.tint);
  },
});
/** @type {Map<string, string>} what is wrong with a room's stream, empty if nothing is */
const troubles = new Map();
const showTrouble = () => status.setTrouble(troubles.get(deck.current?.roomId) ?? "");
const sending = new Sending(outbox, viewer, () => deck.current?.roomId);
const sheet = new Sheet(phone, (isOpen) => (roomsNode.inert = controls.node.inert = isOpen));
const controls = new Controls(phone, { sending, sheet, like: () => like() });
const [left, right] = ["desk-left", "desk-right"].map((id) => document.getElementById(id));
const desk = new Desk(left, right, (roomId) => {
  const step = deck.rooms.indexOf(roomId) < deck.rooms.indexOf(deck.current?.roomId) ? -1 : 1;
  deck.show(roomId, step);
});
const directory = new Directory({
  rooms: named,
  token,
  onRooms: (rooms) => {
    deck.setRooms(rooms);
    desk.showRooms(deck.rooms, deck.current?.roomId);
    waiting.hidden = deck.current !== null;
  },
  onKinds: (kinds) => {
    if (kinds.every((kind) => viewer.kinds.has(kind))) return;
    viewer.kinds = new Set([...viewer.kinds, ...kinds]);
    controls.enable(viewer.kinds);
    for (const [target, may] of [["wish", viewer.canLike], ["packet", viewer.canGrab]]) {
      if (may) for (const button of roomsNode.querySelectorAll(`button[data-target=${target}]:disabled`)) button.disabled = false;
    }
  },
});

// What the stream says.

flyscreen.addEventListener("snapshot", ({ detail }) => deck.view(detail.roomId)?.reset());
flyscreen.addEventListener("command", ({ detail: { roomId, command } }) => {
  const view = deck.view(roomId);
  view?.apply(command);
  if (view !== deck.current) return;
  announcer.hear(command);
  desk.hear(command);
});
flyscreen.addEventListener("result", ({ detail }) => deck.view(detail.roomId)?.answer(detail.result));
flyscreen.addEventListener("state", ({ detail: { state, rooms, status: code } }) => {
  const trouble = { open: "", refused: code === 404 ? words.noRoom : words.refused }[state] ?? words.reconnecting;
  if (state === "closed") return;
  for (const room of rooms) troubles.set(room, trouble);
  showTrouble();
});

// What fingers, wheels and keys say.

/** Each puts its heart at a place of its own, somewhere above the middle. */
function like() {
  const point = { x: 330 + Math.floor(Math.random() * 340), y: 440 + Math.floor(Math.random() * 200) };
  deck.current?.throwOwn(point);
  // Two taps are a like, one alone is not.
  sending.tap(point);
  sending.tap(point);
}

/** @param {{x: number, y: number}} place pixels @returns {{x: number, y: number}} thousandths of the stage */
function onStage({ x, y }) {
  const box = roomsNode.getBoundingClientRect();
  const share = (part) => Math.min(999, Math.max(0, Math.floor(part * 1000)));
  return { x: share((x - box.x) / box.width), y: share((y - box.y) / box.height) };
}

function clear(isCleared) {
  if (!deck.current || deck.current.isCleared === isCleared) return;
  deck.current.isCleared = controls.isCleared = isCleared;
  if (isCleared) announcer.say(words.cleared);
}

function act(gesture) {
  const room = deck.current;
  if (!room) return;
  if (gesture.kind === "tap") {
    const what = gesture.target?.dataset.target;
    const wishId = what === "wish" && room.wishes.like(gesture.target);
    const packet = what === "packet" && room.packets.open(gesture.target);
    if (wishId) sending.likeWish(wishId);
    else if (packet) sending.grab(packet);
    else if (!what) {
      const point = onStage(gesture);
      sending.tap(point);
      if (gesture.isLike) room.throwOwn(point);
    }
  } else if (gesture.axis === "y") {
    if (gesture.kind === "drag") deck.drag(gesture.dy);
    else if (gesture.swipe && deck.rooms.length > 1) deck.go(gesture.swipe === "up" ? 1 : -1);
    else deck.release();
  } else {
    const share = gesture.dx / roomsNode.clientWidth + (room.isCleared ? 1 : 0);
    if (gesture.kind === "drag") return room.shift(Math.max(0, share), false);
    if (gesture.swipe === "right") clear(true);
    else if (gesture.swipe === "left") clear(false);
    room.shift(room.isCleared ? 1 : 0, true);
  }
}

new Fingers(roomsNode, act);

let [turned, restUntil] = [0, 0];
addEventListener("wheel", (event) => {
  if (sheet.isOpen || event.ctrlKey || event.target.closest(".desk-side")) return;
  if (event.timeStamp < restUntil) return void (restUntil = Math.max(restUntil, event.timeStamp + 120));
  turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
  if (Math.abs(turned) < WHEEL_STEP) return;
  deck.go(Math.sign(turned));
  [turned, restUntil] = [0, event.timeStamp + WHEEL_REST_MS];
}, { passive: true });

addEventListener("keydown", (event) => {
  if (sheet.isOpen || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  const acts = {
    ArrowDown: () => deck.go(1), PageDown: () => deck.go(1), ArrowUp: () => deck.go(-1), PageUp: () => deck.go(-1),
    ArrowRight: () => clear(true), ArrowLeft: () => clear(false), l: like,
  };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  // A key that is held is one wish, not thirty a second.
  if (!event.repeat) acts[event.key]();
});

// The stage and the world around it.

new ResizeObserver(() => {
  for (const view of deck.views) view.resize(roomsNode.clientWidth, roomsNode.clientHeight);
}).observe(roomsNode);

/**
 * A page that nobody sees draws nothing, and after a while gives its connection back, of which a browser has but six to
 * a host; seen again, it draws what there is by then.
 */
let longHidden = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(longHidden);
  if (document.hidden) {
    deck.current?.sleep();
    longHidden = setTimeout(() => flyscreen.pause(), HIDDEN_MS);
  } else {
    flyscreen.resume();
    flyscreen.retryNow();
    deck.current?.wake();
  }
});
// A page that is left may be kept to come back to, with its connections.
addEventListener("pagehide", () => flyscreen.pause());
addEventListener("pageshow", (event) => event.persisted && flyscreen.resume());
function retryNow() {
  flyscreen.retryNow();
  directory.askNow();
}
addEventListener("online", retryNow);
onReducedChange(() => {
  deck.current?.sleep();
  deck.current?.wake();
});

/** For whoever looks from the console. */
globalThis.flyscreen = flyscreen;
