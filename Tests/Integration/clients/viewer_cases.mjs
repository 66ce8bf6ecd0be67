// What becomes of a viewer's own wishes, grabs, taps and gifts.
import { expect, fly, followed, place, read, report, SITE } from "./scripted.mjs";
import { readFileSync } from "node:fs";
import { nowMs, pass, settle } from "./virtual_time.mjs";

const { Flyscreen } = await import(`${SITE}/flyscreen.js`);

/** A wish that the gateway has taken. */
async function sentWish(gateway, flyscreen, told) {
  const wish = told(flyscreen.wish("r1", "hi"));
  await settle();
  gateway.last.reply(202, place);
  await settle();
  return wish;
}

{
  const { gateway, flyscreen, stream, told } = await followed();
  const wish = told(flyscreen.wish("r1", "hi", { wishId: "w1" }));
  expect("an own wish is there at once", flyscreen.ownWishes("r1").map(({ text }) => text), ["hi"]);
  await settle();
  gateway.last.reply(202, place);
  await settle();
  expect("also once it is sent", flyscreen.ownWishes("r1").length, 1);
  stream.say("command", { roomId: "r1", id: "im.wishes/2/40/0", atMs: 1001, wishFly: fly("w1") }, "2");
  await pass(50);
  expect("until it flies", [flyscreen.ownWishes("r1"), wish.is], [[], "flies"]);
  flyscreen.close();
}
{
  const { gateway, flyscreen, stream, told } = await followed();
  const flying = (wishId, atMs) => ({ roomId: "r1", id: `im.wishes/2/${atMs}/0`, atMs, wishFly: fly(wishId) });
  stream.say("command", flying("w1", 1000), "2");
  await pass(3000);
  const wish = await sentWish(gateway, flyscreen, told);
  expect("one that is equal to a wish that has flown for so long is its own", wish.is, "waiting");
  await pass(100);
  stream.say("snapshot", { roomId: "r1", nowMs: 4100, commands: [flying("w1", 1000)] }, "3");
  await settle();
  expect("also if that is told anew", wish.is, "waiting");
  stream.say("snapshot", { roomId: "r1", nowMs: 4200, commands: [flying("w1", 1000), flying("w2", 1150)] }, "4");
  await settle();
  expect("one that is equal to a younger wish is a like of that", wish.is, "flies");
  const next = await sentWish(gateway, flyscreen, told);
  expect("but not for ever", next.is, "waiting");
  stream.say("command", flying("w3", 4900), "5");
  await pass(800);
  expect("and of one that comes later", next.is, "flies");
  flyscreen.close();
}
for (const { about, told: commands, answered = 0, snapshots, outcome } of read("own-wishes.json")) {
  const { gateway, flyscreen, stream, told } = await followed();
  const wish = told(flyscreen.wish("r1", "hi"));
  await settle();
  const posted = gateway.last;
  for (let told = 0; told <= commands.length; told += 1) {
    if (told === answered) posted.reply(202, place);
    await settle();
    if (told === commands.length) break;
    const command = { roomId: "r1", atMs: 1001 + told, ...commands[told] };
    if (snapshots) stream.say("snapshot", { roomId: "r1", nowMs: command.atMs, commands: [command] }, `${told + 2}`);
    else stream.say("command", command, `${told + 2}`);
    await pass(1);
  }
  expect(about, [wish.is, flyscreen.ownWishes("r1").length], outcome === "waits" ? ["waiting", 1] : [outcome, 0]);
  flyscreen.close();
}
{
  const { gateway, flyscreen, told } = await followed();
  const nobody = { userId: "", name: "", avatarUrl: "" };
  const past = (sinceMs, ...wishes) => ({ sinceMs, givers: [], crowds: { gifts: 0, coins: 0, told: [] }, wishes });
  const flown = (wishId, atMs, text = "ho") => ({ atMs, wishId, sender: nobody, text, style: "", likes: 0 });
  const makeWish = async (wishId) => {
    const wish = told(flyscreen.wish("r1", "hi", { wishId }));
    await settle();
    gateway.last.reply(202, place);
    await settle();
    return wish;
  };
  // The stream is away for ten seconds, and then tells the room anew.
  let atMs = 1000;
  const away = async (makePast) => {
    flyscreen.pause();
    await pass(10_000);
    flyscreen.resume();
    await settle();
    atMs += 10_000;
    gateway.last.answer().say("snapshot", { roomId: "r1", nowMs: atMs, commands: [], past: makePast() }, "9");
    await settle();
  };
  const own = await makeWish("w1");
  const equal = await makeWish("w2");
  await away(() => past(1, flown("w1", atMs - 5000)));
  expect("a wish that the past tells has flown", [own.is, equal.is, flyscreen.ownWishes("r1").length], ["flies", "waiting", 1]);
  await away(() => past(1, flown("w3", atMs - 9000, "hi"), flown("w1", atMs - 15_000)));
  expect("also if it was equal to one", [equal.is, flyscreen.ownWishes("r1").length], ["flies", 0]);
  const many = (count, fromMs) => Array.from({ length: count }, (_, place) => flown(`x${place}`, fromMs - place));
  const ends = async (makePast, more = async () => {}) => {
    const wish = await makeWish(`w${atMs}`);
    await away(makePast);
    await more();
    await pass(30_000);
    atMs += 30_000;
    return wish.is;
  };
  expect("one that a past does not have was skipped if it has all since then", await ends(() => past(1, ...many(19, atMs - 1000))), "skipped");
  expect("also if it tells as many as it may", await ends(() => past(1, ...many(20, atMs - 9985))), "skipped");
  expect("else nobody knows", await ends(() => past(1, ...many(20, atMs - 1000))), "unknown");
  expect("nor if it began later", await ends(() => past(atMs - 1000)), "unknown");
  expect("nor while no stream tells the room", await ends(() => past(1), async () => flyscreen.pause()), "unknown");
  flyscreen.resume();
  flyscreen.follow([]);
  const elsewhere = await makeWish("w9");
  await pass(40_000);
  expect("nor of a room that is not followed", elsewhere.is, "unknown");
  flyscreen.close();
}
{
  const { flyscreen, stream } = await followed();
  const room = flyscreen.room("r1");
  const giver = { sender: { userId: "7", name: "", avatarUrl: "" }, gifts: 1, coins: 10 };
  stream.say("snapshot", { roomId: "r1", nowMs: 1000, commands: [], past: { sinceMs: 5, givers: [giver], crowds: { gifts: 0, coins: 0, told: [] }, wishes: [] } }, "2");
  await settle();
  expect("the past is as it was told", [room.past.sinceMs, room.past.givers.length], [5, 1]);
  stream.say("command", { roomId: "r1", id: "im.gifts/2/41/0", atMs: 1002, roomEnd: {} }, "3");
  await pass(50);
  expect("and begins anew when the room ends", room.past, { sinceMs: 1002, givers: [], crowds: { gifts: 0, coins: 0, told: [] }, wishes: [] });
  flyscreen.close();
}
{
  const { gateway, flyscreen, told } = await followed();
  const wishes = [told(flyscreen.wish("r1", "hi")), told(flyscreen.wish("r1", "ho"))];
  await settle();
  gateway.asked.at(-2).reply(403, { error: "kind_not_allowed", message: "no" });
  gateway.last.reply(202, place);
  await settle();
  expect("or refused", [flyscreen.ownWishes("r1").length, wishes[0].is], [1, "kind_not_allowed"]);
  await pass(40_000);
  expect("or if nothing is heard of it for as long as one may wait", [flyscreen.ownWishes("r1").length, wishes[1].is], [0, "skipped"]);
  flyscreen.close();
}
{
  const { gateway, flyscreen, stream, told } = await followed();
  const results = [];
  flyscreen.addEventListener("result", ({ detail }) => results.push(detail.result.id));
  const grab = told(flyscreen.grab("r1", { rainId: "a", packet: 3 }));
  await settle();
  const { eventId, rainGrab } = gateway.last.sent;
  expect("a grab is an event", rainGrab, { userId: "7", rainId: "a", packet: 3 });
  const result = { id: "im.gifts/0/9", roomId: "r1", eventId, rainId: "a", packet: 3, userId: "7", outcome: "won", coins: 5 };
  // The stream may be faster than the answer to the request.
  stream.say("result", result).say("result", result);
  await settle();
  gateway.last.reply(202, place);
  await settle();
  expect("its answer is awaited", [grab.is, results], [result, [result.id]]);

  const missing = told(flyscreen.grab("r1", { rainId: "a", packet: 4 }));
  await settle();
  gateway.last.reply(202, place);
  await pass(4000);
  expect("if none comes, what the gateway knows is asked for", gateway.last.url, "/rooms/r1/results?user=7");
  const late = { ...result, packet: 4, id: "im.gifts/0/10", eventId: "another" };
  gateway.last.reply(200, { results: [result, late] });
  await settle();
  expect("and is the answer", missing.is, late);

  const none = told(flyscreen.grab("r1", { rainId: "a", packet: 5 }));
  await settle();
  gateway.last.reply(202, place);
  await pass(4000);
  gateway.last.reply(404, {});
  await pass(10_000);
  expect("an answer that never comes is told", none.is, "no_result");
  flyscreen.close();
}
{
  const { gateway, flyscreen, told } = await followed();
  const begin = nowMs();
  const sent = [told(flyscreen.send("r1", { tap: { x: 1, y: 2 } })), told(flyscreen.gift("r1", { giftId: "rose", value: 1 }))];
  await settle();
  for (const request of gateway.asked.slice(-2)) request.reply(503, { error: "not_delivered" });
  for (let tries = 0; tries < 40; tries += 1) {
    await pass(1000);
    for (const request of gateway.asked.slice(1)) request.reply(503, { error: "not_delivered" });
  }
  const ids = (kind) => new Set(gateway.asked.filter(({ sent }) => sent?.[kind]).map(({ sent, atMs }) => sent.eventId));
  expect("what can't be delivered is told in the end", sent.map(({ is }) => is), ["not_delivered", "not_delivered"]);
  expect("each had one id", [ids("tap").size, ids("gift").size], [1, 1]);
  const last = (kind) => Math.max(...gateway.asked.filter(({ sent }) => sent?.[kind]).map(({ atMs }) => atMs));
  expect("a tap that is late is not sent", last("tap") - begin <= 1500 && last("gift") - begin > 15_000, true);
  flyscreen.close();
}
{
  const { flyscreen } = await followed();
  const begin = nowMs();
  let end;
  flyscreen.grab("r1", { rainId: "a", packet: 3 }).catch(({ error, mayHaveArrived }) => (end = [error, mayHaveArrived, nowMs() - begin]));
  await pass(12_000);
  expect("a grab that nobody answers", end, ["unreachable", true, 10_000]);
  flyscreen.close();
}
{
  const { gateway, flyscreen } = await followed();
  const sent = async (body) => {
    flyscreen.send("r1", body).catch(() => {});
    await settle();
    return gateway.last.sent;
  };
  expect("an event is this viewer's", (await sent({ tap: { x: 500, y: 500 } })).tap, { userId: "7", x: 500, y: 500 });
  expect("unless it says whose it is", (await sent({ wishLike: { wishId: "w", userId: "8" } })).wishLike, { userId: "8", wishId: "w" });
  expect("what a platform does is nobody's", (await sent({ retract: { wishId: "w" } })).retract, { wishId: "w" });
  flyscreen.close();
}
{
  const { gateway, flyscreen } = await followed();
  const runs = () => gateway.asked.filter(({ sent }) => sent?.taps).map(({ sent }) => sent.taps);
  const answer = async (spanMs) => {
    await pass(spanMs);
    for (const request of gateway.asked.slice(1)) request.reply(202, place);
    await settle();
  };
  const likes = [];
  for (const spanMs of [0, 299, 999, 999, 1000, 300, 299]) {
    await answer(spanMs);
    likes.push(flyscreen.tap("r1", { x: 1, y: 2 }));
  }
  expect("a second tap within 300 ms is a like, and then each within a second", likes, [false, true, true, true, false, false, true]);
  await answer(2000);
  expect("likes are told gathered, as how many there have been so far", [runs().map(({ count }) => count), new Set(runs().map(({ runId }) => runId)).size], [[1, 2, 3, 4], 1]);
  for (let n = 0; n < 40; n += 1) flyscreen.likeRoom("r1", { x: n, y: 1 });
  await answer(0);
  await answer(2000);
  expect("at most one event a second, with sixteen points", runs().slice(4).map(({ count, points }) => [count, points.length]), [[44, 16]]);
  await answer(31_000);
  flyscreen.likeRoom("r1", { x: 1, y: 1 });
  await answer(1000);
  expect("after half a minute another run begins", [runs().at(-1).count, runs().at(-1).runId === runs()[0].runId], [1, false]);
  flyscreen.likeRoom("r1", { x: 1, y: 1 });
  flyscreen.follow([]);
  await settle();
  expect("the last are told when the room is left", runs().at(-1).count, 2);
  flyscreen.close();
}
{
  const { flyscreen, stream } = await followed();
  const retracted = { wishId: "", comboId: "", spotId: "", pinId: "", goalId: "", userId: "" };
  const wish = (wishId, userId) => ({ atMs: 1, wishId, sender: { userId, name: "", avatarUrl: "" }, text: "hi", style: "", likes: 0 });
  const past = { sinceMs: 1, givers: [{ sender: { userId: "8", name: "", avatarUrl: "" }, gifts: 1, coins: 1 }], crowds: { gifts: 0, coins: 0, told: [] }, wishes: [wish("a", "7"), wish("b", "8"), wish("c", "9")] };
  stream.say("snapshot", { roomId: "r1", nowMs: 1000, commands: [], past }, "2");
  stream.say("command", { roomId: "r1", id: "w/0/1/0", atMs: 1001, retracted: { ...retracted, wishId: "a" } }, "3");
  await pass(50);
  expect("a wish that is taken back leaves the past", flyscreen.room("r1").past.wishes.map(({ wishId }) => wishId), ["b", "c"]);
  stream.say("command", { roomId: "r1", id: "w/0/2/0", atMs: 1060, retracted: { ...retracted, userId: "8" } }, "4");
  await pass(100);
  expect("and all of a user", [flyscreen.room("r1").past.wishes.map(({ wishId }) => wishId), flyscreen.room("r1").past.givers], [["c"], []]);
  flyscreen.close();
}

