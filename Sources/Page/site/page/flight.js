/**
 * One place on its way: `x` and `y` are shares of the stage, to which `xPx` and `yPx` add pixels; there is its middle.
 * @typedef {{offset: number, x: number, xPx: number, y: number, yPx: number, turn: number, size: number, opacity: number}} Place
 *
 * @typedef {object} Flight
 * @property {string} art the picture's name
 * @property {0 | 1} level 1: above those of 0
 * @property {number} width
 * @property {number} height
 * @property {number} startMs since the epoch, by the clock of the page's threads
 * @property {number} durationMs
 * @property {boolean} [isEased] fast at first
 * @property {Place[]} frames
 */

/** Between two frames of a flight everything changes evenly. @param {Place[]} frames @param {number} share */
export function at(frames, share) {
  const next = Math.max(1, frames.findIndex(({ offset }) => offset >= share));
  const [from, to] = [frames[next - 1], frames[next]];
  const part = to.offset > from.offset ? (share - from.offset) / (to.offset - from.offset) : 1;
  const mixed = /** @type {Place} */ ({});
  for (const name in to) mixed[name] = from[name] + (to[name] - from[name]) * part;
  return mixed;
}

