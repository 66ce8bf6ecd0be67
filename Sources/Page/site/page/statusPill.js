import { element } from "./element.js";
import { words } from "./words.js";

/** Trouble that passes within this time is none of a viewer's business. */
const PATIENCE_MS = 900;
const STAYS_MS = 2200;

/**
 * One line at the top: that the stream is away, or a word about what was just tried.
 */
export class StatusPill {
  #text = "";
  #mayRetry = true;
  #timer = 0;
  #wordTimer = 0;

  /** @param {{retry: () => void}} acts `retry`: who sees trouble taps it */
  constructor({ retry }) {
    this.line = element("button.status-line", { type: "button", disabled: true, hidden: true, onclick: retry });
    this.node = element("p.status", { role: "status" }, this.line);
  }

  /**
   * @param {string} text what is wrong for as long as it is; empty if nothing is
   * @param {{mayRetry?: boolean}} [how] whether trying again may help
   */
  setTrouble(text, { mayRetry = true } = {}) {
    this.#mayRetry = mayRetry;
    if (text === this.#text) return;
    this.#text = text;
    clearTimeout(this.#timer);
    if (text === "") this.#show("");
    else this.#timer = setTimeout(() => this.#show(text, "is-trouble"), PATIENCE_MS);
  }

  /** @param {string} text for a moment */
  say(text) {
    this.#show(text);
    clearTimeout(this.#wordTimer);
    this.#wordTimer = setTimeout(() => this.#show(this.#text, this.#text && "is-trouble"), STAYS_MS);
  }

  #show(text, kind = "") {
    this.line.textContent = text;
    // A button without words is none to who listens.
    this.line.hidden = text === "";
    const isButton = kind === "is-trouble" && this.#mayRetry;
    this.line.disabled = !isButton;
    this.line.title = isButton ? words.retry : "";
    this.node.classList.toggle("is-shown", text !== "");
    this.node.classList.toggle("is-trouble", kind === "is-trouble");
  }
}
