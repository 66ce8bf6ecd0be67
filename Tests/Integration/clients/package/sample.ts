// What an app's engineers write: compiled by `tsc --strict` against the package's types.
import { Flyscreen, LogClock, Screen, SendError } from "flyscreen";
import type { Command, OwnWish, Result, Snapshot, StreamState } from "flyscreen";

const flyscreen = new Flyscreen({
  url: "https://gateway.example",
  token: async ({ renew }) => (renew ? "another" : undefined),
  user: "7",
  lagMs: 300,
  sender: { name: "阿花" },
});
flyscreen.follow(["r1", "r2"]);

const numbers: number[] = [];
for (const { show, count, leavesMs } of flyscreen.room("r1")?.screen.gifts ?? []) {
  numbers.push(show.lane, show.tier ?? 0, count, leavesMs ?? 0);
}
for (const { fly, startMs, landMs, likes } of flyscreen.room("r1")?.screen.banners ?? []) numbers.push(fly.width, startMs, landMs, likes);

export async function act(): Promise<string> {
  const how: "flies" | "skipped" = await flyscreen.wish("r1", "all the best", { style: "gold" });
  const result: Result = await flyscreen.grab("r1", { rainId: "a", packet: 3 });
  const { topic, offset, eventId } = await flyscreen.gift("r1", { giftId: "rose", value: 10, count: 66 });
  await flyscreen.tap("r1", { x: 500, y: 500 });
  await flyscreen.like("r1", "w1").catch((error: unknown) => {
    if (error instanceof SendError) numbers.push(error.status);
  });
  const own: OwnWish[] = flyscreen.ownWishes("r1");
  return [how, result.outcome, topic, offset, eventId, own.length].join(" ");
}

export function fold(snapshot: Snapshot, commands: Command[]): number {
  const screen = new Screen(snapshot.roomId);
  screen.reset(snapshot);
  for (const command of commands) screen.apply(command);
  const clock = new LogClock();
  clock.anchor(screen.nowMs, performance.now());
  screen.advance(clock.now(performance.now()));
  return screen.isEnded ? 0 : screen.gifts.length;
}

export const state: StreamState = "open";
// @ts-expect-error: a point has both.
void flyscreen.tap("r1", { x: 1 });
// @ts-expect-error: a room is named.
void flyscreen.wish({ text: "hi" });
