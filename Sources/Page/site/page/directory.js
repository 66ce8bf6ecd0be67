const EVERY_MS = 10_000;
const WHILE_EMPTY_MS = 2000;
const ANSWER_MS = 10_000;

/**
 * Which rooms there are: those that the page's address names, or those that the gateway does, asked again and again.
 */
export class Directory {
  #timer = 0;

  /**
   * @param {{rooms: string[], token?: string, onRooms: (rooms: string[]) => void, onKinds: (kinds: string[]) => void}} options `onKinds`:
   *   what this viewer may send, whenever there is something
   */
  constructor(options) {
    this.options = options;
    this.#ask();
  }

  askNow() {
    clearTimeout(this.#timer);
    this.#ask();
  }

  async #ask() {
    const { rooms: named, token, onRooms, onKinds } = this.options;
    let rooms = named;
    try {
      const headers = token ? { Authorization: `Bearer ${token}` } : {};
      const response = await fetch("/rooms", { headers, cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
      if (response.ok) {
        const answer = await response.json();
        if (answer.kinds?.length > 0) onKinds(answer.kinds);
        if (named.length === 0) rooms = answer.rooms ?? [];
      }
    } catch {
      // The gateway is away: it is asked again.
    }
    onRooms(rooms);
    // Another may have asked meanwhile: there is one chain of questions.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), rooms.length === 0 ? WHILE_EMPTY_MS : EVERY_MS);
  }
}
