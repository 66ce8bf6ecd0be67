import { HEIGHT, WIDTH, peaks, ridge, sheet, stars } from "./terrain.js";

/** A tent by a lake, under northern lights. */
export function aurora(seed, name) {
  const [sky, low, first, second] = seed.pick([
    ["#041225", "#0f4a5c", "#3dffb0", "#5aa8ff"], ["#0a0a2a", "#233a7a", "#7dffcb", "#b06bff"], ["#06122b", "#164a6b", "#8affd0", "#ff7ad9"],
  ]);
  return {
    tint: low,
    glow: first,
    focus: 650,
    layers: [
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky}"/><stop offset=".62" stop-color="${low}"/><stop offset="1" stop-color="${sky}"/></linearGradient></defs>
        <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#${name}-sky)"/>${stars(seed, 130, 480)}`) },
      { kind: "ribbon", art: sheet(ribbon(name, "a", first, 0)) },
      { kind: "ribbon.is-second", art: sheet(ribbon(name, "b", second, 70)) },
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-far" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#cfe9ff" stop-opacity=".85"/><stop offset=".16" stop-color="#3e6b8c"/><stop offset=".4" stop-color="#10324a"/></linearGradient>
        <linearGradient id="${name}-lake" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${first}" stop-opacity=".42"/><stop offset=".4" stop-color="${second}" stop-opacity=".16"/><stop offset="1" stop-color="#020a14"/></linearGradient></defs>
        <path d="${peaks(seed, { top: 500, rough: 84, step: 58 })}" fill="url(#${name}-far)"/>
        <path d="${peaks(seed, { top: 562, rough: 40, step: 34 })}" fill="#0a2336"/>
        <rect y="604" width="${WIDTH}" height="250" fill="#061a2a"/><rect y="604" width="${WIDTH}" height="250" fill="url(#${name}-lake)"/>
        <g fill="#04101c">${pines(seed, 606)}</g>`) },
      { kind: "shimmer", art: sheet(glints(seed, first)) },
      { kind: "still", art: sheet(`<path d="${ridge(seed, { top: 738, rough: 12 })}" fill="#020910"/>
        <defs><radialGradient id="${name}-tent" cx=".5" cy=".9" r=".9"><stop offset="0" stop-color="#fff1b8"/><stop offset=".5" stop-color="#ffb14a"/><stop offset="1" stop-color="#c5482c"/></radialGradient></defs>
        <path d="M222 742l54-78 58 78z" fill="url(#${name}-tent)"/><path d="M276 664l-10 78h22z" fill="#5b1d1a"/><path d="M276 664l-54 78M276 664l58 78" stroke="#ffdf9a" stroke-opacity=".7" stroke-width="1.6"/>`) },
      { kind: "ember", art: sheet(`<defs><radialGradient id="${name}-ember"><stop offset="0" stop-color="#ffc766" stop-opacity=".75"/><stop offset="1" stop-color="#ff8a3c" stop-opacity="0"/></radialGradient></defs><circle cx="278" cy="730" r="120" fill="url(#${name}-ember)"/>`) },
    ],
  };
}

/** A curtain of light, wider than the stage: its edges are never seen. */
function ribbon(name, which, colour, dx) {
  const curtain = (top, depth, phase, opacity) => {
    let [above, below] = ["", ""];
    for (let x = -200; x <= 600; x += 40) {
      const y = top + Math.sin((x + dx) / 83 + phase) * 46 + Math.sin((x + dx) / 37 + phase) * 14;
      above += `${above ? "L" : "M"}${x} ${(y - depth).toFixed(1)}`;
      below = `L${x} ${(y + 40 + Math.sin(x / 29 + phase) * 22).toFixed(1)}${below}`;
    }
    return `<path d="${above}${below}Z" fill="url(#${name}-r${which})" fill-opacity="${opacity}"/>`;
  };
  return `<defs><linearGradient id="${name}-r${which}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colour}" stop-opacity="0"/><stop offset=".7" stop-color="${colour}" stop-opacity=".62"/><stop offset=".86" stop-color="${colour}" stop-opacity=".8"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></linearGradient></defs>
    ${curtain(250 + dx * 0.6, 190, dx / 20, 1)}${curtain(350 - dx * 0.4, 150, 2 + dx / 30, 0.7)}`;
}

function pines(seed, bottom) {
  let art = "";
  for (let x = -10; x < WIDTH + 10; x += seed.between(5, 17)) {
    const height = seed.between(16, 52) * (Math.abs(x - 200) > 90 ? 1 : 0.45);
    art += `<path d="M${x.toFixed(1)} ${bottom}l${(height * 0.22).toFixed(1)} ${-height.toFixed(1)} ${(height * 0.22).toFixed(1)} ${height.toFixed(1)}z"/>`;
  }
  return art;
}

function glints(seed, colour) {
  let art = "";
  for (let i = 0; i < 40; i += 1) {
    const y = seed.between(612, 740);
    const length = seed.between(8, 46) * ((y - 560) / 120);
    art += `<rect x="${seed.between(-20, WIDTH).toFixed(1)}" y="${y.toFixed(1)}" width="${length.toFixed(1)}" height="1.3" rx=".6" fill="${colour}" fill-opacity="${seed.between(0.1, 0.5).toFixed(2)}"/>`;
  }
  return art;
}