{
  const { flyscreen, stream } = await followed();
  let heard = 0;
  flyscreen.on("screen", ({ roomId }) => (heard += roomId === "r1"));
  // As React does: it draws again only if the next value is another.
  const readme = readFileSync(new URL("../../../Sources/Page/site/README.md", import.meta.url), "utf8");
  const hook = /```jsx\n([^]*?)```/.exec(readme)[1].replace(/^import .*$/m, "").replace("export ", "");
  const drawn = [];
  const useSyncExternalStore = (subscribe, get) => {
    const draw = () => drawn.at(-1) !== get() && drawn.push(get());
    draw();
    return subscribe(draw);
  };
  const useRoom = new Function("useCallback", "useSyncExternalStore", `${hook}; return useRoom;`)((act) => act, useSyncExternalStore);
  const stop = useRoom(flyscreen, "r1");
  const room = flyscreen.room("r1");
  expect("a view is the same while nothing changes", [room.view === room.view, drawn.length, drawn[0].isStalled], [true, 1, false]);
  const show = { comboId: "c", lane: 0, sender: { userId: "7", name: "", avatarUrl: "" }, giftId: "rose", from: 0, total: 2, enterMs: 0 };
  stream.say("command", { roomId: "r1", id: "im.gifts/0/1/0", atMs: 1000, giftShow: show }, "2");
  await settle();
  expect("a command is another screen", [heard, drawn.length, drawn[1].gifts[0].count], [1, 2, 0]);
  const bump = (count) => ({ roomId: "r1", id: `im.gifts/0/1/${count}`, atMs: 1000, giftBump: { comboId: "c", lane: 0, count, tickMs: 300 } });
  stream.send([1, 2].map((count) => `event: command\ndata: ${JSON.stringify(bump(count))}\n\n`).join(""));
  await settle();
  expect("what comes at once is told once", [heard, drawn[2].gifts[0].count], [2, 2]);
  expect("and what was told before has not changed", drawn.map(({ gifts }) => gifts[0]?.count), [undefined, 0, 2]);
  stream.say("command", { roomId: "r1", id: "im.wishes/2/1/0", atMs: 1000, wishFly: { ...fly("w1"), durationMs: 2000 } }, "3");
  await pass(1999);
  expect("a banner flies", [heard, drawn.at(-1).banners.length], [3, 1]);
  await pass(2);
  expect("what ends by time is another screen, though nobody asks", [heard, drawn.at(-1).banners.length], [4, 0]);
  await pass(20_000);
  expect("then nothing happens", heard, 4);
  stream.say("snapshot", { roomId: "r1", nowMs: 30_000, commands: [] }, "4");
  await settle();
  expect("a snapshot is another screen, for who comes late", [heard, drawn.at(-1).gifts.length], [5, 0]);
  stop();
  stream.say("command", bump(9), "5");
  await settle();
  expect("until nobody looks", [heard, drawn.length], [6, 6]);
  flyscreen.close();
}

