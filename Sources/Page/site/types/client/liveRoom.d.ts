/** @typedef {import("./commands.js").Command} Command */
/** @typedef {import("./commands.js").Snapshot} Snapshot */
/**
 * A room as time goes by: its clock, its screen, and commands that have come but whose time has not.
 *
 * It lags behind the log by `lagMs`. That is what a command may take to come and still be acted upon at its very
 * moment, so that what moves begins at its beginning and beats come evenly.
 */
export class LiveRoom {
    /**
     * @param {string} roomId
     * @param {{lagMs?: number, localNow?: () => number, onCommand?: (command: Command) => void,
     *   onReset?: () => void}} [options]
     */
    constructor(roomId: string, { lagMs, localNow, onCommand, onReset }?: {
        lagMs?: number;
        localNow?: () => number;
        onCommand?: (command: Command) => void;
        onReset?: () => void;
    });
    roomId: string;
    lagMs: number;
    localNow: () => number;
    onCommand: (command: Command) => void;
    onReset: () => void;
    clock: LogClock;
    screen: Screen;
    /** Whether it has been told what is on its screen. */
    isKnown: boolean;
    /** Log time as it is shown, 0 before anything is known. */
    get nowMs(): number;
    /** @param {Snapshot} snapshot */
    reset(snapshot: Snapshot): void;
    /** @param {Command} command */
    receive(command: Command): void;
    /** The screen as of now: what has landed by now is gone from it. */
    settle(): Screen;
    close(): void;
    #private;
}
export type Command = import("./commands.js").Command;
export type Snapshot = import("./commands.js").Snapshot;
import { LogClock } from "./logClock.js";
import { Screen } from "./screen.js";
