import { addressOf } from "./address.js";
import { isFinal, retryAfterMs } from "./backoff.js";
import { Comeback } from "./comeback.js";
import { EventStreamParser } from "./eventStreamParser.js";
import { MissingError, need, report } from "./surroundings.js";
import { askForToken, endsLater, renewalIn, untilAborted } from "./token.js";
import { openByFetch } from "./transport.js";

/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Result} Result */
/** @typedef {import("./commands.js").Snapshot} Snapshot */
/** @typedef {import("./comeback.js").Ending} Ending */
/** @typedef {import("./token.js").Fetch} Fetch */
/** @typedef {import("./token.js").TokenSource} TokenSource */
/** @typedef {import("./transport.js").AnswerHead} AnswerHead */
/** @typedef {import("./transport.js").Open} Open */

/** The longest wait between two attempts, beyond what a server asks for: while somebody looks, and while nobody does. */
const WATCHED_MS = 5000;
const HIDDEN_MS = 30_000;
/** A stream begins to say something at once; one that brings nothing for so long is held up on its way. */
const EMPTY_MS = 5000;
/** The wait before rooms are asked for again where there was nothing to tell. */
const POLL_MS = 1000;
/** A gateway says every 15 seconds that it is there: it was silent twice. */
const SILENCE_MS = 32_000;

/**
 * `connecting`; `open`; `waiting` for `retryInMs` before it connects again; and, for good: `refused` (the token, or a
 * room that is not there), `elsewhere` (no gateway has all of these rooms) and `closed`.
 *
 * @typedef {"connecting" | "open" | "waiting" | "refused" | "elsewhere" | "closed"} StreamState
 */

/**
 * `status` of a refusal; of one that passes, too. 0: no answer came. `error`: why nothing could be read here.
 * @typedef {{status?: number, retryInMs?: number, error?: Error}} StateDetail
 */

/**
 * @typedef {object} StreamOptions
 * @property {string} [url] the gateway's address; without it, paths are those of the page
 * @property {TokenSource} [token] a JWT, or who is asked for one
 * @property {string} [user] also tells this user's results
 * @property {number} [silenceMs] a stream that says nothing for so long, not even that it lives, is given up
 * @property {Fetch} [fetch] in place of the surroundings' own
 * @property {boolean} [polls] asks for a room's next commands again and again, where there can be no stream; without it,
 *   once a stream has brought nothing for five seconds
 * @property {Open} [open] opens streams, where no `fetch` gives an answer's body as it comes
 * @property {() => number} [random] in 0 ..< 1
 */

/**
 * @typedef {object} StreamHandler
 * @property {(snapshot: Snapshot) => void} snapshot
 * @property {(command: Command) => void} command
 * @property {(result: Result) => void} [result]
 * @property {(pace: {lagMs?: number}) => void} [pace] how far behind the log the rooms are to be shown
 * @property {(state: StreamState, detail: StateDetail) => void} [state]
 * @property {() => void} [polls] no stream can be had here
 */

/**
 * One stream of the commands of some rooms: it comes again when it breaks, from where it was.
 *
 * Made with `fetch` rather than EventSource, which can neither send a token as a header nor tell a refusal (401) from
 * a gateway that is busy (503) or the wrong one (421).
 *
 * Where a stream brings nothing, since something on its way holds it back, it asks for each room's next commands instead,
 * again and again; all else is the same.
 */
export class CommandStream {
  /** @type {StreamState} */
  state = "connecting";

  #handler;
  /** Whether the app wants it, or a stream was held up and this was not. */
  #mustPoll;
  /** Whether a room's next commands are asked for now, rather than a stream. */
  #polls;
  /** The address of the next commands, to which the last id is added. */
  #nextUrl;
  /** When it began to ask for next commands, while each was answered. */
  #polledSince = NaN;
  #token;
  #silenceMs;
  #open;
  #lastEventId = "";
  /** @type {Comeback} */
  #comeback;
  #abort;
  /** Ends the present wait. */
  #hurry = () => {};
  /** Whether the present wait is the server's own wish. */
  #isAsked = false;
  /** Ends the present attempt, to begin another at once. */
  #renew = () => {};
  /** @type {string | undefined} a token that was had before the last one ended */
  #freshToken;
  /** @type {string | undefined} that was refused last */
  #refusedToken;