for (const { about, steps } of read("feeds.json")) {
  const fetch = () => { throw new Error("nobody asks"); };
  const flyscreen = new Flyscreen({ isFed: true, fetch });
  const heard = [];
  flyscreen.on("command", ({ command }) => heard.push(command.id));
  flyscreen.follow(["r1"]);
  for (const [number, { subscribed, push, snapshot, joined, shows }] of steps.entries()) {
    if (subscribed) flyscreen.subscribed("r1");
    else if (shows) {
      const { gifts, banners } = flyscreen.room("r1").screen;
      const shown = { gifts: Object.fromEntries(gifts.map(({ show, count }) => [show.comboId, count])), banners: banners.map(({ fly }) => fly.wishId) };
      expect(`${about}: step ${number}`, shown, shows);
    } else expect(`${about}: step ${number}`, flyscreen.feed(push ?? snapshot), joined);
  }
  flyscreen.close();
}
{
  const { flyscreen } = await followed();
  let told;
  try {
    flyscreen.feed({ roomId: "r1", nowMs: 1, commands: [] });
  } catch (error) {
    told = error.message.includes("isFed");
  }
  expect("a room that a stream tells is not fed", told, true);
  flyscreen.close();
  const fed = new Flyscreen({ isFed: true, user: "7", fetch: async () => new Response(JSON.stringify(place), { status: 202 }) });
  fed.follow(["r1"]);
  let won;
  fed.grab("r1", { rainId: "a", packet: 3 }).then(({ coins }) => (won = coins));
  await settle();
  fed.feed({ id: "im.gifts/0/9", roomId: "r1", eventId: "another", rainId: "a", packet: 3, userId: "7", outcome: "won", coins: 5 });
  await settle();
  expect("a result that is fed answers a grab", won, 5);
  fed.close();
}

report();
