import { arabic } from "./languages/ar.js";
import { chinese } from "./languages/zh.js";
import { english } from "./languages/en.js";

/** Languages that have a file. */
export const languages = [english, chinese, arabic];

const asked = navigator.languages.map((tag) => tag.split("-")[0]);

/** The page's own words, in the first of the viewer's languages that has a file. */
export const words = asked.map((tag) => languages.find((one) => one.tag === tag)).find(Boolean) ?? english;

/** The direction in which the page is read. The stage's own places are the same for everybody. */
export const direction = words === arabic ? "rtl" : "ltr";

const compact = new Intl.NumberFormat(`${words.tag}-u-nu-latn`, { notation: "compact", maximumFractionDigits: 1 });

const [clock, day] = [{ timeStyle: "short" }, { dateStyle: "short", timeStyle: "short" }]
  .map((style) => new Intl.DateTimeFormat(words.tag, /** @type {any} */ (style)));

/** A moment of today by the clock, another with its date. @param {number | null} atMs log time @returns {string} empty: not known */
export function timeOf(atMs) {
  if (atMs === null) return "";
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return (isToday ? clock : day).format(atMs);
}

/** 12, 999, 1.2K: short enough for a badge. */
export const short = (number) => compact.format(number);
