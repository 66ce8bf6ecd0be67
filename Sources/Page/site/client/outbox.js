import { Backoff } from "./backoff.js";
import { askForToken } from "./token.js";

/** @typedef {import("./token.js").TokenSource} TokenSource */

/** Requests at a time: a browser has six connections to a host, and the streams need some. */
const AT_ONCE = 3;
const MOST = 120;
/** A gateway answers once the broker has it; what is not answered by then is sent again. */
const ANSWER_MS = 15_000;
/** An `eventId` counts once for a minute (`dedupe.windowMs`), so tries end well before. */
const WITHIN_MS = 30_000;

/**
 * Where an event lies in Kafka. Commands whose `id` begins with `topic/partition/offset` come of it.
 * @typedef {{topic: string, partition: number, offset: number, eventId: string}} Delivery
 *
 * @typedef {object} OutboxOptions
 * @property {string} [url] the gateway's address; without it, paths are those of the page
 * @property {TokenSource} [token]
 * @property {typeof globalThis.fetch} [fetch]
 * @property {() => number} [random] in 0 ..< 1
 * @property {() => void} [onBusy] the gateway asks to slow down
 * @property {() => void} [onHeard] the gateway answers
 *
 * @typedef {object} Letter
 * @property {string} path
 * @property {string} body
 * @property {string} eventId
 * @property {number} goodUntil
 * @property {string | undefined} refusedToken
 * @property {SendError | null} last what was wrong with the last try
 * @property {(delivery: Delivery) => void} resolve
 * @property {(error: SendError) => void} reject
 */

/** Why an event was not taken. */
export class SendError extends Error {
  name = "SendError";

  /**
   * @param {string} message for people
   * @param {{status?: number, error?: string, reason?: string}} [detail]
   */
  constructor(message, { status = 0, error = "unreachable", reason = "" } = {}) {
    super(message);
    /** 0: the gateway did not answer, or the event was not sent. */
    this.status = status;
    /** The gateway's word for it (`kind_not_allowed`); `unreachable`, `too_late`, `too_many_waiting` or `no_result`. */
    this.error = error;
    /** Of a 400: why the event was not understood. */
    this.reason = reason;
  }
}

/**
 * Events on their way to the gateway, in their order. One that failed for no fault of its own is tried again with the
 * same id, which counts once however often it arrives; what is asked to wait does.
 */
export class Outbox {
  /** @type {Letter[]} */
  #queue = [];
  #underWay = 0;
  #pausedUntil = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #backoff;

  /** @param {OutboxOptions} [options] */
  constructor({ url = "", token, fetch = globalThis.fetch, random, onBusy, onHeard } = {}) {
    this.url = url.replace(/\/+$/, "");
    this.token = token;
    this.fetch = (/** @type {Parameters<typeof globalThis.fetch>} */ ...a) => fetch(...a);
    this.onBusy = onBusy;
    this.onHeard = onHeard;
    this.#backoff = new Backoff({ baseMs: 400, mostMs: 5000, random });
  }

  /**
   * @param {string} roomId
   * @param {object} body one of those of STAGES.md, section 2: `{ tap: { x: 500, y: 500 } }`
   * @param {{withinMs?: number, eventId?: string}} [options] `withinMs`: after that it is not worth sending
   * @returns {Promise<Delivery>} once Kafka has it; fails with a SendError
   */
  send(roomId, body, { withinMs = WITHIN_MS, eventId = newId() } = {}) {
    if (this.#queue.length >= MOST) {
      this.onBusy?.();
      return Promise.reject(new SendError("too many events wait", { error: "too_many_waiting" }));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({
        path: `/rooms/${encodeURIComponent(roomId)}/events`,
        body: JSON.stringify({ eventId, roomId, ...body }),
        goodUntil: performance.now() + withinMs,
        refusedToken: undefined, last: null, eventId, resolve, reject,
      });
      this.#pump();
    });
  }

  /** No need to wait any longer before the next try. */
  retryNow() {
    this.#pausedUntil = 0;
    this.#pump();
  }

  #pump() {
    clearTimeout(this.#timer);
    const now = performance.now();
    const late = this.#queue.filter(({ goodUntil }) => goodUntil <= now);
    this.#queue = this.#queue.filter(({ goodUntil }) => goodUntil > now);
    for (const { last, reject } of late) reject(last ?? new SendError("its time was over", { error: "too_late" }));
    if (this.#queue.length === 0) return;
    if (now < this.#pausedUntil) {
      const next = Math.min(this.#pausedUntil, ...this.#queue.map(({ goodUntil }) => goodUntil));
      this.#timer = setTimeout(() => this.#pump(), next - now);
      return;
    }
    while (this.#underWay < AT_ONCE && this.#queue.length > 0) this.#post(/** @type {Letter} */ (this.#queue.shift()));
  }

  /** @param {Letter} letter */
  async #post(letter) {
    this.#underWay += 1;
    const { token, status, answer, retryAfterMs } = await this.#ask(letter);
    this.#underWay -= 1;
    const error = new SendError(answer.message ?? (status ? `the gateway answered ${status}` : "the gateway did not answer"), {
      status, reason: answer.reason, error: answer.error ?? (status ? String(status) : "unreachable"),
    });
    if (status >= 200 && status < 300) {
      this.#backoff.reset();
      letter.resolve({ ...answer, eventId: letter.eventId });
    } else if (mayPass(status)) {
      if (status === 429) this.onBusy?.();
      letter.last = error;
      this.#pausedUntil = performance.now() + this.#backoff.next(retryAfterMs);
      this.#queue.unshift(letter);
    } else if (status === 401 && typeof this.token === "function" && letter.refusedToken === undefined) {
      // It may have ended on its way; another is tried once.
      letter.refusedToken = token ?? "";
      this.#queue.unshift(letter);
    } else letter.reject(error);
    // An answer of the gateway's own, that is, not of something between.
    if (status && answer.error !== "not_ready" && status < 500) this.onHeard?.();
    this.#pump();
  }

  /** @param {Letter} letter */
  async #ask({ path, body, refusedToken }) {
    /** @type {Record<string, any>} */
    let answer = {};
    let [status, retryAfterMs] = [0, 0];
    /** @type {string | undefined} */
    let token;
    try {
      token = await askForToken(this.token, { renew: refusedToken !== undefined });
      // The same again is of no use, and is refused as the first was.
      if (refusedToken !== undefined && (token ?? "") === refusedToken) {
        return { token, status: 401, answer: { error: "unauthorized", message: "the token is refused" }, retryAfterMs };
      }
      /** @type {Record<string, string>} */
      const headers = { "Content-Type": "application/json" };
      if (token) headers.Authorization = `Bearer ${token}`;
      const response = await this.fetch(this.url + path, { method: "POST", headers, body, signal: AbortSignal.timeout(ANSWER_MS) });
      status = response.status;
      retryAfterMs = 1000 * (Number(response.headers.get("Retry-After")) || 0);
      answer = await response.json();
    } catch {
      // Status 0: the gateway could not be reached; else what came is no JSON, and was not the gateway's.
    }
    return { token, status, answer, retryAfterMs };
  }
}

/** @param {number} status */
function mayPass(status) {
  return [0, 408, 421, 425, 429].includes(status) || (status >= 500 && status !== 501);
}

/** `crypto.randomUUID` is not there on pages that came without TLS. */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
