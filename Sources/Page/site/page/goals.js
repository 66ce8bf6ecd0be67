import { nameOf } from "../client/names.js";
import { element, say } from "./element.js";
import { celebrate, CELEBRATES_MS } from "./milestones.js";
import { short, words } from "./words.js";

/** @import { Command, GoalShow } from "../client/commands.js" */

/** A battle that is over shows how it went for so long. */
const OVER_MS = 4000;
/** Rows that are seen at once; the row of further goals is scrolled to. */
const ROWS = 3;
const MOST_NAMES = 200;
/** A goal that was reached is celebrated as a milestone is. */
const reached = { label: words.goalReached, shape: "star", fly: (turn) => [Math.cos(turn * 6.283) * 150, Math.sin(turn * 6.283) * 60] };

/** Goals as bars with their titles; a goal with sides is a battle, with the names of the sides and a clock. */
export class Goals {
  /** @type {Map<string, {show: GoalShow, node: HTMLElement, timer?: ReturnType<typeof setTimeout>}>} */
  #goals = new Map();
  /** Names of people whom gifts are for, by id: sides of a battle have ids alone. @type {Map<string, string>} */
  #names = new Map();
  #clock = 0;
  /** Log time of the latest command of the room. */
  #heardMs = 0;

  /**
   * @param {() => number} now log time, as it is shown
   * @param {() => number} staleAfterMs a room that is silent for longer stands still; 0: nobody knows
   */
  constructor(now, staleAfterMs) {
    this.now = now;
    this.staleAfterMs = staleAfterMs;
    this.node = element("div.goals", { role: "group", "aria-label": words.goals });
  }

  /** @param {Command} command */
  apply({ atMs, goalShow, goalCount, goalEnd, giftShow, spotShow, crowdShow }) {
    this.#heardMs = Math.max(this.#heardMs, atMs);
    if (this.node.classList.contains("is-still")) this.#tick();
    if (goalShow) this.#show(goalShow, atMs);
    else if (goalCount) this.#count(goalCount, atMs);
    else if (goalEnd) this.#end(goalEnd, atMs);
    else this.#learn(giftShow ?? spotShow ?? crowdShow);
  }

  /** @param {Command[]} commands of a snapshot */
  keep(commands) {
    const stays = new Set(commands.map(({ goalShow }) => goalShow?.goalId));
    for (const [goalId, { timer }] of this.#goals) if (!timer && !stays.has(goalId)) this.#remove(goalId);
  }

  clear() {
    for (const goalId of this.#goals.keys()) this.#remove(goalId);
  }

  /** @param {GoalShow} show @param {number} atMs */
  #show(show, atMs) {
    let goal = this.#goals.get(show.goalId);
    if (goal?.timer) this.#remove(show.goalId);
    if (!goal || goal.timer || goal.show.sides.length !== show.sides.length) {
      goal?.node.remove();
      goal = { show, node: this.#draw(show) };
      this.#goals.set(show.goalId, goal);
      // A battle is seen first, where there is room for one.
      this.node[show.sides.length > 0 ? "prepend" : "append"](goal.node);
      this.#tellRoom();
    } else this.#celebrate(goal, show, atMs);
    goal.show = show;
    this.#set(goal);
  }

  #count({ goalId, progress, reached, sides }, atMs) {
    const goal = this.#goals.get(goalId);
    if (!goal || goal.timer) return;
    const show = { ...goal.show, progress, reached, sides };
    this.#celebrate(goal, show, atMs);
    goal.show = show;
    this.#set(goal);
  }

  /** A battle shows for a while how it went. */
  #end({ goalId, progress, reached, sides, reason }, atMs) {
    const goal = this.#goals.get(goalId);
    if (!goal) return;
    const staysMs = OVER_MS - (this.now() - atMs);
    if (reason !== "over" || sides.length === 0 || staysMs <= 0) return this.#remove(goalId);
    Object.assign(goal.show, { progress, reached, sides });
    goal.timer = setTimeout(() => this.#remove(goalId), staysMs);
    this.#set(goal);
  }

  /** A goal that is reached now, as the viewer sees it, is a moment. */
  #celebrate({ show: before, node }, show, atMs) {
    if (before.reached || !show.reached || this.now() - atMs >= CELEBRATES_MS) return;
    node.append(celebrate(reached, { atMs, now: this.now }));
  }

