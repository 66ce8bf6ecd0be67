/**
 * A JSON Web Token, or a function that gives one: it is asked each time that a stream opens or something is sent, and
 * with `renew` when the last one was refused or soon ends. An error that it throws counts as a failure to connect: it
 * is asked again, later; so does one that doesn't come in time.
 *
 * @typedef {string | ((ask: {renew: boolean}) => string | undefined | Promise<string | undefined>)} TokenSource
 */

/**
 * `fetch`, as far as it is used here: that of browsers and of Node is one.
 * @typedef {(url: string, init?: any) => Promise<any>} Fetch
 */

/**
 * An AbortSignal, as far as it is used here.
 * @typedef {{aborted?: boolean, reason: any, addEventListener: (type: "abort", act: () => void, options: {once: boolean}) => void}} Signal
 */

/** A token is renewed so long before it ends, or a fifth of the time it has left if that is less. */
const EARLY_MS = 30_000;
/** Timers take no more. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * @param {TokenSource | undefined} source
 * @param {{renew?: boolean, signal?: Signal}} [ask] `signal` ends the wait: it fails then, whatever the source does
 * @returns {Promise<string | undefined>}
 */
export async function askForToken(source, { renew = false, signal } = {}) {
  if (typeof source !== "function") return source || undefined;
  const token = source({ renew });
  return (await (signal ? untilAborted(token, signal) : token)) || undefined;
}

/**
 * What is awaited, unless the signal comes first: it fails then, whatever becomes of that.
 * @template Value
 * @param {Value | Promise<Value>} value
 * @param {Signal} signal
 * @returns {Promise<Value>}
 */
export function untilAborted(value, signal) {
  const ended = new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([value, ended]);
}

/**
 * The claims of a token, unverified: the gateway checks them, here they only have to be read.
 * @param {string | undefined} token
 * @returns {Record<string, any>} none if it can't be read
 */
export function claimsOf(token) {
  try {
    const bytes = atob(String(token).split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    // atob gives bytes; names are UTF-8.
    const claims = JSON.parse(decodeURIComponent(bytes.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`)));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/**
 * @param {string | undefined} token
 * @param {number} [nowMs] the wall clock
 * @returns {number | null} milliseconds until it should be renewed; null if it tells no end, or is over by this clock
 */
export function renewalIn(token, nowMs = Date.now()) {
  const { exp } = claimsOf(token);
  if (typeof exp !== "number") return null;
  const leftMs = exp * 1000 - nowMs;
  return leftMs > 0 ? Math.min(LONGEST_MS, leftMs - Math.min(EARLY_MS, leftMs / 5)) : null;
}

/** @param {string | undefined} token @param {string | undefined} other @returns {boolean} whether the first ends later */
export function endsLater(token, other) {
  return (claimsOf(token).exp ?? Infinity) > (claimsOf(other).exp ?? Infinity);
}
