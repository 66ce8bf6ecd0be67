/** Addresses that a platform gives by its `extra`, as CLIENTS.md has it; empty: none. @typedef {{icon: string, effect: string, badge: string}} Extra */

const parts = ["icon", "effect", "badge"];

/**
 * Reads the platform's own string. One that is no JSON object means nothing here.
 * @param {string} [extra]
 * @returns {Extra}
 */
export function readExtra(extra) {
  let told = null;
  try {
    told = extra ? JSON.parse(extra) : null;
  } catch {
    // A string of the platform's that is for others.
  }
  return /** @type {any} */ (Object.fromEntries(parts.map((part) => [part, typeof told?.[part] === "string" ? told[part] : ""])));
}
