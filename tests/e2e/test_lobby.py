"""The lobby as a home: games to go on with, seats by lot, and the end of a game as a picture."""

from __future__ import annotations

import json
import re
import urllib.request

from playwright.sync_api import expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, choose_game, set_up, status
from tests.e2e.server import Server, person

ANN = person("Ann")
BOB = person("Bob")


def test_your_games_say_whose_turn_it_is_and_lead_back(own_server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, color_scheme="dark")
    tables = [own_server.create_table(game, [ANN, BOB]) for game in ("squad", "highrise", "wrecktangle", "icefrogs")]
    for table, seat in zip(tables, (1, 0, 1, 1), strict=True):
        page.goto(table.link(seat))
        expect(status(page)).to_be_visible()
    page.goto(own_server.url)
    yours = page.get_by_role("region", name="Your games")
    first = yours.get_by_role("listitem").first
    expect(first.get_by_role("link")).to_have_accessible_name(re.compile("^High Rise with Bob Your turn Continue"))
    expect(yours.get_by_role("listitem")).to_have_count(3)
    yours.get_by_role("button", name="Show all 4").click()
    expect(yours.get_by_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")).to_have_count(3)
    page.wait_for_function("() => [...document.querySelectorAll('main img')].every((img) => img.naturalWidth > 0)")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    yours.get_by_role("button", name=re.compile("^Remove Who")).click()
    expect(yours.get_by_role("listitem").get_by_role("link")).to_have_count(3)
    own_server.kill()
    expect(first).to_contain_text("Your turn")
    own_server.start()
    first.get_by_role("link").click()
    expect(status(page)).to_have_text("Your turn")


def test_seats_are_drawn_and_the_status_says_so(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK, lots=True)
    choose_game(page, server, "High Rise")
    set_up(page)
    expect(page.get_by_role("checkbox", name="Random seats")).to_be_checked()
    page.get_by_role("button", name="Play against the computer").click()
    drawn = page.get_by_text(re.compile(r"^You play (first|second)\."))
    expect(status(page)).to_have_text("Your turn")  # a player who is new to a game begins
    expect(drawn).to_have_count(0)
    choose_game(page, server, "High Rise")
    page.get_by_role("button", name="Play against the computer").click()
    expect(drawn).to_be_visible()

    choose_game(page, server, "Who's On The Squad?")
    set_up(page)
    expect(page.get_by_role("checkbox", name="Random seats")).not_to_be_checked()
    page.get_by_role("group", name="You sit").get_by_text("Second").click()
    page.get_by_role("button", name="Play against the computer").click()
    page.wait_for_url(lambda url: "/table/" in url)
    with urllib.request.urlopen(page.url.replace("/table/", "/api/tables/")) as answer:
        assert [seat["kind"] for seat in json.load(answer)["seats"]] == ["bot", "person"]
