import { element } from "./element.js";

/** Wishes of this viewer's that don't fly yet: seen at once, gone once they fly. */
export class OwnWishNotes {
  constructor() {
    this.node = element("ul.own-wishes", { "aria-live": "polite" });
  }

  /** @param {{wishId: string, text: string}[]} wishes */
  show(wishes) {
    const shown = new Map([...this.node.children].map((note) => [note.dataset.wish, note]));
    this.node.replaceChildren(...wishes.slice(-3).map(({ wishId, text }) =>
      shown.get(wishId) ?? element("li.own-wish", { "data-wish": wishId }, element("bdi", {}, text))));
  }
}
