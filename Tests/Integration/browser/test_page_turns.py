"""The turns in which the page draws what comes."""


def test_what_comes_at_once_is_drawn_in_some_turns_in_its_order(modules):
    """The test has a clock of its own, on which each command takes 4 ms; turns are 4 ms apart, and then 300. A command
    that can't be drawn keeps none back."""
    turned = modules.driver.execute_async_script("""
      const tell = arguments[0];
      import("/page/turns.js").then(({ Turns }) => {
        let [now, next, id] = [0, null, 0];
        performance.now = () => now;
        window.setTimeout = (body) => ((next = body), (id += 1));
        window.clearTimeout = (one) => one === id && (next = null);
        const turned = [];
        let drawn = [];
        const draw = (n) => {
          if (n === "bad") throw new Error("as is asked");
          drawn.push(n);
          now += 4;
        };
        const turns = new Turns(draw, () => { turned.push(drawn); drawn = []; });
        const turn = (ms) => {
          const body = next;
          [now, next] = [now + ms, null];
          try { body?.(); } catch { turned.push("thrown"); }
        };
        for (let n = 0; n < 5; n += 1) turns.add(n);
        for (let n = 0; n < 4; n += 1) turn(4);
        turned.push("late");
        for (let n = 0; n < 3; n += 1) turns.add(n);
        turn(300);
        turn(4);
        turned.push("at once");
        for (let n = 0; n < 3; n += 1) turns.add(n);
        turns.finish();
        turn(4);
        turned.push("none");
        turns.add(0);
        turns.drop();
        turn(4);
        for (const n of [0, "bad", 1]) turns.add(n);
        turn(4);
        turn(4);
        tell(turned);
      }).catch((error) => tell("" + error));
    """)
    assert turned == [[0, 1], [2, 3], [4], "late", [0, 1], [2], "at once", [0, 1, 2], "none", [0], "thrown", [1]]


def test_of_new_views_each_frame_has_one_and_more_where_many_wait(modules):
    """The test has a clock and frames of its own. What makes no view waits for none, and a frame that doesn't come is
    not waited for for ever."""
    drawn = modules.driver.execute_async_script("""
      const tell = arguments[0];
      import("/page/turns.js").then(({ Turns }) => {
        let [now, id, timers, frames] = [0, 0, new Map(), []];
        performance.now = () => now;
        window.setTimeout = (body, span = 0) => (timers.set((id += 1), { at: now + span, body }), id);
        window.clearTimeout = (one) => timers.delete(one);
        window.requestAnimationFrame = (body) => frames.push(body);
        const pass = (ms) => {
          now += ms;
          for (let due; (due = [...timers].find(([, { at }]) => at <= now)); ) {
            timers.delete(due[0]);
            due[1].body();
          }
        };
        const frame = () => frames.splice(0).forEach((body) => body());
        const drawn = [];
        const turns = new Turns((command) => drawn.push(Object.keys(command)[0]), () => {});
        const add = (...kinds) => kinds.forEach((kind) => turns.add({ [kind]: {} }));
        add("giftShow", "giftBump", "wishFly", "giftBump", "spotShow");
        pass(0);
        drawn.push("frame");
        frame();
        pass(0);
        drawn.push("no frame");
        pass(250);
        drawn.push("snapshot");
        turns.drop();
        add("crowdShow", "wishFly");
        turns.finish();
        drawn.push("behind");
        frame();
        pass(0);
        add(...Array(20).fill("wishFly"));
        pass(0);
        tell(drawn);
      }).catch((error) => tell("" + error));
    """)
    assert drawn == ["giftShow", "giftBump", "frame", "wishFly", "giftBump", "no frame", "spotShow", "snapshot", "crowdShow", "wishFly",
                     "behind", "wishFly", "wishFly"]


def test_buttons_of_packets_follow_them_a_few_at_a_time(modules):
    """The test has a clock of its own. Each button comes to where its packet is once in 400 ms, a quarter of them at a
    time; one that was opened stays, and where no packet is left nothing is followed."""
    turns, isFollowed = modules.driver.execute_async_script("""
      const tell = arguments[0];
      import("/page/redPackets.js").then(({ RedPackets }) => {
        let [now, follow] = [0, null];
        performance.now = () => now;
        window.setInterval = (body, span) => ((follow = { body, span }), 1);
        window.clearInterval = (one) => one === 1 && (follow = null);
        const packets = new RedPackets({ fly: () => {}, land: () => {} }, () => 0, { canGrab: true });
        packets.resize(390, 1000);
        for (let packet = 0; packet < 8; packet += 1) {
          packets.apply({ atMs: 0, rainDrop: { rainId: "rain", packet, x: packet * 100, fallMs: 10_000, angle: 0, spin: 0 } });
        }
        const nodes = [...packets.node.children];
        const top = (node) => new DOMMatrix(node.style.transform).f;
        const first = top(nodes[0]);
        packets.open(nodes[5]);
        const turns = [];
        for (let turn = 0; turn < 8; turn += 1) {
          now += follow.span;
          const before = nodes.map(top);
          follow.body();
          // A packet falls its stage's height, and 90 pixels, in ten seconds.
          turns.push(nodes.flatMap((node, n) => (top(node) === before[n] ? [] : [[n, (10_000 * (top(node) - first)) / 1090 - now]])));
        }
        packets.clear();
        tell([turns, follow !== null]);
      }).catch((error) => tell(["" + error, null]));
    """)
    for turn in turns:
        assert all(abs(late) < 2 for _, late in turn), "each is where its packet is"
    moved = [{packet for packet, _ in turn} for turn in turns]
    assert moved[:4] == moved[4:] and sorted(len(some) for some in moved[:4]) == [1, 2, 2, 2]
    assert set.union(*moved[:4]) == {0, 1, 2, 3, 4, 6, 7}, "the one that was opened stays"
    assert isFollowed is False
