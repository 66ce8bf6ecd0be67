/** Scenes are drawn on a stage of this size, and cover whatever there is. */
export const WIDTH = 390;
export const HEIGHT = 844;

/** A wave that repeats every `length`, wide enough to be moved by that much. */
export function wave({ top, height, length }) {
  let path = `M${-length} ${HEIGHT + 20}L${-length} ${top}`;
  for (let x = -length; x < WIDTH + 2 * length; x += length) {
    path += `q${length / 4} ${-height} ${length / 2} 0t${length / 2} 0`;
  }
  return `${path}V${HEIGHT + 20}Z`;
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
