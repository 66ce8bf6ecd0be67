import { newId } from "./outbox.js";

/** @typedef {import("./commands.js").Point} Point */
/** @typedef {import("./events.js").Taps} Taps */

/** A tap less than this after one that is no like is a like, and a tap less than the other after a like. */
const DOUBLE_MS = 300;
const STREAK_MS = 1000;
/** A run is told once in this time. */
const TELL_MS = 1000;
/** A run of which nothing was told for so long ends: half of `like.runMs`. */
const RUN_MS = 30_000;
/** The points that one event has at most. */
const MOST_POINTS = 16;

/** Tells likes from taps (STAGES.md, section 5). `Tests/ClientCases/taps.json` has the cases. */
export class TapRecogniser {
  #lastMs = -Infinity;
  #isLiking = false;

  /**
   * A finger touched the stage, and nothing on it that is tapped for its own sake.
   * @param {number} [atMs] `performance.now()` at that moment
   * @returns {boolean} whether it is a like
   */
  tap(atMs = performance.now()) {
    this.#isLiking = atMs - this.#lastMs < (this.#isLiking ? STREAK_MS : DOUBLE_MS);
    this.#lastMs = atMs;
    return this.#isLiking;
  }
}

/**
 * Tells likes from taps, and gathers them into runs: an event says how many likes a run has had so
 * far, so one that is lost is made good by the next.
 */
export class Taps {
  #recogniser = new TapRecogniser();
  #runId = "";
  #count = 0;
  #toldMs = -Infinity;
  /** @type {Point[]} */
  #points = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(taps: Omit<Taps, "userId">) => void} send */
  constructor(send) {
    this.send = send;
  }

  /**
   * A finger touched the stage.
   * @param {Point} point thousandths of the stage
   * @param {number} [atMs] `performance.now()` at that moment
   * @returns {boolean} whether it is a like: throw a heart then
   */
  tap(point, atMs) {
    const isLike = this.#recogniser.tap(atMs);
    if (isLike) this.like(point);
    return isLike;
  }

  /** A button was pressed, say: a like by itself. @param {Point} point */
  like({ x, y }) {
    const nowMs = performance.now();
    if (this.#runId === "" || (this.#timer === undefined && nowMs - this.#toldMs >= RUN_MS)) {
      [this.#runId, this.#count] = [newId(), 0];
    }
    this.#count += 1;
    if (this.#points.length < MOST_POINTS) this.#points.push({ x, y });
    this.#timer ??= setTimeout(() => this.flush(), Math.max(0, this.#toldMs + TELL_MS - nowMs));
  }

  /** Tells what has not been told. */
  flush() {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#toldMs = performance.now();
    this.send({ runId: this.#runId, count: this.#count, points: this.#points.splice(0) });
  }
}
