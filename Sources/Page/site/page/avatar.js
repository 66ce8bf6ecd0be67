import { nameOf } from "../client/names.js";
import { element } from "./element.js";
import { picture } from "./picture.js";
import { hash } from "./seed.js";

/** A text, letter by letter as readers count them. */
export const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * A face: the viewer's picture, over the first letter of the name on a colour of their own.
 * @param {{userId: string, name: string, avatarUrl: string}} sender
 * @param {string} [badge] address of a small picture at its edge
 */
export function avatar(sender, badge = "") {
  const { userId, avatarUrl } = sender;
  const face = element("span.avatar", { "aria-hidden": "true" });
  const hue = hash(userId) % 360;
  face.style.setProperty("--hue", String(hue));
  face.textContent = letters.segment(nameOf(sender).trimStart())[Symbol.iterator]().next().value?.segment ?? "";
  const shown = picture(avatarUrl, () => shown?.remove());
  if (shown) face.append(shown);
  const medal = picture(badge, () => medal?.remove());
  if (!medal) return face;
  medal.classList.add("badge");
  return element("span.avatar-and-badge", { "aria-hidden": "true" }, face, medal);
}