  /**
   * @param {string[]} rooms
   * @param {StreamHandler} handler
   * @param {StreamOptions} [options]
   */
  constructor(rooms, handler, { url = "", token, user, silenceMs = SILENCE_MS, polls = false, fetch, open, random } = {}) {
    need("AbortController", "performance", ...(typeof token === "function" ? ["atob"] : []));
    this.#abort = new AbortController();
    const path =
      rooms.length === 1
        ? `/rooms/${encodeURIComponent(rooms[0])}/commands`
        : `/commands?rooms=${rooms.map(encodeURIComponent).join(",")}`;
    this.rooms = rooms;
    this.#handler = handler;
    const query = user ? (path.includes("?") ? "&" : "?") + `user=${encodeURIComponent(user)}` : "";
    this.url = addressOf(url) + path + query;
    this.#polls = this.#mustPoll = polls && rooms.length === 1;
    this.#nextUrl = addressOf(url) + path.replace(/commands$/, "next");
    this.#token = token;
    this.#silenceMs = silenceMs;
    this.#comeback = new Comeback({ random });
    this.#open = open ?? openByFetch(fetch);
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

  /** The gateway has answered something else: no need to wait any longer, unless the gateway itself asked for it. */
  wake() {
    if (!this.#isAsked) this.#hurry();
  }

  /** There is another token: goes on with that, from where it is. */
  renew() {
    this.#freshToken = undefined;
    this.#renew();
    this.#hurry();
  }

  /** @returns {boolean} */
  get #isOver() {
    return this.state === "closed" || this.state === "refused" || this.state === "elsewhere";
  }

  /** @param {StreamState} state @param {StateDetail} [detail] */
  #tell(state, detail = {}) {
    this.state = state;
    this.#hand(() => this.#handler.state?.(state, detail));
  }

