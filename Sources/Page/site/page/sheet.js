import { element } from "./element.js";
import { isReduced } from "./motion.js";
import { placeOnStage } from "./stage.js";
import { words } from "./words.js";

/** The drag down from which a sheet closes: pixels, or pixels a millisecond. */
const FAR = 90;
const FAST = 0.5;

/**
 * A sheet from the bottom. Its list scrolls; dragged down from its top, or by its head, it closes, as it does by a tap
 * beside it and with Escape. While it is open, whatever happens in it is its own, and what is behind it is out of reach.
 */
export class Sheet {
  #finger = null;
  #returnFocus = null;

  /**
   * @param {HTMLElement} stage it lies over
   * @param {(isOpen: boolean) => void} onOpen
   */
  constructor(stage, onOpen) {
    this.onOpen = onOpen;
    this.title = element("h2", { id: "sheet-title" });
    this.note = element("p.sheet-note");
    this.list = element("div.sheet-list", { tabIndex: 0 });
    this.panel = element(
      "section.sheet", { tabIndex: -1, role: "dialog", "aria-modal": "true", "aria-labelledby": "sheet-title" },
      element("span.sheet-grip", { "aria-hidden": "true" }),
      element(
        "header.sheet-head", {}, element("div", {}, this.title, this.note),
        element("button.sheet-close", { type: "button", "aria-label": words.close, onclick: () => this.close() }, "✕")),
      this.list);
    this.beside = element("div.sheet-beside", { onclick: () => this.close() });
    this.node = element("div.sheet-layer", { hidden: true }, this.beside, this.panel);
    stage.append(this.node);
    this.panel.addEventListener("pointerdown", (event) => this.#down(event));
    this.panel.addEventListener("pointermove", (event) => this.#move(event));
    this.panel.addEventListener("pointerup", (event) => this.#up(event));
    this.panel.addEventListener("pointercancel", (event) => this.#up(event));
    // A list at its top that is pulled down would take the finger away to scroll.
    const pull = (event) => event.cancelable && this.#mayPull(event) && event.preventDefault();
    this.list.addEventListener("touchmove", pull, { passive: false });
    this.node.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  get isOpen() {
    return !this.node.hidden && !this.node.classList.contains("is-closing");
  }

  /** @param {string} title @param {string} note @param {Node[]} content */
  open(title, note, content) {
    this.title.textContent = title;
    this.note.textContent = note;
    this.list.replaceChildren(...content);
    this.list.scrollTop = 0;
    if (!this.isOpen) this.#returnFocus = document.activeElement;
    this.node.hidden = false;
    this.node.classList.remove("is-closing");
    this.panel.style.transform = "";
    const frames = isReduced() ? [{ opacity: 0 }, { opacity: 1 }] : [{ transform: "translateY(100%)" }, { transform: "none" }];
    this.panel.animate(frames, { duration: 260, easing: "cubic-bezier(.2, .9, .3, 1)" });
    this.onOpen(true);
    this.panel.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    this.node.classList.add("is-closing");
    const from = this.panel.style.transform || "none";
    const frames = isReduced() ? [{ opacity: 1 }, { opacity: 0 }] : [{ transform: from }, { transform: "translateY(100%)" }];
    const leave = this.panel.animate(frames, { duration: 200, easing: "ease-in", fill: "forwards" });
    leave.finished.then(() => {
      leave.cancel();
      this.panel.style.transform = "";
      if (this.node.classList.contains("is-closing")) this.node.hidden = true;
    });
    this.onOpen(false);
    this.#returnFocus?.focus?.({ preventScroll: true });
  }

  #mayPull(event) {
    const finger = this.#finger;
    if (!finger) return false;
    return finger.isPulling || (this.list.scrollTop <= 0 && placeOnStage(event.touches[0]).y > finger.y);
  }

  #down(event) {
    if (event.button !== 0 || this.#finger) return;
    const isInList = this.list.contains(event.target);
    this.#finger = { id: event.pointerId, ...placeOnStage(event), t: event.timeStamp, isInList, isPulling: false };
  }

  #move(event) {
    const finger = this.#finger;
    if (finger?.id !== event.pointerId) return;
    // A mouse that was let go elsewhere.
    if (event.buttons === 0) return this.#up(event);
    const { x, y } = placeOnStage(event);
    const [dx, dy] = [x - finger.x, y - finger.y];
    if (!finger.isPulling) {
      const scrolls = finger.isInList && (this.list.scrollTop > 0 || event.pointerType === "mouse");
      if (scrolls || dy < 8 || Math.abs(dx) > dy) return;
      finger.isPulling = true;
      this.panel.setPointerCapture(event.pointerId);
    }
    this.panel.style.transform = `translateY(${Math.max(0, dy)}px)`;
  }

  #up(event) {
    const finger = this.#finger;
    if (finger?.id !== event.pointerId) return;
    this.#finger = null;
    if (!finger.isPulling) return;
    const dy = placeOnStage(event).y - finger.y;
    const isFast = dy / Math.max(1, event.timeStamp - finger.t) > FAST;
    if (event.type === "pointerup" && dy > 12 && (dy > FAR || isFast)) return this.close();
    const from = this.panel.style.transform;
    this.panel.style.transform = "";
    this.panel.animate([{ transform: from }, { transform: "none" }], { duration: isReduced() ? 1 : 180, easing: "ease-out" });
  }
}
