import { isHost } from "./hostToken.js";
import { placeOnStage } from "./stage.js";

/** What takes a finger. @typedef {{kind: "packet", rainId: string, packet: number} | {kind: "wish", wishId: string} | {kind: "heart"}} Item */

/**
 * Answers whoever shows the page over something that takes touches, too: what lies at a place (`hit`), and what a tap there did
 * (`tap`). A page asks its frame by a message, an app asks its web view by a function:
 *
 *     frame.contentWindow.postMessage({ flyscreen: "hit", x, y }, gateway); // answered by { flyscreen: "hit", x, y, item }
 *     web.evaluateJavaScript("flyscreenTap(120, 300)") // null: the tap is the app's own
 *
 * @param {(place: {x: number, y: number}) => HTMLElement | null} find what is drawn at a place
 * @param {(gesture: import("./gestures.js").Gesture) => boolean | void} act true: a heart flies
 */
export function answerTouches(find, act) {
  /** @type {Record<string, (x: number, y: number) => Item | null>} */
  const asked = {
    hit: (x, y) => itemOf(targetAt(x, y)),
    tap: (x, y) => {
      const target = targetAt(x, y);
      const isHeart = act({ kind: "tap", ...placeOnStage({ clientX: x, clientY: y }), t: performance.now(), target });
      return isHeart ? { kind: "heart" } : itemOf(target);
    },
  };
  const targetAt = (x, y) => find(placeOnStage({ clientX: x, clientY: y }))
    ?? /** @type {HTMLElement | null} */ (document.elementFromPoint(x, y)?.closest("[data-target]:enabled") ?? null);
  Object.assign(globalThis, { flyscreenHit: asked.hit, flyscreenTap: asked.tap });
  addEventListener("message", ({ data, origin, source }) => {
    if (source !== parent || source === window || !isHost(origin) || !Object.hasOwn(asked, data?.flyscreen)) return;
    const { flyscreen, x, y } = data;
    if (Number.isFinite(x) && Number.isFinite(y)) parent.postMessage({ flyscreen, x, y, item: asked[flyscreen](x, y) }, origin);
  });
}

/** @param {HTMLElement | null} node @returns {Item | null} */
function itemOf(node) {
  const { target, rain = "", packet, wish = "" } = node?.dataset ?? {};
  return target === "packet" ? { kind: "packet", rainId: rain, packet: Number(packet) } : target === "wish" ? { kind: "wish", wishId: wish } : null;
}
