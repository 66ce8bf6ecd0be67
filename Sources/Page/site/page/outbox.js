import { Backoff } from "../client/backoff.js";

/** Requests at a time: a browser has six connections to a host, and the streams need some. */
const AT_ONCE = 3;
const MOST = 120;
const ATTEMPTS = 4;
/** A gateway answers once the broker has it; what is not answered by then is sent again. */
const ANSWER_MS = 15_000;

/**
 * Events on their way to the gateway. One that failed for no fault of its own is tried again with the same id, which
 * counts once however often it arrives; what is asked to slow down does; a tap that is late is not sent at all.
 */
export class Outbox {
  /** @type {{path: string, body: string, goodUntil: number, attempts: number}[]} */
  #queue = [];
  #underWay = 0;
  #pausedUntil = 0;
  #timer = 0;
  #backoff = new Backoff({ baseMs: 400, mostMs: 8000 });

  /**
   * @param {{token?: string, onTrouble: (trouble: "busy" | "failed") => void}} options
   */
  constructor({ token, onTrouble }) {
    this.token = token;
    this.onTrouble = onTrouble;
  }

  /**
   * @param {string} roomId
   * @param {object} body one of those of STAGES.md, section 2
   * @param {{withinMs?: number}} [options] after that it is not worth sending
   */
  send(roomId, body, { withinMs = Infinity } = {}) {
    if (this.#queue.length >= MOST) return this.onTrouble("busy");
    this.#queue.push({
      path: `/rooms/${encodeURIComponent(roomId)}/events`,
      body: JSON.stringify({ eventId: newId(), roomId, ...body }),
      goodUntil: performance.now() + withinMs,
      attempts: 0,
    });
    this.#pump();
  }

  #pump() {
    clearTimeout(this.#timer);
    const now = performance.now();
    this.#queue = this.#queue.filter(({ goodUntil }) => goodUntil > now);
    if (this.#queue.length === 0) return;
    if (now < this.#pausedUntil) {
      this.#timer = setTimeout(() => this.#pump(), this.#pausedUntil - now);
      return;
    }
    while (this.#underWay < AT_ONCE && this.#queue.length > 0) this.#post(this.#queue.shift());
  }

  async #post(event) {
    this.#underWay += 1;
    event.attempts += 1;
    const headers = { "Content-Type": "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    let status = 0;
    let waitMs = 0;
    try {
      const response = await fetch(event.path, { method: "POST", headers, body: event.body, signal: AbortSignal.timeout(ANSWER_MS) });
      status = response.status;
      waitMs = 1000 * (Number(response.headers.get("Retry-After")) || 0);
    } catch {
      // Status 0: the gateway could not be reached.
    }
    this.#underWay -= 1;
    if (status >= 200 && status < 300) this.#backoff.reset();
    else if ([0, 429, 502, 503, 504].includes(status) && event.attempts < ATTEMPTS) {
      if (status === 429) this.onTrouble("busy");
      this.#pausedUntil = performance.now() + this.#backoff.next(waitMs);
      this.#queue.unshift(event);
    } else this.onTrouble(status === 429 ? "busy" : "failed");
    this.#pump();
  }
}

/** `crypto.randomUUID` is not there on pages that came without TLS. */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
