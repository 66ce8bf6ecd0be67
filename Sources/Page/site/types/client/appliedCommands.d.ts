/**
 * @param {string} id of a command, `topic/partition/offset/n`
 * @returns {string | null} the log that it came of, `topic/partition`; null if the id is of another form
 */
export function logOf(id: string): string | null;
/**
 * How far each log has come on a screen, so that a command that comes again is told by its id.
 *
 * A room's commands come from as many logs as topics tell of it. Within one, offsets, places and times only grow.
 */
export class AppliedCommands {
    /**
     * @param {string} id `topic/partition/offset/n`
     * @param {number} atMs
     * @returns {boolean} whether it is new; what has no id of this form is
     */
    insert(id: string, atMs: number): boolean;
    #private;
}
