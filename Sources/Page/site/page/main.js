import { Flyscreen } from "../flyscreen.js";
import { Announcer } from "./announcer.js";
import { loadCatalogue } from "./catalogue.js";
import { feel } from "./comboButton.js";
import { Controls } from "./controls.js";
import { Deck } from "./deck.js";
import { Desk } from "./desk.js";
import { Directory } from "./directory.js";
import { Fingers } from "./fingers.js";
import { giftArt } from "./giftArt.js";
import { HostToken } from "./hostToken.js";
import { openWishes } from "./lastWishes.js";
import { onReducedChange } from "./motion.js";
import { OwnWishNotes } from "./ownWishNotes.js";
import { openRanking } from "./ranking.js";
import { RoomView } from "./roomView.js";
import { Sending } from "./sending.js";
import { Sheet } from "./sheet.js";
import { Sound } from "./sound.js";
import { fitStage, hasSound, isOverlay, isTouched, isWatched, mayTouch, only, PARTS, placeOnStage } from "./stage.js";
import { StatusPill } from "./statusPill.js";
import { answerTouches } from "./touches.js";
import { troubleOf } from "./trouble.js";
import { whoLooks } from "./viewer.js";
import { direction, words } from "./words.js";

const HIDDEN_MS = 20_000;
/** An overlay, over a broadcast, says nothing of trouble that passes within this time. */
const OVERLAY_PATIENCE_MS = 5000;
/** A turn of the wheel by this much is the next room; then the wheel rests for this long. */
const WHEEL_STEP = 60;
const WHEEL_REST_MS = 420;

// The first token says who the viewer is; a reload keeps it.
const host = new HostToken((isFirst) => (isFirst ? location.reload() : flyscreen.renewToken()));
if (host.mayRenew && host.current === undefined) await host.provide({ renew: true });
const named = (new URLSearchParams(location.search).get("rooms") ?? "").split(",").filter((room) => room !== "");

document.documentElement.lang = words.tag;
document.documentElement.dir = direction;
loadCatalogue();
fitStage();
const [phone, roomsNode, waiting] = ["phone", "rooms", "waiting"].map((id) => document.getElementById(id));
phone.setAttribute("aria-label", words.page);

