'use strict';
const $ = id => document.getElementById(id);
/// The rows that the page holds: JSON, compressed, as base64.
async function unpacked() {
  const bytes = Uint8Array.from(atob($('data').textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}
