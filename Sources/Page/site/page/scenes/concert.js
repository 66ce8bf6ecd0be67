import { HEIGHT, WIDTH, sheet } from "./terrain.js";

/** A microphone in the spotlights, before a crowd with its hands up. */
export function concert(seed, name) {
  const [back, first, second] = seed.pick([["#160733", "#ff3d9a", "#5a6bff"], ["#07122f", "#27d3ff", "#a34dff"], ["#22062b", "#ff5a5a", "#ffb03d"]]);
  return {
    tint: second,
    glow: first,
    focus: 470,
    layers: [
      { kind: "still", art: sheet(`<defs><radialGradient id="${name}-back" cx=".5" cy=".56" r=".75"><stop offset="0" stop-color="${first}" stop-opacity=".62"/><stop offset=".42" stop-color="${second}" stop-opacity=".34"/><stop offset="1" stop-color="${back}"/></radialGradient></defs>
        <rect width="${WIDTH}" height="${HEIGHT}" fill="${back}"/><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#${name}-back)"/>${bokeh(seed, [first, second, "#fff"])}`) },
      ...[0, 1, 2, 3].map((i) => ({ kind: `beam.is-${i}`, art: beam(name, i, i % 2 ? second : first) })),
      { kind: "ember", art: sheet(`<circle cx="195" cy="486" r="128" fill="none" stroke="${first}" stroke-opacity=".28" stroke-width="16"/><circle cx="195" cy="486" r="128" fill="none" stroke="#fff" stroke-opacity=".9" stroke-width="2.6"/><circle cx="195" cy="486" r="112" fill="none" stroke="${second}" stroke-opacity=".8" stroke-width="1.6"/>`) },
      { kind: "still", art: sheet(`<defs><linearGradient id="${name}-mic" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff"/><stop offset=".4" stop-color="#c9c4e6"/><stop offset="1" stop-color="#4a4370"/></linearGradient>
        <linearGradient id="${name}-floor" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${first}" stop-opacity=".5"/><stop offset="1" stop-color="#05020c"/></linearGradient></defs>
        <path d="M-10 690h410v170H-10z" fill="#0a0418"/><path d="M-10 690h410v60H-10z" fill="url(#${name}-floor)"/><ellipse cx="195" cy="700" rx="120" ry="16" fill="#fff" fill-opacity=".22"/>
        <path d="M195 520v176M164 698h62" stroke="#1c1436" stroke-width="6" stroke-linecap="round"/><path d="M193.6 520v174" stroke="#8f86c4" stroke-width="1.4"/>
        <g transform="rotate(-16 195 470)"><path d="M182 474h26l-5 62h-16z" fill="#171030"/><rect x="178" y="414" width="34" height="62" rx="17" fill="url(#${name}-mic)"/><path d="M178 440h34M178 452h34M187 416v58M203 416v58M195 414v62" stroke="#4a4370" stroke-opacity=".55" stroke-width="1.3"/><rect x="177" y="462" width="36" height="9" rx="4" fill="${first}"/></g>`) },
      { kind: "bob", art: sheet(`<g fill="#05020c">${crowd(seed, 778, 20)}</g>`) },
      { kind: "bob.is-second", art: sheet(`<g fill="#020106">${crowd(seed, 818, 26)}</g>`) },
    ],
  };
}

function beam(name, i, hue) {
  // It brightens what is behind it a little, as light does: to blend for that would cost each frame as much as all else.
  const colour = `color-mix(in srgb, ${hue} 80%, #fff)`;
  return `<svg viewBox="0 0 200 700" preserveAspectRatio="none" aria-hidden="true"><defs><linearGradient id="${name}-b${i}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".75"/><stop offset=".12" stop-color="${colour}" stop-opacity=".5"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></linearGradient></defs><path d="M94 0h12l94 700H0z" fill="url(#${name}-b${i})"/></svg>`;
}

function bokeh(seed, colours) {
  let art = "";
  for (let i = 0; i < 34; i += 1) {
    art += `<circle cx="${seed.between(-10, 400).toFixed(1)}" cy="${seed.between(80, 640).toFixed(1)}" r="${seed.between(2, 17).toFixed(1)}" fill="${seed.pick(colours)}" fill-opacity="${seed.between(0.05, 0.2).toFixed(2)}"/>`;
  }
  return art;
}

function crowd(seed, top, size) {
  let art = `<rect x="-20" y="${top + size}" width="440" height="120"/>`;
  for (let x = -16; x < WIDTH + 20; x += size * seed.between(1.3, 1.9)) {
    const y = top + seed.between(-8, 10);
    art += `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(size * 0.5).toFixed(1)}"/><ellipse cx="${x.toFixed(1)}" cy="${(y + size * 1.25).toFixed(1)}" rx="${(size * 0.9).toFixed(1)}" ry="${size}"/>`;
    if (seed.unit() < 0.55) {
      const lean = seed.between(-12, 12);
      art += `<path d="M${(x + size * 0.5).toFixed(1)} ${(y + size).toFixed(1)}q${(lean + 6).toFixed(1)} ${-size} ${lean.toFixed(1)} ${(-size * 2.3).toFixed(1)}" stroke="#05020c" stroke-width="${(size * 0.28).toFixed(1)}" stroke-linecap="round" fill="none"/>`;
    }
  }
  return art;
}
