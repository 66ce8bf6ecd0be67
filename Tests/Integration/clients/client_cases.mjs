// Runs the cases of Tests/ClientCases, and those of events that nobody answers as they should.
import { expect, Gateway, place, read, report, SITE } from "./scripted.mjs";
import { nowMs, pass, ring, settle } from "./virtual_time.mjs";

const { Flyscreen, nameOf, Screen, TapRecogniser } = await import(`${SITE}/flyscreen.js`);
const { retryAfterMs } = await import(`${SITE}/client/backoff.js`);
const { Comeback } = await import(`${SITE}/client/comeback.js`);
const { LiveRoom } = await import(`${SITE}/client/liveRoom.js`);
const { Outbox } = await import(`${SITE}/client/outbox.js`);

const taken = () => new Response(JSON.stringify(place), { status: 202 });

for (const { about, limitMs, ends } of read("coming-back.json")) {
  const comeback = new Comeback({ random: () => 1 });
  const waits = ends.map((end) => comeback.wait(
    { openMs: end.openMs ?? null, isOrderly: end.orderly ?? false, retryMs: end.retryMs ?? null, retryAfterMs: end.retryAfterMs ?? 0 }, limitMs));
  expect(about, waits, ends.map(({ waitMs }) => waitMs));
}

for (const { name, shown } of read("names.json")) expect(`the name ${JSON.stringify(name)}`, nameOf({ name, userId: "7" }), shown);

for (const { header, waitMs } of read("retry-after.json")) expect(`Retry-After: ${header}`, retryAfterMs(header, 1445412480000), waitMs);

for (const { about, waitsMs, likes } of read("taps.json")) {
  const recogniser = new TapRecogniser();
  let atMs = 5;
  expect(about, waitsMs.map((waitMs) => recogniser.tap((atMs += waitMs))), likes);
}

for (const { about, layout, commands, looks } of read("hits.json")) {
  const screen = new Screen("r");
  for (const command of commands) screen.apply(command);
  for (const { atMs, x, y, under } of looks) {
    screen.advance(atMs);
    expect(`${about}: at ${x}, ${y} at ${atMs}`, screen.itemsAt({ x, y }, atMs, layout).map(({ id }) => id), under);
    expect(`${about}: the topmost at ${x}, ${y} at ${atMs}`, screen.itemAt({ x, y }, atMs, layout)?.id, under[0]);
  }
}

for (const { about, answers, tries, leastWaitsMs = [], outcome, token } of read("sending.json")) {
  const asked = [];
  let tokens = 0;
  const outbox = new Outbox({
    random: () => 0,
    token: token && (() => `t${token === "renewed" ? (tokens += 1) : 0}`),
    fetch: async (path, { body, headers }) => {
      asked.push({ path, body, atMs: nowMs(), token: headers.Authorization });
      const { status, retryAfterS, body: answer, text = JSON.stringify(answer ?? "oops") } = answers[asked.length - 1];
      if (!status) throw new TypeError("no answer");
      return new Response(status === 204 ? null : text, { status, headers: retryAfterS ? { "Retry-After": String(retryAfterS) } : {} });
    },
  });
  let told = "nothing";
  outbox.send("r 1", { wishLike: { userId: "7", wishId: "w" } }).then(() => (told = "delivered"), ({ error }) => (told = error));
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

// The time that an event has goes by its kind, and is never longer than its id counts.
for (const [body, withinMs, should] of [
  [{ tap: { x: 1, y: 1 } }, undefined, 1000], [{ rainGrab: { rainId: "a", packet: 1 } }, undefined, 10_000],
  [{ wishLike: { wishId: "w" } }, undefined, 30_000], [{ tap: { x: 1, y: 1 } }, 5000, 5000], [{ wishLike: { wishId: "w" } }, Infinity, 30_000],
]) {
  const outbox = new Outbox({ random: () => 0, fetch: (path, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) });
  let end;
  const begin = nowMs();
  outbox.send("r", body, { withinMs }).catch(() => (end = nowMs() - begin));
  await pass(40_000);
  expect(`the time of ${JSON.stringify(body)} within ${withinMs}`, end, should);
}

// What can't be meant is refused at once.
for (const [about, act] of [
  ["no room", () => new Flyscreen({ fetch }).gift(undefined, { giftId: "rose" })], ["an empty room", () => new Flyscreen({ fetch }).wish("", "hi")],
  ["no kind", () => new Flyscreen({ fetch }).send("r", {})], ["two kinds", () => new Flyscreen({ fetch }).send("r", { tap: { x: 1, y: 1 }, gift: { giftId: "rose" } })],
  ["no address", () => new Flyscreen({ url: "gateway.example" })], ["half of one", () => new Flyscreen({ url: "https://" })], ["another", () => new Flyscreen({ url: "ftp://gateway.example" })],
]) {
  let told = "nothing";
  try {
    act();
  } catch (error) {
    told = error.name;
  }
  expect(about, told, "TypeError");
}
for (const url of ["", "/live", "https://gateway.example/live/", "HTTP://127.0.0.1:8080"]) new Flyscreen({ url });

// A source of tokens that hangs: those that wait for it keep nobody waiting for ever.
{
  let [asked, delivered] = [0, 0];
  const outbox = new Outbox({
    random: () => 0,
    token: () => ((asked += 1) <= 3 ? new Promise(() => {}) : "t"),
    fetch: async () => taken(),
  });
  const ends = [];
  for (const withinMs of [1000, 30_000, 30_000, 30_000]) {
    outbox.send("r", { gift: { giftId: "rose" } }, { withinMs }).then(() => (delivered += 1), ({ error, mayHaveArrived }) => ends.push([error, mayHaveArrived]));
  }
  await pass(2000);
  expect("an event whose token does not come has not arrived", [ends, delivered], [[["unreachable", false]], 1]);
  await pass(20_000);
  expect("and the others have theirs", delivered, 3);
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
    return taken();
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
  ["a login page all the time", [[200]], true], ["one that says 202", [[202]], true],
]) {
  let tries = -1;
  const outbox = new Outbox({ random: () => 0, fetch: async () => {
    const [status, error] = words[Math.min((tries += 1), words.length - 1)];
    return new Response(JSON.stringify({ error, message: "no" }), { status });
  } });
  let told;
  outbox.send("r", { gift: { giftId: "rose" } }).then(() => (told = "delivered"), (error) => (told = error));
  await pass(31_000);
  expect(`${about}: may have arrived`, told.mayHaveArrived, mayHaveArrived);
  if (words[0][0] < 300) expect(`${about}: the gateway was not there`, [told.error, told.status], ["unreachable", 0]);
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
    if (event) gateway.last.reply(event, event === 202 ? place : { error: "x", message: "x" });
    else gateway.last.refuse();
  }
  await settle();
  expect(about, streams("r1").length, wakes ? 2 : 1);
  client.close();
}

for (const { about, ownLagMs, steps } of read("pace.json")) {
  let local = 0;
  const room = new LiveRoom("r1", { lagMs: ownLagMs, localNow: () => local });
  for (const { localMs, snapshot, pace, commandAtMs, shownMs } of steps) {
    local = localMs;
    if (snapshot) room.reset({ roomId: "r1", commands: [], ...snapshot });
    if (pace) room.pace(pace);
    if (commandAtMs !== undefined) room.receive({ roomId: "r1", id: `g/0/${localMs}/0`, atMs: commandAtMs, likeBurst: { count: 1, points: [] } });
    if (shownMs !== undefined) expect(`${about} at ${localMs}`, room.nowMs, shownMs);
  }
}

report();
