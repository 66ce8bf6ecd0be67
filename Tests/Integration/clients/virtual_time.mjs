// Time that passes when nothing else is left to do: import it before anything that keeps a timer.

let now = 0;
let count = 0;
/** @type {Map<number, {at: number, act: () => void}>} */
const timers = new Map();
/** Spans that are waited for rather than slept: they never pass by themselves. */
const realTimeout = globalThis.setTimeout;

globalThis.setTimeout = (act, span = 0, ...more) => {
  count += 1;
  timers.set(count, { at: now + Math.max(0, span), act: () => act(...more) });
  return count;
};
globalThis.clearTimeout = (timer) => void timers.delete(timer);
Object.defineProperty(performance, "now", { value: () => now });
AbortSignal.timeout = () => new AbortController().signal;

export const nowMs = () => now;

/** Lets all that is ready happen. */
export const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => realTimeout(resolve, 0));
};

/** Lets the next timer ring, and what follows of it happen. Returns whether there was one that rings within `mostMs`. */
export async function ring(mostMs = Infinity) {
  await settle();
  const [next] = [...timers].sort(([a, one], [b, other]) => one.at - other.at || a - b);
  if (!next || next[1].at > now + mostMs) return false;
  timers.delete(next[0]);
  now = next[1].at;
  next[1].act();
  await settle();
  return true;
}

/** Lets so much time pass. */
export async function pass(spanMs) {
  const until = now + spanMs;
  while (await ring(until - now));
  now = until;
  await settle();
}
