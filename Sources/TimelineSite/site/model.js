const parts = [], marks = [], things = [], doubts = [];
let roomName = '', from = 0, to = 1, more = 0, untold = 0;
function sort(data) {
  for (const d of data) {
    if (d.k === 'room') roomName = d.name;
    else if (d.k === 'end') { from = d.from; to = d.to; more = d.more; untold = d.untold || 0; }
    else if (d.k === 'p') parts.push({ name: d.name, v: [], w: [], r: [], l: [], q: [], x: [], s: [], e: [], d: [], o: [], b: [], j: [], i: [], g: [] });
    else if (d.k === 'c') marks.push(d);
    else if (d.k === 'doubt') doubts.push(d);
    else parts[d.p][d.k].push(d);
  }
  if (to <= from) to = from + 1000;
}
const counted = (n, one, many = one + 's') => n + ' ' + (n === 1 ? one : many);
const named = d => d.n && d.n !== d.u ? d.n + ' (' + d.u + ')' : d.u;
const brief = d => d.n || d.u;
const giftName = d => d.gn || d.g;
const pad = (n, w) => String(n).padStart(w, '0');
function clock(t, ms = true) {
  const d = new Date(t);
  return pad(d.getUTCHours(), 2) + ':' + pad(d.getUTCMinutes(), 2) + ':' + pad(d.getUTCSeconds(), 2)
    + (ms ? '.' + pad(d.getUTCMilliseconds(), 3) : '');
}
const day = t => new Date(t).toISOString().slice(0, 10);
const span = ms => ms >= 60000 ? (ms / 60000).toFixed(1) + ' min' : ms >= 1000 ? (ms / 1000).toFixed(2) + ' s'
  : ms + ' ms';
function hue(text) {
  let h = 7;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) >>> 0;
  return ((h * 2654435761) >>> 0) % 360;
}
/// The last number at or before t.
function numberAt(points, t, first) {
  let low = 0, high = points.length;
  while (low < high) { const m = (low + high) >> 1; points[m][0] <= t ? low = m + 1 : high = m; }
  return low ? points[low - 1][1] : first;
}

