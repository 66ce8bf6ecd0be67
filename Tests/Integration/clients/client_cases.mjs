// Runs the cases of Tests/ClientCases and the streams' own; prints what was not as expected.
import { readFileSync } from "node:fs";
import { nowMs, pass, ring, settle } from "./virtual_time.mjs";

const SITE = "../../../Sources/Page/site";
const { Flyscreen, CommandStream } = await import(`${SITE}/flyscreen.js`);
const { Comeback } = await import(`${SITE}/client/comeback.js`);
const { Outbox } = await import(`${SITE}/client/outbox.js`);
const read = (name) => JSON.parse(readFileSync(new URL(`../../ClientCases/${name}`, import.meta.url), "utf8"));
const wrong = [];
let looks = 0;
const expect = (about, is, should) => {
  looks += 1;
  if (JSON.stringify(is) !== JSON.stringify(should)) wrong.push(`${about}: ${JSON.stringify(is)} rather than ${JSON.stringify(should)}`);
};

for (const { about, limitMs, ends } of read("coming-back.json")) {
  const comeback = new Comeback({ random: () => 1 });
  const waits = ends.map((end) => comeback.wait(
    { openMs: end.openMs ?? null, isOrderly: end.orderly ?? false, retryMs: end.retryMs ?? null, retryAfterMs: end.retryAfterMs ?? 0 }, limitMs));
  expect(about, waits, ends.map(({ waitMs }) => waitMs));
}

for (const { about, answers, tries, leastWaitsMs = [], outcome, token } of read("sending.json")) {
  const asked = [];
  let tokens = 0;
  const outbox = new Outbox({
    random: () => 0,
    token: token && (() => `t${token === "renewed" ? (tokens += 1) : 0}`),
    fetch: async (path, { body, headers }) => {
      asked.push({ path, body, atMs: nowMs(), token: headers.Authorization });
      const { status, retryAfterS, body: answer } = answers[asked.length - 1] ?? { status: 202 };
      if (!status) throw new TypeError("no answer");
      return new Response(JSON.stringify(answer ?? "oops"), { status, headers: retryAfterS ? { "Retry-After": String(retryAfterS) } : {} });
    },
  });
  let told = "nothing";
  outbox.send("r 1", { tap: { userId: "7", x: 1, y: 2 } }).then(() => (told = "delivered"), ({ error }) => (told = error));
  while (await ring(20_000) && told === "nothing");
  await settle();
  expect(`${about}: outcome`, told, outcome);
  expect(`${about}: tries`, asked.length, tries);
  expect(`${about}: one body`, new Set(asked.map(({ body }) => body)).size, 1);
  expect(`${about}: its place`, asked[0].path, "/rooms/r%201/events");
  expect(`${about}: an id`, JSON.parse(asked[0].body).eventId.length > 8, true);
  leastWaitsMs.forEach((least, place) => {
    const waited = asked[place + 1]?.atMs - asked[place].atMs;
    expect(`${about}: wait ${place + 1} of ${waited}`, waited >= least, true);
  });
}

