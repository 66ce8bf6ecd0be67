import { HEIGHT, WIDTH, ridge, sheet, stars } from "./terrain.js";

/** Lanterns rise over a lake with a pagoda. */
export function lanterns(seed, name) {
  const [sky, middle, low] = seed.pick([["#150a2e", "#571d4d", "#d9533f"], ["#0d1233", "#3d2a6e", "#c4567a"], ["#1c0a1f", "#6b1c33", "#f08a3c"]]);
  return {
    tint: middle,
    glow: "#ffb347",
    focus: 600,
    layers: [
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky}"/><stop offset=".5" stop-color="${middle}"/><stop offset=".78" stop-color="${low}"/></linearGradient></defs>
        <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#${name}-sky)"/>${stars(seed, 70, 420)}
        <path d="${ridge(seed, { top: 560, rough: 36 })}" fill="${middle}" fill-opacity=".8"/><path d="${ridge(seed, { top: 606, rough: 26 })}" fill="${sky}" fill-opacity=".75"/>`) },
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => ({
        kind: `rise.is-${i}`, art: lantern(name, i), left: ((10 + i * 137) % 340) / 3.9 + seed.between(-3, 3),
      })),
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-lake" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${low}" stop-opacity=".9"/><stop offset=".35" stop-color="${middle}"/><stop offset="1" stop-color="#07030f"/></linearGradient></defs>
        <rect y="648" width="${WIDTH}" height="206" fill="url(#${name}-lake)"/>${pagoda(sky)}`) },
      { kind: "shimmer", art: sheet(reflections(seed)) },
      { kind: "still", art: sheet(`<g fill="#07030f"><path d="M-10 854V770c40-12 90-8 120 8 40-14 110-10 150 6 40-10 90-8 140 4v70z"/>${reeds(seed)}</g>`) },
    ],
  };
}

function lantern(name, i) {
  const size = [1, 0.62, 0.8, 0.46, 0.7, 0.38, 0.9, 0.54, 0.42][i];
  return `<svg viewBox="0 0 60 84" width="${60 * size}" height="${84 * size}" aria-hidden="true">
    <defs><radialGradient id="${name}-l${i}" cx=".5" cy=".72" r=".75"><stop offset="0" stop-color="#fff4c4"/><stop offset=".4" stop-color="#ffb648"/><stop offset="1" stop-color="#e0471f"/></radialGradient>
    <radialGradient id="${name}-h${i}"><stop offset="0" stop-color="#ffb648" stop-opacity=".55"/><stop offset="1" stop-color="#ff7a30" stop-opacity="0"/></radialGradient></defs>
    <ellipse cx="30" cy="44" rx="30" ry="38" fill="url(#${name}-h${i})"/><path d="M15 30c0-13 7-18 15-18s15 5 15 18c0 12-4 22-7 32H22c-3-10-7-20-7-32z" fill="url(#${name}-l${i})"/><path d="M22 62h16" stroke="#7a2412" stroke-width="2.4"/></svg>`;
}

function pagoda(fill) {
  const roof = (y, half, rise) => `<path d="M${286 - half} ${y}q${half * 0.5} ${-rise * 0.3} ${half - 6} ${-rise}h12q${half * 0.5} ${rise * 0.7} ${half - 6} ${rise}q-6 4-10 0h${-2 * half + 32}q-6 4-12 0z"/>`;
  return `<g fill="#0b0518">${roof(642, 64, 26)}${roof(596, 52, 24)}${roof(554, 41, 22)}${roof(516, 30, 22)}<rect x="248" y="640" width="76" height="14"/><rect x="254" y="596" width="64" height="24"/><rect x="262" y="554" width="48" height="22"/><rect x="270" y="516" width="32" height="18"/><rect x="284.5" y="462" width="3" height="36"/><path d="M230 656h112l8 10H222z"/></g>
    <g fill="#ffc566"><rect x="263" y="602" width="9" height="15" rx="1"/><rect x="282" y="602" width="9" height="15" rx="1"/><rect x="300" y="602" width="9" height="15" rx="1"/><rect x="270" y="560" width="8" height="13" rx="1"/><rect x="294" y="560" width="8" height="13" rx="1"/><rect x="282" y="520" width="8" height="11" rx="1"/></g>
    <g fill="${fill}" fill-opacity=".55"><path d="M234 668h104l-20 90-32 26-32-26z"/></g>`;
}

function reflections(seed) {
  let art = "";
  for (let i = 0; i < 46; i += 1) {
    const y = seed.between(656, 768);
    art += `<rect x="${seed.between(-10, WIDTH).toFixed(1)}" y="${y.toFixed(1)}" width="${seed.between(6, 44).toFixed(1)}" height="1.6" rx=".8" fill="#ffca7a" fill-opacity="${seed.between(0.08, 0.5).toFixed(2)}"/>`;
  }
  return art;
}

function reeds(seed) {
  let art = "";
  for (let i = 0; i < 12; i += 1) {
    const x = seed.between(-6, 110);
    const lean = seed.between(-16, 20);
    const height = seed.between(40, 104);
    art += `<path d="M${x.toFixed(1)} 790q2 ${(-height / 2).toFixed(1)} ${lean.toFixed(1)} ${(-height).toFixed(1)}q${(-lean + 5).toFixed(1)} ${(height / 2).toFixed(1)} ${(5 - lean).toFixed(1)} ${height.toFixed(1)}z"/>`;
  }
  return art;
}
