// Where there is less than in a browser: a transport of the program's own, and what is missing.
import { readFileSync } from "node:fs";
import { expect, report, SITE } from "./scripted.mjs";
import { pass, settle } from "./virtual_time.mjs";

const { CommandStream, Flyscreen, MissingError } = await import(`${SITE}/flyscreen.js`);
const snapshot = 'id: 1\nevent: snapshot\ndata: {"roomId":"r1","nowMs":1000,"commands":[]}\n\n';
const stream = { status: 200, contentType: "text/event-stream" };

/** A transport that does as it is told. */
function scripted() {
  const asked = [];
  const open = (url, headers, onText) => {
    const request = { url, headers, onText, isClosed: false };
    request.head = new Promise((resolve, reject) => Object.assign(request, { answer: resolve, refuse: reject }));
    request.ended = new Promise((resolve, reject) => Object.assign(request, { end: resolve, cut: reject }));
    asked.push(request);
    return { head: request.head, ended: request.ended, close: () => (request.isClosed = true) };
  };
  return { asked, open };
}

{
  const { asked, open } = scripted();
  const states = [];
  const flyscreen = new Flyscreen({ url: "https://gateway.example", open, random: () => 1 });
  flyscreen.on("state", ({ state, retryInMs, status }) => states.push([state, retryInMs, status]));
  flyscreen.follow(["r1"]);
  await settle();
  expect("the transport is asked", [asked[0].url, asked[0].headers.Accept], ["https://gateway.example/rooms/r1/commands", "text/event-stream"]);
  // A transport may be hasty.
  asked[0].onText(snapshot.slice(0, 40));
  asked[0].answer(stream);
  await settle();
  asked[0].onText(`${snapshot.slice(40)}retry: 700\n\n`);
  expect("what it tells is read", flyscreen.room("r1").isKnown, true);
  await pass(2000);
  asked[0].end();
  await pass(700);
  expect("an orderly end, and the place to go on from", [states.at(-2), asked[1].headers["Last-Event-ID"]], [["waiting", 700, 200], "1"]);
  asked[1].answer({ status: 429, retryAfter: "3" });
  asked[1].cut(new Error("of no interest"));
  await settle();
  expect("a refusal's wait", states.at(-1), ["waiting", 3500, 429]);
  expect("nobody reads it", asked[1].isClosed, true);
  await pass(3500);
  asked[2].refuse(new Error("no network"));
  await settle();
  expect("no answer", states.at(-1).slice(0, 1).concat(states.at(-1)[2]), ["waiting", 0]);
  await pass(5000);
  asked[3].answer(stream);
  await pass(32_500);
  expect("silence ends it, though the transport heeds no end", [asked[3].isClosed, asked.length], [true, 5]);
  flyscreen.close();
}

// The README's transport, over a request as React Native has it.
{
  const requests = [];
  globalThis.XMLHttpRequest = class {
    headers = {};
    responseText = "";
    constructor() { requests.push(this); }
    open(method, url) { Object.assign(this, { method, url }); }
    setRequestHeader(name, value) { this.headers[name] = value; }
    getResponseHeader(name) { return { "Content-Type": this.type, "Retry-After": null }[name]; }
    send() {}
    abort() { if (!this.isOver) { this.isOver = true; this.onabort(); } }
    answer(status, type) { Object.assign(this, { status, type, readyState: 2 }); this.onreadystatechange(); }
    say(text, type = "progress") { this.responseText += text; this[`on${type}`]({ type }); }
  };
  const readme = readFileSync(new URL(`${SITE}/README.md`, import.meta.url), "utf8");
  const source = /```js\n(const open = [^]*?)```/.exec(readme)[1];
  const open = new Function(`${source}; return open;`)();
  const told = [];
  const one = new CommandStream(["r1"], { snapshot: ({ nowMs }) => told.push(nowMs), command() {}, state: (state) => told.push(state) }, { open, random: () => 1 });
  await settle();
  requests[0].answer(200, "text/event-stream");
  await settle();
  requests[0].say(snapshot.slice(0, 30));
  requests[0].say(snapshot.slice(30));
  expect("the README's transport reads as it comes", told, ["connecting", "open", 1000]);
  await pass(1500);
  requests[0].say(":\n".repeat(2_000_000));
  await pass(500);
  expect("it ends a stream that has become long", [requests[0].isOver, requests.length, requests[1].headers["Last-Event-ID"]], [true, 2, "1"]);
  requests[1].answer(403, "application/json");
  await settle();
  expect("a refusal", told.at(-1), "refused");
  one.close();
}

// What is missing has a name.
const missing = (act) => {
  try {
    act();
    return "nothing";
  } catch (error) {
    return error instanceof MissingError ? error.message.split(" ")[0] : `${error}`;
  }
};
const without = async (name, act) => {
  const there = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
  const told = await act();
  Object.defineProperty(globalThis, name, there);
  return told;
};
const follow = (options) => missing(() => new Flyscreen(options).follow(["r1"]));
const { open } = scripted();
for (const name of ["TextDecoder", "fetch", "AbortController"]) expect(`without ${name}`, await without(name, () => follow({})), name);
for (const name of ["TextDecoder", "fetch", "EventTarget", "CustomEvent", "TextDecoderStream", "URL"]) {
  expect(`with a transport nobody needs ${name}`, await without(name, () => follow({ open })), "nothing");
}
expect("a token that ends is read", await without("atob", () => follow({ open, token: () => "t" })), "atob");
expect("what is sent needs fetch", await without("fetch", () => missing(() => new Flyscreen({ open }).like("r1", "w"))), "fetch");
expect("and an id", await without("crypto", () => missing(() => new Flyscreen({ open }).like("r1", "w"))), "crypto");
expect("answers whose body nobody can read", await without("Response", async () => {
  globalThis.Response = class {};
  return follow({});
}), "the");
{
  const errors = [];
  globalThis.reportError = (error) => errors.push(error.name);
  const states = [];
  const flyscreen = new Flyscreen({ fetch: async () => ({ status: 200, headers: { get: () => "text/event-stream" } }) });
  flyscreen.on("state", ({ state, error }) => states.push([state, error?.name]));
  flyscreen.follow(["r1"]);
  await pass(60_000);
  expect("an answer without a body ends it, with its name", [states.at(-1), errors], [["refused", "MissingError"], ["MissingError"]]);
  // A listener that fails keeps no other from its event.
  errors.length = 0;
  let heard = 0;
  const stop = new AbortController();
  flyscreen.addEventListener("busy", () => { throw new RangeError(); }, { once: true });
  flyscreen.addEventListener("busy", () => (heard += 1), { signal: stop.signal });
  const busy = () => { for (let k = 0; k < 130; k += 1) flyscreen.like("r1", "w").catch(() => {}); };
  busy();
  expect("listeners hear of it", [heard > 0, errors], [true, ["RangeError"]]);
  const before = heard;
  stop.abort();
  busy();
  expect("until they are removed", heard, before);
  flyscreen.close();
}

report();
