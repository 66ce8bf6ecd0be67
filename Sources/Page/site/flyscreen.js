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
 */
export { AppliedCommands } from "./client/appliedCommands.js";
export { Backoff } from "./client/backoff.js";
export { CommandStream } from "./client/commandStream.js";
export { EventStreamParser } from "./client/eventStreamParser.js";
export { Flyscreen } from "./client/flyscreen.js";
export { LiveRoom } from "./client/liveRoom.js";
export { LogClock } from "./client/logClock.js";
export { RoomStreams } from "./client/roomStreams.js";
export { Screen } from "./client/screen.js";
