import { element } from "./element.js";

/** Addresses that gave no picture, the last ones: they are not asked again. */
const withoutPicture = new Set();
const MOST = 1000;
/** Hosts from which this page may show none (`gateway.images.origins`): each try would be an error in the console. */
const forbiddenHosts = new Set();
document.addEventListener("securitypolicyviolation", ({ blockedURI, originalPolicy }) => {
  const host = URL.canParse(blockedURI) ? new URL(blockedURI).host : "";
  // A host that is allowed may have led to another.
  if (host && !originalPolicy.includes(host)) forbiddenHosts.add(host);
});
/** Names that are reserved for examples (RFC 2606) are nobody's. */
const reserved = /\.(example|invalid|test)$/;

/**
 * A picture from elsewhere, or a film that plays by itself.
 * @param {string} address
 * @param {() => void} fail it could not be had
 * @returns {HTMLElement | null} null if there is nothing to ask for
 */
export function picture(address, fail) {
  if (!mayBeAsked(address)) return null;
  const isFilm = new URL(address).pathname.endsWith(".webm");
  const node = isFilm
    ? element("video", { muted: true, autoplay: true, playsInline: true, "aria-hidden": "true" })
    : element("img", { alt: "", decoding: "async", draggable: false, referrerPolicy: "no-referrer" });
  node.addEventListener("error", () => {
    withoutPicture.add(address);
    if (withoutPicture.size > MOST) withoutPicture.delete(withoutPicture.values().next().value);
    fail();
  });
  /** @type {HTMLImageElement | HTMLVideoElement} */ (node).src = address;
  return node;
}

function mayBeAsked(address) {
  if (withoutPicture.has(address) || !URL.canParse(address)) return false;
  const { protocol, hostname, host } = new URL(address);
  return protocol === "https:" && !reserved.test(hostname) && !forbiddenHosts.has(host);
}
