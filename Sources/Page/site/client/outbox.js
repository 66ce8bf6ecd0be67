import { addressOf } from "./address.js";
import { Backoff, isFinal, retryAfterMs as asksFor } from "./backoff.js";
import { need } from "./surroundings.js";
import { askForToken } from "./token.js";

/** @typedef {import("./events.js").EventBody} EventBody */
/** @typedef {import("./token.js").TokenSource} TokenSource */
/** @typedef {import("./token.js").Fetch} Fetch */

/**
 * Requests at a time, and events that may wait: of those that count, and of taps. A browser has six connections to a host,
 * and the streams need some. Taps go one by one, since two in their order are a like.
 */
const LIMITS = { event: { atOnce: 3, most: 120 }, tap: { atOnce: 1, most: 30 } };
/** A gateway answers once the broker has it; what is not answered by then is sent again. */
const ANSWER_MS = 15_000;
/** An `eventId` counts once for a minute (`dedupe.windowMs`), so tries end well before. */
const WITHIN_MS = 30_000;
/** Two taps in quick succession are a like (STAGES.md, section 5): one that is late is none. The next
 * event of a run of taps makes one good that is late. A packet falls for half of its time. */
const SOONER_MS = { tap: 1000, taps: 5000, rainGrab: 10_000 };

/**
 * The place of an event in Kafka. Commands whose `id` begins with `topic/partition/offset` come of it.
 * @typedef {{topic: string, partition: number, offset: number, eventId: string}} Delivery
 */

/**
 * @typedef {object} OutboxOptions
 * @property {string} [url] the gateway's address; without it, paths are those of the page
 * @property {TokenSource} [token]
 * @property {Fetch} [fetch]
 * @property {() => number} [random] in 0 ..< 1
 * @property {() => void} [onBusy] the gateway asks to slow down
 * @property {() => void} [onHeard] the gateway answers
 */

/**
 * @typedef {object} Letter
 * @property {string} path
 * @property {string} body
 * @property {string} eventId
 * @property {"event" | "tap"} kind
 * @property {number} goodUntil
 * @property {string | undefined} refusedToken
 * @property {{abort: () => void} | null} trying ends the present try
 * @property {boolean} mayHaveArrived
 * @property {boolean} isOver its sender knows what became of it
 * @property {SendError | null} last what was wrong with the last try
 * @property {(end: Delivery | SendError) => void} end
 */

/**
 * Why an event was not taken: the gateway's word for it (`kind_not_allowed`), or `unreachable`, `too_late`,
 * `too_many_waiting`, `no_result`.
 * @typedef {"unreachable" | "too_late" | "too_many_waiting" | "no_result" | "bad_request" | "unauthorized" | "forbidden"
 *   | "kind_not_allowed" | "not_found" | "too_many_events" | "not_ready" | "not_delivered" | (string & {})} SendErrorWord
 */

/** An event that was not taken, as far as is known: `mayHaveArrived` tells whether it may count all the same. */
export class SendError extends Error {
  name = "SendError";

  /**
   * @param {string} message for people
   * @param {{status?: number, error?: SendErrorWord, reason?: string, mayHaveArrived?: boolean}} [detail]
   */
  constructor(message, { status = 0, error = "unreachable", reason = "", mayHaveArrived = false } = {}) {
    super(message);
    /** 0: the gateway did not answer, or the event was not sent. */
    this.status = status;
    /** @type {SendErrorWord} */
    this.error = error;
    /** The reason of a 400: why the event was not understood. */
    this.reason = reason;
    /** A try of it got no answer that rules it out: it may count. Sent again with the same `eventId` it counts once. */
    this.mayHaveArrived = mayHaveArrived;
  }
}

/**
 * Events on their way to the gateway, in their order. One that failed for no fault of its own is tried again with the
 * same id, which counts once however often it arrives; what is asked to wait does.
 */
