// What a stream does when it ends, when its token does, and when it is refused.
import { expect, Gateway, jwt, openStream, read, report, SITE } from "./scripted.mjs";
import { pass, settle } from "./virtual_time.mjs";

const { Flyscreen } = await import(`${SITE}/flyscreen.js`);

{
  const { gateway, states, stream } = await openStream();
  for (let round = 0; round < 20; round += 1) {
    gateway.last.answer().send("retry: 700\n\n");
    await pass(5000);
    gateway.last.end();
    await settle();
    expect("a quiet room's orderly end", states.at(-1), ["waiting", 700]);
    await pass(700);
  }
  expect("twenty orderly ends, twenty streams", gateway.asked.length, 21);
  stream.close();
}
{
  const { gateway, stream } = await openStream({}, ["a,b", "c"]);
  expect("a comma of a room's own is encoded", gateway.asked[0].url, "/commands?rooms=a%2Cb,c");
  stream.close();
}
{
  const { gateway, states, stream } = await openStream();
  for (let round = 0; round < 12; round += 1) {
    gateway.last.refuse();
    await settle();
    expect("a wait while somebody looks", states.at(-1)[1] <= 5000, true);
    await pass(5000);
  }
  gateway.last.refuse();
  await settle();
  const before = gateway.asked.length;
  stream.wake();
  await settle();
  expect("the gateway is heard of elsewhere", gateway.asked.length, before + 1);
  gateway.last.answer(429, { "Retry-After": "30" });
  await settle();
  stream.wake();
  await pass(20_000);
  expect("what the gateway itself asks for is waited for", gateway.asked.length, before + 1);
  stream.retryNow();
  await settle();
  expect("unless somebody asks", gateway.asked.length, before + 2);
  stream.close();
}
{
  const now = Math.floor(Date.now() / 1000);
  let tokens = 0;
  const { gateway, states, stream } = await openStream({ token: () => jwt({ exp: now + 100 * (tokens += 1) }) });
  gateway.last.answer().say("snapshot", { roomId: "r1", nowMs: 1, commands: [] }, "7");
  const first = gateway.last;
  for (let k = 0; k < 6; k += 1) await pass(10_000), gateway.last.send(":\n\n");
  expect("a token is good for a while", gateway.asked.length, 1);
  await pass(25_000);
  expect("before it ends there is another stream", gateway.asked.length, 2);
  expect("with the next token", gateway.last.headers.Authorization, `Bearer ${jwt({ exp: now + 200 })}`);
  expect("from where it was", gateway.last.headers["Last-Event-ID"], "7");
  expect("and the first is over", first.isGone, true);
  expect("without a wait", states.map(([state]) => state), ["connecting", "open", "connecting"]);
  stream.close();
}
{
  const now = Math.floor(Date.now() / 1000);
  const { gateway, stream } = await openStream({ token: () => jwt({ exp: now + 100 }) });
  gateway.last.answer().send("retry: 1000\n\n");
  for (let k = 0; k < 9; k += 1) await pass(10_000), gateway.last.send(":\n\n");
  expect("where there is no later token, the stream stays until it is ended", [gateway.asked.length, gateway.last.isGone], [1, false]);
  stream.close();
}
{
  let tokens = 0;
  const { gateway, states, stream } = await openStream({ token: () => `t${(tokens += 1)}` });
  gateway.last.answer(401);
  await settle();
  expect("a token that is refused: another is tried", gateway.last?.headers.Authorization, "Bearer t2");
  gateway.last.answer(401);
  await settle();
  expect("and once only", [gateway.asked.length, states.at(-1)[0]], [2, "refused"]);
  stream.close();
}

{
  const { gateway, stream } = await openStream({ user: "7" });
  gateway.last.answer().say("snapshot", { roomId: "r1", nowMs: 1, commands: [] }, "7");
  await settle();
  gateway.last.end();
  await pass(5000);
  // A result has no id of its own, and in a quiet room nothing else comes.
  gateway.last.answer().say("result", { id: "im.gifts/0/9", roomId: "r1", eventId: "e", rainId: "a", packet: 3, userId: "7", outcome: "won", coins: 5 });
  await settle();
  gateway.last.end();
  await pass(5000);
  expect("a stream that told only a result comes back from where it was", gateway.asked.map(({ headers }) => headers["Last-Event-ID"]), [undefined, "7", "7"]);
  stream.close();
}


for (const { status, type = "application/json", ends } of read("refusals.json")) {
  const { gateway, states, stream } = await openStream();
  gateway.last.answer(status, { "Content-Type": type });
  await pass(10_000);
  const is = [states.some(([state]) => state === "refused"), gateway.asked.length > 1];
  expect(`an answer of ${status} and ${type}`, is, [ends, !ends]);
  stream.close();
}

