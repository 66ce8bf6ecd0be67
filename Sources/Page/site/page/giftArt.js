import { giftOf } from "./catalogue.js";
import { element } from "./element.js";
import { picture } from "./picture.js";
import { hash } from "./seed.js";
import { languages, words } from "./words.js";

/** Drawn on 64 × 64; `g-…` are the gradients below. */
const art = {
  rose: `<path d="M31 34c0 12-3 19-8 26" fill="none" stroke="#2f9e5b" stroke-width="3.6" stroke-linecap="round"/><path d="M29 47c-10 2-14-3-15-9 8-1 13 2 15 9z" fill="#3fc476"/><path d="M31 42c8 0 12-4 13-10-7 0-12 3-13 10z" fill="#2f9e5b"/><path d="M32 5c13 0 21 8 20 18-1 9-9 15-20 15s-19-6-20-15C11 13 19 5 32 5z" fill="url(#g-rose)"/><path d="M32 5c-9 4-12 11-8 17 3 5 13 6 16 0 3-5-2-10-7-9-4 1-5 6-1 8M15 15c-2 12 6 20 17 23M51 17c1 10-5 18-15 21" fill="none" stroke="#8e0f35" stroke-opacity=".65" stroke-width="2" stroke-linecap="round"/><path d="M18 14c2-3 5-5 8-6" stroke="#fff" stroke-opacity=".7" stroke-width="2.4" stroke-linecap="round"/>`,
  heart: `<path d="M32 57C13 44 5 34 5 22 5 13 12 7 19 7c6 0 10 3 13 8 3-5 7-8 13-8 7 0 14 6 14 15 0 12-8 22-27 35z" fill="url(#g-heart)"/><path d="M13 24c0-5 3-9 8-9" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-opacity=".85"/>`,
  lollipop: `<path d="M36 36l13 23" stroke="#fff7ec" stroke-width="4.6" stroke-linecap="round"/><path d="M36 36l13 23" stroke="#e2c9a8" stroke-width="1.4"/><circle cx="28" cy="25" r="21" fill="url(#g-candy)"/><path d="M28 25c4-2 5 4 1 6-6 3-12-2-11-9 1-8 10-12 17-8 9 5 10 16 4 23" fill="none" stroke="#fff" stroke-width="4.4" stroke-linecap="round"/><path d="M12 22c1-5 4-9 8-11" stroke="#fff" stroke-opacity=".7" stroke-width="2.6" stroke-linecap="round" fill="none"/>`,
  beer: `<path d="M44 26h6c5 0 8 3 8 8v8c0 5-3 8-8 8h-6" fill="none" stroke="#ffd98a" stroke-width="5"/><path d="M12 20h34v34c0 4-3 6-6 6H18c-3 0-6-2-6-6z" fill="url(#g-beer)"/><path d="M20 30v22M29 30v22M38 30v22" stroke="#fff" stroke-opacity=".38" stroke-width="3.4" stroke-linecap="round"/><path d="M10 22c-5-5 0-13 6-12 2-6 12-8 16-2 6-3 13 1 13 6 5 1 6 9 0 10-3 1-5-2-7 1-1 5-6 5-7 0-6 4-13 3-15-1-2 2-5 1-6-2z" fill="#fffdf6"/>`,
  coffee: `<path d="M22 12c-4-4 4-6 0-10M32 12c-4-4 4-6 0-10M42 12c-4-4 4-6 0-10" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="2.6" stroke-linecap="round"/><path d="M48 26h4c6 0 9 4 9 8 0 6-5 10-13 10" fill="none" stroke="#f4ead9" stroke-width="4.6"/><path d="M8 20h42v16c0 12-8 19-21 19S8 48 8 36z" fill="url(#g-cup)"/><ellipse cx="29" cy="20" rx="21" ry="6.5" fill="#5b3320"/><path d="M29 24c-6-3-8-6-4-7 2 0 3 1 4 2 1-1 2-2 4-2 4 1 2 4-4 7z" fill="#f3d9b8"/><ellipse cx="29" cy="58" rx="24" ry="3.6" fill="#e8d7bd"/>`,
  bouquet: `<path d="M18 34l14 27 14-27z" fill="url(#g-paper)"/><path d="M24 40l8 20 8-20" fill="#fff" fill-opacity=".35"/><circle cx="20" cy="24" r="10" fill="url(#g-rose)"/><circle cx="44" cy="24" r="10" fill="url(#g-candy)"/><circle cx="32" cy="15" r="11" fill="url(#g-gold)"/><circle cx="32" cy="31" r="10" fill="url(#g-heart)"/><g fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="1.8"><path d="M16 24c1-4 6-5 8-2s-2 6-4 4M40 24c1-4 6-5 8-2s-2 6-4 4M28 15c1-4 6-5 8-2s-2 6-4 4M28 31c1-4 6-5 8-2s-2 6-4 4"/></g><path d="M24 50h16l-3 5H27z" fill="#ff5c8a"/>`,
  cake: `<path d="M20 12v12M32 10v14M44 12v12" stroke="#8fd3ff" stroke-width="3.6" stroke-linecap="round"/><path d="M20 3c3 4 3 7 0 8-3-1-3-4 0-8zM32 1c3 4 3 7 0 8-3-1-3-4 0-8zM44 3c3 4 3 7 0 8-3-1-3-4 0-8z" fill="#ffc94d"/><path d="M8 32c0-6 4-9 9-9h30c5 0 9 3 9 9v6H8z" fill="#fff1f6"/><path d="M6 38h52v18c0 3-2 4-4 4H10c-2 0-4-1-4-4z" fill="url(#g-cake)"/><path d="M8 32c0 10 8 10 9 4 1 9 9 9 10 0 1 9 9 9 10 0 1 9 9 9 10 0 1 6 9 6 9-4z" fill="#fff"/><circle cx="18" cy="50" r="2.6" fill="#fff"/><circle cx="32" cy="50" r="2.6" fill="#ffe07a"/><circle cx="46" cy="50" r="2.6" fill="#fff"/>`,
  fireworks: `<g stroke-linecap="round" stroke-width="3" fill="none"><g stroke="#ffd34d"><path d="M32 26V8M32 26l13-13M32 26h19M32 26l13 13M32 26l-13 13M32 26H13M32 26L19 13"/></g><g stroke="#ff6ba8"><path d="M32 26l7-17M32 26l17-7M32 26l17 7M32 26l-7 17M32 26l-17 7M32 26l-17-7M32 26l-7-17"/></g></g><circle cx="32" cy="26" r="5" fill="#fff"/><g fill="#7fe3ff"><circle cx="32" cy="5" r="2.2"/><circle cx="53" cy="26" r="2.2"/><circle cx="11" cy="26" r="2.2"/><circle cx="47" cy="11" r="2.2"/><circle cx="17" cy="11" r="2.2"/><circle cx="47" cy="41" r="2.2"/><circle cx="17" cy="41" r="2.2"/></g><path d="M32 36c3 9-3 15 0 25" fill="none" stroke="#ffb44d" stroke-width="2.6" stroke-linecap="round" stroke-dasharray="1 5"/>`,
  crown: `<path d="M7 21l13 11L32 11l12 21 13-11-6 31H13z" fill="url(#g-gold)"/><path d="M13 52h38v6c0 1-1 2-2 2H15c-1 0-2-1-2-2z" fill="#e09a1c"/><circle cx="32" cy="9" r="4.4" fill="#ff5c8a"/><circle cx="6" cy="19" r="3.8" fill="#7fe3ff"/><circle cx="58" cy="19" r="3.8" fill="#7fe3ff"/><path d="M32 34l6 7-6 7-6-7z" fill="#ff4770"/><circle cx="18" cy="44" r="3" fill="#7d6bff"/><circle cx="46" cy="44" r="3" fill="#7d6bff"/><path d="M11 26l9 8" stroke="#fff" stroke-opacity=".8" stroke-width="2.2" stroke-linecap="round"/>`,
  car: `<path d="M3 42c0-7 5-9 12-10l10-11c2-2 4-3 7-3h12c4 0 6 2 8 5l5 9c3 1 5 3 5 7v5c0 2-1 3-3 3H6c-2 0-3-2-3-5z" fill="url(#g-car)"/><path d="M27 24c1-2 3-2 5-2h4v10H20zM40 22h5c2 0 3 1 4 3l4 7H40z" fill="#c9f1ff"/><path d="M3 40h61" stroke="#fff" stroke-opacity=".4" stroke-width="1.6"/><circle cx="17" cy="47" r="8.4" fill="#1c1730"/><circle cx="17" cy="47" r="4" fill="#d6d3ea"/><circle cx="49" cy="47" r="8.4" fill="#1c1730"/><circle cx="49" cy="47" r="4" fill="#d6d3ea"/><path d="M3 38c4-1 7 0 8 3H3z" fill="#ffe58a"/><path d="M-2 52h10M-4 46h5" stroke="#fff" stroke-opacity=".55" stroke-width="2" stroke-linecap="round"/>`,
  rocket: `<g transform="rotate(38 32 32)"><path d="M24 46c-3 6-1 12 8 18 9-6 11-12 8-18z" fill="url(#g-flame)"/><path d="M28 46c-1 4 0 8 4 11 4-3 5-7 4-11z" fill="#fff3b0"/><path d="M20 30c-8 5-10 11-9 19l11-6zM44 30c8 5 10 11 9 19l-11-6z" fill="#ff4f6d"/><path d="M32-2c10 8 14 19 12 32l-3 17H23l-3-17C18 17 22 6 32-2z" fill="url(#g-hull)"/><path d="M32-2c5 4 8 8 10 13H22c2-5 5-9 10-13z" fill="#ff4f6d"/><circle cx="32" cy="23" r="6.6" fill="#5ad0ff" stroke="#8c86b8" stroke-width="2.6"/><path d="M29 21c1-2 3-3 5-2" stroke="#fff" stroke-width="1.8" stroke-linecap="round" fill="none"/></g>`,
  star: `<path d="M32 4l8.2 18.3 19.8 2.1-14.8 13.4 4.2 19.5L32 47.3 14.6 57.3l4.2-19.5L4 24.4l19.8-2.1z" fill="url(#g-gold)" stroke="#fff6c8" stroke-width="2.4" stroke-linejoin="round"/><path d="M32 13l5.2 12" stroke="#fff" stroke-opacity=".7" stroke-width="2.4" stroke-linecap="round"/>`,
  castle: `<path d="M8 60V34h48v26z" fill="url(#g-castle)"/><path d="M6 60V26h14v34zM44 60V26h14v34zM24 44V20h16v24z" fill="#ded4ff"/><path d="M3 27l10-17 10 17zM41 27l10-17 10 17z" fill="url(#g-roof)"/><path d="M21 21L32 1l11 20z" fill="#ff5c9a"/><path d="M32 1v-5l8 3-8 3M13 10V4l6 2-6 2M51 10V4l6 2-6 2" fill="#ffd34d" stroke="#ffd34d" stroke-width="1"/><path d="M26 60V48c0-4 3-6 6-6s6 2 6 6v12z" fill="#5b3fa6"/><rect x="10" y="34" width="6" height="9" rx="3" fill="#5b3fa6"/><rect x="48" y="34" width="6" height="9" rx="3" fill="#5b3fa6"/><rect x="29" y="27" width="6" height="9" rx="3" fill="#5b3fa6"/>`,
};

