import { Backoff } from "./backoff.js";
import { EventStreamParser } from "./eventStreamParser.js";

/** @import { Command, Result, Snapshot } from "./commands.js" */

/**
 * `connecting`; `open`; `waiting` for `retryInMs` before it connects again; and, for good: `refused` (the token, or a
 * room that is not there), `elsewhere` (no gateway has all of these rooms) and `closed`.
 *
 * @typedef {"connecting" | "open" | "waiting" | "refused" | "elsewhere" | "closed"} StreamState
 *
 * @typedef {object} StreamOptions
 * @property {string} [url] the gateway's address; without it, paths are those of the page
 * @property {string | (() => string | undefined | Promise<string | undefined>)} [token] a JWT, or who is asked for one
 *   each time the stream connects
 * @property {string} [user] also tells this user's results
 * @property {number} [silenceMs] a stream that says nothing for so long, not even that it lives, is given up
 * @property {typeof fetch} [fetch]
 *
 * @typedef {object} StreamHandler
 * @property {(snapshot: Snapshot) => void} snapshot
 * @property {(command: Command) => void} command
 * @property {(result: Result) => void} [result]
 * @property {(state: StreamState, detail: {status?: number, retryInMs?: number}) => void} [state]
 */

/**
 * One stream of the commands of some rooms: it comes again when it breaks, from where it was.
 *
 * Made with `fetch` rather than EventSource, which can neither send a token as a header nor tell a refusal (401) from
 * a gateway that is busy (503) or the wrong one (421).
 */
export class CommandStream {
  /** @type {StreamState} */
  state = "connecting";

  #lastEventId = "";
  /** How long the last stream that was open asked to wait at least. */
  #retryMs = 0;
  #backoff = new Backoff();
  #abort = new AbortController();
  /** Ends the present wait. */
  #hurry = () => {};

  /**
   * @param {string[]} rooms
   * @param {StreamHandler} handler
   * @param {StreamOptions} [options]
   */
  constructor(rooms, handler, { url = "", token, user, silenceMs = 45_000, fetch = globalThis.fetch } = {}) {
    const path =
      rooms.length === 1
        ? `/rooms/${encodeURIComponent(rooms[0])}/commands`
        : `/commands?rooms=${rooms.map(encodeURIComponent).join(",")}`;
    this.rooms = rooms;
    this.handler = handler;
    const query = user ? (path.includes("?") ? "&" : "?") + `user=${encodeURIComponent(user)}` : "";
    this.url = url.replace(/\/+$/, "") + path + query;
    this.token = token;
    this.silenceMs = silenceMs;
    // Called by its own name it would get this object as `this`, which browsers refuse.
    this.fetch = (/** @type {any[]} */ ...a) => fetch(...a);
    this.#run();
  }

  close() {
    if (this.#isOver) return;
    this.#tell("closed");
    this.#abort.abort();
    this.#hurry();
  }

  /** The network is back, say: no need to wait any longer. */
  retryNow() {
    this.#hurry();
  }

  get #isOver() {
    return this.state === "closed" || this.state === "refused" || this.state === "elsewhere";
  }

  #tell(state, detail = {}) {
    this.state = state;
    this.#hand(() => this.handler.state?.(state, detail));
  }

  async #run() {
    // Whoever made it gets to know it before the first word comes.
    await null;
    while (!this.#isOver) {
      this.#tell("connecting");
      const leastMs = await this.#connect();
      if (this.#isOver) return;
      const retryInMs = this.#backoff.next(leastMs);
      this.#tell("waiting", { retryInMs });
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, retryInMs);
        this.#hurry = () => (clearTimeout(timer), resolve(undefined));
      });
      this.#hurry = () => {};
    }
  }

  /**
   * Reads the stream until it breaks.
   * @returns {Promise<number>} how long the server asks to wait at least
   */
  async #connect() {
    const attempt = new AbortController();
    const giveUp = () => attempt.abort();
    this.#abort.signal.addEventListener("abort", giveUp);
    let silence = setTimeout(giveUp, this.silenceMs);
    const parser = new EventStreamParser();
    let [askedMs, isOpen] = [0, false];
    try {
      const headers = { Accept: "text/event-stream" };
      const token = typeof this.token === "function" ? await this.token() : this.token;
      if (token) headers.Authorization = `Bearer ${token}`;
      if (this.#lastEventId) headers["Last-Event-ID"] = this.#lastEventId;
      const response = await this.fetch(this.url, { headers, cache: "no-store", signal: attempt.signal });
      if (isStream(response)) {
        isOpen = true;
        this.#tell("open");
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
          const { value, done } = await reader.read();
          if (done || this.#isOver) break;
          clearTimeout(silence);
          silence = setTimeout(giveUp, this.silenceMs);
          for (const event of parser.push(value)) this.#receive(event);
        }
      } else askedMs = this.#refuse(response);
    } catch {
      // It broke: what every stream does sooner or later.
    } finally {
      clearTimeout(silence);
      this.#abort.signal.removeEventListener("abort", giveUp);
      attempt.abort();
    }
    if (isOpen) this.#retryMs = parser.retryMs ?? 0;
    return Math.max(this.#retryMs, askedMs);
  }

  /** @param {import("./eventStreamParser.js").StreamEvent} event */
  #receive({ type, data, id }) {
    if (this.#isOver) return;
    this.#backoff.reset();
    this.#hand(() => {
      if (type === "snapshot") this.handler.snapshot(JSON.parse(data));
      else if (type === "command") this.handler.command(JSON.parse(data));
      else if (type === "result") this.handler.result?.(JSON.parse(data));
    });
    // Only what was acted upon need not come again.
    this.#lastEventId = id;
  }

  /** Whoever draws may fail at this one; the stream goes on. @param {() => void} tell */
  #hand(tell) {
    try {
      tell();
    } catch (error) {
      (globalThis.reportError ?? console.error)(error);
    }
  }

  /** @param {Response} response @returns {number} how long it asks to wait at least, this time */
  #refuse(response) {
    const { status } = response;
    response.body?.cancel().catch(() => {});
    // One room another gateway may have, which a balancer may choose the next time.
    if (status === 421 && this.rooms.length > 1) this.#tell("elsewhere", { status });
    else if ([400, 401, 403, 404].includes(status)) this.#tell("refused", { status });
    const seconds = Number(response.headers.get("Retry-After"));
    return Number.isFinite(seconds) ? seconds * 1000 : 0;
  }
}

/** A hotel's login page, say, is an answer too, but not the gateway's. @param {Response} response */
function isStream({ status, body, headers }) {
  return status === 200 && body !== null && /^text\/event-stream\s*(;|$)/i.test(headers.get("Content-Type") ?? "");
}
