// The JavaScript client, a gateway that says what a case says, and the look at what came of it.
import { readFileSync } from "node:fs";
import { nowMs, settle } from "./virtual_time.mjs";

export const SITE = "../../../Sources/Page/site";
const { Flyscreen, CommandStream } = await import(`${SITE}/flyscreen.js`);
/** A file of Tests/ClientCases. */
export const read = (name) => JSON.parse(readFileSync(new URL(`../../ClientCases/${name}`, import.meta.url), "utf8"));
const wrong = [];
let looks = 0;
export const expect = (about, is, should) => {
  looks += 1;
  if (JSON.stringify(is) !== JSON.stringify(should)) wrong.push(`${about}: ${JSON.stringify(is)} rather than ${JSON.stringify(should)}`);
};

/** A gateway that says what a case says. */
export class Gateway {
  asked = [];
  fetch = (url, { signal, headers, method = "GET", body: sent }) => new Promise((resolve, reject) => {
    const request = { url, headers, method, sent: sent && JSON.parse(sent), atMs: nowMs(), isGone: false };
    request.answer = (status = 200, more = {}) => {
      const body = new ReadableStream({ start: (stream) => void (request.stream = stream) });
      const type = status === 200 ? "text/event-stream" : "application/json";
      resolve(new Response(body, { status, headers: { "Content-Type": type, ...more } }));
      return request;
    };
    request.reply = (status, value) => resolve(new Response(JSON.stringify(value), { status, headers: { "Content-Type": "application/json" } }));
    request.answerNothing = () => resolve(new Response(null, { status: 204 }));
    request.refuse = () => reject(new TypeError("cut"));
    request.say = (event, data, id) => request.send(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
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

export const jwt = (claims) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
export const openStream = async (options = {}, rooms = ["r1"]) => {
  const gateway = new Gateway();
  const states = [];
  const stream = new CommandStream(rooms, { snapshot() {}, command() {}, state: (state, { retryInMs }) => states.push([state, retryInMs]) },
    { fetch: gateway.fetch, random: () => 1, ...options });
  await settle();
  return { gateway, states, stream };
};

/** A viewer whose stream has told an empty room. */
export const followed = async () => {
  const gateway = new Gateway();
  // This gateway says nothing of itself.
  const flyscreen = new Flyscreen({ fetch: gateway.fetch, random: () => 0, user: "7", silenceMs: 60_000 });
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
export const place = { topic: "im.wishes", partition: 2, offset: 40 };
export const fly = (wishId) => ({ wishId, track: 0, sender: { userId: "7", name: "", avatarUrl: "" }, text: "hi", style: "", width: 90, durationMs: 6000, likes: 0 });

/** Tells what was not as expected, and ends. */
export const report = () => {
  console.log(JSON.stringify({ looks, wrong }));
  process.exit(0);
};
