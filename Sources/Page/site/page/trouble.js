import { words } from "./words.js";

/**
 * A trouble, in words for a viewer.
 *
 * @typedef {{title: string, note: string, mayRetry: boolean}} Trouble `mayRetry`: whether trying again may help
 *
 * @param {number} status of the gateway's answer; 0: none came
 * @param {{hasToken: boolean, hasEnded: boolean, mayRenew: boolean}} token
 * @returns {Trouble | null} null: nothing is wrong
 */
export function troubleOf(status, { hasToken, hasEnded, mayRenew }) {
  const tell = ([title, note], mayRetry) => ({ title, note, mayRetry });
  switch (status) {
    case 200: return null;
    case 401: return tell(!hasToken ? words.noToken : hasEnded ? words.tokenEnded : words.tokenRefused, mayRenew);
    case 403: return tell(words.forbidden, mayRenew);
    case 404: return tell(words.noRoom, false);
    case 400: return tell(words.notUnderstood, false);
    case 429: return tell(words.tooMany, true);
    case 503: return tell(words.starting, true);
    default: return tell(words.away, true);
  }
}
