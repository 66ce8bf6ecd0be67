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
  insert(id, atMs) {
    const origin = originOf(id);
    if (!origin) return true;
    const { log, offset, place } = origin;
    const last = this.#marks.get(log);
    const isNoLater = last && (offset < last.offset || (offset === last.offset && place <= last.place));
    // A topic that was made anew counts from 0 again, but later.
    if (isNoLater && atMs <= last.atMs) return false;
    this.#marks.set(log, { offset, place, atMs });
    return true;
  }
}
