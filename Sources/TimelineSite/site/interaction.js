function at(px, py) {
  for (const d of marks) if (py > axisTop + 28 && py < axisTop + 44 && px - x(d.t) > -4 && px - x(d.t) < 70) return d;
  const row = rows.find(r => py >= r.y && py < r.y + r.h), t = timeAt(px);
  if (!row || px < left) return null;
  if (row.kind === 'skips') {
    const near = list => list.reduce((best, d) => Math.abs(x(d.t) - px) < Math.abs((best ? x(best.t) : -1e9) - px)
      ? d : best, null);
    if (py < row.y + 15) { const d = near(row.each); return d && Math.abs(x(d.t) - px) < 5 ? d : null; }
    const group = (row.groups || []).find(group => px >= group.x - 2 && px < group.end);
    return group ? group.all.length > 1 ? { k: 'many', all: group.all } : group.all[0] : null;
  }
  let best = null;
  if (row.kind === 'likes' || row.kind === 'dead') {
    for (const d of row.items) if (Math.abs(x(d.t) - px) < 5) best = d; else if (x(d.t) > px + 5) break;
    return best;
  }
  if (row.kind === 'arrivals' && wanted) {
    for (const d of row.each) if (found.has(d) && Math.abs(x(d.t) - px) < 4) return d;
  }
  if (row.kind === 'queue' || row.kind === 'arrivals') {
    for (const q of row.items) if (q.t <= t) best = q; else break;
    return best && row.kind === 'arrivals' && t - best.t > 100 ? null : best && { ...best, row };
  }
  const slack = 2 / (width - left) * (t1 - t0);
  for (let i = firstFrom(row, t); i < row.items.length && row.items[i].s <= t + slack; i++) {
    const d = row.items[i];
    if (endOf(d) >= t - slack && (row.kind === 'lane' || Math.floor((py - row.y - 4) / 19) === d.sub)) best = d;
  }
  return best;
}
const whyHidden = { turn: 'its turn was over, others waited', dearer: 'it made room for a dearer gift',
  retracted: 'it was taken back', ended: 'the room ended' };
const nouns = { gift: ['gift'], wish: ['wish', 'wishes'], spot: ['item of the spot', 'items of the spot'],
  pin: ['pin'] };
