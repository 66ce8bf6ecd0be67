import { element } from "./element.js";

/** Hosts that gave no picture, or may give none (`gateway.images.origins`): they are not asked for each viewer again. */
const withoutPictures = new Set();
/** Names that are reserved for examples (RFC 2606) are nobody's. */
const reserved = /\.(example|invalid|test)$/;

/**
 * A picture from elsewhere, or a film that plays by itself.
 * @param {string} address
 * @param {() => void} fail it could not be had
 * @returns {HTMLElement | null} null if there is nothing to ask for
 */
export function picture(address, fail) {
  const host = hostOf(address);
  if (host === null) return null;
  const isFilm = new URL(address).pathname.endsWith(".webm");
  const node = isFilm
    ? element("video", { muted: true, autoplay: true, playsInline: true, "aria-hidden": "true" })
    : element("img", { alt: "", decoding: "async", draggable: false, referrerPolicy: "no-referrer" });
  node.addEventListener("error", () => {
    withoutPictures.add(host);
    fail();
  });
  /** @type {HTMLImageElement | HTMLVideoElement} */ (node).src = address;
  return node;
}

/** @returns {string | null} */
function hostOf(address) {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, host } = new URL(address);
  return protocol === "https:" && !reserved.test(hostname) && !withoutPictures.has(host) ? host : null;
}
