/**
 * Flyscreen for JavaScript: what is on the screens of live rooms, as a gateway tells it. It needs no page and nothing
 * beside its folder `client/`; it runs in browsers and in Node 20 or newer.
 *
 *     import { Flyscreen } from "/flyscreen.js";
 *
 *     const flyscreen = new Flyscreen({ url: "https://gateway.example", token });
 *     flyscreen.addEventListener("command", ({ detail }) => draw(detail.roomId, detail.command));
 *     flyscreen.addEventListener("snapshot", ({ detail }) => redraw(flyscreen.room(detail.roomId).screen));
 *     flyscreen.follow(["r1", "r2"]);
 *     await flyscreen.wish("r1", "all the best");
 *
 * @typedef {import("./client/commands.js").Command} Command
 * @typedef {import("./client/commands.js").Snapshot} Snapshot
 * @typedef {import("./client/commands.js").Result} Result
 * @typedef {import("./client/commandStream.js").StreamOptions} StreamOptions
 * @typedef {import("./client/commandStream.js").StreamState} StreamState
 * @typedef {import("./client/outbox.js").Delivery} Delivery
 * @typedef {import("./client/ownWishes.js").OwnWish} OwnWish
 */
export { AppliedCommands } from "./client/appliedCommands.js";
export { Backoff } from "./client/backoff.js";
export { Comeback } from "./client/comeback.js";
export { CommandStream } from "./client/commandStream.js";
export { EventStreamParser } from "./client/eventStreamParser.js";
export { Flyscreen } from "./client/flyscreen.js";
export { LiveRoom } from "./client/liveRoom.js";
export { LogClock } from "./client/logClock.js";
export { Outbox, SendError } from "./client/outbox.js";
export { RoomStreams } from "./client/roomStreams.js";
export { Screen } from "./client/screen.js";
