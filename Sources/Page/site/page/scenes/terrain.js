/** @import { Seed } from "../seed.js" */

/** Scenes are drawn on a stage of this size, and cover whatever there is. */
export const WIDTH = 390;
export const HEIGHT = 844;

/**
 * A ridge of hills from edge to edge, as a path that is closed at the bottom.
 * @param {Seed} seed
 * @param {{top: number, rough: number, step?: number, from?: number, to?: number}} shape
 */
export function ridge(seed, { top, rough, step = 26, from = -60, to = WIDTH + 60 }) {
  const phase = seed.between(0, 6.28);
  const points = [];
  for (let x = from; x <= to; x += step) {
    const wave = Math.sin(x / 61 + phase) * 0.6 + Math.sin(x / 23 + phase * 3) * 0.3;
    points.push([x, top + rough * (wave + seed.between(-0.35, 0.35))]);
  }
  return smooth(points, HEIGHT + 10);
}

/** Peaks with straight flanks. */
export function peaks(seed, { top, rough, step = 46 }) {
  let path = `M-60 ${HEIGHT + 10}L-60 ${top}`;
  for (let x = -60, up = true; x < WIDTH + 90; x += step * seed.between(0.6, 1.3), up = !up) {
    path += `L${x.toFixed(1)} ${(top + (up ? -1 : 0.75) * rough * seed.between(0.45, 1)).toFixed(1)}`;
  }
  return `${path}L${WIDTH + 90} ${HEIGHT + 10}Z`;
}

/** A wave that repeats every `length`, wide enough to be moved by that much. */
export function wave({ top, height, length }) {
  let path = `M${-length} ${HEIGHT + 20}L${-length} ${top}`;
  for (let x = -length; x < WIDTH + 2 * length; x += length) {
    path += `q${length / 4} ${-height} ${length / 2} 0t${length / 2} 0`;
  }
  return `${path}V${HEIGHT + 20}Z`;
}

function smooth(points, bottom) {
  const [[x0, y0]] = points;
  let path = `M${x0} ${bottom}L${x0} ${y0.toFixed(1)}`;
  for (let i = 1; i < points.length; i += 1) {
    const [x, y] = points[i];
    const [before, yBefore] = points[i - 1];
    const middle = (x + before) / 2;
    path += `C${middle} ${yBefore.toFixed(1)} ${middle} ${y.toFixed(1)} ${x} ${y.toFixed(1)}`;
  }
  return `${path}V${bottom}Z`;
}

/** Stars, more of them near the top. */
export function stars(seed, count, depth = 420) {
  let dots = "";
  for (let i = 0; i < count; i += 1) {
    const y = depth * seed.unit() ** 1.5;
    const r = seed.unit() < 0.12 ? seed.between(1.1, 1.7) : seed.between(0.4, 0.9);
    dots += `<circle cx="${(seed.unit() * WIDTH).toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(2)}" fill="#fff" fill-opacity="${seed.between(0.35, 0.95).toFixed(2)}"/>`;
  }
  return dots;
}

/** An `<svg>` that covers its layer. */
export function sheet(content) {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMax slice" aria-hidden="true">${content}</svg>`;
}
