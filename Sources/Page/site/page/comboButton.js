import { drawing, element } from "./element.js";
import { isReduced } from "./motion.js";
import { words } from "./words.js";

/** The server's `gift.comboWindowMs`: a gift within it goes on with the combo. */
const WINDOW_MS = 3000;
/** The time between two gifts while the button is held: a thumb's rhythm. */
const RHYTHM_MS = 160;
/** A press that lasts so long holds. */
const HOLD_MS = 350;

/**
 * The button of live apps that goes on with a combo: a tap is one more, held it goes on by itself, and a ring runs out
 * with the time that is left.
 */
export class ComboButton {
  #holding = 0;
  #window = 0;
  #ring = /** @type {Animation | null} */ (null);
  #sent = 0;

  /** @param {() => void} send one more of the gift that was chosen last */
  constructor(send) {
    this.send = send;
    this.count = element("b.combo-count");
    this.ring = drawing('<svg class="combo-ring" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="29"/></svg>');
    this.art = element("span.combo-art");
    this.node = element(
      "button.combo-button", { type: "button", hidden: true, "aria-label": words.comboMore }, this.ring, this.art, this.count);
    this.node.addEventListener("pointerdown", (event) => event.button === 0 && this.#press(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) this.node.addEventListener(end, () => this.#release());
    // From a keyboard: there a key that is held repeats by itself.
    this.node.addEventListener("click", (event) => event.detail === 0 && this.#more());
    this.node.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** A gift was sent: the next may follow it. @param {Node} art @param {number} count of one tap */
  start(art, count) {
    if (this.node.hidden) this.#sent = 0;
    this.#sent += count;
    this.art.replaceChildren(art);
    this.count.textContent = `×${this.#sent}`;
    this.node.hidden = false;
    this.#ring?.cancel();
    this.#ring = this.ring.animate(
      isReduced() ? [{ opacity: 1 }, { opacity: 0.2 }] : [{ strokeDashoffset: 0 }, { strokeDashoffset: 183 }], { duration: WINDOW_MS, fill: "forwards" });
    clearTimeout(this.#window);
    this.#window = setTimeout(() => this.hide(), WINDOW_MS);
  }

  hide() {
    this.#release();
    this.node.hidden = true;
  }

  #press(event) {
    event.preventDefault();
    this.node.setPointerCapture?.(event.pointerId);
    this.#more();
    clearTimeout(this.#holding);
    const again = () => {
      this.#more();
      this.#holding = setTimeout(again, RHYTHM_MS);
    };
    this.#holding = setTimeout(again, HOLD_MS);
  }

  #release() {
    clearTimeout(this.#holding);
  }

  #more() {
    this.send();
    if (!isReduced()) this.node.animate([{ transform: "scale(.9)" }, { transform: "none" }], { duration: 140, easing: "ease-out" });
  }
}

/** Vibrates, on a device that can. @param {number | number[]} pattern milliseconds */
export function feel(pattern) {
  // Browsers vibrate only after the user has touched the page.
  if (!isReduced() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
