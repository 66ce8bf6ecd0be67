/** FNV-1a, 32 bits, of UTF-16 units: what looks should follow from a name, on every screen the same. */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  // Names that differ in their last letter alone should not look alike.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Numbers for looks (mulberry32). */
export class Seed {
  #state;

  /** @param {string} text */
  constructor(text) {
    this.#state = hash(text);
  }

  /** A number in 0 ..< 1. */
  unit() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low, high) {
    return low + (high - low) * this.unit();
  }

  /** @template T @param {T[]} list @returns {T} */
  pick(list) {
    return list[Math.floor(this.unit() * list.length)];
  }
}