// Where a stream brings nothing, a room's next commands are asked for again and again.
{
  const told = [];
  const gateway = new Gateway();
  const client = new Flyscreen({ fetch: gateway.fetch, random: () => 1 });
  client.on("snapshot", ({ roomId }) => told.push(roomId));
  client.on("command", ({ command }) => told.push(command.id));
  client.on("state", ({ state, rooms }) => told.push(`${state} ${rooms}`));
  client.follow(["a", "b"]);
  await settle();
  const answer = (room, body, status = 200) => {
    const request = gateway.asked.findLast(({ url }) => url.startsWith(`/rooms/${room}/`));
    request.reply(status, body);
    return settle();
  };
  gateway.last.answer();
  await pass(4999);
  expect("a stream that begins to say something within five seconds is none", gateway.asked.length, 1);
  await pass(1);
  expect("rooms of a stream that is held up get a stream each", gateway.asked.slice(1).map(({ url }) => url), ["/rooms/a/commands", "/rooms/b/commands"]);
  expect("and it is left", gateway.asked[0].isGone, true);
  for (const one of gateway.asked.slice(1)) one.answer();
  await pass(5000);
  expect("those that are held up, too, are asked for what comes next", gateway.asked.slice(3).map(({ url }) => url), ["/rooms/a/next", "/rooms/b/next"]);
  told.length = 0;
  await answer("a", { id: "x-1", snapshot: { roomId: "a", nowMs: 1000, lagMs: 0, commands: [] } });
  expect("a snapshot, and at once the next question", [told, gateway.last.url], [["open a", "a"], "/rooms/a/next?after=x-1"]);
  await answer("a", { id: "x-2", lagMs: 100, commands: [{ roomId: "a", id: "t/0/1/0", atMs: 900, roomEnd: {} }] });
  expect("commands", [told.slice(2), gateway.last.url], [["t/0/1/0"], "/rooms/a/next?after=x-2"]);
  await pass(1000);
  expect("the lag is that which is told", client.room("a").lagMs, 100);
  let asked = gateway.asked.length;
  gateway.asked.findLast(({ url }) => url.startsWith("/rooms/a/")).answerNothing();
  await settle();
  expect("where there is nothing it waits for a second", gateway.asked.length, asked);
  await pass(1000);
  expect("and asks the same again", gateway.last.url, "/rooms/a/next?after=x-2");
  await answer("a", { error: "gone", message: "x" }, 410);
  expect("an id that is too old is forgotten", gateway.last.url, "/rooms/a/next");
  told.length = 0;
  await answer("a", { error: "not_ready", message: "x" }, 503);
  expect("a gateway that is not ready is waited for", told, ["waiting a"]);
  await pass(500);
  expect("and asked again", gateway.last.url, "/rooms/a/next");
  asked = gateway.asked.length;
  client.follow(["a", "b", "c"]);
  await settle();
  expect("a room that comes later is asked for at once", gateway.asked.slice(asked).map(({ url }) => url), ["/rooms/c/next"]);
  client.close();
}
{
  const { gateway, states, stream } = await openStream({ polls: true });
  expect("who wants no stream asks for none", gateway.last.url, "/rooms/r1/next");
  gateway.last.reply(403, { error: "forbidden", message: "x" });
  await settle();
  expect("and is refused as a stream is", states.at(-1)[0], "refused");
  stream.close();
}
{
  // An older gateway has streams alone.
  const { gateway, stream } = await openStream();
  gateway.last.answer();
  await pass(5000);
  gateway.last.reply(404, { error: "not_found", message: "x" });
  await pass(500);
  expect("where there is no such address a stream is tried again", gateway.asked.map(({ url }) => url), ["/rooms/r1/commands", "/rooms/r1/next", "/rooms/r1/commands"]);
  stream.close();
}

// A source of tokens that hangs.
{
  const answers = [undefined, "t1", undefined, "t2"];
  const token = () => answers[0] ? answers.shift() : new Promise(() => answers.shift());
  const { gateway, states, stream } = await openStream({ token });
  await pass(32_000);
  expect("who gets no token in time is as good as not connected", [gateway.asked.length, states.at(-1)], [0, ["waiting", 500]]);
  await pass(500);
  expect("and asks for one again", gateway.last?.headers.Authorization, "Bearer t1");
  gateway.last?.answer(401);
  await pass(46_000);
  expect("also if one was refused", gateway.last?.headers.Authorization, "Bearer t2");
  stream.close();
}
{
  let asked = 0;
  const { gateway, stream } = await openStream({ token: () => ((asked += 1) === 1 ? new Promise(() => {}) : "t") });
  stream.renew();
  await settle();
  expect("another token is not kept waiting by the one before", gateway.last?.headers.Authorization, "Bearer t");
  stream.close();
}

report();