const gradients = {
  rose: ["#ff7a9c", "#d3134f"], heart: ["#ff8ac0", "#ff2d6f"], candy: ["#ff9be0", "#a14dff"], beer: ["#ffe08a", "#f59a1b"],
  cup: ["#ffffff", "#e9dcc6"], paper: ["#fff0f6", "#ffb3d0"], gold: ["#fff0a8", "#ffae1f"], cake: ["#ffb3cf", "#ff6f9f"],
  car: ["#ff6a5a", "#d01344"], flame: ["#ffd34d", "#ff5a1f"], hull: ["#ffffff", "#b9b4dc"], castle: ["#efe8ff", "#b5a2f5"],
  roof: ["#8f7bff", "#5a39d6"],
};

/**
 * A gift: the platform's picture of it, if there is one, else our own drawing. One that is not known is a box in colours
 * of its own.
 * @param {string} giftId
 * @param {string} [icon] address of a picture; none: that of the catalogue
 * @returns {Element}
 */
export function giftArt(giftId, icon = giftOf(giftId)?.icon ?? "") {
  const drawn = element("img.gift-art", { alt: "", decoding: "sync", draggable: false, src: addressOf(Object.hasOwn(art, giftId) ? giftId : "", hash(giftId)) });
  const shown = picture(icon, () => shown?.replaceWith(drawn));
  shown?.classList.add("gift-art");
  return shown ?? drawn;
}

