import { HEIGHT, WIDTH, sheet, stars, wave } from "./terrain.js";

/** A sail before the setting sun. */
export function sea(seed, name) {
  const [top, middle, low, water] = seed.pick([
    ["#2a1a5e", "#c23b7e", "#ffb35c", "#3b1d5c"], ["#173a6b", "#d65a84", "#ffd08a", "#23305f"], ["#3a1152", "#f0526a", "#ffc86b", "#4a1846"],
  ]);
  return {
    tint: middle,
    glow: low,
    focus: 520,
    layers: [
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset=".44" stop-color="${middle}"/><stop offset=".66" stop-color="${low}"/></linearGradient>
        <linearGradient id="${name}-sun" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff7d6"/><stop offset="1" stop-color="#ffb457"/></linearGradient>
        <radialGradient id="${name}-halo"><stop offset="0" stop-color="#fff0b8" stop-opacity=".85"/><stop offset="1" stop-color="#ffb457" stop-opacity="0"/></radialGradient></defs>
        <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#${name}-sky)"/>${stars(seed, 40, 220)}`) },
      { kind: "ember", art: sheet(`<circle cx="196" cy="512" r="210" fill="url(#${name}-halo)"/>`) },
      { kind: "still", art: sheet(`<circle cx="196" cy="512" r="82" fill="url(#${name}-sun)"/>`) },
      { kind: "drift", art: sheet(`<g fill="#fff" fill-opacity=".2"><path d="M20 330c20-22 50-16 58-4 22-12 50 0 52 16 24-2 40 6 48 14H-10c4-14 16-24 30-26z"/><path d="M250 420c14-16 38-12 44-2 18-8 36 2 38 12 16-2 28 4 34 10H226c4-10 12-18 24-20z" fill-opacity=".7"/></g><path d="M86 250q8-8 14 0q6-8 14 0M126 274q6-6 10 0q4-6 10 0" fill="none" stroke="${top}" stroke-width="2" stroke-linecap="round"/>`) },
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-water" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${low}"/><stop offset=".18" stop-color="${middle}"/><stop offset=".8" stop-color="${water}"/><stop offset="1" stop-color="#120720"/></linearGradient></defs>
        <rect y="542" width="${WIDTH}" height="310" fill="url(#${name}-water)"/><path d="M-6 544c40-24 76-30 120-2zM300 544c34-20 62-18 100 0z" fill="${top}" fill-opacity=".75"/>`) },
      { kind: "shimmer", art: sheet(path(seed)) },
      { kind: "bob", art: sheet(`<g><path d="M236 560c24 10 62 10 84-2l-10 22c-18 8-48 8-64 0z" fill="#1c0c2c"/><path d="M280 556V452c22 30 34 62 38 92-12 6-26 10-38 12z" fill="#fff3e0"/><path d="M274 470v84c-12 0-24-2-32-6 6-30 16-54 32-78z" fill="#ffd3b8"/><path d="M277 446v114" stroke="#1c0c2c" stroke-width="3"/><path d="M277 448l16-7-16-6z" fill="#ff4f6d"/></g>`) },
      { kind: "swell", art: sheet(`<path d="${wave({ top: 628, height: 13, length: 195 })}" fill="${water}" fill-opacity=".5"/>`) },
      { kind: "swell.is-second", art: sheet(`<path d="${wave({ top: 684, height: 16, length: 195 })}" fill="${water}" fill-opacity=".66"/>`) },
      { kind: "swell.is-third", art: sheet(`<path d="${wave({ top: 746, height: 18, length: 195 })}" fill="#1b0a2a" fill-opacity=".82"/>`) },
    ],
  };
}

/** The sun's way on the water. */
function path(seed) {
  let art = "";
  for (let y = 548; y < 720; y += 6) {
    const spread = 40 + (y - 548) * 0.34;
    for (let i = 0; i < 3; i += 1) {
      const width = seed.between(10, spread);
      art += `<rect x="${(196 - width / 2 + seed.between(-spread, spread) * 0.6).toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="2.2" rx="1.1" fill="#fff0c0" fill-opacity="${seed.between(0.12, 0.62).toFixed(2)}"/>`;
    }
  }
  return art;
}
