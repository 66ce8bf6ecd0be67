const canvas = $('canvas'), g = canvas.getContext('2d');
const left = 124, mapTop = 6, mapHeight = 44, axisTop = 58, rowsTop = 100;
const color = { text: '#e6e9ee', dim: '#98a2b0', line: '#2a323d', gift: '#f0b44c', wish: '#b48cf2',
  overflow: '#ff5b50', expired: '#ff9d3c', retracted: '#f06ad0', ended: '#9aa0ff', tier: '#ffe08a', settings: '#55c2da',
  dead: '#e668b3', events: '#5b8def', rain: '#e0554d', spot: '#ffd24a', pin: '#4fbf8b', goal: '#6fb1ff', crowd: '#8f7bff', like: '#ff7ba5', twice: '#7d8794' };
let t0 = 0, t1 = 1, width = 900, height = 300, cursor = null, hover = null, wanted = '';
const x = t => left + (t - t0) / (t1 - t0) * (width - left);
const timeAt = px => t0 + (px - left) / (width - left) * (t1 - t0);
const mapX = t => left + (t - from) / (to - from) * (width - left);
let found = new Set();
const isDimmed = d => wanted && !found.has(d);
/// The height for a number, by its logarithm: single events can still be seen beside a burst.
const scale = (n, row) => Math.log1p(n) / Math.log1p(row.top) * (row.h - 4);

function size() {
  width = $('stage').clientWidth;
  let y = rowsTop, log = '';
  for (const row of rows) {
    if (row.log !== log) { log = row.log; y += 20; }
    row.y = y; y += row.h + 4;
  }
  height = Math.max(y + 8, $('stage').clientHeight);
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale; canvas.height = height * scale; canvas.style.height = height + 'px';
  g.setTransform(scale, 0, 0, scale, 0, 0);
  draw();
}
function text(words, px, py, fill, font = '12px system-ui, sans-serif', align = 'left') {
  g.fillStyle = fill; g.font = font; g.textAlign = align; g.fillText(words, px, py);
}
function box(x0, y0, x1, h, fill) { g.fillStyle = fill; g.fillRect(x0, y0, Math.max(1, x1 - x0), h); }

function draw() {
  g.clearRect(0, 0, width, height);
  drawMap(); drawAxis();
  let log = '';
  for (const row of rows) {
    if (row.log !== log) { log = row.log; text(log, 8, row.y - 6, color.dim, 'bold 12px system-ui, sans-serif'); }
    box(left, row.y, width, row.h, '#141920');
    text(row.label, left - 10, row.y + row.h / 2 + (row.note ? -2 : 4), color.text, '12px system-ui, sans-serif', 'right');
    if (row.note) {
      text(row.note, left - 10, row.y + row.h / 2 + 12, color.dim, '10.5px system-ui, sans-serif', 'right');
    }
    g.save(); g.beginPath(); g.rect(left, row.y, width - left, row.h); g.clip();
    ({ lane: drawLane, track: drawTrack, rain: drawRain, spot: drawSpot, pin: drawPin, goal: drawGoal, bar: drawBar, likes: drawLikes, queue: drawQueue, arrivals: drawArrivals, dead: drawDead, skips: drawSkips })[row.kind](row);
    g.restore();
  }
  drawMarks();
  if (cursor === null) return;
  box(x(cursor), axisTop, x(cursor) + 1, height - axisTop, '#ffd47988');
  const at = Math.min(Math.max(left, x(cursor) - 54), width - 110);
  box(at, axisTop, at + 108, 34, '#ffd479');
  text(clock(cursor), at + 54, axisTop + 14, '#14110a', 'bold 12px system-ui, sans-serif', 'center');
  text(String(Math.round(cursor)), at + 54, axisTop + 29, '#14110a', '11px system-ui, sans-serif', 'center');
}
function drawMap() {
  box(left, mapTop, width, mapHeight, '#141920');
  text('all of it', left - 10, mapTop + 26, color.dim, '12px system-ui, sans-serif', 'right');
  for (const row of rows) {
    if (row.kind === 'queue') area(row, 'g', color.gift, mapX, mapTop, mapHeight, 0);
    if (row.kind === 'skips') for (const s of row.items) box(mapX(s.t), mapTop + 34, mapX(s.t) + 2, 10, color[s.re]);
  }
  if (wanted) for (const d of found) box(mapX(d.s ?? d.t), mapTop, mapX(d.s ?? d.t) + 2, 12, '#fff');
  g.strokeStyle = '#ffd479'; g.lineWidth = 1.5;
  const mapLeft = Math.max(left + 1, mapX(t0)), mapRight = Math.min(width - 1, mapX(t1));
  g.strokeRect(mapLeft, mapTop + 1, Math.max(3, mapRight - mapLeft), mapHeight - 2);
}
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5,
  36e5, 72e5, 216e5, 864e5];
