"""The page in the languages that have files."""

import pytest
from backstage import now_ms, spot

SPOKEN = {"en-US,en": "en", "zh-CN,zh,en": "zh", "ar-EG,ar,en": "ar", "fr-FR,fr": "en", "fr,zh": "zh"}


def test_the_page_speaks_the_first_language_that_has_a_file(modules):
    told = modules.driver.execute_async_script("""
      const [asked, tell] = arguments;
      (async () => {
        const told = {};
        for (const languages of asked) {
          Object.defineProperty(navigator, "languages", { value: languages.split(","), configurable: true });
          const { words, direction } = await import(`/page/words.js?${languages}`);
          told[languages] = [words.tag, direction];
        }
        return told;
      })().then(tell, (error) => tell("" + error));
    """, list(SPOKEN))
    assert told == {asked: [tag, "rtl" if tag == "ar" else "ltr"] for asked, tag in SPOKEN.items()}


TITLES = {"en": "Who sent most", "ar": "أكثر من أرسل"}


def test_read_from_the_right_what_flies_has_its_place_and_all_else_turns(phone, room):
    room.show(1, gift="rose", total=1)
    room.fly("w1")
    places = {}
    for languages in ("en", "ar"):
        phone.speak(languages)
        phone.open(room, sends=True)
        phone.wait_stage("both", lambda s: s["gifts"] and s["wishes"])
        phone.wait_still("the gift", ".gift")
        assert phone.js("return [document.documentElement.lang, document.querySelector('.ranking').ariaLabel]") == [languages, TITLES[languages]]
        places[languages] = phone.js("""
          const left = (selector) => Math.round(document.querySelector(selector).getBoundingClientRect().left);
          const [name, pill] = [".room-title", ".room-name"].map((selector) => document.querySelector(selector).getBoundingClientRect());
          const flies = document.querySelector(".wish").getAnimations()[0].effect.getKeyframes().map(({ transform }) => transform);
          const face = document.querySelector(".gift .avatar").getBoundingClientRect(), count = document.querySelector(".gift-count").getBoundingClientRect();
          return { face: face.left, counts: count.left > face.left, flies, rail: left(".rail"), besideName: Math.round(Math.min(name.left - pill.left, pill.right - name.right)), name: left(".room-name .avatar"), opener: left(".gift-opener"), wide: document.querySelector(".phone").scrollWidth,
                   what: document.querySelector(".gift-what").innerText };
        """)
    left, right = places["en"], places["ar"]
    assert left["flies"] == right["flies"]
    assert left["face"] < 60 and right["face"] > 330 and left["counts"] and not right["counts"]
    assert left["rail"] > 300 and right["rail"] < 30
    assert left["name"] < 195 < right["name"] and left["opener"] > 195 > right["opener"]
    assert right["wide"] == 390
    assert left["besideName"] == right["besideName"] == 16
    assert "وردة" in right["what"]


def test_every_language_has_all_words(modules):
    shapes = modules.driver.execute_async_script("""
      const tell = arguments[0];
      const shape = (value) => Array.isArray(value) ? value.length : typeof value === "function" ? `of ${value.length}`
        : typeof value === "object" ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, shape(value[key])])) : value === "" ? "empty" : "text";
      import("/page/words.js").then(({ languages }) => tell(languages.map(shape)), (error) => tell("" + error));
    """)
    # Some languages don't count as English does.
    english, *others = [{key: value for key, value in one.items() if key not in ("coin", "coins", "log")} for one in shapes]
    assert others == [english, english]
    assert all(one["log"].keys() == shapes[0]["log"].keys() for one in shapes)


def test_who_listens_hears_the_names_that_others_read(phone, room):
    phone.open(room)
    # The weightiest of so long is said.
    phone.stretch_timers(4000, 500)
    room.show(1, gift="castle", name="", giftName="梦幻城堡", total=1)
    room.hide(1)
    said = "return document.querySelector('p.away[role=status]').textContent"
    assert phone.wait("it to be said", said) == "7 sent Dream castle ×1"
    room.say("rainCountdown", rainId="rain", left=3, startMs=now_ms() + 3000, durationMs=1000)
    phone.wait("the rain", f"{said} === 'Red packet rain in 3'")
    room.fly("w1", text="all the best", name="Ann")
    phone.wait("the wish", f"{said} === 'Ann wishes: all the best'")
    # The weightiest of some seconds: what fills the screen, and what joined a crowd.
    room.say("spotShow", **spot("s1", "entrance", durationMs=50))
    phone.wait("the entrance", f"{said} === '阿花 came in'")
    room.say("spotShow", **spot("s2", "gift", giftId="rocket", value=5000, total=2, durationMs=50))
    phone.wait("the gift", f"{said} === '阿花 sent Rocket ×2'")
    names = [{"userId": "1", "name": "Mia", "avatarUrl": ""}]
    crowd = {"crowdId": room.combo(9), "receiverId": "", "giftId": "rose", "giftName": "", "value": 10, "items": 4, "names": names}
    room.say("crowdShow", units=300, **crowd)
    phone.wait("the crowd", f"{said} === 'Mia and 3 more sent Rose ×300'")
    room.say("crowdShow", units=301, **crowd)
    room.say("spotShow", **spot("s3", "notice", text="is born today", durationMs=50))
    phone.wait("what is weightier than one more", f"{said} === '阿花 is born today'")
    assert phone.js("return document.querySelectorAll('.room:not([inert]) :is([role=status], [aria-live]):not(.room-over)').length") == 0


@pytest.mark.parametrize("ratio", [3, pytest.param(2, marks=pytest.mark.more)])
def test_read_from_the_right_the_place_fills_the_stage_to_its_edges(phone, kafka, ratio):
    # Of two rooms that follow each other one is by the sea, whose sky is bright.
    room = next(room for room in map(kafka.room, ("by the sea", "by the sea")) if int(room.id.rsplit("-", 1)[1]) % 2)
    phone.resize(390, 844, ratio)
    phone.speak("ar")
    phone.open(room)
    phone.wait("the place to have moved", "return document.querySelector('.layer.swell').getAnimations()[0].currentTime > 1000")
    picture = phone._cdp("Page.captureScreenshot", format="png")["data"]
    darkest = phone.driver.execute_async_script("""
      const [png, tell] = arguments, image = new Image();
      image.onload = () => {
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, Math.round(image.height * 0.55), image.width, 1);
        const bright = Array.from({ length: image.width }, (_, x) => Math.max(data[4 * x], data[4 * x + 1], data[4 * x + 2]));
        tell([bright.slice(0, 80), bright.slice(-80)].map((edge) => Math.min(...edge)));
      };
      image.src = `data:image/png;base64,${png}`;
    """, picture)
    assert min(darkest) > 90, darkest