const whyGone = { limit: 'a dearer one pushed it out', retracted: 'it was taken back', ended: 'the room ended' };
function skips(stage, items, units) {
  return stage === 'gift' ? counted(items, 'combo') + ', ' + counted(units, 'gift') : counted(items, ...nouns[stage]);
}
function tell(d) {
  const log = parts.length && d.p !== undefined ? parts[d.p].name : '';
  const lines = [];
  if (d.k === 'v') {
    lines.push(named(d) + ' — ' + giftName(d) + (d.gn && d.gn !== d.g ? ' (' + d.g + ')' : '')
      + (d.to ? ' to ' + d.to : '') + ', ' + d.val + ' each'
      + (d.ti ? ', tier ' + d.ti : ''));
    const n = cursor !== null ? numberAt(d.pts, cursor, d.f) : d.f;
    lines.push('×' + n + ' now, drawn ×' + d.f + ' → ×' + (d.pts.length ? d.pts[d.pts.length - 1][1] : d.f)
      + ' of ×' + d.tot, '');
    if (d.q) lines.push('queued   ' + clock(d.q) + '   waited ' + span(d.s - d.q));
    lines.push((d.id ? 'shown    ' : 'there at ') + clock(d.s) + '   lane ' + d.lane + (d.id ? '   ' + d.id : ''));
    if (d.h) lines.push('hidden   ' + clock(d.h) + '   after ' + span(d.h - d.s)
      + (d.y ? '   ' + whyHidden[d.y] : ''));
    else lines.push('still there where the log ends');
    lines.push('combo    ' + log + '/' + d.c);
  } else if (d.k === 'w') {
    lines.push(named(d) + ': ' + d.text, '');
    if (d.q) lines.push('queued   ' + clock(d.q) + '   waited ' + span(d.s - d.q));
    lines.push('flies    ' + clock(d.s) + '   track ' + d.track + (d.id ? '   ' + d.id : ''));
    lines.push((d.gone ? 'gone     ' : 'lands    ') + clock(d.e) + (d.gone ? '   ' + whyHidden[d.gone] : ''));
    if (d.pts.length) lines.push('likes    ♥' + d.pts[d.pts.length - 1][1]);
    lines.push('wish     ' + d.wish);
  } else if (d.k === 'r') {
    const last = d.pts.length ? d.pts[d.pts.length - 1][1] : 0;
    lines.push('rain ' + d.rain, d.drops.length + ' packets dropped, ' + last + ' opened: ' + d.won + ' won, '
      + d.coins + ' coins paid', '');
    if (cursor !== null) lines.push('now      ' + numberAt(d.pts, cursor, 0) + ' opened, '
      + d.drops.filter(p => p[0] <= cursor && p[0] + p[1] > cursor).length + ' in the air');
    lines.push((d.id ? 'told     ' : 'there at ') + clock(d.s) + (d.id ? '   ' + d.id : ''), 'starts   ' + clock(d.b),
      d.e ? 'ends     ' + clock(d.e) : 'still there where the log ends');
  } else if (d.k === 'o') {
    lines.push(named(d) + ': ' + (d.g ? giftName(d) : d.kind) + (d.text ? ', ' + d.text : ''), '');
    lines.push('fills the screen ' + clock(d.s) + ' – ' + clock(d.e), d.id);
  } else if (d.k === 'i') {
    lines.push(named(d) + ': ' + d.text, d.val ? 'value ' + d.val : '');
    lines.push((d.id ? 'pinned   ' : 'there at ') + clock(d.s) + (d.id ? '   ' + d.id : ''));
    lines.push((d.gone ? 'gone     ' : 'ends     ') + clock(d.e) + (d.gone ? '   ' + whyGone[d.gone] : ''), 'pin      ' + d.pin);
  } else if (d.k === 'g') {
    lines.push((d.text || 'goal ' + d.goal) + ': ' + progressOf(d) + (d.target ? ' of ' + d.target : ''), d.sides);
    lines.push((d.id ? 'begins   ' : 'there at ') + clock(d.s) + (d.id ? '   ' + d.id : ''));
    lines.push(d.e ? 'ended    ' + clock(d.e) + (d.why === 'over' ? '' : '   ' + whyGone[d.why])
      : 'still there where the log ends', 'goal     ' + d.goal);
  } else if (d.k === 'b') {
    lines.push('crowd of ' + giftName(d) + ': ×' + (d.pts.length ? d.pts[d.pts.length - 1][1] : 0), d.names, '');
    lines.push('told     ' + clock(d.s) + '   ' + d.id, d.e ? 'until    ' + clock(d.e) : 'still there where the log ends');
  } else if (d.k === 'j') {
    lines.push('joined a crowd (' + d.re + '): ' + named(d) + ' — ' + giftName(d) + ', ×' + d.units, '', clock(d.t));
  } else if (d.k === 'l') {
    lines.push(counted(d.n, 'like') + ' since the burst before', clock(d.t) + '   ' + d.id);
  } else if (d.k === 'x') {
    lines.push('SKIPPED (' + d.re + '): ' + named(d) + (d.g ? ' — ' + giftName(d) + ', '
      + counted(d.units, 'gift') + ' never shown' : ': ' + d.text), '');
    if (d.q) lines.push('queued   ' + clock(d.q) + '   waited ' + span(d.t - d.q));
    lines.push('skipped  ' + clock(d.t));
  } else if (d.k === 's') {
    lines.push('command skipped: ' + d.st + ', ' + d.re, skips(d.st, d.items, d.units) + ' since the last',
      clock(d.t) + '   ' + d.id);
  } else if (d.k === 'many') {
    lines.push(d.all.length + ' commands skipped, ' + clock(d.all[0].t) + ' – ' + clock(d.all[d.all.length - 1].t));
    for (const s of Object.keys(nouns)) for (const why of ['overflow', 'expired', 'retracted', 'ended']) {
      const some = d.all.filter(c => c.st === s && c.re === why), sum = name => some.reduce((n, c) => n + c[name], 0);
      if (some.length) lines.push(s + ', ' + why + ': ' + skips(s, sum('items'), sum('units')));
    }
    lines.push('zoom in to tell them apart');
  } else if (d.k === 'q') {
    lines.push(clock(d.t), 'waiting: ' + counted(d.g, 'combo') + ', ' + counted(d.w, 'wish', 'wishes'));
    if (d.n || d.dup) lines.push('came in 100 ms: ' + (d.n || 0) + (d.dup ? ', and ' + d.dup + ' duplicates' : ''));
  } else if (d.k === 'e') {
    lines.push((d.dup ? 'DUPLICATE, ignored: ' : '') + summary(d), '', 'record   ' + parts[d.p].name + '/' + d.o);
    if (d.id) lines.push('eventId  ' + d.id);
    lines.push('came     ' + clock(d.t));
  } else {
    lines.push(d.k === 'c' ? 'settings changed; those that are not the defaults:' : summary(d),
      d.k === 'c' ? d.words : d.why, clock(d.t));
  }
  return lines.join('\n');
}
function point(event) {
  const box = canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
  cursor = px >= left ? timeAt(px) : null;
  hover = at(px, py);
  const tip = $('tip');
  if (hover) {
    tip.textContent = tell(hover);
    tip.style.display = 'block';
    tip.style.left = Math.min(event.clientX + 16, innerWidth - tip.offsetWidth - 8) + 'px';
    tip.style.top = (event.clientY + 20 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 12
      : event.clientY + 20) + 'px';
  } else tip.style.display = 'none';
  draw();
}
function show(a, b) {
  const least = 50, most = (to - from) * 1.04 + 1000;
  let w = Math.min(most, Math.max(least, b - a)), m = (a + b) / 2;
  m = Math.min(to + w * 0.4, Math.max(from - w * 0.4, m));
  t0 = m - w / 2; t1 = m + w / 2;
  draw();
  follow();
}
function zoom(factor, t = cursor ?? (t0 + t1) / 2) { show(t - (t - t0) * factor, t + (t1 - t) * factor); }
const everything = () => show(from - (to - from) * 0.01, to + (to - from) * 0.01);
let drag = null;
canvas.addEventListener('wheel', e => {
  e.preventDefault();
  if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey) {
    const by = (e.deltaX || e.deltaY) / (width - left) * (t1 - t0);
    show(t0 + by, t1 + by);
  } else zoom(Math.exp(e.deltaY * 0.0016));
  point(e);
}, { passive: false });
canvas.addEventListener('pointerdown', e => {
  canvas.setPointerCapture(e.pointerId);
  const y = e.clientY - canvas.getBoundingClientRect().top;
  drag = { x: e.clientX, t0, t1, isMap: y < axisTop };
  if (drag.isMap) jump(e);
});
function jump(e) {
  const px = e.clientX - canvas.getBoundingClientRect().left;
  const t = from + (px - left) / (width - left) * (to - from);
  show(t - (t1 - t0) / 2, t + (t1 - t0) / 2);
}
canvas.addEventListener('pointermove', e => {
  if (drag && drag.isMap) jump(e);
  else if (drag) {
    const by = (drag.x - e.clientX) / (width - left) * (drag.t1 - drag.t0);
    show(drag.t0 + by, drag.t1 + by);
  }
  point(e);
});
canvas.addEventListener('pointerup', () => { drag = null; });
canvas.addEventListener('dblclick', () => zoom(0.3));
canvas.addEventListener('pointerleave', () => { cursor = hover = null; $('tip').style.display = 'none'; draw(); });