/// Puts items that overlap on lines of their own, four at most. Returns the number of lines.
function stack(items) {
  const ends = [];
  for (const d of items.sort((a, b) => a.s - b.s)) {
    let sub = ends.findIndex(e => e <= d.s);
    if (sub < 0) sub = ends.length < 4 ? ends.length : ends.indexOf(Math.min(...ends));
    ends[sub] = d.e ?? to; d.sub = sub;
  }
  return Math.max(1, ends.length);
}
/// A row has a label, a height, and what is drawn in it, sorted by s.
const rows = [];
const lost = { gift: 0, wish: 0, spot: 0, pin: 0 };
let pinCount = 0, goalCount = 0, wishCount = 0, viewCount = 0, rainCount = 0, paid = 0, likeCount = 0, deadCount = 0, told = 0;
const endOf = d => d.e || d.h || to;
function layOut() {
  const isMany = parts.filter(p => ['v', 'w', 'r', 'l', 's', 'q', 'd', 'i', 'g'].some(k => p[k].length)).length > 1;
  for (const p of parts) {
    const log = isMany ? p.name : '';
    viewCount += p.v.length; wishCount += p.w.length;
    for (const s of p.s) lost[s.st] += s.units;
    const lanes = p.v.reduce((n, v) => Math.max(n, v.lane + 1), 0);
    for (let lane = 0; lane < lanes; lane++) {
      rows.push({ kind: 'lane', label: 'lane ' + lane, log, h: 34, items: p.v.filter(v => v.lane === lane) });
    }
    const tracks = p.w.reduce((n, w) => Math.max(n, w.track + 1), 0);
    for (let track = 0; track < tracks; track++) {
      const items = p.w.filter(w => w.track === track), subs = stack(items);
      rows.push({ kind: 'track', label: 'track ' + track, log, h: 8 + 19 * subs, subs, items });
    }
    if (p.r.length) {
      const subs = stack(p.r);
      rows.push({ kind: 'rain', label: 'rain', log, h: 8 + 19 * subs, subs, items: p.r });
    }
    if (p.l.length) {
      const top = p.l.reduce((n, l) => Math.max(n, l.n), 1);
      rows.push({ kind: 'likes', label: 'likes', log, h: 30, items: p.l, top, note: 'up to ' + top + ' a burst' });
    }
    if (p.o.length) {
      const subs = stack(p.o);
      rows.push({ kind: 'spot', label: 'spot', log, h: 8 + 19 * subs, subs, items: p.o });
    }
    for (const [kind, label, items] of [['pin', 'pins', p.i], ['goal', 'goals', p.g]]) {
      if (!items.length) continue;
      const subs = stack(items);
      rows.push({ kind, label, log, h: 8 + 19 * subs, subs, items });
      things.push(...items);
    }
    pinCount += p.i.length; goalCount += p.g.length;
    if (p.b.length) rows.push({ kind: 'bar', label: 'crowds', log, h: 27, items: p.b, each: p.j });
    // Each turn of a crowd on the bar tells its units from the crowd's beginning on.
    const units = new Map();
    for (const b of p.b) {
      if (b.pts.length) units.set(b.crowd, Math.max(units.get(b.crowd) || 0, b.pts[b.pts.length - 1][1]));
      things.push(b);
    }
    for (const one of units.values()) told += one;
    for (const o of p.o) things.push(o);
    for (const j of p.j) things.push(j);
    for (const r of p.r) { rainCount += 1; paid += r.coins; things.push(r); }
    for (const l of p.l) likeCount += l.n;
    if (p.q.length) {
      const top = p.q.reduce((n, q) => Math.max(n, q.g, q.w), 1);
      const most = p.q.reduce((n, q) => Math.max(n, (q.n || 0) + (q.dup || 0)), 1);
      rows.push({ kind: 'queue', label: 'waiting', log, h: 58, items: p.q, top, note: 'up to ' + top });
      rows.push({ kind: 'arrivals', label: 'events', log, h: 34, items: p.q.filter(q => q.n || q.dup),
        each: p.e, top: most, note: 'up to ' + most + ' in 100 ms' });
    }
    if (p.d.length) {
      deadCount += p.d.length;
      rows.push({ kind: 'dead', label: 'dead letters', log, h: 14, items: p.d });
    }
    if (p.s.length + p.x.length) {
      rows.push({ kind: 'skips', label: 'skipped', log, h: 36, items: p.s, each: p.x });
    }
    for (const v of p.v) things.push(v);
    for (const w of p.w) things.push(w);
    for (const x of p.x) things.push(x);
    for (const e of p.e) things.push(e);
    for (const d of p.d) things.push(d);
  }
  for (const row of rows) {
    row.items.sort((a, b) => (a.s ?? a.t) - (b.s ?? b.t));
    row.longest = ['lane', 'track', 'rain', 'spot', 'bar', 'pin', 'goal'].includes(row.kind)
      ? row.items.reduce((n, d) => Math.max(n, endOf(d) - d.s), 0) : 0;
  }
  things.sort((a, b) => (a.s ?? a.t) - (b.s ?? b.t));
}
/// The text that a search looks through, made when it is first needed.
function wordsOf(d) {
  return d.words ??= [d.u, d.n, d.g, d.gn, d.text, d.wish, d.rain, d.pin, d.goal, d.sides, d.id, d.ev, d.to,
    d.k === 'v' ? parts[d.p].name + '/' + d.c : '', d.k === 'e' ? parts[d.p].name + '/' + d.o : '', d.what, d.kind, d.names,
    d.dup ? 'duplicate' : '', d.k === 'd' ? 'dead letter' : '', d.why].filter(Boolean).join('\n').toLowerCase();
}
/// The first of a row that may reach into what begins at t.
function firstFrom(row, t) {
  let low = 0, high = row.items.length;
  const wanted = t - row.longest;
  while (low < high) {
    const m = (low + high) >> 1, d = row.items[m];
    (d.s ?? d.t) < wanted ? low = m + 1 : high = m;
  }
  return low;
}
