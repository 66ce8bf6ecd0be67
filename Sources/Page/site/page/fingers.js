import { GestureRecogniser } from "./gestures.js";
import { placeOnStage } from "./stage.js";

/**
 * Pointer events of a stage, as gestures. `[data-target]` marks things that are tapped for their own sake; what they
 * are tapped for is the stage's business, but buttons marked `control` work by themselves.
 */
export class Fingers {
  #recogniser = new GestureRecogniser();
  #hasDragged = false;

  /**
   * @param {HTMLElement} stage
   * @param {(gesture: import("./gestures.js").Gesture) => void} act
   * @param {(place: {x: number, y: number}) => Element | null} find something that is drawn at a place, above all that a
   *   browser would find there
   */
  constructor(stage, act, find) {
    this.stage = stage;
    this.act = act;
    this.find = find;
    const listen = (type, listener) => stage.addEventListener(type, listener);
    listen("pointerdown", (event) => this.#down(event));
    listen("pointermove", (event) => this.#move(event));
    listen("pointerup", (event) => this.#tell(this.#recogniser.up(touch(event)), event));
    listen("pointercancel", (event) => this.#tell(this.#recogniser.cancel(event.pointerId), event));
    stage.addEventListener("click", (event) => this.#click(event), { capture: true });
    listen("dragstart", (event) => event.preventDefault());
    listen("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#hasDragged = false;
    this.#recogniser.down({ ...touch(event), target: this.find(placeOnStage(event)) ?? event.target.closest?.("[data-target]") ?? null });
  }

  #move(event) {
    // A mouse that left with its button down may come back without.
    const told = event.buttons === 0 ? this.#recogniser.cancel(event.pointerId) : this.#recogniser.move(touch(event));
    if (event.pointerType === "mouse") this.stage.style.cursor = this.find(placeOnStage(event)) ? "pointer" : "";
    this.#tell(told, event);
  }

  #tell(gesture, event) {
    if (!gesture) return;
    if (gesture.kind === "drag" && !this.#hasDragged) {
      this.#hasDragged = true;
      this.stage.setPointerCapture(event.pointerId);
    }
    if (gesture.kind === "tap" && gesture.target?.dataset.target === "control") return;
    this.act(gesture);
  }

  /** A click is either the end of a tap or drag, known already, or comes from a keyboard. */
  #click(event) {
    const target = event.target.closest?.("[data-target]");
    if (target?.dataset.target === "control") {
      if (this.#hasDragged && event.detail > 0) event.stopPropagation();
    } else if (target && event.detail === 0) {
      const box = target.getBoundingClientRect();
      const place = placeOnStage({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 });
      this.act({ kind: "tap", ...place, t: event.timeStamp, target });
    }
  }
}

/** @param {PointerEvent} event */
function touch(event) {
  return { id: event.pointerId, ...placeOnStage(event), t: event.timeStamp };
}