const viewer = whoLooks(host.current);
const flyscreen = new Flyscreen({
  token: host.provide, user: viewer.mayAskResults ? viewer.userId : undefined,
  sender: { userId: viewer.userId, name: viewer.name, avatarUrl: viewer.avatarUrl },
});
const status = new StatusPill({ retry: () => retryNow() });
const announcer = new Announcer();
phone.append(status.node, announcer.node);
const deck = new Deck(roomsNode, {
  make: (roomId) => {
    const view = new RoomView(roomId, () => flyscreen.room(roomId), viewer, {
      openRanking: () => openRanking(sheet, deck.current.senders),
      openWishes: () => openWishes(sheet, deck.current.lastWishes),
      onLikes: () => controls.showLikes(deck.current?.likes ?? 0),
      onLife: () => showEnd(),
      onDrawn: () => showRain(),
      goNext: () => deck.go(1),
      hasNext: () => deck.rooms.length > 1,
    });
    if (flyscreen.room(roomId)?.isKnown) view.reset();
    return view;
  },
  follow: (rooms) => flyscreen.follow(rooms),
  onSwitch: () => {
    document.title = `${deck.current.roomId} · Flyscreen`;
    showTrouble();
    controls.combo.hide();
    controls.isCleared = deck.current.isCleared;
    showEnd();
    controls.showLikes(deck.current.likes);
    ownWishes.show(flyscreen.ownWishes(deck.current.roomId));
    desk.showRooms(deck.rooms, deck.current.roomId);
    desk.learn(flyscreen.room(deck.current.roomId)?.screen.snapshot.commands ?? []);
    phone.style.setProperty("--tint", deck.current.tint);
    document.body.style.setProperty("--tint", deck.current.tint);
  },
});
/** Nothing can be sent to a room that has ended. */
function showEnd() {
  phone.classList.toggle("has-ended", deck.current?.hasEnded ?? false);
}
/** Status codes of the gateway's answers, by room, and that of the list of rooms. @type {Map<string, number>} */
const answers = new Map();
let listAnswer = 200;
/** When a room's stream went away, by this machine's clock. @type {Map<string, number>} */
const lostAt = new Map();
let patience = 0;
/** A room that is known is on screen, with a line above it where something is wrong; else there are words alone. */
function showTrouble() {
  const room = deck.current?.roomId;
  const token = { hasToken: host.current !== undefined, hasEnded: host.hasEnded, mayRenew: host.mayRenew };
  const isNothing = only?.length === 0;
  const trouble = isNothing ? { title: words.noPart[0], note: `${words.noPart[1]} ${PARTS.join(", ")}`, mayRetry: false }
    : troubleOf(room === undefined ? listAnswer : (answers.get(room) ?? 200), token);
  // An overlay has no line above it: after a while the words stand beside what it shows.
  const patienceMs = isOverlay && trouble ? (lostAt.get(room) ?? NaN) + OVERLAY_PATIENCE_MS - performance.now() : NaN;
  clearTimeout(patience);
  if (patienceMs > 0) patience = setTimeout(showTrouble, patienceMs);
  const isSeen = !(patienceMs <= 0) && room !== undefined && !isNothing && (flyscreen.room(room)?.isKnown || !trouble || (trouble.mayRetry && !isOverlay));
  waiting.hidden = isSeen;
  waiting.querySelector("h2").textContent = trouble?.title ?? words.waiting;
  waiting.querySelector("p").textContent = trouble?.note ?? words.waitingNote;
  controls.node.hidden = !isSeen;
  const line = answers.get(room) === 0 ? words.reconnecting : trouble?.title;
  status.setTrouble((isSeen && trouble && line) || "", trouble ?? {});
  for (const view of deck.views) view.isAway = (answers.get(view.roomId) ?? 200) !== 200;
}
const sending = new Sending(flyscreen, viewer, {
  roomId: () => deck.current?.roomId,
  hasEnded: (roomId) => deck.view(roomId)?.hasEnded ?? false,
  onGift: (present, count) => {
    controls.combo.start(giftArt(present.giftId), count);
    feel(12);
  },
  isNamed: () => host.current !== undefined,
  onFailed: ({ error, mayHaveArrived }) => status.say(
    error === "no_result" ? words.noResult
      : ["kind_not_allowed", "forbidden"].includes(error) ? words.notAllowed
        : mayHaveArrived ? words.unanswered : words.failed),
});
const sheet = new Sheet(phone, (isOpen) => (roomsNode.inert = controls.node.inert = isOpen));
const sound = new Sound();
if (hasSound) sound.toggle();
const controls = new Controls(phone, { sending, sheet, sound, like: () => like(), wish: (text) => wish(text) });
const [left, right] = ["desk-left", "desk-right"].map((id) => document.getElementById(id));
const desk = new Desk(left, right, (roomId) => {
  const step = deck.rooms.indexOf(roomId) < deck.rooms.indexOf(deck.current?.roomId) ? -1 : 1;
  deck.show(roomId, step);
});
const ownWishes = new OwnWishNotes();
controls.node.prepend(ownWishes.node);
const directory = new Directory({
  rooms: named,
  token: () => host.provide({ renew: false }),
  onAnswer: (status) => {
    listAnswer = status;
    // A gateway that lists rooms streams them, too.
    if (status === 200) flyscreen.wake();
  },
  onRooms: (rooms) => {
    deck.setRooms(rooms);
    desk.showRooms(deck.rooms, deck.current?.roomId);
    showTrouble();
  },
  onKinds: (kinds) => {
    if (!mayTouch || kinds.every((kind) => viewer.kinds.has(kind))) return;
    viewer.kinds = new Set([...viewer.kinds, ...kinds]);
    controls.enable(viewer.kinds);
    for (const [target, may] of [["wish", viewer.canLike], ["packet", viewer.canGrab]]) {
      if (may) for (const button of roomsNode.querySelectorAll(`button[data-target=${target}]:disabled`)) button.disabled = false;
    }
  },
});

