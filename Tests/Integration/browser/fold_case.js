// Takes the steps of a case of Tests/ScreenCases (its README says what they are); tells what was not as expected.
const [steps, roomId, done] = arguments;

const { Screen } = await import("/flyscreen.js");
const screen = new Screen(roomId);

const shown = {
  nowMs: () => screen.nowMs,
  gifts: () =>
    screen.gifts.map(({ show, count, total, shownAtMs, leavesMs }) => ({
      lane: show.lane, comboId: show.comboId, count, total, enteredMs: shownAtMs + show.enterMs,
      ...(leavesMs === null ? {} : { leavesMs }),
    })),
  banners: () =>
    screen.banners.map(({ fly, startMs, likes }) => {
      const flown = Math.min(Math.max(screen.nowMs - startMs, 0), fly.durationMs);
      const left = Math.ceil(375 - ((375 + fly.width) * flown) / fly.durationMs);
      return { wishId: fly.wishId, track: fly.track, startMs, likes, left };
    }),
  rains: () =>
    screen.rains.map(({ id, countdown, tally, drops }) => ({
        rainId: id,
        ...(countdown ? { left: countdown.body.left } : {}),
        ...(tally ? { opened: tally.body.opened } : {}),
        drops: drops.map(({ drop, startMs }) => ({
          packet: drop.packet, fallen: Math.floor((1000 * Math.max(0, screen.nowMs - startMs)) / drop.fallMs),
        })),
      })),
  bursts: () => screen.bursts.map(({ count }) => count),
  skips: () => screen.skips.map(({ stage, reason, items, units }) => ({ stage, reason, items, units })),
  spot: () => screen.spot && { spotId: screen.spot.show.spotId, startMs: screen.spot.startMs, endMs: screen.spot.endMs },
  crowd: () => {
    if (!screen.crowd) return null;
    const { crowdId, items, units, names } = screen.crowd.show;
    return { crowdId, items, units, names: names.map(({ userId }) => userId) };
  },
  pins: () => screen.pins.map(({ show: { pinId, startMs, endMs } }) => ({ pinId, startMs, endMs })),
  goals: () => screen.goals.map(({ show: { goalId, progress, reached, sides, endMs } }) => ({ goalId, progress, reached, sides, endMs })),
  ended: () => screen.isEnded,
  stalled: () => screen.isStalled,
  snapshot: () => screen.snapshot,
};

// Members in whatever order.
const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
};

const wrong = [];
for (const [number, step] of steps.entries()) {
  if (step.apply) screen.apply(step.apply);
  if (step.advance !== undefined) screen.advance(step.advance);
  if (step.reset) screen.reset(step.reset);
  for (const [member, expected] of Object.entries(step.expect ?? {})) {
    const [is, should] = [JSON.stringify(sorted(shown[member]())), JSON.stringify(sorted(expected))];
    if (is !== should) wrong.push(`step ${number}, ${member}: ${is} rather than ${should}`);
  }
}
done(wrong);
