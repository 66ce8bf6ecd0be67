"""The platform's own gifts, which `gateway.gifts` names."""

import json


def test_a_warning_names_the_origins_that_the_page_shows_nothing_from(make_gateway, tmp_path):
    file = tmp_path / "gifts.json"
    icons = ("https://a.example/1.webp", "https://b.example/2.webp", "https://a.example/3.webp")
    gifts = [{"id": icon, "name": "Drum", "price": 7, "icon": icon} for icon in icons]
    file.write_text(json.dumps({"gifts": gifts}))
    gateway = make_gateway("--gateway.gifts", file, "--gateway.images.origins", "https://b.example")
    gateway.error_matching(r"gateway.gifts: the page shows no icons and effects from https://a.example, unless it is served there itself")
    assert gateway.ask("/gifts")[0] == 200
