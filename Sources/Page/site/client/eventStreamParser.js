/**
 * Server-sent events out of text that comes in pieces, as the HTML standard reads them.
 *
 * @typedef {{type: string, data: string, id: string}} StreamEvent `id`: the last one that was sent, also before
 */
export class EventStreamParser {
  #rest = "";
  #isFirst = true;
  #type = "";
  #data = "";
  #id;

  /** The wait before the next attempt that the server asked for, in milliseconds. @type {number | null} */
  retryMs = null;

  /** @param {string} [lastEventId] where the stream goes on: events have it until another comes */
  constructor(lastEventId = "") {
    this.#id = lastEventId;
  }

  /**
   * @param {string} text
   * @returns {StreamEvent[]} those that are whole now
   */
  push(text) {
    let buffer = this.#rest + text;
    if (this.#isFirst && buffer.length > 0) {
      if (buffer.startsWith("\uFEFF")) buffer = buffer.slice(1);
      this.#isFirst = false;
    }
    // A CR at the end may be half of a CRLF.
    const end = buffer.endsWith("\r") ? buffer.length - 1 : buffer.length;
    /** @type {StreamEvent[]} */
    const events = [];
    const newline = /\r\n|\n|\r/g;
    let start = 0;
    for (let match; (match = newline.exec(buffer)) && match.index < end; start = newline.lastIndex) {
      const event = this.#line(buffer.slice(start, match.index));
      if (event) events.push(event);
    }
    this.#rest = buffer.slice(start);
    return events;
  }

  /** @returns {StreamEvent | null} the event that a blank line ends */
  #line(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data += value + "\n";
    else if (field === "event") this.#type = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  #dispatch() {
    const [type, data] = [this.#type || "message", this.#data];
    this.#type = this.#data = "";
    return data === "" ? null : { type, data: data.slice(0, -1), id: this.#id };
  }
}
