import { SendError } from "./outbox.js";

/** @typedef {import("./outbox.js").Delivery} Delivery */
/** @typedef {import("./commands.js").Result} Result */

/** A worker answers within milliseconds; a stream that broke meanwhile comes back within seconds. */
const ANSWER_MS = 10_000;
const ASK_MS = 3000;

/** Grabs of this viewer's that wait for their answers. */
export class Grabs {
  /** @type {{eventId: string, key: string, answer: (result: Result) => void}[]} */
  #waiting = [];

  /** @param {(roomId: string) => Promise<Result[]>} ask what the gateway knows; none if it can't tell */
  constructor(ask) {
    this.ask = ask;
  }

  /**
   * @param {string} roomId
   * @param {{rainId: string, packet: number, eventId: string}} grab
   * @param {Promise<Delivery>} sent
   * @returns {Promise<Result>} fails as the sending does, or with `no_result`
   */
  async wait(roomId, { rainId, packet, eventId }, sent) {
    const key = keyOf({ roomId, rainId, packet });
    const waiting = { eventId, key, answer: /** @type {(result: Result) => void} */ (() => {}) };
    const answered = new Promise((resolve) => (waiting.answer = resolve));
    this.#waiting.push(waiting);
    /** @type {ReturnType<typeof setTimeout>[]} */
    const timers = [];
    try {
      await sent;
      const late = new Promise((_, reject) => {
        timers.push(setTimeout(() => this.#ask(roomId), ASK_MS));
        timers.push(setTimeout(() => reject(new SendError("no answer to the grab has come", { error: "no_result", mayHaveArrived: true })), ANSWER_MS));
      });
      return await Promise.race([answered, late]);
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
    }
  }

  /** @param {Result} result of this viewer's */
  hear(result) {
    const key = keyOf(result);
    for (const one of this.#waiting) if (one.eventId === result.eventId || one.key === key) one.answer(result);
  }

  /** @param {string} roomId */
  async #ask(roomId) {
    for (const result of await this.ask(roomId).catch(() => [])) this.hear(result);
  }
}

/** @param {{roomId: string, rainId: string, packet: number}} grab */
function keyOf({ roomId, rainId, packet }) {
  return JSON.stringify([roomId, rainId, packet]);
}
