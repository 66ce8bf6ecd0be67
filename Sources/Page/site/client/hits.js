/** @typedef {import("./screen.js").Banner} Banner */
/** @typedef {import("./screen.js").Drop} Drop */

/**
 * How an app draws what flies, in units of its own.
 *
 * @typedef {object} Layout
 * @property {number} width of the stage
 * @property {number} height of the stage
 * @property {number} [stageWidth] the setting `wish.stageWidth`: narrower stages are drawn smaller. By default 375
 * @property {{top: number, step: number, height: number}} wishes `top`: of a banner on track 0; `step`: from one track to the
 *   next; `height`: of a banner
 * @property {{width: number, height: number}} packets the size of a packet that hangs straight
 */

/**
 * @param {Banner} banner
 * @param {number} atMs log time
 * @param {Layout} layout
 * @returns {{left: number, top: number, width: number, height: number}} where it is then
 */
export function boxOf({ fly, startMs }, atMs, { width, stageWidth = 375, wishes }) {
  const wide = fly.width * Math.min(1, width / stageWidth);
  const left = width - ((width + wide) * (atMs - startMs)) / fly.durationMs;
  return { left, top: wishes.top + fly.track * wishes.step, width: wide, height: wishes.height };
}

/**
 * @param {Drop} packet
 * @param {number} atMs log time
 * @param {Layout} layout
 * @returns {{x: number, y: number, turn: number}} where its middle is then, and the degrees that it is turned clockwise
 */
export function placeOf({ drop, startMs }, atMs, { width, height, packets }) {
  const fallen = (atMs - startMs) / drop.fallMs;
  const turned = drop.spinMs > 0 ? Math.min(1, (atMs - startMs) / drop.spinMs) : 1;
  const across = (drop.x + (drop.toX - drop.x) * fallen) / 999;
  // It begins and ends out of sight, however it is turned.
  const reach = Math.hypot(packets.width, packets.height) / 2;
  return {
    x: packets.width / 2 + across * (width - packets.width),
    y: fallen * (height + 2 * reach) - reach,
    turn: drop.angle + drop.spin * turned,
  };
}

/**
 * Whether a point is on a thing that is turned.
 * @param {{x: number, y: number}} point
 * @param {{x: number, y: number, turn: number}} place its middle, and the degrees that it is turned clockwise
 * @param {{width: number, height: number}} size of the thing before it is turned
 */
export function isOn(point, { x, y, turn }, { width, height }) {
  const radians = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [dx, dy] = [point.x - x, point.y - y];
  return Math.abs(dx * cos + dy * sin) <= width / 2 && Math.abs(dy * cos - dx * sin) <= height / 2;
}

/**
 * What flies under a finger, the topmost first: packets above banners, later ones above earlier ones.
 * @param {{rains: {drops: Drop[]}[], banners: Banner[]}} screen
 * @param {{x: number, y: number}} point
 * @param {number} atMs log time, as it is drawn
 * @param {Layout} layout
 * @returns {(Drop | Banner)[]}
 */
export function itemsAt({ rains, banners }, point, atMs, layout) {
  const flies = ({ startMs, landMs }) => startMs <= atMs && atMs < landMs;
  const drops = rains.flatMap(({ drops }) => drops)
    .filter((packet) => flies(packet) && isOn(point, placeOf(packet, atMs, layout), layout.packets))
    .reverse().sort((a, b) => b.startMs - a.startMs);
  const under = banners.filter((banner) => {
    if (!flies(banner)) return false;
    const { left, top, width, height } = boxOf(banner, atMs, layout);
    return left <= point.x && point.x <= left + width && top <= point.y && point.y <= top + height;
  });
  return [...drops, ...under.reverse()];
}
