import { newId } from "../client/outbox.js";
import { claimsOf } from "../client/token.js";
import { words } from "./words.js";

const KEY = "flyscreen.viewer";

/**
 * The viewer of this page: the user of the token, or one whom this browser remembers.
 *
 * @typedef {{userId: string, name: string, avatarUrl: string, mayAskResults: boolean, kinds: Set<string>,
 *   readonly canLike: boolean, readonly canGrab: boolean}} Viewer `mayAskResults`: not with a token that names somebody
 *   else, or nobody; `kinds`: of events that the gateway takes from them; `can…`: wishes, packets
 *
 * @param {string | undefined} token
 * @returns {Viewer}
 */
export function whoLooks(token) {
  const { sub } = claimsOf(token);
  const named = typeof sub === "string" && sub !== "" ? sub : null;
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