  /** @param {GoalShow} show */
  #draw({ goalId, sides }) {
    const clock = element("span.goal-clock");
    const title = element("bdi.goal-title");
    const node = sides.length === 0
      ? element("div.goal", {}, element("span.goal-fill"), title, element("span.goal-count", {}, element("b.goal-number"), clock))
      : element(
        "div.goal.is-battle", {}, element("span.goal-sides", { "aria-hidden": "true" }, ...sides.map(() => element("i"))),
        element("span.goal-side", {}, element("bdi"), element("b")), element("span.goal-middle", {}, clock),
        element("span.goal-side", {}, element("bdi"), element("b")));
    node.dataset.goal = goalId;
    return node;
  }

  /** @param {{show: GoalShow, node: HTMLElement, timer?: any}} goal */
  #set({ show, node, timer }) {
    const { text, target, progress, reached, sides } = show;
    const part = (selector) => /** @type {HTMLElement} */ (node.querySelector(selector));
    node.classList.toggle("is-reached", reached === 1);
    node.dataset.progress = String(progress);
    node.title = text;
    this.#setClock(show, part(".goal-clock"));
    if (sides.length === 0) {
      say(part(".goal-title"), text || words.goal);
      say(part(".goal-number"), target > 0 ? `${short(progress)} / ${short(target)}` : short(progress));
      node.style.setProperty("--share", String(target > 0 ? Math.min(1, progress / target) : 0));
      return;
    }
    const bars = /** @type {HTMLElement[]} */ ([...part(".goal-sides").children]);
    // Nobody has anything yet: they are even.
    sides.forEach(({ total }, i) => bars[i].style.setProperty("--total", String(progress > 0 ? total / progress : 1)));
    const most = Math.max(...sides.map(({ total }) => total));
    // More than two sides: the two that lead are named.
    const named = sides.length === 2 ? sides : [...sides].sort((a, b) => b.total - a.total).slice(0, 2);
    node.querySelectorAll(".goal-side").forEach((side, i) => {
      const { id, total } = named[i];
      say(side.children[0], this.#names.get(id) ?? id);
      say(side.children[1], short(total));
      side.classList.toggle("is-winner", timer !== undefined && total === most && sides.filter((other) => other.total === most).length === 1);
    });
  }

  /** @param {GoalShow} show @param {HTMLElement} node */
  #setClock({ endMs }, node) {
    const left = Math.max(0, Math.ceil((endMs - this.now()) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const two = (number) => String(number).padStart(2, "0");
    say(node, hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`);
  }

  /** Clocks go on, unless nothing comes from the room any more. */
  #tick() {
    const staleAfterMs = this.staleAfterMs();
    const isStill = staleAfterMs > 0 && this.now() - this.#heardMs > staleAfterMs;
    this.node.classList.toggle("is-still", isStill);
    if (!isStill) for (const { show, node } of this.#goals.values()) this.#setClock(show, /** @type {HTMLElement} */ (node.querySelector(".goal-clock")));
  }

  #learn(told) {
    if (!told?.receiverId || !told.receiverName) return;
    this.#names.delete(told.receiverId);
    this.#names.set(told.receiverId, nameOf({ name: told.receiverName, userId: told.receiverId }));
    if (this.#names.size > MOST_NAMES) this.#names.delete(this.#names.keys().next().value);
    for (const goal of this.#goals.values()) if (goal.show.sides.some(({ id }) => id === told.receiverId)) this.#set(goal);
  }

  #remove(goalId) {
    const goal = this.#goals.get(goalId);
    clearTimeout(goal?.timer);
    goal?.node.remove();
    this.#goals.delete(goalId);
    this.#tellRoom();
  }

  #tellRoom() {
    const rows = Math.min(ROWS, this.#goals.size);
    this.node.parentElement?.style.setProperty("--goals", String(rows));
    this.node.parentElement?.classList.toggle("has-goals", rows > 0);
    if (rows === 0) clearInterval(this.#clock);
    this.#clock = rows === 0 ? 0 : this.#clock || setInterval(() => this.#tick(), 1000);
  }
}
