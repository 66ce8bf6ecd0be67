// An app's engineers' code: compiled by `tsc --strict` against the package's types. It uses every public name.
import { boxOf, CommandStream, Flyscreen, LiveRoom, LogClock, MissingError, nameOf, placeOf, Screen, SendError, TapRecogniser } from "flyscreen";
import type {
  AnswerHead, Banner, Burst, Command, CrowdView, Delivery, Drop, EventBody, EventSender, FlyscreenEvent, FlyscreenEvents, Gift, GiftView, GoalView, Layout, Open, OpenAnswer, OwnWish, Past, PinView, Rain, Result, ScreenView, SendErrorWord, SkipCount, Snapshot, SpotView, StreamOptions, StreamState, TokenSource, WishEnd,
} from "flyscreen";

const token: TokenSource = async ({ renew }) => (renew ? "another" : undefined);
const options: StreamOptions = { url: "https://gateway.example", token, user: "7" };
const flyscreen = new Flyscreen({ ...options, lagMs: 300, sender: { name: "阿花" } });
flyscreen.follow(["r1", "r2"]);

const texts: string[] = [];
const stop: () => void = flyscreen.on("command", ({ roomId, room, command }) => {
  const known: Command = command;
  if (known.giftBump) texts.push(roomId, String(known.giftBump.count), String(room.screen.gifts.length));
});
flyscreen.addEventListener("result", ({ type, detail: { result } }) => texts.push(type, result.outcome));
const hear = ({ detail }: FlyscreenEvent<"state">) => texts.push(detail.state as StreamState, ...detail.rooms);
flyscreen.addEventListener("state", hear, { once: true });
flyscreen.removeEventListener("state", hear);
declare const AbortController: new () => { readonly signal: { readonly reason: any; addEventListener(type: "abort", act: () => void, options: { once: boolean }): void } };
flyscreen.addEventListener("state", hear, { signal: new AbortController().signal });
function tell(event: FlyscreenEvent): string {
  // The name tells the detail.
  if (event.type === "wishes") return event.detail.roomId;
  return event.type === "result" ? event.detail.result.id : event.type;
}
const names: (keyof FlyscreenEvents)[] = ["snapshot", "command", "result", "wishes", "state", "busy"];
texts.push(...names, tell({ type: "busy", detail: {} }));
stop();

const numbers: number[] = [];
const room: LiveRoom | undefined = flyscreen.room("r1");
for (const { show, count, leavesMs } of room?.screen.gifts ?? []) numbers.push(show.lane, show.tier ?? 0, count, leavesMs ?? 0);
for (const { fly, startMs, landMs, likes } of room?.screen.banners ?? []) numbers.push(fly.width, startMs, landMs, likes);

export function parts({ gifts, banners, rains, bursts, spot, crowd, pins, goals, skips }: Screen): number {
  const [pin, goal]: [PinView?, GoalView?] = [pins[0], goals[0]];
  numbers.push(pin?.show.endMs ?? 0, goal?.show.progress ?? 0);
  const [view, banner, rain, burst, skip]: [GiftView?, Banner?, Rain?, Burst?, SkipCount?] = [gifts[0], banners[0], rains[0], bursts[0], skips[0]];
  const [drop, full, bar]: [Drop | undefined, SpotView | null, CrowdView | null] = [rain?.drops[0], spot, crowd];
  return [view?.count, banner?.likes, drop?.landMs, burst?.count, skip?.units, full?.endMs, bar?.show.units].reduce<number>((sum, one) => sum + (one ?? 0), 0);
}

const layout: Layout = { width: 390, height: 844, wishes: { top: 100, step: 42, height: 34 }, packets: { width: 58, height: 78 } };
const item = room?.screen.itemAt({ x: 1, y: 2 }, room.nowMs, layout) ?? null;
if (item && "drop" in item) numbers.push(item.drop.packet, placeOf(item, 1, layout).turn);
else if (item) texts.push(item.fly.wishId, String(boxOf(item, 1, layout).left));
if (new TapRecogniser().tap(5)) numbers.push(1);

const view: ScreenView | undefined = room?.view;
flyscreen.on("screen", ({ room }) => numbers.push(room.screen.version, view?.gifts.length ?? 0));
// @ts-expect-error: nobody may know of it.
room?.past.sinceMs;
const past: Past | null = room?.past ?? null;
for (const { sender, gifts, coins } of past?.givers ?? []) texts.push(sender.name, String(gifts + coins + (past?.sinceMs ?? 0)));

export async function act(): Promise<string> {
  const how: WishEnd = await flyscreen.wish("r1", "all the best", { style: "gold" });
  const result: Result = await flyscreen.grab("r1", { rainId: "a", packet: 3 });
  const { topic, offset, eventId }: Delivery = await flyscreen.gift("r1", { giftId: "rose", value: 10, count: 66 });
  const isLike: boolean = flyscreen.tap("r1", { x: 500, y: 500 });
  if (!isLike) flyscreen.likeRoom("r1", { x: 500, y: 500 });
  await flyscreen.like("r1", "w1").catch((error: unknown) => {
    if (!(error instanceof SendError)) throw error;
    const word: SendErrorWord = error.error;
    if (word === "unreachable" && error.mayHaveArrived) numbers.push(error.status);
  });
  const who: EventSender = { userId: "7", name: "阿花" };
  const gift: Gift = { giftId: "rose", sender: who };
  await flyscreen.gift("r1", gift);
  const body: EventBody = { rainStart: { rainId: "a", durationMs: 60_000 } };
  await flyscreen.send("r1", body, { withinMs: 5000 });
  const own: OwnWish[] = flyscreen.ownWishes("r1");
  return [how, result.outcome, topic, offset, eventId, own.length].join(" ");
}

export function feed(pushed: Command | Snapshot | Result): boolean {
  const fed = new Flyscreen({ url: "https://gateway.example", isFed: true });
  fed.subscribed("r1");
  return fed.feed(pushed);
}

export function fold(snapshot: Snapshot, commands: Command[], localMs: number): number {
  const screen = new Screen(snapshot.roomId);
  screen.reset(snapshot);
  for (const command of commands) screen.apply(command);
  const clock = new LogClock();
  clock.anchor(screen.nowMs, localMs);
  screen.advance(clock.now(localMs));
  return screen.isEnded ? 0 : screen.gifts.length;
}

const name: string = nameOf({ name: "", userId: "7" });
numbers.push(name.length);
const stream = new CommandStream(["r1"], { snapshot: ({ nowMs }) => numbers.push(nowMs), command: ({ atMs }) => numbers.push(atMs) });
stream.close();

const head: Promise<AnswerHead> = Promise.resolve({ status: 200, contentType: "text/event-stream" });
const open: Open = (url, { Accept }, onText): OpenAnswer => ({ head, ended: Promise.resolve(onText(url + Accept)), close() {} });
flyscreen.on("state", ({ error }) => error instanceof MissingError && texts.push(error.message));
new Flyscreen({ open }).close();

// @ts-expect-error: a point has both.
void flyscreen.tap("r1", { x: 1 });
// @ts-expect-error: a room is named.
void flyscreen.wish({ text: "hi" });
// @ts-expect-error: there is no such kind.
void flyscreen.send("r1", { gfit: 1 });
// @ts-expect-error: an event has one kind.
void flyscreen.send("r1", { gift: { giftId: "rose" }, wish: { text: "hi" } });
// @ts-expect-error: rooms are a list.
flyscreen.follow("r1");
// @ts-expect-error: there is no such event.
flyscreen.on("comand", () => {});
// @ts-expect-error: it is nobody else's.
void flyscreen.outbox;
