import { claimsOf } from "../client/token.js";

const ANSWER_MS = 3000;
/** One that ends so soon is as good as ended. */
const SOON_MS = 5000;

/**
 * The token that the page came with. It leaves the address bar at once, so that it isn't copied, kept in a history or
 * seen over a shoulder; a reload still has it.
 *
 * A page that frames this one can give another at any time, and is asked for one before the last ends:
 *
 *     frame.contentWindow.postMessage({ flyscreen: "token", token }, "https://gateway.example");
 *     addEventListener("message", ({ data, origin }) => origin === gateway && data.flyscreen === "token-wanted" && …);
 */
export class HostToken {
  /** @type {string | undefined} */
  current;
  #isFramed = parent !== window;
  /** Callers that wait for another. @type {((token: string | undefined) => void)[]} */
  #waiting = [];

  /** @param {(isFirst: boolean) => void} onToken there is another, that nobody waited for; `isFirst`: there was none */
  constructor(onToken) {
    const address = new URL(location.href);
    this.current = address.searchParams.get("access_token") ?? history.state?.token ?? undefined;
    if (address.searchParams.has("access_token")) {
      address.searchParams.delete("access_token");
      history.replaceState({ token: this.current }, "", address);
    }
    addEventListener("message", (event) => {
      const { source, origin, data } = event;
      if (!this.#isFramed || source !== parent || !isHost(origin)) return;
      if (data?.flyscreen !== "token" || typeof data.token !== "string") return;
      const isFirst = this.current === undefined;
      this.current = data.token;
      history.replaceState({ token: data.token }, "");
      const waiting = this.#waiting.splice(0);
      for (const take of waiting) take(data.token);
      if (waiting.length === 0) onToken(isFirst);
    });
  }

  /** Whether somebody may give another one. */
  get mayRenew() {
    return this.#isFramed;
  }

  /** Whether it is over, by this machine's clock. */
  get hasEnded() {
    return this.#leftMs < 0;
  }

  /** The token source of the client. @type {(ask: {renew: boolean}) => Promise<string | undefined>} */
  provide = async ({ renew }) => {
    if (!this.#isFramed || (!renew && this.#leftMs > SOON_MS)) return this.current;
    return new Promise((resolve) => {
      const timer = setTimeout(() => give(this.current), ANSWER_MS);
      const give = (token) => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((one) => one !== give);
        resolve(token);
      };
      this.#waiting.push(give);
      parent.postMessage({ flyscreen: "token-wanted" }, hostOrigin() ?? "*");
    });
  };

  get #leftMs() {
    const { exp } = claimsOf(this.current);
    return typeof exp === "number" ? exp * 1000 - Date.now() : Infinity;
  }
}

/** The origin of the page that frames this one; not every browser tells it. */
function hostOrigin() {
  return location.ancestorOrigins?.[0];
}

/**
 * The gateway says who may frame this page (`gateway.frame.origins`), and browsers see to it: a message of the parent is
 * one of theirs. Where the parent's origin is told, the message must be of just that, whatever it is by now.
 * @param {string} origin
 */
export function isHost(origin) {
  return origin === (hostOrigin() ?? origin);
}
