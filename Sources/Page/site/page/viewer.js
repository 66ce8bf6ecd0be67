import { newId } from "./outbox.js";
import { words } from "./words.js";

const KEY = "flyscreen.viewer";

/**
 * Who looks at this page: whom the token names, or somebody whom this browser remembers.
 *
 * @typedef {{userId: string, name: string, avatarUrl: string, mayAskResults: boolean, kinds: Set<string>,
 *   readonly canLike: boolean, readonly canGrab: boolean}} Viewer `mayAskResults`: not with a token that names somebody
 *   else, or nobody; `kinds`: of events that the gateway takes from them; `can…`: wishes, packets
 *
 * @param {string | undefined} token
 * @returns {Viewer}
 */
export function whoLooks(token) {
  const named = subject(token);
  const userId = named ?? remembered();
  const name = `${words.viewer} ${userId.slice(-4)}`;
  return {
    userId, name, avatarUrl: "", mayAskResults: !token || named !== null, kinds: new Set(),
    get canLike() {
      return this.kinds.has("wishLike");
    },
    get canGrab() {
      return this.kinds.has("rainGrab");
    },
  };
}

/** The gateway checks it; here it only has to be read. */
function subject(token) {
  try {
    const bytes = atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    // What atob gives are bytes; names are UTF-8.
    const claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
    return typeof claims.sub === "string" && claims.sub !== "" ? claims.sub : null;
  } catch {
    return null;
  }
}

function remembered() {
  try {
    const known = localStorage.getItem(KEY);
    if (known) return known;
    const userId = `viewer-${newId().slice(0, 8)}`;
    localStorage.setItem(KEY, userId);
    return userId;
  } catch {
    return `viewer-${newId().slice(0, 8)}`;
  }
}
