import { element } from "./element.js";
import { hash } from "./seed.js";

/** Hosts that gave no picture, or may give none (`gateway.images.origins`): they are not asked for each viewer again. */
const withoutPictures = new Set();
/** Names that are reserved for examples (RFC 2606) are nobody's. */
const reserved = /\.(example|invalid|test)$/;
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * A face: the viewer's picture, over the first letter of the name on a colour of their own.
 * @param {{userId: string, name: string, avatarUrl: string}} sender
 */
export function avatar({ userId, name, avatarUrl }) {
  const face = element("span.avatar", { "aria-hidden": "true" });
  const hue = hash(userId) % 360;
  face.style.setProperty("--hue", String(hue));
  face.textContent = letters.segment(name || userId)[Symbol.iterator]().next().value?.segment ?? "";
  const host = pictureHost(avatarUrl);
  if (host === null) return face;
  const picture = element("img", { alt: "", decoding: "async", draggable: false, referrerPolicy: "no-referrer" });
  picture.addEventListener("error", () => {
    withoutPictures.add(host);
    picture.remove();
  });
  picture.src = avatarUrl;
  face.append(picture);
  return face;
}

/** @returns {string | null} null if there is no picture to ask for */
function pictureHost(avatarUrl) {
  if (!URL.canParse(avatarUrl)) return null;
  const { protocol, hostname, host } = new URL(avatarUrl);
  return protocol === "https:" && !reserved.test(hostname) && !withoutPictures.has(host) ? host : null;
}
