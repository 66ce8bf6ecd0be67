/**
 * @typedef {{giftId: string, giftName: string, value: number, icon?: string, effect?: string}} Present `icon`, `effect`:
 *   addresses of a picture and of what fills the screen
 */

/** The gifts that the page sends where the platform names none of its own; the simulated crowd sends the same. */
const simulated = [
  { giftId: "rose", giftName: "玫瑰", value: 1 },
  { giftId: "heart", giftName: "爱心", value: 5 },
  { giftId: "lollipop", giftName: "棒棒糖", value: 9 },
  { giftId: "beer", giftName: "啤酒", value: 10 },
  { giftId: "coffee", giftName: "Coffee", value: 20 },
  { giftId: "bouquet", giftName: "花束", value: 66 },
  { giftId: "cake", giftName: "生日蛋糕", value: 99 },
  { giftId: "fireworks", giftName: "烟花", value: 199 },
  { giftId: "crown", giftName: "Crown", value: 520 },
  { giftId: "car", giftName: "跑车", value: 1314 },
  { giftId: "rocket", giftName: "火箭", value: 5000 },
  { giftId: "castle", giftName: "梦幻城堡", value: 9999 },
];

/** @type {Present[]} */
let gifts = simulated;

/** The gifts of the tray. @returns {Present[]} */
export const presents = () => gifts;

/** @param {string} giftId @returns {Present | undefined} */
export const giftOf = (giftId) => gifts.find((gift) => gift.giftId === giftId);

/**
 * Asks for the platform's own gifts (`gateway.gifts`), if the page that was served tells where they are: their address is
 * by their content, so a browser keeps them. Without any, and without an answer, the page's own stay.
 */
export async function loadCatalogue() {
  const address = document.querySelector("meta[name=gifts]")?.getAttribute("content");
  if (!address) return;
  try {
    const response = await fetch(address);
    if (!response.ok) return;
    const told = (await response.json()).gifts;
    if (told?.length > 0) gifts = told.map(({ id, name, price, ...more }) => ({ ...more, giftId: id, giftName: name, value: price }));
  } catch {
    // The gateway is away.
  }
}