// Events of the stream.

flyscreen.addEventListener("snapshot", ({ detail: { roomId, room } }) => {
  deck.view(roomId)?.reset();
  if (roomId === deck.current?.roomId) desk.learn(room.screen.snapshot.commands);
});
flyscreen.addEventListener("command", ({ detail: { roomId, room, command, lateMs } }) => {
  const view = deck.view(roomId);
  view?.apply(command);
  if (view !== deck.current) return;
  const { goalId } = command.goalShow ?? command.goalCount ?? {};
  const reached = goalId && room.screen.goals.find(({ show, reachedAtMs }) => show.goalId === goalId && reachedAtMs === command.atMs);
  announcer.hear(command, lateMs, reached);
  sound.hear(command, lateMs, Boolean(reached));
  desk.hear(command);
});
flyscreen.addEventListener("stale", ({ detail: { roomId } }) => deck.view(roomId)?.dropStale());
flyscreen.addEventListener("result", ({ detail: { roomId, result } }) => {
  const isSeen = deck.view(roomId)?.answer(result);
  if (isSeen && result.outcome === "won") feel([20, 40, 30]);
});
flyscreen.addEventListener("state", ({ detail: { state, rooms, status: code } }) => {
  if (state === "closed" || state === "connecting") return;
  // A stream that broke says nothing of the gateway: status 200 and no stream is one that is away for now.
  const answer = state === "open" ? 200 : code === 200 ? 0 : (code ?? 0);
  for (const room of rooms) {
    answers.set(room, answer);
    if (state === "open") lostAt.delete(room);
    else if (!lostAt.has(room)) lostAt.set(room, performance.now());
  }
  showTrouble();
  // The list of rooms hears first that the gateway is back.
  if (state === "waiting") directory.askSoon();
});
flyscreen.addEventListener("wishes", ({ detail: { roomId } }) => {
  if (roomId === deck.current?.roomId) ownWishes.show(flyscreen.ownWishes(roomId));
});
flyscreen.addEventListener("untold", ({ detail: { error } }) => error.status && error.status !== 429 && sending.acts.onFailed(error));
flyscreen.addEventListener("busy", () => status.say(words.busy));

// Fingers, wheels and keys.

/** Fades the buttons at the side while packets fall, and lets taps through to the packets. */
function showRain() {
  phone.classList.toggle("is-raining", deck.current?.packets.isRaining ?? false);
}
setInterval(showRain, 1000);

/** Sends a like, whose heart comes at a random place above the middle. */
function like() {
  if (deck.current?.hasEnded) return;
  const point = { x: 330 + Math.floor(Math.random() * 340), y: 440 + Math.floor(Math.random() * 200) };
  deck.current?.throwOwn(point);
  sending.like(point);
}

/** @param {string} text */
async function wish(text) {
  const end = await sending.wish(text);
  if (end === "skipped") status.say(words.wishSkipped);
  else if (end === "unknown") status.say(words.unanswered);
}

/** @param {{x: number, y: number}} place pixels of the stage @returns {{x: number, y: number}} thousandths of the stage */
function onStage(place) {
  const { x, y } = inRoom(place);
  const share = (part) => Math.min(999, Math.max(0, Math.floor(part * 1000)));
  return { x: share(x / roomsNode.clientWidth), y: share(y / roomsNode.clientHeight) };
}

/** Pixels from the corner of the window, as pixels from that of the room. */
function inRoom({ x, y }) {
  const box = roomsNode.getBoundingClientRect();
  const corner = placeOnStage({ clientX: box.x, clientY: box.y });
  return { x: x - corner.x, y: y - corner.y };
}

/** The button of the packet that falls past a place. */
function packetAt(place) {
  const room = deck.current;
  return room?.packets.isRaining && !room.isCleared ? room.packets.under(inRoom(place)) : null;
}

