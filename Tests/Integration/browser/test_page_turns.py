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
