const EVERY_MS = 10_000;
const WHILE_EMPTY_MS = 2000;
const ANSWER_MS = 10_000;

/**
 * The rooms: those that the page's address names, or those that the gateway does, asked again and again.
 */
export class Directory {
  #timer = 0;
  #isSoon = false;

  /**
   * @param {{rooms: string[], token: () => Promise<string | undefined>, onRooms: (rooms: string[]) => void,
   *   onKinds: (kinds: string[]) => void, onAnswer: (status: number) => void}} options `onKinds`: what this viewer may
   *   send, whenever there is something; `onAnswer`: 0 if none came
   */
  constructor(options) {
    this.options = options;
    this.#ask();
  }

  askNow() {
    clearTimeout(this.#timer);
    this.#ask();
  }

  /** Something is wrong: the next question is not as long off as when all is well. */
  askSoon() {
    if (this.#isSoon) return;
    clearTimeout(this.#timer);
    this.#askIn(WHILE_EMPTY_MS);
  }

  #askIn(spanMs) {
    this.#isSoon = spanMs <= WHILE_EMPTY_MS;
    this.#timer = setTimeout(() => {
      // Who doesn't see the page needs no list; seen again, it is asked for at once.
      if (document.hidden) document.addEventListener("visibilitychange", () => this.askNow(), { once: true });
      else this.#ask();
    }, spanMs);
  }

  async #ask() {
    const { rooms: named, onRooms, onKinds, onAnswer } = this.options;
    let [rooms, status] = [named, 0];
    try {
      const token = await this.options.token();
      const headers = token ? { Authorization: `Bearer ${token}` } : {};
      const response = await fetch("/rooms", { headers, cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
      status = response.status;
      if (response.ok) {
        const answer = await response.json();
        if (answer.kinds?.length > 0) onKinds(answer.kinds);
        if (named.length === 0) rooms = answer.rooms ?? [];
      }
    } catch {
      // The gateway is away: it is asked again.
    }
    onAnswer(status);
    onRooms(rooms);
    // Another may have asked meanwhile: there is one chain of questions.
    clearTimeout(this.#timer);
    this.#askIn(rooms.length === 0 || status !== 200 ? WHILE_EMPTY_MS : EVERY_MS);
  }
}
