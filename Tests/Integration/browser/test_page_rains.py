"""Rains beside all else: one heading at a time, and nothing that is read is hidden."""

import pytest
from backstage import now_ms, sender, spot

NAME = "Maximiliane von Hohenfels"
BOARD = """
  const text = (selector) => {
    const node = document.querySelector(`.rain-board > ${selector}`);
    return node.hidden ? "" : node.innerText.replace(/\\s+/g, " ").trim();
  };
  return [text(".countdown"), text(".tally"), text(".summary")];
"""


def countdown(room, rain, left, in_ms):
    room.say("rainCountdown", rainId=rain, left=left, startMs=now_ms() + in_ms, durationMs=3000)


def tally(room, rain, opened, coins=0):
    room.say("rainTally", rainId=rain, opened=opened, winners=1, coins=coins)


def wait_board(phone, *texts):
    """Waits until the countdown, the line and the end say so; an empty one is not there."""
    phone.wait(f"the board to say {texts}", f"return JSON.stringify((() => {{ {BOARD} }})()) === JSON.stringify(arguments[0])", list(texts))


@pytest.mark.parametrize("size", [(390, 844), (360, 560), (844, 390)], ids=str)
def test_a_dear_gift_leaves_a_countdown_to_be_read_and_a_flame_its_givers_name(phone, room, size):
    phone.resize(*size)
    phone.open(room)
    countdown(room, "r", 3, 600_000)
    wait_board(phone, "Red packet rain 3 Get ready to tap", "", "")
    room.say("spotShow", **spot("s", "gift", giftId="rocket", tier=2, total=1, sender=sender(NAME, "7")))
    wait_board(phone, "", "Red packet rain · 3 · Get ready to tap", "")
    # Whatever can be seen at a place can be found there, too.
    phone.js("""
      const style = new CSSStyleSheet();
      style.replaceSync(".moments, .moments *, .rain-board * { pointer-events: auto !important }");
      document.adoptedStyleSheets = [style];
      document.querySelector(".moment-line").getAnimations().forEach((way) => way.cancel());
    """)
    seen = """
      const art = document.querySelector(".moment-art").getAnimations()[0];
      art.pause();
      art.currentTime = arguments[1] * art.effect.getTiming().duration;
      const box = document.querySelector(arguments[0]).getBoundingClientRect();
      return [0.2, 0.5, 0.8].every((share) => document.elementFromPoint(box.left + share * box.width, box.top + box.height / 2).closest(arguments[0]));
    """
    for share in (0.1, 0.3, 0.5, 0.7, 0.75):
        assert phone.js(seen, ".moment-line", share) and phone.js(seen, ".tally", share), share
    room.say("spotGone", spotId="s")
    wait_board(phone, "Red packet rain 3 Get ready to tap", "", "")


@pytest.mark.parametrize("watched", ["&stage", "&overlay"])
def test_where_nobody_can_tap_nobody_is_told_to_get_ready(phone, room, watched):
    phone.driver.get(phone.gateway.page(room) + watched)
    countdown(room, "r", 3, 600_000)
    wait_board(phone, "Red packet rain 3", "", "")


def test_two_rains_have_one_heading_and_count_together(phone, room):
    phone.open(room)
    tally(room, "a", 5, coins=10)
    wait_board(phone, "", "5 opened · 1 won · 10 coins", "")
    countdown(room, "c", 9, 900_000)
    countdown(room, "b", 2, 600_000)
    wait_board(phone, "", "Red packet rain · 2 · Get ready to tap", "")
    room.say("rainEnd", rainId="b")
    room.say("rainEnd", rainId="c")
    tally(room, "d", 7, coins=1)
    wait_board(phone, "", "12 opened · 2 won · 11 coins", "")
    room.say("rainEnd", rainId="a")
    wait_board(phone, "", "7 opened · 1 won · 1 coin", "")
    # One ends while the next is counted down: both are told, and neither on the other.
    countdown(room, "e", 3, 600_000)
    room.say("rainEnd", rainId="d")
    wait_board(phone, "", "Red packet rain · 3 · Get ready to tap", "The rain is over 7 opened · 1 won · 1 coin")
    apart = phone.js("const [line, end] = ['.tally', '.summary'].map((one) => document.querySelector(one).getBoundingClientRect()); return end.top - line.bottom")
    assert apart > 0
    # The end stays for four seconds.
    wait_board(phone, "Red packet rain 3 Get ready to tap", "", "")


def test_packets_fall_behind_what_is_read_and_written(phone, room):
    room.show(1, count=7, total=9)
    room.drop(0)
    phone.gateway.wait_told(room, 2)
    phone.open(room, sends=True)
    phone.wait_stage("both", lambda s: s["gifts"] and s["packets"])
    phone.wait("the rain", "return document.querySelector('.phone.is-raining')")
    above, ground, field = phone.js("""
      const [air, gifts] = [".air.of-all", ".gifts"].map((selector) => document.querySelector(selector));
      const alpha = (selector) => Number(/rgba?\\([^)]*?(?:, ([\\d.]+))?\\)$/.exec(getComputedStyle(document.querySelector(selector)).backgroundColor)[1] ?? 1);
      return [Boolean(air.compareDocumentPosition(gifts) & Node.DOCUMENT_POSITION_FOLLOWING), alpha(".gift-count"), getComputedStyle(document.querySelector(".wish-input")).backgroundColor];
    """)
    assert above and ground > 0.5 and field.startswith("rgb(")


def test_the_focus_of_a_packet_that_lands_goes_on_to_the_next(modules):
    told = modules.driver.execute_async_script("""
      const tell = arguments[0];
      import("/page/redPackets.js").then(({ RedPackets }) => {
        const packets = new RedPackets({ fly() {}, land() {} }, () => 0, { canGrab: true });
        packets.resize(390, 844);
        document.querySelector(".phone").append(packets.node);
        for (const packet of [0, 1, 2]) packets.apply({ atMs: 0, rainDrop: { rainId: "r", packet, x: 300 * packet, fallMs: 60000, angle: 0, spin: 0 } });
        const snapshot = (...stays) => packets.keep(stays.map((packet) => ({ rainDrop: { rainId: "r", packet } })));
        const focused = () => document.activeElement.dataset.packet ?? document.activeElement.className;
        const told = [];
        document.querySelector("[data-packet='0']").focus();
        snapshot(1, 2);
        told.push(focused());
        snapshot(1);
        told.push(focused());
        snapshot();
        told.push(focused());
        packets.node.remove();
        tell(told);
      }).catch((error) => tell("" + error));
    """)
    assert told == ["1", "1", "packets"]
