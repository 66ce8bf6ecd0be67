import { isReduced } from "./motion.js";

/** @import { RoomView } from "./roomView.js" */

const SLIDE_MS = 280;
/** The network hears of the rooms once nobody has switched for so long: who looks for a room passes many. */
const FOLLOW_MS = 150;
/** The number of lists in a row that don't name a room, after which it has ended. */
const MISSES = 6;

/**
 * The rooms, one above the other: the one on screen, and asleep and ready two above and two below, so that whoever
 * swipes on while the network still hears of the swipe before waits for nothing either.
 */
export class Deck {
  /** @type {string[]} */
  rooms = [];
  /** @type {RoomView | null} */
  current = null;
  /** @type {Map<string, RoomView>} */
  #views = new Map();
  /** @type {Map<string, number>} how many lists in a row haven't named a room */
  #misses = new Map();
  /** @type {Animation[]} */
  #slides = [];
  #settle = () => {};
  #timer = 0;
  /** The wait before the network hears; null: it has heard of none. @type {number | null} */
  #following = null;

  /**
   * @param {HTMLElement} node
   * @param {{make: (roomId: string) => RoomView, follow: (roomIds: string[]) => void, onSwitch: () => void}} acts
   */
  constructor(node, acts) {
    this.node = node;
    this.acts = acts;
  }

  /** @param {string} roomId @returns {RoomView | undefined} */
  view(roomId) {
    return this.#views.get(roomId);
  }

  get views() {
    return [...this.#views.values()];
  }

  /**
   * Rooms that are new come last: a viewer's way through them stays as it is. Those that have ended are taken out of it.
   * @param {string[]} rooms none: nobody knows
   */
  setRooms(rooms) {
    if (rooms.length === 0) return;
    this.#misses = new Map(this.rooms.map((room) => [room, rooms.includes(room) ? 0 : (this.#misses.get(room) ?? 0) + 1]));
    const staying = this.rooms.filter((room) => room === this.current?.roomId || this.#misses.get(room) < MISSES);
    const added = rooms.filter((room) => !this.rooms.includes(room));
    if (added.length === 0 && staying.length === this.rooms.length) return;
    this.rooms = [...staying, ...added];
    if (!this.current) this.show(this.rooms[0]);
    else this.#subscribe();
  }

  /** @param {number} step −1: the room above, 1: the one below */
  go(step) {
    const roomId = this.#beside(step);
    if (roomId !== null) this.show(roomId, step);
  }

  /**
   * Shows this room now; the network hears of it afterwards.
   * @param {string} roomId
   * @param {number} [step] from where it comes: below (1) or above (−1)
   */
  show(roomId, step = 0) {
    if (this.current?.roomId === roomId) return this.release();
    this.#settle();
    const [from, to] = [this.current, this.#viewOf(roomId)];
    to.wake();
    to.node.inert = false;
    if (from) from.node.inert = true;
    this.current = to;
    this.#slide(from, to, step);
    this.acts.onSwitch();
    this.#subscribe();
  }

  /** The finger has moved the rooms by so much. @param {number} dy pixels */
  drag(dy) {
    if (!this.current) return;
    const roomId = this.#beside(dy < 0 ? 1 : -1);
    if (this.#slides.length > 0) this.#settle();
    if (roomId === null) dy *= 0.25;
    else this.#viewOf(roomId);
    this.#place(this.current, dy);
    for (const view of this.#views.values()) {
      if (view === this.current) continue;
      if (view.roomId === roomId) {
        view.wake();
        this.#place(view, dy + (dy < 0 ? 1 : -1) * this.node.clientHeight);
      } else this.#putAway(view);
    }
  }

  /** The finger let go, and it was no swipe: back to where it was. */
  release() {
    if (!this.current || !this.current.node.style.transform) return;
    const nodes = this.views.filter((view) => view.isAwake);
    const offset = top(this.current);
    this.#slides = nodes.map((view) => {
      const target = top(view) - offset;
      const back = view.node.animate([{ transform: view.node.style.transform }, { transform: `translateY(${target}px)` }], {
        duration: isReduced() ? 1 : 200, easing: "ease-out",
      });
      return back;
    });
    this.#settleAfter();
  }

  #slide(from, to, step) {
    const height = this.node.clientHeight;
    const start = from?.node.style.transform ? top(from) : 0;
    if (!from || step === 0 || isReduced()) {
      if (from) this.#putAway(from);
      this.#place(to, 0);
      return;
    }
    const time = { duration: SLIDE_MS, easing: "cubic-bezier(.2, .8, .25, 1)" };
    this.#slides = [
      from.node.animate([{ transform: `translateY(${start}px)` }, { transform: `translateY(${-step * height}px)` }], time),
      to.node.animate([{ transform: `translateY(${start + step * height}px)` }, { transform: "none" }], time),
    ];
    this.#settleAfter();
  }

  /** Puts rooms that are not on screen to sleep, once nothing slides any more or something else begins. */
  #settleAfter() {
    let isDone = false;
    const slides = this.#slides;
    const settle = () => {
      if (isDone) return;
      isDone = true;
      for (const slide of slides) slide.cancel();
      this.#slides = [];
      for (const view of this.#views.values()) if (view !== this.current) this.#putAway(view);
      if (this.current) this.#place(this.current, 0);
    };
    this.#settle = settle;
    Promise.all(slides.map((slide) => slide.finished)).then(settle, () => {});
  }

  #place(view, y) {
    view.node.style.transform = y === 0 ? "" : `translateY(${y}px)`;
  }

  #putAway(view) {
    view.sleep();
    this.#place(view, 0);
  }

  /** @returns {string | null} the neighbour; below the last is the first */
  #beside(step) {
    const count = this.rooms.length;
    if (!this.current || count < 2) return null;
    return this.rooms[(this.rooms.indexOf(this.current.roomId) + step + 2 * count) % count];
  }

  /** The room on screen and those near it are followed, and soon have their views ready. */
  #subscribe() {
    const near = [1, -1, 2, -2].map((step) => this.#beside(step)).filter((room) => room !== null);
    const wanted = [...new Set([this.current.roomId, ...near])];
    clearTimeout(this.#following ?? 0);
    if (this.#following === null) this.acts.follow(wanted);
    this.#following = this.#following === null ? 0 : setTimeout(() => this.acts.follow(wanted), FOLLOW_MS);
    // A slide has no time to make a view.
    clearTimeout(this.#timer);
    if (this.#slides.length === 0) this.#prepare(wanted);
    else this.#timer = setTimeout(() => this.#prepare(wanted), SLIDE_MS);
  }

  #prepare(wanted) {
    for (const roomId of wanted) this.#viewOf(roomId);
    for (const [roomId, view] of this.#views) {
      if (wanted.includes(roomId) || view.isAwake) continue;
      view.node.remove();
      this.#views.delete(roomId);
    }
  }

  #viewOf(roomId) {
    let view = this.#views.get(roomId);
    if (!view) {
      view = this.acts.make(roomId);
      this.#views.set(roomId, view);
      this.node.append(view.node);
      view.resize(this.node.clientWidth, this.node.clientHeight);
    }
    return view;
  }
}

function top(view) {
  return Number(/-?[\d.]+/.exec(view.node.style.transform)?.[0] ?? 0);
}