  async #run() {
    // The caller has the stream in hand before its first event.
    await null;
    while (!this.#isOver) {
      if (!(this.#polledSince >= 0)) this.#tell("connecting");
      const ending = await this.#connect();
      if (this.#isOver) return;
      if (ending.againInMs) await this.#wait(ending.againInMs);
      if (ending.isRenewed || ending.againInMs !== undefined) continue;
      this.#polledSince = NaN;
      const retryInMs = this.#comeback.wait(ending, isHidden() ? HIDDEN_MS : WATCHED_MS);
      this.#isAsked = ending.status === 429;
      this.#tell("waiting", { retryInMs, status: ending.status });
      await this.#wait(retryInMs);
      this.#isAsked = false;
    }
  }

  /** @param {number} spanMs */
  async #wait(spanMs) {
    const seen = () => isHidden() || this.wake();
    globalThis.document?.addEventListener("visibilitychange", seen);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, spanMs);
      this.#hurry = () => (clearTimeout(timer), resolve(undefined));
      if (this.#isOver) this.#hurry();
    });
    this.#hurry = () => {};
    globalThis.document?.removeEventListener("visibilitychange", seen);
  }

  /**
   * Reads the stream until it ends, or one answer with next commands.
   * @returns {Promise<Ending & {status: number, isRenewed?: boolean, againInMs?: number}>} `againInMs`: there was such an answer
   */
  async #connect() {
    const attempt = new AbortController();
    const polls = this.#polls;
    // Null before anything is asked.
    let hasText = /** @type {boolean | null} */ (null);
    const giveUp = () => attempt.abort();
    const endSilence = () => {
      if (hasText === false && !polls) this.#fallBack(ending, openedAt >= 0);
      giveUp();
    };
    this.#abort.signal.addEventListener("abort", giveUp);
    let silence = setTimeout(endSilence, this.#silenceMs);
    let renewal = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    const parser = new EventStreamParser(this.#lastEventId);
    /** @type {Ending & {status: number, isRenewed?: boolean, againInMs?: number}} */
    const ending = { openMs: null, isOrderly: false, retryAfterMs: 0, status: 0 };
    let openedAt = NaN;
    this.#renew = () => {
      ending.isRenewed = true;
      attempt.abort();
    };
    try {
      /** @type {Record<string, string>} */
      const headers = { Accept: polls ? "application/json" : "text/event-stream" };
      const token = this.#freshToken ?? (await askForToken(this.#token, { signal: attempt.signal }));
      this.#freshToken = undefined;
      if (attempt.signal.aborted) return ending;
      if (token) headers.Authorization = `Bearer ${token}`;
      const id = this.#lastEventId;
      if (id && !polls) headers["Last-Event-ID"] = id;
      const url = polls ? this.#nextUrl + (id ? `?after=${encodeURIComponent(id)}` : "") : this.url;
      // Nothing of an answer is read before its head.
      let isOpen = false;
      let early = "";
      hasText = false;
      const answer = this.#open(url, headers, (text) => {
        if (this.#isOver || attempt.signal.aborted) return;
        hasText = true;
        clearTimeout(silence);
        silence = setTimeout(endSilence, this.#silenceMs);
        if (!isOpen) early += text;
        else for (const event of parser.push(text)) this.#receive(event);
      });
      attempt.signal.addEventListener("abort", () => answer.close());
      // Of an answer that is no stream nobody awaits the end.
      answer.ended.catch(() => {});
      const head = await untilAborted(answer.head, attempt.signal);
      ending.status = head.status;
      if (polls && hasNext(head, id)) {
        if (head.status === 200) await untilAborted(answer.ended, attempt.signal);
        this.#takeNext(head, early);
        this.#freshToken ??= token;
        ending.againInMs = head.status === 204 ? POLL_MS : 0;
      } else if (!polls && isStream(head)) {
        clearTimeout(silence);
        silence = setTimeout(endSilence, hasText ? this.#silenceMs : Math.min(EMPTY_MS, this.#silenceMs));
        openedAt = performance.now();
        this.#refusedToken = undefined;
        this.#tell("open");
        renewal = this.#renewLater(token);
        isOpen = true;
        for (const event of parser.push(early)) this.#receive(event);
        await untilAborted(answer.ended, attempt.signal);
        ending.isOrderly = true;
      } else if (polls && !this.#mustPoll && head.status === 404) {
        // An older gateway: it has streams alone.
        this.#polls = false;
      } else ending.retryAfterMs = await this.#refuse(head, token, ending, attempt.signal);
    } catch (error) {
      // It broke: what every stream does sooner or later. But what is missing here will not come by waiting.
      if (error instanceof MissingError && !this.#isOver) {
        report(error);
        this.#tell("refused", { status: ending.status, error });
      }
    } finally {
      clearTimeout(silence);
      clearTimeout(renewal);
      this.#renew = () => {};
      this.#abort.signal.removeEventListener("abort", giveUp);
      attempt.abort();
    }
    if (polls && ending.againInMs === undefined && !ending.isRenewed) {
      // Perhaps there was no gateway rather than a stream that is held up.
      this.#polls = this.#mustPoll;
      if (this.#polledSince >= 0) ending.openMs = performance.now() - this.#polledSince;
    }
    if (openedAt >= 0) Object.assign(ending, { openMs: performance.now() - openedAt, retryMs: parser.retryMs });
    return ending;
  }

  /**
   * Nothing comes by a stream: something on its way holds it back until its end, or the gateway is not there.
   * @param {{isRenewed?: boolean}} ending
   * @param {boolean} hasHead whether the gateway has answered
   */
  #fallBack(ending, hasHead) {
    if (this.rooms.length > 1) {
      if (hasHead) this.#tell("elsewhere");
      return;
    }
    this.#polls = true;
    ending.isRenewed = hasHead;
  }

  /** @param {AnswerHead} head @param {string} text */
  #takeNext({ status }, text) {
    const { id = "", snapshot, lagMs, commands = [] } = status === 200 ? JSON.parse(text) : { id: status === 204 ? this.#lastEventId : "" };
    if (!(this.#polledSince >= 0)) {
      this.#polledSince = performance.now();
      this.#mustPoll = true;
      this.#refusedToken = undefined;
      this.#handler.polls?.();
      this.#tell("open");
    }
    if (snapshot) this.#hand(() => this.#handler.snapshot(snapshot));
    if (lagMs !== undefined) this.#hand(() => this.#handler.pace?.({ lagMs }));
    for (const command of commands) if (!this.#isOver) this.#hand(() => this.#handler.command(command));
    this.#lastEventId = id;
  }

  /**
   * Streams end with their tokens. With another in time, this one goes on elsewhere before it is ended.
   * @param {string | undefined} token
   */
  #renewLater(token) {
    const inMs = typeof this.#token === "function" ? renewalIn(token) : null;
    if (inMs === null) return undefined;
    return setTimeout(async () => {
      const renew = this.#renew;
      // A source that has no token now may have one when the stream has ended.
      const fresh = await askForToken(this.#token, { renew: true }).catch(() => undefined);
      if (!fresh || !endsLater(fresh, token) || renew !== this.#renew) return;
      this.#freshToken = fresh;
      renew();
    }, inMs);
  }

  /** @param {import("./eventStreamParser.js").StreamEvent} event */
  #receive({ type, data, id }) {
    if (this.#isOver) return;
    this.#hand(() => {
      if (type === "snapshot") this.#handler.snapshot(JSON.parse(data));
      else if (type === "command") this.#handler.command(JSON.parse(data));
      else if (type === "result") this.#handler.result?.(JSON.parse(data));
      else if (type === "pace") this.#handler.pace?.(JSON.parse(data));
    });
    // Only what was acted upon need not come again.
    this.#lastEventId = id;
  }

  /** Reports an error of the handler; the stream goes on. @param {() => void} tell */
  #hand(tell) {
    try {
      tell();
    } catch (error) {
      report(error);
    }
  }

  /**
   * @param {AnswerHead} head
   * @param {string | undefined} token that it was asked with
   * @param {Ending & {isRenewed?: boolean}} ending
   * @param {AbortSignal} signal the attempt is over
   * @returns {Promise<number>} how long it asks to wait at least, this time
   */
  async #refuse({ status, retryAfter }, token, ending, signal) {
    // A token may have ended on its way; another is tried once.
    if (status === 401 && typeof this.#token === "function" && token !== this.#refusedToken) {
      this.#refusedToken = token;
      const fresh = await askForToken(this.#token, { renew: true, signal }).catch(() => undefined);
      if (signal.aborted) return 0;
      if (fresh && fresh !== token) {
        this.#freshToken = this.#refusedToken = fresh;
        ending.isRenewed = true;
        return 0;
      }
    }
    // One room another gateway may have, which a balancer may choose the next time.
    if (status === 421 && this.rooms.length > 1) this.#tell("elsewhere", { status });
    else if (isFinal(status)) this.#tell("refused", { status });
    return retryAfterMs(retryAfter);
  }
}

/** Whether this is a page, and nobody sees it. */
function isHidden() {
  return globalThis.document?.visibilityState === "hidden";
}

/**
 * Whether it tells a room's next commands, or that there are none yet, or that the id is too old for that.
 * @param {AnswerHead} head
 * @param {string} id that was asked with
 */
function hasNext({ status, contentType }, id) {
  return status === 204 || (status === 410 && id !== "") || (status === 200 && /^application\/json\s*(;|$)/i.test(contentType ?? ""));
}

/** A hotel's login page, say, is an answer too, but not the gateway's. @param {AnswerHead} head */
function isStream({ status, contentType }) {
  return status === 200 && /^text\/event-stream\s*(;|$)/i.test(contentType ?? "");
}
