/**
 * A gateway's address, before the paths of what is asked.
 * @param {string} url empty: the page's own
 */
export function addressOf(url) {
  if (url !== "" && !url.startsWith("/") && !/^https?:\/\/[^\s/?#]+/i.test(url)) {
    throw new TypeError(`url is the gateway's address, "https://gateway.example"; "${url}" is none`);
  }
  return url.replace(/\/+$/, "");
}
