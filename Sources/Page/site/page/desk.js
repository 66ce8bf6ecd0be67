import { element } from "./element.js";
import { Sentences } from "./sentences.js";
import { direction, words } from "./words.js";

/** They fill the log's height. */
const LINES = 28;

/**
 * The sides of a wide screen: the rooms to choose from, and the commands as they come.
 */
export class Desk {
  /** @type {string[]} */
  #lines = [];
  #frame = 0;
  #sentences = new Sentences();

  /**
   * @param {HTMLElement} left
   * @param {HTMLElement} right
   * @param {(roomId: string) => void} choose
   */
  constructor(left, right, choose) {
    this.choose = choose;
    this.list = element("div.desk-rooms");
    this.log = element("ol.desk-log", { "aria-hidden": "true" });
    left.setAttribute("aria-label", "Flyscreen");
    right.setAttribute("aria-label", words.stream);
    left.append(
      element("p.brand", {}, element("img", { src: document.querySelector("link[rel=icon]").href, alt: "", width: 40, height: 40 }), "Flyscreen"),
      element("p.lead", {}, words.lead),
      element("nav", { "aria-label": words.rooms }, element("h2", {}, words.rooms), this.list),
      element("dl.keys", {}, ...words.keys.flatMap(([key, what]) => [element("dt", {}, key), element("dd", {}, what)])));
    right.append(element("h2", {}, words.stream), this.log);
  }

  /** @param {string[]} rooms @param {string | undefined} current */
  showRooms(rooms, current) {
    const names = [...this.list.children].map((button) => button.dataset.room);
    if (names.join("\n") !== rooms.join("\n")) {
      this.list.replaceChildren(...rooms.map((room) =>
        element("button.desk-room", { type: "button", "data-room": room, onclick: () => this.choose(room) }, element("bdi", {}, room))));
    }
    for (const button of this.list.children) button.setAttribute("aria-current", String(button.dataset.room === current));
  }

  /** Learns from a snapshot whose the numbers are that pop on the screen. @param {import("../client/commands.js").Command[]} commands */
  learn(commands) {
    for (const command of commands) if (command.giftShow) this.#sentences.of(command);
  }

  /** @param {import("../client/commands.js").Command} command of the room on screen */
  hear(command) {
    if (!document.documentElement.classList.contains("is-desk")) return;
    const kind = Object.keys(command).find((key) => typeof command[key] === "object") ?? "";
    const sentence = this.#sentences.of(command);
    if (sentence) this.#lines.push([kind, sentence]);
    if (this.#lines.length > LINES) this.#lines.shift();
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      for (const [kind, text] of this.#lines) {
        this.log.append(element(`li.is-${kind}`, {}, element("b", {}, kind), element("bdi", { dir: direction }, text)));
      }
      this.#lines = [];
      while (this.log.children.length > LINES) this.log.firstElementChild.remove();
    });
  }
}
