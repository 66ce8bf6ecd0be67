"""The page in the languages that have files."""

import pytest
from backstage import now_ms, spot

TITLES = {"en-US,en": "Who sent most", "zh-CN,zh,en": "送礼榜", "ar-EG,ar,en": "أكثر من أرسل", "fr-FR,fr": "Who sent most", "fr,zh": "送礼榜"}


@pytest.mark.parametrize("languages, title", TITLES.items(), ids=list(TITLES))
def test_the_page_speaks_the_first_language_that_has_a_file(phone, room, languages, title):
    phone.speak(languages)
    phone.open(room)
    assert phone.js("return document.querySelector('.ranking').getAttribute('aria-label')") == title
    tag = {"Who sent most": "en", "送礼榜": "zh"}.get(title, "ar")
    assert phone.js("return [document.documentElement.lang, document.documentElement.dir]") == [tag, "rtl" if tag == "ar" else "ltr"]


def test_read_from_the_right_the_places_of_the_stage_stay_and_all_else_turns(phone, room):
    room.show(1, gift="rose", total=1)
    room.fly("w1")
    places = {}
    for languages in ("en", "ar"):
        phone.speak(languages)
        phone.open(room, sends=True)
        phone.wait_stage("both", lambda s: s["gifts"] and s["wishes"])
        phone.wait_still("the gift", ".gift")
        places[languages] = phone.js("""
          const left = (selector) => Math.round(document.querySelector(selector).getBoundingClientRect().left);
          const [name, pill] = [".room-title", ".room-name"].map((selector) => document.querySelector(selector).getBoundingClientRect());
          return { gift: left(".gift"), besideName: Math.round(Math.min(name.left - pill.left, pill.right - name.right)), name: left(".room-name .avatar"), opener: left(".gift-opener"), wide: document.querySelector(".phone").scrollWidth,
                   what: document.querySelector(".gift-what").innerText };
        """)
    left, right = places["en"], places["ar"]
    assert left["gift"] == right["gift"]
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
