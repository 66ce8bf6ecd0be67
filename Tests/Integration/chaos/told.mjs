// told.mjs GATEWAY ROOM…: follows rooms by the JavaScript client, and prints each event as a line of JSON: [name, data].
const [gateway, ...rooms] = process.argv.slice(2);
const { Flyscreen } = await import("../../../Sources/Page/site/flyscreen.js");

const flyscreen = new Flyscreen({ url: gateway });
const tell = (...event) => process.stdout.write(`${JSON.stringify(event)}\n`);
flyscreen.on("snapshot", ({ room }) => tell("late snapshot", room.screen.snapshot));
flyscreen.on("command", ({ command }) => tell("command", command));
flyscreen.follow(rooms);
