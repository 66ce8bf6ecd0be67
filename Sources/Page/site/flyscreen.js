/**
 * Flyscreen for JavaScript: what is on the screens of live rooms, as a gateway tells it. It needs no page and nothing
 * beside its folder `client/`; it runs in browsers and in Node 20 or newer.
 *
 *     import { Flyscreen } from "/flyscreen.js";
 *
 *     const flyscreen = new Flyscreen({ url: "https://gateway.example", token });
 *     flyscreen.on("screen", ({ room }) => draw(room.screen, room.nowMs));
 *     flyscreen.follow(["r1", "r2"]);
 *     await flyscreen.wish("r1", "all the best");
 */

/** @typedef {import("./client/commands.js").Command} Command */
/** @typedef {import("./client/commands.js").Snapshot} Snapshot */
/** @typedef {import("./client/commands.js").Past} Past */
/** @typedef {import("./client/commands.js").Result} Result */
/** @typedef {import("./client/commandStream.js").StreamOptions} StreamOptions */
/** @typedef {import("./client/commandStream.js").StreamState} StreamState */
/** @typedef {import("./client/events.js").EventBody} EventBody */
/** @typedef {import("./client/events.js").EventSender} EventSender */
/** @typedef {import("./client/events.js").Gift} Gift */
/** @typedef {import("./client/flyscreen.js").FlyscreenEvents} FlyscreenEvents */
/**
 * @template {keyof FlyscreenEvents} [Name=keyof FlyscreenEvents]
 * @typedef {import("./client/flyscreen.js").FlyscreenEvent<Name>} FlyscreenEvent
 */
/** @typedef {import("./client/hits.js").Layout} Layout */
/** @typedef {import("./client/outbox.js").Delivery} Delivery */
/** @typedef {import("./client/outbox.js").SendErrorWord} SendErrorWord */
/** @typedef {import("./client/ownWishes.js").OwnWish} OwnWish */
/** @typedef {import("./client/ownWishes.js").WishEnd} WishEnd */
/** @typedef {import("./client/screen.js").GiftView} GiftView */
/** @typedef {import("./client/screen.js").Banner} Banner */
/** @typedef {import("./client/screen.js").Rain} Rain */
/** @typedef {import("./client/screen.js").Drop} Drop */
/** @typedef {import("./client/screen.js").Burst} Burst */
/** @typedef {import("./client/screen.js").SpotView} SpotView */
/** @typedef {import("./client/screen.js").CrowdView} CrowdView */
/** @typedef {import("./client/screen.js").PinView} PinView */
/** @typedef {import("./client/screen.js").GoalView} GoalView */
/** @typedef {import("./client/screen.js").ScreenView} ScreenView */
/** @typedef {import("./client/screen.js").SkipCount} SkipCount */
/** @typedef {import("./client/token.js").TokenSource} TokenSource */
/** @typedef {import("./client/transport.js").AnswerHead} AnswerHead */
/** @typedef {import("./client/transport.js").Open} Open */
/** @typedef {import("./client/transport.js").OpenAnswer} OpenAnswer */
export { CommandStream } from "./client/commandStream.js";
export { Flyscreen } from "./client/flyscreen.js";
export { boxOf, placeOf } from "./client/hits.js";
export { LiveRoom } from "./client/liveRoom.js";
export { LogClock } from "./client/logClock.js";
export { nameOf } from "./client/names.js";
export { SendError } from "./client/outbox.js";
export { Screen } from "./client/screen.js";
export { MissingError } from "./client/surroundings.js";
export { TapRecogniser } from "./client/taps.js";