/** The address of our own drawing: one node to style, lay out and move, however much it shows. @param {string} known @param {number} seed of a box */
function addressOf(known, seed) {
  const inside = known ? art[known] : box(seed);
  const stops = [...new Set(inside.match(/(?<=url\(#g-)\w+/g))]
    .map((name) => `<linearGradient id="g-${name}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${gradients[name][0]}"/><stop offset="1" stop-color="${gradients[name][1]}"/></linearGradient>`);
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="72" height="72" viewBox="-4 -6 72 72"><defs>${stops.join("")}</defs>${inside}</svg>`)}`;
}

function box(seed) {
  const [hue, ribbon] = [seed % 360, (seed + 150) % 360];
  return `<rect x="9" y="28" width="46" height="32" rx="5" fill="hsl(${hue} 80% 58%)"/><rect x="5" y="20" width="54" height="13" rx="4" fill="hsl(${hue} 85% 68%)"/><rect x="27" y="20" width="10" height="40" fill="hsl(${ribbon} 90% 74%)"/><path d="M32 20C22 22 14 18 16 11c2-6 13-3 16 9 3-12 14-15 16-9 2 7-6 11-16 9z" fill="none" stroke="hsl(${ribbon} 90% 74%)" stroke-width="5" stroke-linejoin="round"/><path d="M11 25h10" stroke="#fff" stroke-opacity=".7" stroke-width="2.4" stroke-linecap="round"/>`;
}

/**
 * The name of a gift in the page's language. A platform's own gift keeps its own name, whatever its id is.
 * @param {string} giftId
 * @param {string} giftName as it was sent
 */
export function nameOfGift(giftId, giftName) {
  if (!Object.hasOwn(words.gifts, giftId)) return giftName || giftId;
  return giftName === "" || languages.some(({ gifts }) => gifts[giftId] === giftName) ? words.gifts[giftId] : giftName;
}
