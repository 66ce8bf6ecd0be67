/**
 * @param {string} id of a command, `topic/partition/offset/n`
 * @returns {{log: string, offset: number, place: number} | null} where it came from: the log is `topic/partition`; null if
 *   the id is of another form
 */
export function originOf(id) {
  const parts = /^(.*)\/(-?\d+)\/(-?\d+)$/su.exec(id);
  return parts && { log: parts[1], offset: Number(parts[2]), place: Number(parts[3]) };
}

/** @param {string} id of a command @returns {string | null} the log that it came from */
export const logOf = (id) => originOf(id)?.log ?? null;

/**
 * The last command of each log that a screen has drawn. A command that comes again is known by its id.
 *
 * A room's commands come from as many logs as topics tell of it. Within one, offsets, places and times only grow.
 */
export class AppliedCommands {
  /** @type {Map<string, {offset: number, place: number, atMs: number}>} by `topic/partition` */
  #marks = new Map();

  /**
   * @param {string} id `topic/partition/offset/n`
   * @param {number} atMs
   * @returns {boolean} whether it is new; what has no id of this form is
   */
  isNew(id, atMs) {
    const origin = originOf(id);
    const last = origin && this.#marks.get(origin.log);
    if (!last) return true;
    const { offset, place } = origin;
    // A topic that was made anew counts from 0 again, but later.
    return atMs > last.atMs || offset > last.offset || (offset === last.offset && place > last.place);
  }

  /**
   * @param {string} id `topic/partition/offset/n`
   * @param {number} atMs
   * @returns {boolean} whether it is new
   */
  insert(id, atMs) {
    if (!this.isNew(id, atMs)) return false;
    const origin = originOf(id);
    if (origin) this.#marks.set(origin.log, { offset: origin.offset, place: origin.place, atMs });
    return true;
  }
}