// A gateway that never answers: what is sent is over in its time, and whether it may have arrived is told.
{
  const asked = [];
  const hangs = (path, { body, signal }) => new Promise((_, reject) => {
    asked.push(JSON.parse(body));
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const outbox = new Outbox({ random: () => 0, fetch: hangs });
  const ends = [];
  const end = (name, sent, from = nowMs()) => sent.catch(({ error, mayHaveArrived }) => ends.push([name, error, mayHaveArrived, nowMs() - from]));
  for (const name of ["first", "second", "third"]) end(name, outbox.send("r", { tap: { x: 1, y: 1 } }, { withinMs: 1000 }));
  await settle();
  end("gift", outbox.send("r", { gift: { giftId: "rose" } }));
  await settle();
  expect("one tap at a time takes no gift's place", asked.map((body) => Object.keys(body)[2]), ["tap", "gift"]);
  await pass(1000);
  expect("taps that nobody answers", ends, [["first", "unreachable", true, 1000], ["second", "too_late", false, 1000], ["third", "too_late", false, 1000]]);
  await pass(40_000);
  expect("a gift that nobody answers", ends.slice(3), [["gift", "unreachable", true, 30_000]]);
}

// Events that fail side by side are one failure of the gateway, and wait as one would; what it asks for holds for all.
for (const [about, answers, waitsMs] of [
  ["a gateway that breaks off", [0, 0, 0], [400, 800, 1600]],
  ["a gateway that asks one of them to wait", [0, 429, 0], [3000, 3000]],
]) {
  const asked = [];
  const outbox = new Outbox({ random: () => 1, fetch: () => new Promise((resolve, reject) => {
    const status = answers[asked.length % answers.length];
    asked.push({ atMs: nowMs(), end: () => {
      if (status) resolve(new Response("{}", { status, headers: { "Retry-After": "3" } }));
      else reject(new TypeError("cut"));
    } });
  }) });
  for (const _ of answers) outbox.send("r", { gift: { giftId: "rose" } }).catch(() => {});
  await settle();
  for (const waitMs of waitsMs) {
    const tries = asked.splice(0);
    for (const { end } of tries) end();
    await pass(waitMs - 1);
    expect(`${about}: it is left alone for ${waitMs} ms`, [tries.length, asked.length], [answers.length, 0]);
    await pass(1);
    expect(`${about}: no longer than for ${waitMs} ms`, asked.length, answers.length);
  }
}

// A gateway that has taken an event is well again: the next that fails waits as the first did.
{
  const answers = [0, 0, 202, 0, 202];
  const asked = [];
  const outbox = new Outbox({ random: () => 1, fetch: async () => {
    asked.push(nowMs());
    const status = answers[asked.length - 1];
    if (!status) throw new TypeError("cut");
    return new Response("{}", { status });
  } });
  for (const _ of "12") {
    outbox.send("r", { gift: { giftId: "rose" } });
    await pass(20_000);
  }
  const waits = asked.slice(1).map((at, place) => at - asked[place]).filter((wait) => wait < 10_000);
  expect("waits before and after an event that arrives", waits, [400, 800, 400]);
}

// The last answer of a gateway says whether the event may have arrived.
for (const [about, words, mayHaveArrived] of [
  ["not ready", [[503, "not_ready"]], false], ["not delivered", [[503, "not_delivered"]], true], ["refused", [[400, "bad_request"]], false],
  ["refused after it was perhaps taken", [[504, "x"], [400, "bad_request"]], true], ["asked to wait", [[429, "too_many_events"]], false],
]) {
  let place = -1;
  const outbox = new Outbox({ random: () => 0, fetch: async () => {
    const [status, error] = words[Math.min((place += 1), words.length - 1)];
    return new Response(JSON.stringify({ error, message: "no" }), { status });
  } });
  let told;
  outbox.send("r", { gift: { giftId: "rose" } }).catch((error) => (told = error.mayHaveArrived));
  await pass(31_000);
  expect(`${about}: may have arrived`, told, mayHaveArrived);
}

// A gateway that says what these cases say.
class Gateway {
  asked = [];
  fetch = (url, { signal, headers, method = "GET", body: sent }) => new Promise((resolve, reject) => {
    const request = { url, headers, method, sent: sent && JSON.parse(sent), atMs: nowMs(), isGone: false };
    request.answer = (status = 200, more = {}) => {
      const body = new ReadableStream({ start: (stream) => void (request.stream = stream) });
      const type = status === 200 ? "text/event-stream" : "application/json";
      resolve(new Response(body, { status, headers: { "Content-Type": type, ...more } }));
      return request;
    };
    request.reply = (status, value) => resolve(new Response(JSON.stringify(value), { status }));
    request.refuse = () => reject(new TypeError("cut"));
    request.say = (event, data, id = "") => (request.send(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`), request);
    request.send = (text) => (request.stream.enqueue(new TextEncoder().encode(text)), request);
    request.end = () => request.stream.close();
    signal?.addEventListener("abort", () => {
      request.isGone = true;
      try {
        request.stream?.error(signal.reason);
      } catch {
        // It has ended.
      }
      reject(signal.reason);
    });
    this.asked.push(request);
  });
  get last() {
    return this.asked.at(-1);
  }
  get streams() {
    return this.asked.filter(({ url }) => url.includes("/commands"));
  }
}

for (const { about, wait, event, stream, call, wakes } of read("waking.json")) {
  const gateway = new Gateway();
  const client = new Flyscreen({ fetch: gateway.fetch, user: "7", random: () => 1 });
  client.follow(["r1", "r2"]);
  await settle();
  gateway.last.answer(421);
  await settle();
  const streams = (room) => gateway.streams.filter(({ url }) => url.includes(`/rooms/${room}/`));
  if (wait.status) streams("r1")[0].answer(wait.status, wait.retryAfterS ? { "Retry-After": String(wait.retryAfterS) } : {});
  else streams("r1")[0].refuse();
  await settle();
  if (call) client[call]();
  else if (stream !== undefined) streams("r2")[0].answer(stream);
  else {
    client.like("r1", "w1").catch(() => {});
    await settle();
    if (event) gateway.last.reply(event, { error: "x", message: "x" });
    else gateway.last.refuse();
  }
  await settle();
  expect(about, streams("r1").length, wakes ? 2 : 1);
  client.close();
}

const jwt = (claims) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
const openStream = async (options = {}) => {
  const gateway = new Gateway();
  const states = [];
  const stream = new CommandStream(["r1"], { snapshot() {}, command() {}, state: (state, { retryInMs }) => states.push([state, retryInMs]) },
    { fetch: gateway.fetch, random: () => 1, ...options });
  await settle();
  return { gateway, states, stream };
};

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
  gateway.last.answer();
  for (let k = 0; k < 9; k += 1) await pass(10_000), gateway.last.send(":\n\n");
  expect("where there is no later token, the stream stays until it is ended", [gateway.asked.length, gateway.last.isGone], [1, false]);
  stream.close();
}
{
  let tokens = 0;
  const { gateway, states, stream } = await openStream({ token: () => `t${(tokens += 1)}` });
  gateway.last.answer(401);
  await settle();
  expect("a token that is refused: another is tried", gateway.last.headers.Authorization, "Bearer t2");
  gateway.last.answer(401);
  await settle();
  expect("and once only", [gateway.asked.length, states.at(-1)[0]], [2, "refused"]);
  stream.close();
}

// Steps of a viewer.
const followed = async () => {
  const gateway = new Gateway();
  const flyscreen = new Flyscreen({ fetch: gateway.fetch, random: () => 0, user: "7" });
  flyscreen.follow(["r1"]);
  await settle();
  gateway.last.answer().say("snapshot", { roomId: "r1", nowMs: 1000, commands: [] }, "1");
  await settle();
  const [stream] = gateway.streams;
  const told = (promise) => {
    const one = { is: "waiting" };
    promise.then((value) => (one.is = value), (error) => (one.is = `${error.error}`));
    return one;
  };
  return { gateway, flyscreen, stream, told };
};
const place = { topic: "im.wishes", partition: 2, offset: 40 };
const fly = (wishId) => ({ wishId, track: 0, sender: { userId: "7", name: "", avatarUrl: "" }, text: "hi", style: "", width: 90, durationMs: 6000, likes: 0 });
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
  const wish = told(flyscreen.wish("r1", "hi"));
  await settle();
  gateway.last.reply(202, place);
  await settle();
  const skipped = { stage: "wish", reason: "overflow", items: 1, units: 1 };
  stream.say("command", { roomId: "r1", id: "im.wishes/2/39/3", atMs: 1001, skipped }, "2");
  await pass(50);
  expect("another's skip is not its own", wish.is, "waiting");
  stream.say("command", { roomId: "r1", id: "im.wishes/2/40/0", atMs: 1002, skipped }, "3");
  await pass(50);
  expect("it is taken back if it was skipped", [flyscreen.ownWishes("r1"), wish.is], [[], "skipped"]);
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
  expect("a grab is an event", rainGrab, { rainId: "a", packet: 3, userId: "7" });
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
  const sent = [told(flyscreen.tap("r1", { x: 1, y: 2 })), told(flyscreen.gift("r1", { giftId: "rose", value: 1 }))];
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

console.log(JSON.stringify({ looks, wrong }));
process.exit(0);
