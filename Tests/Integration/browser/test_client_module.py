"""The client module by itself: its streams, with a gateway that a test plays."""

import pytest


@pytest.fixture(scope="module")
def module(browser, gateway):
    browser.begin(gateway)
    # Any page of the gateway's that runs nothing itself.
    browser.driver.get(f"{gateway.page().split('/?')[0]}/readyz")
    assert browser.run("scripted_gateway.js") == []

    def run(script, *arguments):
        """Runs a script with a gateway and a client of its own, and returns its result."""
        return browser.driver.execute_async_script(
            "const args = [...arguments], tell = args.pop(), gateway = new ScriptedGateway(), client = gateway.client();"
            f"(async function () {{ {script} }}).apply(null, args).catch((error) => '' + error).then(tell);", *arguments)

    yield run
    browser.leave()


def test_what_a_server_asked_to_wait_holds_until_it_says_otherwise(module):
    waits = module("""
      client.follow(["a"]);
      const waits = [];
      for (const act of [(r) => (r.answer(200, "retry: 4000\\n\\n"), r.end()), (r) => r.refuse(new TypeError("cut")), (r) => r.answer(503),
                         (r) => r.answer(503, "", "text/plain", { "Retry-After": "9" }), (r) => (r.answer(200, "retry: 0\\n\\n"), r.end()),
                         (r) => (r.answer(200, "retry: 40000\\n\\n"), r.end()), (r) => (r.answer(200, ":\\n\\n"), r.end())]) {
        const from = client.told.length;
        act(await gateway.request(waits.length));
        waits.push((await client.once("waiting", "a", from)).retryInMs);
        client.retryNow();
      }
      client.close();
      return waits;
    """)
    # A random part comes on top: half a second at most, twice as much each time, up to half a minute. A wait that a
    # stream asked for is forgotten once the next stream is open.
    for wait, least, most in zip(waits, (4000, 4000, 4000, 9000, 0, 40_000, 0),
                                 (4500, 5000, 6000, 13_000, 8000, 56_000, 30_000), strict=True):
        assert least <= wait <= most


def test_an_answer_that_is_no_stream_is_not_taken_for_one(module):
    told = module("""
      client.follow(["a"]);
      (await gateway.request(0)).answer(200, "<html>Welcome to our hotel</html>", "text/html");
      await client.once("waiting", "a");
      client.close();
      return client.told.map(({ state }) => state);
    """)
    assert told == ["connecting", "waiting"]


def test_a_gateways_address_may_end_with_a_slash(module):
    assert module("""
      const { CommandStream } = await import("/flyscreen.js");
      const stream = new CommandStream(["a"], {}, { url: "https://live.example.org/", user: "7", fetch: gateway.fetch });
      stream.close();
      return stream.url;
    """) == "https://live.example.org/rooms/a/commands?user=7"


def test_whoever_draws_may_fail_and_the_stream_goes_on(module):
    assert module("""
      const { CommandStream } = await import("/flyscreen.js");
      const fail = (state) => {
        if (state === "waiting") queueMicrotask(() => stream.retryNow());
        throw new Error("a test's own");
      };
      const stream = new CommandStream(["a"], { snapshot: fail, command: fail, state: fail }, { fetch: gateway.fetch });
      (await gateway.request(0)).answer(503);
      (await gateway.request(1)).answer(200);
      gateway.asked[1].tell("a", "7");
      gateway.asked[1].end();
      const again = await gateway.request(2);
      stream.close();
      return again.headers["Last-Event-ID"];
    """) == "7"


def test_of_rooms_with_a_stream_each_one_that_is_refused_ends_alone(module):
    assert module("""
      client.follow(["a", "b"]);
      (await gateway.request(0)).answer(421);
      const alone = Object.fromEntries([await gateway.request(1), await gateway.request(2)].map((r) => [r.rooms[0], r]));
      alone.a.answer(403);
      await client.once("refused", "a");
      alone.b.answer(421);
      // Behind a balancer another may have it.
      await client.once("waiting", "b");
      client.retryNow();
      // A client that was refused asks again, too.
      const again = Object.fromEntries([await gateway.request(3), await gateway.request(4)].map((r) => [r.rooms[0], r]));
      for (const room of ["a", "b"]) again[room].answer(200), again[room].tell(room);
      await client.once("told", "a"), await client.once("told", "b");
      client.close();
      return true;
    """) is True


def test_a_gateway_that_takes_fewer_rooms_gets_the_most_wanted(module):
    asked = module("""
      client.follow(["now", "below", "above", "x", "y"]);
      (await gateway.request(0)).answer(400);
      (await gateway.request(1)).answer(200);
      gateway.asked[1].tell("now");
      await client.once("told", "now");
      client.follow(["below", "x", "now", "z", "above"]);
      await gateway.request(2);
      client.close();
      return gateway.asked.map(({ rooms }) => rooms);
    """)
    assert asked == [["now", "below", "above", "x", "y"], ["now", "below", "above"], ["below", "x", "now"]]


def test_rooms_that_are_followed_already_need_no_new_stream(module):
    asked = module("""
      client.follow(["a", "b", "c"]);
      const first = await gateway.request(0);
      first.answer(200);
      for (const room of ["a", "b", "c"]) first.tell(room);
      await client.once("told", "c");
      client.follow(["b", "c", "a"]);
      client.follow(["c", "a", "b", "d"]);
      const second = await gateway.request(1);
      second.answer(200);
      second.tell("a");
      second.tell("c");
      await client.once("told", "c", client.told.length);
      const before = first.isGone;
      second.tell("b");
      await client.once("told", "b", client.told.length);
      client.close();
      return [gateway.asked.length, before, first.isGone];
    """)
    assert asked == [2, False, True], "the stream before goes on until another tells all of its rooms"
