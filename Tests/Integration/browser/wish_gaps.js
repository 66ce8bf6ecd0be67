// Lets wishes fly on stages of these widths, and tells how near, in pixels, two on a track ever come on each.
const [flies, widths, done] = arguments;

const { WishTracks } = await import("/page/wishTracks.js");
const nearest = {};
const realNow = performance.now;
for (const stageWidth of widths) {
  let nowMs = 0;
  const tracks = new WishTracks(() => nowMs, { canLike: true });
  document.body.append(tracks.node);
  tracks.resize(stageWidth);
  let flown = [];
  // The first round is there to learn the narrowest stage that the gateway is set up for.
  for (let round = 0; round < 2; round += 1) {
    flown = flies.map(({ atMs, wishId, track, width }, number) => {
      performance.now = () => atMs;
      // The page's estimate of the log's clock is better at one time than at another.
      nowMs = atMs - [400, 0, 90, 0, 0, 0][number % 6];
      const sender = { userId: "7", name: "阿花", avatarUrl: "" };
      const wishFly = { wishId, track, sender, text: "hi", style: "", width, durationMs: 6000, likes: 3 };
      tracks.apply({ id: `${round} ${wishId}`, atMs, wishFly });
      const node = tracks.node.lastElementChild;
      return { track, width: node.offsetWidth, flight: node.getAnimations()[0] };
    });
    if (round === 0) tracks.clear();
  }
  performance.now = realNow;
  const scale = new DOMMatrix(getComputedStyle(tracks.node).transform).a;
  const ways = flown.map(({ track, width, flight }) => {
    const [begin, end] = flight.effect.getKeyframes().map(({ transform }) => Number(/-?[\d.]+/.exec(transform)[0]));
    const left = (now) => scale * (begin + ((end - begin) * (now - flight.startTime)) / 6000);
    return { track, left, right: (now) => left(now) + scale * width, from: flight.startTime, to: flight.startTime + 6000 };
  });
  // All move evenly, so two are nearest when the second starts or when the first lands.
  nearest[stageWidth] = Math.min(...ways.flatMap((way, place) => {
    const before = ways.slice(0, place).findLast(({ track }) => track === way.track);
    return before && way.from < before.to ? [way.from, before.to].map((now) => way.left(now) - before.right(now)) : [];
  }));
  tracks.clear();
  tracks.node.remove();
}
done(nearest);
