export { AppliedCommands } from "./client/appliedCommands.js";
export { Backoff } from "./client/backoff.js";
export { Comeback } from "./client/comeback.js";
export { CommandStream } from "./client/commandStream.js";
export { EventStreamParser } from "./client/eventStreamParser.js";
export { Flyscreen } from "./client/flyscreen.js";
export { LiveRoom } from "./client/liveRoom.js";
export { LogClock } from "./client/logClock.js";
export { RoomStreams } from "./client/roomStreams.js";
export { Screen } from "./client/screen.js";
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
 */
export type Command = import("./client/commands.js").Command;
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
 */
export type Snapshot = import("./client/commands.js").Snapshot;
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
 */
export type Result = import("./client/commands.js").Result;
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
 */
export type StreamOptions = import("./client/commandStream.js").StreamOptions;
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
 */
export type StreamState = import("./client/commandStream.js").StreamState;
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
 */
export type Delivery = import("./client/outbox.js").Delivery;
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
 */
export type OwnWish = import("./client/ownWishes.js").OwnWish;
export { Outbox, SendError } from "./client/outbox.js";
