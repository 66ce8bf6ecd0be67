"""Pictures, films and gifts that a platform brings along."""

import json

from backstage import Gateway


def test_what_a_platform_brings_along_is_shown_and_our_own_where_it_cannot_be_had(modules):
    seen = modules.driver.execute_async_script("""
      const tell = arguments[0];
      const address = (name) => `https://127.0.0.1:9/${name}`;
      const extra = JSON.stringify({ icon: address("drum.webp"), effect: address("drum.webm"), badge: address("medal.png") });
      const sender = { userId: "7", name: "阿花", avatarUrl: "" };
      Promise.all([import("/page/giftLanes.js"), import("/page/moments.js"), import("/page/extra.js")]).then(async ([{ GiftLanes }, { Moments }, { readExtra }]) => {
        const [lanes, moments] = [new GiftLanes(() => 0), new Moments(() => 0)];
        document.querySelector(".phone").append(lanes.node, moments.node);
        lanes.apply({ atMs: 0, giftShow: { comboId: "a", lane: 0, sender, receiverId: "", giftId: "drum", giftName: "", value: 1, from: 0, total: 1, enterMs: 0, tier: 0, extra } });
        moments.apply({ atMs: 0, spotShow: { spotId: "s", kind: "gift", sender, giftId: "drum", giftName: "", tier: 2, text: "", style: "", durationMs: 60000, extra } });
        const look = () => [".gift .gift-art", ".gift .badge", ".moment > .moment-film", ".moment-art"]
          .map((name) => document.querySelector(name)).map((node) => (node?.src?.startsWith("data:") ? "our own" : node?.tagName.toLowerCase()));
        const before = look();
        while (document.querySelector(".gift img:not([src^='data:']), .gift .badge, .moment-film")) await new Promise(requestAnimationFrame);
        tell([before, look(), ["", "Lv7", "[1]", '{"icon":5}', "null"].map((text) => Object.values(readExtra(text)).join(""))]);
      }).catch((error) => tell("" + error));
    """)
    assert seen[0] == ["img", "img", "video", None], seen
    assert seen[1] == ["our own", None, None, "div"]
    assert seen[2] == [""] * 5


def test_a_picture_that_fails_is_not_asked_for_again_but_others_of_its_host_are(modules):
    asked = modules.driver.execute_async_script("""
      const tell = arguments[0], address = (name) => `https://127.0.0.1:9/${name}`;
      import("/page/picture.js").then(async ({ picture }) => {
        await new Promise((fail) => document.body.append(picture(address("face.png"), fail)));
        tell(["face.png", "other.png", "film.webm"].map((name) => picture(address(name), () => {})?.tagName ?? null));
      }).catch((error) => tell("" + error));
    """)
    assert asked == [None, "IMG", "VIDEO"]


def test_a_host_that_the_page_may_show_nothing_of_is_asked_once(modules):
    """Not so one that is allowed, and led elsewhere. Names that are nobody's are never asked."""
    asked = modules.driver.execute_async_script("""
      const tell = arguments[0], [refused, allowed] = ["https://127.0.0.1:9", "https://127.0.0.1:10"];
      import("/page/picture.js").then(({ picture }) => {
        for (const host of [refused, allowed]) {
          document.dispatchEvent(new SecurityPolicyViolationEvent("securitypolicyviolation", {
            blockedURI: `${host}/face.png`, originalPolicy: `img-src data: ${allowed}`, documentURI: location.href,
            violatedDirective: "img-src", effectiveDirective: "img-src", disposition: "enforce", statusCode: 200 }));
        }
        tell([refused, allowed, "https://images.example"].map((host) => picture(`${host}/other.png`, () => {})?.tagName ?? null));
      }).catch((error) => tell("" + error));
    """)
    assert asked == [None, "IMG", None]


def test_an_entrance_is_a_strip_whatever_its_effect(modules):
    seen = modules.driver.execute_async_script("""
      const tell = arguments[0], extra = JSON.stringify({ effect: "https://127.0.0.1:9/none.webm" });
      import("/page/moments.js").then(({ Moments }) => {
        const moments = new Moments(() => 0), sender = { userId: "7", name: "阿花", avatarUrl: "" };
        document.querySelector(".phone").append(moments.node);
        const make = document.createElement, made = [];
        document.createElement = function (name) { const node = make.call(this, name); made.push(node); return node; };
        moments.apply({ atMs: 0, spotShow: { spotId: "s", kind: "entrance", sender, giftId: "", giftName: "", tier: 2, text: "", style: "", durationMs: 60000, extra } });
        const films = made.filter(({ tagName }) => tagName === "VIDEO");
        // What could not be had would be drawn in the page's own way.
        for (const film of films) film.dispatchEvent(new Event("error"));
        tell([document.querySelector(".moment").className, films.length]);
      }).catch((error) => tell("" + error));
    """)
    assert seen == ["moment is-strip", 0]


def test_the_tray_has_the_gifts_of_the_platform(phone, kafka, room, tmp_path):
    file = tmp_path / "gifts.json"
    file.write_text(json.dumps({"gifts": [{"id": "drum", "name": "Drum", "price": 7}, {"id": "rose", "name": "Our rose", "price": 2}]}))
    gateway = Gateway(kafka, "--gateway.gifts", file).wait_ready()
    try:
        phone.open(room, sends=True, gateway=gateway)
        phone.click(".gift-opener")
        phone.wait("the tray", "return document.querySelector('.gift-choice')")
        assert phone.js("return [...document.querySelectorAll('.gift-choice')].map((one) => one.innerText.split('\\n'))") == [
            ["Drum", "7 coins"], ["Our rose", "2 coins"]]
        phone.click(".gift-choice[data-gift=drum]")
        gift = kafka.wait_events(room, "gift", 1)[0]
        assert (gift["giftId"], gift["giftName"], gift["value"]) == ("drum", "Drum", 7)
        # A second visit doesn't ask for them again.
        phone.open(room, gateway=gateway)
        catalogue = "return performance.getEntriesByType('resource').find(({ name }) => name.includes('/gifts'))"
        assert phone.wait("its gifts", catalogue)["transferSize"] == 0
    finally:
        phone.leave()
        gateway.terminate()