export class Outbox {
  /** @type {Letter[]} */
  #queue = [];
  #underWay = { event: 0, tap: 0 };
  #pausedUntil = 0;
  /** The number of pauses so far. */
  #pauses = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #backoff;
  #url;
  #token;
  #fetch;
  #onBusy;
  #onHeard;

  /** @param {OutboxOptions} [options] */
  constructor({ url = "", token, fetch, random, onBusy, onHeard } = {}) {
    this.#url = addressOf(url);
    this.#token = token;
    this.#fetch = fetch;
    this.#onBusy = onBusy;
    this.#onHeard = onHeard;
    this.#backoff = new Backoff({ baseMs: 400, mostMs: 5000, random });
  }

  /**
   * @param {string} roomId
   * @param {EventBody} body
   * @param {{withinMs?: number, eventId?: string}} [options] `withinMs`: after that it is over, with or without an answer
   * @returns {Promise<Delivery>} once Kafka has it; fails with a SendError
   */
  send(roomId, body, { withinMs: askedMs, eventId = newId() } = {}) {
    if (!this.#fetch) need("fetch");
    if (typeof roomId !== "string" || roomId === "") throw new TypeError("an event is sent to a room: its id comes first");
    const withinMs = Math.min(askedMs ?? SOONER_MS[Object.keys(body)[0]] ?? WITHIN_MS, WITHIN_MS);
    const kind = "tap" in body || "taps" in body ? "tap" : "event";
    if (this.#queue.filter((letter) => letter.kind === kind).length >= LIMITS[kind].most) {
      this.#onBusy?.();
      return Promise.reject(new SendError("too many events wait", { error: "too_many_waiting" }));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(letter), withinMs);
      /** @type {Letter} */
      const letter = {
        path: `/rooms/${encodeURIComponent(roomId)}/events`,
        body: JSON.stringify({ eventId, roomId, ...body }),
        kind, eventId, goodUntil: performance.now() + withinMs, refusedToken: undefined, trying: null, mayHaveArrived: false, isOver: false, last: null,
        end: (end) => {
          clearTimeout(timer);
          letter.isOver = true;
          if (end instanceof SendError) reject(end);
          else resolve(end);
        },
      };
      this.#queue.push(letter);
      this.#pump();
    });
  }

  /** No need to wait any longer before the next try. */
  retryNow() {
    this.#pausedUntil = 0;
    this.#pump();
  }

  /** Its time is over, whatever it waits for. @param {Letter} letter */
  #expire(letter) {
    this.#queue = this.#queue.filter((one) => one !== letter);
    const { trying, last, mayHaveArrived } = letter;
    const never = trying ? new SendError("the gateway did not answer in time") : new SendError("its time was over", { error: "too_late" });
    letter.end(Object.assign(last ?? never, { mayHaveArrived }));
    trying?.abort();
  }

  #pump() {
    clearTimeout(this.#timer);
    const now = performance.now();
    const waitMs = this.#pausedUntil - now;
    if (waitMs > 0) {
      if (this.#queue.length > 0) this.#timer = setTimeout(() => this.#pump(), waitMs);
      return;
    }
    for (const letter of [...this.#queue]) {
      if (this.#underWay[letter.kind] === LIMITS[letter.kind].atOnce || letter.goodUntil <= now) continue;
      this.#queue = this.#queue.filter((one) => one !== letter);
      this.#post(letter);
    }
  }

  /** @param {Letter} letter */
  async #post(letter) {
    this.#underWay[letter.kind] += 1;
    const trying = (letter.trying = new AbortController());
    const before = letter.mayHaveArrived;
    const pauses = this.#pauses;
    const { token, status, answer, retryAfterMs } = await this.#ask(letter, trying);
    letter.trying = null;
    this.#underWay[letter.kind] -= 1;
    // A gateway that is not ready has not even read it.
    if (status >= 500 && answer.error !== "not_ready") letter.mayHaveArrived = true;
    else if (status > 0) letter.mayHaveArrived = before;
    const error = new SendError(answer.message ?? (status ? `the gateway answered ${status}` : "the gateway did not answer"), {
      status, reason: answer.reason, error: answer.error ?? (status ? String(status) : "unreachable"), mayHaveArrived: letter.mayHaveArrived,
    });
    if (status === 202) {
      this.#backoff.reset();
      letter.end(/** @type {Delivery} */ ({ ...answer, eventId: letter.eventId }));
    } else if (letter.isOver) {
      // The sender has been told.
    } else if (!isFinal(status)) {
      if (status === 429) this.#onBusy?.();
      letter.last = error;
      this.#pause(pauses, retryAfterMs);
      this.#queue.unshift(letter);
    } else if (status === 401 && typeof this.#token === "function" && letter.refusedToken === undefined) {
      // It may have ended on its way; another is tried once.
      letter.refusedToken = token ?? "";
      this.#queue.unshift(letter);
    } else letter.end(error);
    // An answer of the gateway's own, that is, not of something between.
    if (status && answer.error !== "not_ready" && status < 500) this.#onHeard?.();
    this.#pump();
  }

  /**
   * Some may fail at once, and are one failure of the gateway: only a try that was begun since the last pause makes the
   * next one longer. What the gateway asks for is waited for.
   * @param {number} triedAfter the pauses before the try
   * @param {number} askedMs
   */
  #pause(triedAfter, askedMs) {
    const now = performance.now();
    if (triedAfter < this.#pauses) this.#pausedUntil = Math.max(this.#pausedUntil, now + Backoff.obeyed(askedMs));
    else {
      this.#pauses += 1;
      this.#pausedUntil = now + this.#backoff.next(askedMs);
    }
  }

  /** @param {Letter} letter @param {AbortController} trying */
  async #ask(letter, trying) {
    const { path, body, refusedToken } = letter;
    /** @type {Record<string, any>} */
    let answer = {};
    let [status, retryAfterMs] = [0, 0];
    /** @type {string | undefined} */
    let token;
    const late = setTimeout(() => trying.abort(), ANSWER_MS);
    try {
      token = await askForToken(this.#token, { renew: refusedToken !== undefined, signal: trying.signal });
      // The same again is of no use, and is refused as the first was.
      if (refusedToken !== undefined && (token ?? "") === refusedToken) {
        return { token, status: 401, answer: { error: "unauthorized", message: "the token is refused" }, retryAfterMs };
      }
      /** @type {Record<string, string>} */
      const headers = { "Content-Type": "application/json" };
      if (token) headers.Authorization = `Bearer ${token}`;
      if (trying.signal.aborted) return { token, status, answer, retryAfterMs };
      // True until an answer says otherwise.
      letter.mayHaveArrived = true;
      const fetch = this.#fetch ?? globalThis.fetch;
      const response = await fetch(this.#url + path, { method: "POST", headers, body, redirect: "error", signal: trying.signal });
      status = response.status;
      retryAfterMs = asksFor(response.headers.get("Retry-After"));
      answer = (await response.json()) ?? {};
    } catch {
      // Status 0: the gateway could not be reached; else what came is no JSON, and was not the gateway's.
    } finally {
      clearTimeout(late);
    }
    // What neither tells the place nor refuses is not the gateway's either: a hotel's login page, say.
    if (status < 400 && !(status === 202 && isPlace(answer))) [status, retryAfterMs, answer] = [0, 0, {}];
    return { token, status, answer, retryAfterMs };
  }
}

/** Whether it tells where an event lies. @param {Record<string, any>} answer */
function isPlace({ topic, partition, offset }) {
  return typeof topic === "string" && Number.isInteger(partition) && Number.isInteger(offset);
}

/** `crypto.randomUUID` is not there on pages that came without TLS. */
export function newId() {
  need("crypto");
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
