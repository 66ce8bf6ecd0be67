import { MissingError, need } from "./surroundings.js";

/** @typedef {import("./token.js").Fetch} Fetch */

/**
 * The head of an answer: its status, and two of its headers, where it has them.
 * @typedef {{status: number, contentType?: string | null, retryAfter?: string | null}} AnswerHead
 */

/**
 * A request that was sent.
 *
 * @typedef {object} OpenAnswer
 * @property {Promise<AnswerHead>} head fails if there is no answer
 * @property {Promise<unknown>} ended the last byte of the body has come; fails if the answer broke
 * @property {() => void} close nobody reads any more; it may have ended already
 */

/**
 * Sends a GET, and gives the text of the answer's body piece by piece, as it comes (UTF-8; no character is cut). Follows no
 * redirect.
 *
 * @callback Open
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {(text: string) => void} onText
 * @returns {OpenAnswer}
 */

/**
 * The transport of browsers and of Node.
 * @param {Fetch | undefined} given in place of the surroundings' own
 * @returns {Open}
 */
export function openByFetch(given) {
  need("TextDecoder");
  if (!given) {
    need("fetch", "Response");
    if (!("body" in Response.prototype)) throw new MissingError(NO_BODY);
  }
  // Called by its own name it would get an object as `this`, which browsers refuse.
  const fetch = given ?? ((/** @type {Parameters<Fetch>} */ ...a) => globalThis.fetch(...a));
  return (url, headers, onText) => {
    const abort = new AbortController();
    const answer = fetch(url, { headers, cache: "no-store", redirect: "error", signal: abort.signal });
    const ended = answer.then((response) => readAll(response, onText));
    const head = answer.then(({ status, headers }) => (
      { status, contentType: headers.get("Content-Type"), retryAfter: headers.get("Retry-After") }));
    return { head, ended, close: () => abort.abort() };
  };
}

const NO_BODY = "the body of answers is missing here, which fetch gives elsewhere: give the option open(url, headers, onText)";

async function readAll({ body }, onText) {
  if (typeof body?.getReader !== "function") throw new MissingError(NO_BODY);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onText(decoder.decode(value, { stream: true }));
  }
}
