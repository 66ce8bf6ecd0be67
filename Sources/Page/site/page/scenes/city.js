import { HEIGHT, WIDTH, sheet, stars } from "./terrain.js";

/** A cat at a window, above a city that does not sleep. */
export function city(seed, name) {
  const warm = seed.pick(["#ffb36b", "#ff8fb0", "#ffd27a"]);
  const sky = seed.pick([["#12103a", "#43217a", "#c2497f"], ["#0b1440", "#2b3a8c", "#8b6bd6"], ["#1a0f33", "#5a1f6b", "#e0605f"]]);
  return {
    tint: sky[1],
    glow: warm,
    focus: 640,
    layers: [
      { kind: "still", art: sheet(`
        <defs><linearGradient id="${name}-sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset=".52" stop-color="${sky[1]}"/><stop offset=".86" stop-color="${sky[2]}"/></linearGradient>
        <radialGradient id="${name}-moon"><stop offset="0" stop-color="#fff6df"/><stop offset=".34" stop-color="#ffe7bd"/><stop offset=".36" stop-color="#ffe0b0" stop-opacity=".34"/><stop offset="1" stop-color="#ffd9a0" stop-opacity="0"/></radialGradient></defs>
        <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#${name}-sky)"/>${stars(seed, 90, 400)}
        <circle cx="286" cy="226" r="118" fill="url(#${name}-moon)"/>
        <g fill="#e9c998" fill-opacity=".35"><circle cx="272" cy="216" r="8"/><circle cx="298" cy="240" r="5"/><circle cx="300" cy="212" r="3.4"/></g>`) },
      { kind: "drift", art: sheet(`<g fill="#fff" fill-opacity=".07"><ellipse cx="90" cy="300" rx="120" ry="13"/><ellipse cx="160" cy="284" rx="80" ry="10"/><ellipse cx="330" cy="352" rx="130" ry="12"/></g>`) },
      { kind: "still", art: sheet(towers(seed, { top: 470, spread: 120, least: 24, most: 44, fill: sky[1], shade: 0.55, lit: "#ffd9ff", share: 0.1 })) },
      { kind: "still", art: sheet(towers(seed, { top: 560, spread: 110, least: 34, most: 62, fill: "#1a1238", shade: 1, lit: warm, share: 0.3 })) },
      { kind: "twinkle", art: sheet(windows(seed, warm)) },
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-sill" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#241640"/><stop offset="1" stop-color="#0a0616"/></linearGradient></defs>
        <rect x="-10" y="716" width="410" height="140" fill="url(#${name}-sill)"/><rect x="-10" y="716" width="410" height="3" fill="${warm}" fill-opacity=".5"/>
        <g fill="#0d0820"><rect x="28" y="684" width="34" height="34" rx="5"/><path d="M45 686c-20-16-24-40-18-58 8 14 14 20 17 34 0-22 4-42 14-54 4 22 0 40-6 56 6-12 12-18 22-24 0 22-10 38-29 46z"/></g>`) },
      { kind: "tail", art: sheet(`<path d="M262 712c26 8 52-2 54-26 1-14-8-22-16-20" fill="none" stroke="#0b0618" stroke-width="11" stroke-linecap="round"/>`) },
      { kind: "still", art: sheet(`<g fill="#0b0618"><path d="M206 718c-8-40 2-72 18-88-4-12-5-26-2-38l15 13c6-2 13-2 19 0l15-13c3 13 2 27-3 39 14 18 20 50 12 87z"/></g>
        <path d="M221 606c-5 10-4 20 2 27M270 593l-14 13" stroke="${warm}" stroke-opacity=".55" stroke-width="1.6" fill="none" stroke-linecap="round"/>
        <path d="M268 632c13 18 18 46 12 84" stroke="${warm}" stroke-opacity=".45" stroke-width="1.8" fill="none" stroke-linecap="round"/>`) },
    ],
  };
}

function towers(seed, { top, spread, least, most, fill, shade, lit, share }) {
  let art = "";
  for (let x = -14; x < WIDTH + 10; ) {
    const width = seed.between(least, most);
    const y = top + seed.between(-spread, spread) * 0.7;
    art += `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${(HEIGHT - y).toFixed(1)}" fill="${fill}" fill-opacity="${shade}"/>`;
    if (seed.unit() < 0.3) art += `<rect x="${(x + width / 2 - 1).toFixed(1)}" y="${(y - 26).toFixed(1)}" width="2" height="26" fill="${fill}" fill-opacity="${shade}"/>`;
    for (let wy = y + 9; wy < 716; wy += 12) {
      for (let wx = x + 5; wx < x + width - 7; wx += 9) {
        if (seed.unit() < share) art += `<rect x="${wx.toFixed(1)}" y="${wy.toFixed(1)}" width="4.4" height="6" rx=".8" fill="${lit}" fill-opacity="${seed.between(0.25, 0.85).toFixed(2)}"/>`;
      }
    }
    x += width + seed.between(0, 6);
  }
  return art;
}

function windows(seed, lit) {
  let art = "";
  for (let i = 0; i < 26; i += 1) {
    art += `<rect x="${seed.between(0, WIDTH).toFixed(1)}" y="${seed.between(590, 705).toFixed(1)}" width="4.4" height="6" rx=".8" fill="${lit}"/>`;
  }
  return art;
}
