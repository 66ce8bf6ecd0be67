'use strict';
const $ = id => document.getElementById(id);
/// The rows that the page holds: JSON, compressed, as base64.
async function unpacked() {
  const bytes = Uint8Array.from(atob($('data').textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const shared = [], names = [];
  return JSON.parse(await new Response(stream).text()).flatMap(block => rowsOf(block, shared, names));
}
/// A block is what is shared from then on, and tables: the kind of their rows, columns' names, and the columns. Each is
/// read as its name's first character says; the times of a row come after its own.
function rowsOf([more, ...tables], shared, names) {
  for (const texts of more) shared.push(texts);
  return tables.flatMap(([kind, heads, ...columns]) => {
    const many = heads.map(head => head.slice(1).split(','));
    const numbers = columns.map((column, c) => heads[c][0] === '#' ? summed(column, 1, 0)
      : heads[c][0] === '@' ? summed(column, 2, 0) : column);
    const own = heads.findIndex(head => head === '#s' || head === '#t');
    const rows = [];
    for (let i = 0; i < columns[0].length; i++) {
      const d = { k: kind }, time = own < 0 ? 0 : numbers[own][i];
      for (let c = 0; c < heads.length; c++) {
        const [name] = many[c], value = numbers[c][i];
        switch (heads[c][0]) {
          case '+': d[name] = time + value; break;
          case '$': many[c].forEach((one, n) => { d[one] = shared[value][n]; }); break;
          case '@': d[name] = names[d.p] + '/' + numbers[c][2 * i] + '/' + numbers[c][2 * i + 1]; break;
          case '%': d[name] = pointsOf(value, time); break;
          default: d[name] = value;
        }
      }
      if (kind === 'p') names[d.p] = d.name;
      rows.push(d);
    }
    return rows;
  });
}
/// Each number is by how much it is more than the one `width` before.
function summed(column, width, last) {
  return column.map((by, i) => i % width ? by : last += by);
}
function pointsOf(flat, time) {
  const all = [];
  let count = 0;
  for (let i = 0; i < flat.length; i += 2) all.push([time += flat[i], count += flat[i + 1]]);
  return all;
}