/// `20:31` or `20:31:02.5` is a time, of the first day on which it lies within what there is; so is a log time.
function timeOf(words) {
  if (/^\d{12,14}$/.test(words) && +words >= from && +words <= to) return +words;
  const parts = words.match(/^(\d\d?):(\d\d)(?::(\d\d(?:\.\d+)?))?$/);
  if (!parts) return null;
  const time = (+parts[1] * 60 + +parts[2]) * 60000 + Math.round((parts[3] || 0) * 1000);
  for (let start = Math.floor(from / 864e5) * 864e5; start <= to; start += 864e5) {
    if (start + time >= from - 60000 && start + time <= to) return start + time;
  }
  return null;
}
/// An object in a line, for the list of a search and the beginning of a tip.
function summary(d) {
  if (d.k === 'o') return named(d) + ' on the spot: ' + (d.g ? giftName(d) : d.kind);
  if (d.k === 'b') return 'crowd of ' + giftName(d) + ' ×' + (d.pts.length ? d.pts[d.pts.length - 1][1] : 0);
  if (d.k === 'l') return counted(d.n, 'like');
  if (d.k === 's') return 'command skipped: ' + skips(d.st, d.items, d.units);
  if (d.k === 'c') return 'settings changed';
  if (d.k === 'g') return (d.text || 'goal ' + d.goal) + ': ' + d.pts[d.pts.length - 1][1] + (d.target ? ' of ' + d.target : '');
  if (d.k === 'r') return 'rain ' + d.rain + ': ' + d.coins + ' coins';
  if (d.k === 'd') return 'dead letter ' + d.id + (d.ev ? ', event ' + d.ev : '');
  if (d.k === 'e') return (d.u ? named(d) + ': ' : '') + d.what + (d.g ? ' ' + giftName(d) : '');
  return named(d) + ': ' + (d.text ?? giftName(d) + ' ×' + (d.k === 'v' ? d.tot : d.units));
}
function remark(d) {
  const waited = d.q ? ', waited ' + span(d.s - d.q) : '';
  switch (d.k) {
    case 'x': return 'skipped (' + d.re + ') ' + clock(d.t) + (d.q ? ' after ' + span(d.t - d.q) : '')
      + (d.g ? ', ' + d.units + ' never shown' : '');
    case 'v': return 'lane ' + d.lane + ', ' + clock(d.s) + '–' + (d.h ? clock(d.h) : 'the end') + waited
      + (d.y ? ', ' + whyHidden[d.y] : '');
    case 'r': return clock(d.s) + '–' + (d.e ? clock(d.e) : 'the end');
    case 'd': return d.why;
    case 'l': return 'burst of likes';
    case 's': return d.re;
    case 'c': return d.words;
    case 'e': return (d.dup ? 'duplicate, ignored; ' : 'event ') + (d.id ? d.id + ', ' : '') + parts[d.p].name + '/' + d.o;
    case 'w': return 'track ' + d.track + ', ' + clock(d.s) + waited;
    case 'o': return 'spot, ' + clock(d.s) + '–' + clock(d.e);
    case 'i': return 'pin, ' + clock(d.s) + '–' + clock(d.e) + (d.gone ? ', ' + whyGone[d.gone] : '');
    case 'g': return 'goal, ' + clock(d.s) + '–' + (d.e ? clock(d.e) : 'the end');
    case 'b': return 'bar, ' + clock(d.s) + '–' + (d.e ? clock(d.e) : 'the end');
    case 'j': return 'joined its crowd (' + d.re + ') ' + clock(d.t) + (d.q ? ' after ' + span(d.t - d.q) : '');
    default: throw new Error('no remark on ' + d.k);
  }
}
function find() {
  wanted = $('search').value.trim().toLowerCase();
  found = new Set(wanted ? things.filter(d => wordsOf(d).includes(wanted)) : []);
  const time = timeOf(wanted);
  if (time !== null) { wanted = ''; found.clear(); cursor = time; show(time - 15000, time + 15000); }
  list();
}
let isListed = false;
/// All that a pointer finds in the picture, but the lengths of queues.
let listed = [];
const isInView = d => (d.s ?? d.t) <= t1 && (d.s === undefined ? d.t : endOf(d)) >= t0;
/// Lists the found items, or all in view, for users who have no pointer or don't see the picture.
function list() {
  const hits = wanted ? [...found] : isListed ? listed.filter(isInView) : [];
  $('found').hidden = !wanted && !isListed;
  $('list').setAttribute('aria-pressed', isListed);
  $('items').textContent = '';
  $('count').textContent = hits.length + (wanted ? ' found' : ' in view, ' + clock(t0) + ' – ' + clock(t1))
    + (hits.length > 300 ? ', the first 300' : '')
    + (more ? '; ' + more + ' skips are not in this page: draw a shorter range' : '')
    + (untold ? '; ' + untold + ' events are not in this page: draw a shorter range' : '');
  for (const d of hits.slice(0, 300)) $('items').append(item(d));
  size();
}
/// An item of the list, which opens to the text of the tip.
function item(d) {
  const entry = document.createElement('li'), line = document.createElement('button');
  const note = document.createElement('small'), told = document.createElement('pre');
  const t = d.s ?? d.t;
  line.textContent = clock(d.q ?? t) + '  ' + summary(d);
  if (d.k === 'x' || d.k === 'd' || d.dup) note.className = 'bad';
  note.textContent = remark(d);
  told.hidden = true;
  line.setAttribute('aria-expanded', false);
  line.append(note);
  line.addEventListener('focus', () => { hover = d; draw(); });
  line.addEventListener('click', () => {
    cursor = t; hover = d;
    told.hidden = !told.hidden;
    told.textContent = tell(d);
    line.setAttribute('aria-expanded', !told.hidden);
    show(t - 6000, t + 9000);
  });
  entry.append(line, told);
  return entry;
}
/// The list follows what is in view, but not while somebody reads it.
function follow() {
  if (isListed && !wanted && !$('items').contains(document.activeElement)) list();
}
function turnList() { isListed = !isListed; list(); }
function step(by) {
  const lines = [...$('items').querySelectorAll('button')], at = lines.indexOf(document.activeElement);
  lines[Math.min(lines.length - 1, Math.max(0, at + by))]?.focus();
}
$('list').addEventListener('click', turnList);
$('items').addEventListener('keydown', e => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (by) { step(by); e.preventDefault(); }
});
$('search').addEventListener('input', find);
$('all').addEventListener('click', everything);
$('in').addEventListener('click', () => zoom(0.5, (t0 + t1) / 2));
$('out').addEventListener('click', () => zoom(2, (t0 + t1) / 2));
addEventListener('keydown', e => {
  if (e.target === $('search')) {
    if (e.key === 'Escape') { $('search').value = ''; find(); $('search').blur(); }
    return;
  }
  const by = (t1 - t0) * 0.2;
  const keys = { '+': () => zoom(0.6), '=': () => zoom(0.6), '-': () => zoom(1 / 0.6), '0': everything,
    ArrowLeft: () => show(t0 - by, t1 - by), ArrowRight: () => show(t0 + by, t1 + by),
    '/': () => $('search').focus(), l: turnList };
  if (keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) { keys[e.key](); e.preventDefault(); }
});