function clear(isCleared) {
  if (!deck.current || deck.current.isCleared === isCleared) return;
  deck.current.isCleared = controls.isCleared = isCleared;
  if (isCleared) announcer.say(words.cleared);
}

/**
 * A phone that lies on its side is held by both thumbs, which slip: there a swipe that switches rooms goes half of the
 * way down.
 */
function isSwitch({ dy }) {
  const { clientWidth, clientHeight } = roomsNode;
  return clientWidth <= clientHeight || clientHeight > 520 || Math.abs(dy) > clientHeight / 2;
}

/** @param {import("./gestures.js").Gesture} gesture @returns {boolean | void} true: a heart flies */
function act(gesture) {
  const room = deck.current;
  if (!room) return;
  if (gesture.kind === "tap") {
    const what = gesture.target?.dataset.target;
    const wishId = what === "wish" && room.wishes.like(gesture.target);
    const packet = what === "packet" && room.packets.open(gesture.target);
    if (wishId) sending.likeWish(wishId);
    else if (packet) sending.grab(packet).then((result) => result ?? room.packets.giveUp(packet));
    else if (!what && !room.hasEnded) {
      const point = onStage(gesture);
      if (!sending.tap(point, gesture.t)) return false;
      room.throwOwn(point);
      return true;
    }
  } else if (gesture.axis === "y") {
    if (gesture.kind === "drag") deck.drag(gesture.dy);
    else if (gesture.swipe && deck.rooms.length > 1 && isSwitch(gesture)) deck.go(gesture.swipe === "up" ? 1 : -1);
    else deck.release();
  } else {
    const share = gesture.dx / roomsNode.clientWidth + (room.isCleared ? 1 : 0);
    if (gesture.kind === "drag") return room.shift(Math.max(0, share), false);
    if (gesture.swipe === "right") clear(true);
    else if (gesture.swipe === "left") clear(false);
    room.shift(room.isCleared ? 1 : 0, true);
  }
}

// A television is only looked at, and an overlay but for `touch`.
if (mayTouch) new Fingers(roomsNode, isTouched ? (gesture) => void (gesture.kind === "tap" && act(gesture)) : act, packetAt);
if (isTouched) answerTouches(packetAt, act);

let [turned, restUntil] = [0, 0];
if (!isOverlay) addEventListener("wheel", (event) => {
  if (sheet.isOpen || event.ctrlKey || event.target.closest(".desk-side")) return;
  if (event.timeStamp < restUntil) return void (restUntil = Math.max(restUntil, event.timeStamp + 120));
  turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
  if (Math.abs(turned) < WHEEL_STEP) return;
  deck.go(Math.sign(turned));
  [turned, restUntil] = [0, event.timeStamp + WHEEL_REST_MS];
}, { passive: true });

if (!isOverlay) addEventListener("keydown", (event) => {
  if (sheet.isOpen || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  const acts = {
    ArrowDown: () => deck.go(1), PageDown: () => deck.go(1), ArrowUp: () => deck.go(-1), PageUp: () => deck.go(-1),
    ArrowRight: () => clear(true), ArrowLeft: () => clear(false), ...(isWatched ? {} : { l: like }),
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
function pauseLater() {
  clearTimeout(longHidden);
  longHidden = setTimeout(() => flyscreen.pause(), HIDDEN_MS);
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    deck.current?.sleep();
    pauseLater();
  } else {
    clearTimeout(longHidden);
    flyscreen.resume();
    flyscreen.retryNow();
    deck.current?.wake();
  }
});
// A page that is left may be kept to come back to, with its connections.
addEventListener("pagehide", () => flyscreen.pause());
addEventListener("pageshow", (event) => event.persisted && flyscreen.resume());
// A frozen page's stream stalls, and would stall on for a while: it begins anew.
document.addEventListener("freeze", () => flyscreen.pause());
document.addEventListener("resume", () => {
  flyscreen.resume();
  if (document.hidden) pauseLater();
});
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