function drawAxis() {
  const step = steps.find(s => s / (t1 - t0) * (width - left) >= 112) || 864e5;
  text('clock, UTC', left - 10, axisTop + 14, color.dim, '11px system-ui, sans-serif', 'right');
  text('log time, ms', left - 10, axisTop + 29, color.dim, '11px system-ui, sans-serif', 'right');
  for (let t = Math.ceil(t0 / step) * step; t <= t1; t += step) {
    box(x(t), axisTop + 4, x(t) + 1, height - axisTop, color.line);
    text(clock(t, step < 1000), x(t) + 4, axisTop + 14, color.text, '12px system-ui, sans-serif');
    text(String(t), x(t) + 4, axisTop + 29, color.dim, '11px system-ui, sans-serif');
  }
}
function each(row, body) {
  for (let i = firstFrom(row, t0); i < row.items.length; i++) {
    const d = row.items[i];
    if ((d.s ?? d.t) > t1) break;
    if ((d.e ?? d.h ?? to) >= t0 || d.t !== undefined) body(d);
  }
}
function label(words, x0, x1, y) {
  const at = Math.max(x0, left) + 5, room = x1 - at - 3;
  if (room < 22) return;
  g.font = '12px system-ui, sans-serif';
  let shown = words;
  if (g.measureText(shown).width > room) {
    let n = Math.max(1, Math.floor(shown.length * room / g.measureText(shown).width));
    do shown = Array.from(words).slice(0, n--).join('') + '…'; while (n > 0 && g.measureText(shown).width > room);
  }
  text(shown, at, y, '#fff');
}
function drawLane(row) {
  each(row, d => {
    const hidden = d.h ?? to, x0 = x(d.s), x1 = x(hidden), y = row.y + 3, h = row.h - 6;
    g.globalAlpha = isDimmed(d) ? 0.18 : 1;
    const isLit = d === hover || wanted && !isDimmed(d);
    if (isLit && d.q) {
      box(x(d.q), row.y + row.h - 5, x0, 3, '#ffffff66');
      if (x0 - x(d.q) > 80) text('waited ' + span(d.s - d.q), x0 - 6, row.y + row.h - 9, '#fff',
        '11px system-ui, sans-serif', 'right');
    }
    if (d.e) box(x1, y, x(d.e), h, 'hsl(' + hue(d.u) + ' 40% 20%)');
    box(x0, y, x1 - 0.5, h, 'hsl(' + hue(d.u) + ' 52% ' + (isLit ? 46 : 34) + '%)');
    if (d.ti) box(x0, y, x1 - 0.5, 2, color.tier);
    // Not its own end: it had to go.
    if (d.y) {
      g.fillStyle = d.y === 'retracted' ? color.retracted : color.tier;
      g.beginPath(); g.moveTo(x1, y); g.lineTo(x1 - 9, y); g.lineTo(x1, y + 9); g.fill();
    }
    const perStep = d.pts.length ? (x1 - x0) / d.pts.length : 0;
    if (perStep > 2) for (const p of d.pts) box(x(p[0]), y + h - 4, x(p[0]) + 1, 4, '#ffffffaa');
    if (isLit) { g.strokeStyle = '#fff'; g.lineWidth = 1.5; g.strokeRect(x0, y, Math.max(2, x1 - x0), h); }
    const count = cursor !== null && cursor >= d.s && cursor <= hidden ? numberAt(d.pts, cursor, d.f) : d.tot;
    label('×' + count + ' ' + giftName(d) + ' · ' + brief(d), x0, x1, y + 18);
    g.globalAlpha = 1;
  });
}
function drawTrack(row) {
  each(row, d => {
    const x0 = x(d.s), x1 = x(d.e), y = row.y + 4 + 19 * d.sub, isLit = d === hover || wanted && !isDimmed(d);
    g.globalAlpha = isDimmed(d) ? 0.18 : 1;
    if (isLit && d.q) box(x(d.q), y + 15, x0, 2, '#ffffff66');
    box(x0, y, x1 - 0.5, 17, 'hsl(' + hue(d.u) + ' 34% ' + (isLit ? 48 : 30) + '%)');
    box(x0, y, x0 + 3, 17, color.wish);
    const likes = numberAt(d.pts, cursor !== null && cursor >= d.s && cursor <= d.e ? cursor : d.e, 0);
    label((likes ? '♥' + likes + ' ' : '') + brief(d) + ': ' + d.text, x0 + 3, x1, y + 13);
    g.globalAlpha = 1;
  });
}
function drawRain(row) {
  each(row, d => {
    const end = d.e ?? to, x0 = x(d.s), x1 = x(end), y = row.y + 4 + 19 * d.sub;
    const isLit = d === hover || wanted && !isDimmed(d);
    g.globalAlpha = isDimmed(d) ? 0.18 : 1;
    box(x0, y, x(Math.min(d.b, end)) - 0.5, 17, '#4a2a2c');
    if (end > d.b) box(x(d.b), y, x1 - 0.5, 17, isLit ? '#a8433d' : '#7c322e');
    for (const p of d.drops) if (p[0] >= t0 && p[0] <= t1) box(x(p[0]), y + 13, x(p[0]) + 1, 4, '#ffd9a0');
    const opened = numberAt(d.pts, cursor !== null && cursor >= d.s && cursor <= end ? cursor : end, 0);
    label('rain ' + d.rain + ' · ' + opened + ' opened, ' + d.coins + ' coins', x0, x1, y + 13);
    g.globalAlpha = 1;
  });
}
function drawSpot(row) {
  each(row, d => {
    const x0 = x(d.s), x1 = x(d.e), y = row.y + 4 + 19 * d.sub;
    g.globalAlpha = isDimmed(d) ? 0.18 : 1;
    box(x0, y, x1 - 0.5, 17, d === hover || wanted && !isDimmed(d) ? '#a5812a' : '#7a5f1f');
    box(x0, y, x0 + 3, 17, color.spot);
    label((d.g ? giftName(d) : d.kind) + ' · ' + brief(d) + (d.text ? ': ' + d.text : ''), x0 + 3, x1, y + 13);
    g.globalAlpha = 1;
  });
}
function drawPin(row) {
  each(row, d => {
    const x0 = x(d.s), x1 = x(d.e), y = row.y + 4 + 19 * d.sub;
    g.globalAlpha = isDimmed(d) ? 0.18 : 1;
    box(x0, y, x1 - 0.5, 17, d === hover || wanted && !isDimmed(d) ? '#2f8a60' : '#1f5c41');
    box(x0, y, x0 + 3, 17, color.pin);
    // It went before its time.
    if (d.gone) {
      g.fillStyle = color[d.gone === 'limit' ? 'overflow' : d.gone];
      g.beginPath(); g.moveTo(x1, y); g.lineTo(x1 - 9, y); g.lineTo(x1, y + 9); g.fill();
    }
    label(brief(d) + ': ' + d.text, x0 + 3, x1, y + 13);
    g.globalAlpha = 1;
  });
}
function progressOf(d) {
  const end = d.e ?? to;
  return numberAt(d.pts, cursor !== null && cursor >= d.s && cursor <= end ? cursor : end, 0);
}
function drawGoal(row) {
  each(row, d => {
    const end = d.e ?? to, x0 = x(d.s), x1 = x(end), y = row.y + 4 + 19 * d.sub;
    g.globalAlpha = isDimmed(d) ? 0.18 : 1;
    box(x0, y, x1 - 0.5, 17, d === hover || wanted && !isDimmed(d) ? '#35608f' : '#23405f');
    // Its progress over time, as a part of the target or of its most.
    const top = d.target || Math.max(1, ...d.pts.map(p => p[1]));
    d.pts.forEach((p, i) => {
      const h = 17 * Math.min(1, p[1] / top);
      box(x(p[0]), y + 17 - h, x(i + 1 < d.pts.length ? d.pts[i + 1][0] : end) - 0.5, h, '#6fb1ff66');
    });
    label((d.text || 'goal ' + d.goal) + ' · ' + progressOf(d) + (d.target ? ' of ' + d.target : '')
      + (d.sides ? ' · ' + d.sides : ''), x0, x1, y + 13);
    g.globalAlpha = 1;
  });
}
function drawBar(row) {
  each(row, d => {
    const end = d.e ?? to, x0 = x(d.s), x1 = x(end), y = row.y + 4;
    g.globalAlpha = isDimmed(d) ? 0.18 : 1;
    box(x0, y, x1 - 0.5, 17, d === hover || wanted && !isDimmed(d) ? '#6a58c8' : '#43378a');
    for (const p of d.pts) box(x(p[0]), y + 13, x(p[0]) + 1, 4, '#ffffffaa');
    label('×' + numberAt(d.pts, cursor !== null && cursor >= d.s && cursor <= end ? cursor : end, 0) + ' ' + giftName(d)
      + (d.names ? ' · ' + d.names : ''), x0, x1, y + 13);
    g.globalAlpha = 1;
  });
  for (const d of row.each) if (d.t >= t0 && d.t <= t1) box(x(d.t), row.y + 23, x(d.t) + 1, 3, color.crowd);
}
function drawLikes(row) {
  each(row, d => {
    const h = d.n / row.top * (row.h - 4);
    box(x(d.t), row.y + row.h - h, x(d.t) + 3, h, d === hover ? '#fff' : color.like);
  });
}
function area(row, name, fill, toX, y, h, from) {
  let last = 0, lastX = -1, most = 0;
  g.fillStyle = fill;
  const bottom = y + h, right = toX === x ? width : mapX(to);
  g.beginPath(); g.moveTo(Math.max(left, toX(row.items[from] ? row.items[from].t : t0)), bottom);
  for (let i = from; i < row.items.length; i++) {
    const q = row.items[i], px = toX(q.t);
    if (px > right) break;
    most = Math.max(most, q[name]);
    if (px - lastX < 0.5 && i + 1 < row.items.length) continue;
    g.lineTo(px, bottom - last / row.top * (h - 4)); g.lineTo(px, bottom - most / row.top * (h - 4));
    last = q[name]; lastX = px; most = last;
    g.lineTo(px, bottom - last / row.top * (h - 4));
  }
  g.lineTo(right, bottom - last / row.top * (h - 4)); g.lineTo(right, bottom); g.fill();
}
function drawQueue(row) {
  const first = Math.max(0, firstFrom(row, t0) - 1);
  area(row, 'g', color.gift + 'cc', x, row.y, row.h, first);
  area(row, 'w', color.wish + 'aa', x, row.y, row.h, first);
}
function drawArrivals(row) {
  each(row, q => {
    const all = scale((q.n || 0) + (q.dup || 0), row), once = scale(q.n || 0, row);
    const x1 = Math.max(x(q.t) + 1, x(q.t + 100) - 0.5), y = row.y + row.h;
    box(x(q.t), y - once, x1, once, color.events);
    if (q.dup) box(x(q.t), y - all, x1, all - once, color.twice);
  });
  if (wanted) for (const d of row.each) {
    if (found.has(d) && d.t >= t0 && d.t <= t1) box(x(d.t), row.y, x(d.t) + 2, row.h, '#fff');
  }
}
function drawDead(row) {
  for (const d of row.items) {
    if (d.t < t0 || d.t > t1) continue;
    g.globalAlpha = isDimmed(d) ? 0.3 : 1;
    box(x(d.t), row.y + 2, x(d.t) + (d === hover || wanted && !isDimmed(d) ? 4 : 2), row.h - 4, color.dead);
    g.globalAlpha = 1;
  }
}
function drawSkips(row) {
  for (const d of row.each) {
    if (d.t < t0 || d.t > t1) continue;
    g.globalAlpha = isDimmed(d) ? 0.15 : 1;
    box(x(d.t), row.y + 2, x(d.t) + (d === hover || wanted && !isDimmed(d) ? 3 : 1), 12, color[d.re]);
    g.globalAlpha = 1;
  }
  // Items that are too near to be told apart are drawn as one.
  row.groups = [];
  each(row, d => {
    const last = row.groups[row.groups.length - 1];
    if (last && x(d.t) < last.end) last.all.push(d);
    else row.groups.push({ x: x(d.t), end: x(d.t) + 48, all: [d] });
  });
  g.font = 'bold 11px system-ui, sans-serif';
  for (const group of row.groups) {
    const units = group.all.reduce((n, d) => n + d.units, 0), words = '−' + units;
    const most = group.all.reduce((a, d) => d.units > a.units ? d : a), w = g.measureText(words).width + 8;
    box(group.x, row.y + 17, group.x + w, 16, group.all.includes(hover) ? '#fff' : color[most.re]);
    text(words, group.x + 4, row.y + 29, '#1a0f0e', 'bold 11px system-ui, sans-serif');
  }
}
function drawMarks() {
  let free = -1;
  for (const d of marks) {
    if (d.t < t0 || d.t > t1) continue;
    const fill = color.settings;
    g.strokeStyle = fill; g.setLineDash([4, 4]); g.lineWidth = d === hover ? 3 : 1.5; g.beginPath();
    g.moveTo(x(d.t), axisTop + 34); g.lineTo(x(d.t), height); g.stroke(); g.setLineDash([]);
    if (x(d.t) < free) continue;
    free = x(d.t) + 66;
    text('settings', x(d.t) + 4, axisTop + 40, fill, '11px system-ui, sans-serif');
  }
}