addEventListener('resize', size);
function begin(data) {
  sort(data);
  layOut();
  listed = things.concat(marks, parts.flatMap(p => [...p.l, ...p.s])).sort((a, b) => (a.s ?? a.t) - (b.s ?? b.t));
  if (doubts.length) {
    $('doubt').hidden = false;
    $('doubt').textContent = 'Not exact: ' + doubts.map(d => parts[d.p].name + ': ' + d.why).join('; ');
  }
  document.title = 'room ' + roomName;
  $('title').textContent = 'room ' + roomName;
  const note = document.createElement('small');
  note.textContent = day(from) + ' ' + clock(from, false) + ' – ' + (day(to) === day(from) ? '' : day(to) + ' ')
    + clock(to, false) + ' UTC';
  $('title').append(note);
  const sum = (words, isBad) => {
    const s = document.createElement('span');
    s.textContent = words; if (isBad) s.className = 'bad';
    $('sums').append(s);
  };
  if (viewCount) sum(counted(viewCount, 'gift view'));
  if (wishCount) sum(counted(wishCount, 'wish', 'wishes'));
  if (likeCount) sum(counted(likeCount, 'like'));
  if (pinCount) sum(counted(pinCount, 'pin'));
  if (goalCount) sum(counted(goalCount, 'goal'));
  if (rainCount) sum(counted(rainCount, 'rain') + ', ' + counted(paid, 'coin'));
  if (told) sum(counted(told, 'gift') + ' told of crowds');
  for (const [stage, units] of Object.entries(lost)) if (units) sum(counted(units, ...nouns[stage]) + ' skipped', true);
  if (deadCount) sum(counted(deadCount, 'dead letter'), true);
  if (more) sum('(' + more + ' skips beyond the limit are not told one by one)');
  for (const [fill, words] of [['hsl(150 52% 34%)', 'gift view'],
    ['hsl(150 40% 20%)', 'leaving'], [color.wish, 'wishes'], [color.gift, 'combos waiting'],
    [color.events, 'events (log scale)'], [color.twice, 'duplicates'], [color.rain, 'rain'], [color.spot, 'spot'], [color.pin, 'pins'], [color.goal, 'goals'], [color.crowd, 'crowds'], [color.like, 'likes'],
    [color.overflow, 'skipped: full'], [color.expired, 'skipped: waited'],
    [color.retracted, 'taken back'], [color.ended, 'skipped: room ended'], [color.tier, 'of a tier; ◥ made room'], [color.settings, 'settings'],
    [color.dead, 'dead letter']]) {
    const s = document.createElement('span'), i = document.createElement('i');
    i.style.background = fill; s.append(i, words); $('legend').append(s);
  }
  const keys = document.createElement('span');
  keys.textContent = 'wheel, + −: zoom · drag, ← →: move · 0: all · /: find · l: list';
  $('legend').append(keys);
  size(); everything();
  if (location.hash.length > 1) { $('search').value = decodeURIComponent(location.hash.slice(1)); find(); }
  $('stage').removeAttribute('aria-busy');
}
unpacked().then(begin).catch(error => {
  $('doubt').hidden = false;
  $('doubt').textContent = 'This page can’t be drawn: ' + (globalThis.DecompressionStream ? error.message
    : 'it needs a browser of 2023 or later (DecompressionStream)');
});
