"""A game of days: set up, played, and found again among one's games, across a restart."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, choose_game, set_up, space, supply
from tests.e2e.server import Server
from tests.e2e.test_accessibility import complaints


def test_a_game_of_days_tells_until_when_there_is_time(own_server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, bypass_csp=True)
    choose_game(page, own_server, "IceFrogs")
    set_up(page)
    page.get_by_role("radio", name="Person").last.check(force=True)
    page.get_by_label("Time control").select_option(label="2 days per move")
    expect(page.get_by_text("Time runs day and night")).to_be_visible()
    assert complaints(page) == []
    page.get_by_role("button", name="Create table").click()
    expect(page.get_by_role("timer")).to_have_text(["2 days", "2 days"])
    supply(page, "Small pyramid").click()
    space(page, "b1").click()
    running = page.get_by_role("timer", name="Time of Player 2")
    expect(running).to_have_text(re.compile(r"2 days\s*until \w+\W.*\d:\d\d"))
    assert complaints(page) == []
    own_server.restart()
    page.goto(own_server.url)
    yours = page.get_by_role("region", name="Your games")
    expect(yours).to_contain_text(re.compile("Player 2.s turn"))
    expect(yours).to_contain_text(re.compile(r"2 days left, until \w+"))
    assert complaints(page) == []
