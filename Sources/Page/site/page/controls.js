import { presents } from "./catalogue.js";
import { ComboButton } from "./comboButton.js";
import { drawing, element, say } from "./element.js";
import { giftArt, nameOfGift } from "./giftArt.js";
import { short, words } from "./words.js";

/** @import { Sending } from "./sending.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { Sound } from "./sound.js" */

const icons = {
  like: '<path d="M32 55C14 43 7 34 7 23 7 15 13 9 20 9c5 0 9 3 12 7 3-4 7-7 12-7 7 0 13 6 13 14 0 11-7 20-25 32z" fill="currentColor"/>',
  flood: '<path d="M36 4L12 36h16l-4 24 28-36H34z" fill="currentColor"/>',
  rain: '<rect x="14" y="6" width="36" height="52" rx="6" fill="currentColor"/><path d="M14 18c10 9 26 9 36 0" fill="none" stroke="#b3122a" stroke-width="3"/><circle cx="32" cy="26" r="7" fill="#ffd66b" stroke="#b3122a" stroke-width="2"/>',
  send: '<path d="M8 32L56 10 44 54 30 38z" fill="currentColor"/>',
  sound: '<path d="M8 24v16h11l15 13V11L19 24z" fill="currentColor"/><path class="icon-waves" d="M42 22c5 5 5 15 0 20M49 15c9 9 9 25 0 34" fill="none" stroke="currentColor" stroke-width="4.5" stroke-linecap="round"/>',
};
/** Numbers of a gift to send at a time, as live apps have them. */
const AMOUNTS = [1, 10, 66, 520];
const icon = (name) => drawing(`<svg viewBox="0 0 64 64" class="icon" aria-hidden="true">${icons[name]}</svg>`);

/**
 * The controls of a viewer: a rail at the side, and at the bottom a wish to write and gifts to choose from. The gateway
 * says which events it takes; if it takes none, hearts are all there is.
 */
export class Controls {
  /**
   * @param {HTMLElement} stage
   * @param {{sending: Sending, sheet: Sheet, sound: Sound, like: () => void, wish: (text: string) => void}} acts
   */
  constructor(stage, { sending, sheet, sound, like, wish }) {
    this.sending = sending;
    this.sheet = sheet;
    this.likes = element("span.rail-note", { "aria-hidden": "true" });
    const button = (name, label, act, note = label) =>
      element(`button.rail-button.is-${name}`, { type: "button", "aria-label": label, onclick: act }, icon(name), note);
    const hear = button("sound", words.soundOn, () => {
      sound.toggle();
      hear.classList.toggle("is-on", sound.isOn);
      hear.setAttribute("aria-label", sound.isOn ? words.soundOff : words.soundOn);
    }, "");
    this.combo = new ComboButton(() => sending.gift());
    this.rail = element("div.rail", {}, this.combo.node, hear, button("like", words.like, like, this.likes));
    /** The makers of events, by kind. */
    this.makers = {
      gift: [button("flood", words.flood, () => sending.flood())],
      rainStart: [button("rain", words.makeRain, () => sending.rain())],
    };
    this.input = element("input.wish-input", {
      type: "text", placeholder: words.wish, "aria-label": words.wish, maxLength: 200, autocomplete: "off", enterKeyHint: "send",
    });
    const submit = (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) wish(text);
      this.input.value = "";
      this.input.blur();
    };
    this.submit = element("button.wish-send", { type: "submit", "aria-label": words.send }, icon("send"));
    this.opener = element("button.gift-opener", { type: "button", "aria-label": words.gift, onclick: () => this.#openGifts() }, giftArt("box"));
    this.bar = element(
      "form.bar", { hidden: true, onsubmit: submit },
      this.input, this.submit, this.opener);
    this.node = element("div.controls", {}, this.rail, this.bar);
    stage.append(this.node);
  }

  /** @param {Set<string>} kinds of events that the gateway takes */
  enable(kinds) {
    this.input.hidden = this.submit.hidden = !kinds.has("wish");
    this.opener.hidden = !kinds.has("gift");
    this.bar.hidden = this.input.hidden && this.opener.hidden;
    for (const kind of Object.keys(this.makers)) if (kinds.has(kind)) this.rail.append(...this.makers[kind]);
  }

  /** @param {number} likes seen in the room on screen */
  showLikes(likes) {
    say(this.likes, likes > 0 ? short(likes) : "");
  }

  /** @param {boolean} isCleared */
  set isCleared(isCleared) {
    this.node.inert = isCleared;
    this.node.classList.toggle("is-cleared", isCleared);
  }

  #openGifts() {
    const grid = element("div.gift-grid");
    const amounts = element("div.amounts", { role: "radiogroup", "aria-label": words.howMany });
    for (const amount of AMOUNTS) {
      const choose = () => {
        this.sending.count = amount;
        for (const other of amounts.children) {
          other.setAttribute("aria-checked", String(other === radio));
          other.tabIndex = other === radio ? 0 : -1;
        }
      };
      const radio = element("button.amount", { type: "button", role: "radio", onclick: choose }, `×${amount}`);
      const isChosen = amount === this.sending.count;
      radio.setAttribute("aria-checked", String(isChosen));
      radio.tabIndex = isChosen ? 0 : -1;
      amounts.append(radio);
    }
    amounts.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
      if (!step) return;
      const all = [...amounts.children];
      const next = all[(all.findIndex((radio) => radio.tabIndex === 0) + step + all.length) % all.length];
      next.click();
      next.focus();
    });
    for (const present of presents()) {
      const button = element(
        "button.gift-choice", { type: "button", "data-gift": present.giftId },
        giftArt(present.giftId), element("span", {}, nameOfGift(present.giftId, present.giftName)), element("small", {}, words.coins(present.value)));
      button.addEventListener("click", () => {
        // Over the combo button there is nothing.
        this.sheet.close();
        this.sending.gift(present);
      });
      grid.append(button);
    }
    this.sheet.open(words.gift, words.giftSheetNote, [amounts, grid]);
  }
}
