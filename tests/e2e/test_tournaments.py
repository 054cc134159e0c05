"""A tournament of two people and a bot, by clicks from the link to the end, with a restart in the middle."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, resign, status
from tests.e2e.server import Server
from tests.e2e.test_accessibility import complaints, complaints_of_axe
from tests.e2e.test_links import WINDOW


def shown(server: Server, cup: str) -> Any:
    with urllib.request.urlopen(f"{server.url}api/tournaments/{cup}") as answer:
        return json.load(answer)


def play_round(pages: dict[str, Page], address: str, server: Server, cup: str) -> None:
    """Whoever has a game in this round resigns it, by clicks."""
    number = len(shown(server, cup)["rounds"])
    for page in pages.values():
        names = [one["name"] for one in shown(server, cup)["entrants"]]
        own = next(name for name, other in pages.items() if other is page)
        table = next((one for one in tables_of(server, cup, number) if names.index(own) in one["seats"]), None)
        if table is None or table["wins"] is not None:
            continue
        page.goto(address)
        page.get_by_role("button", name="Play your game").click()
        expect(status(page)).to_be_visible()
        resign(page)
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        page.goto(address)
        while any(one["wins"] is None for one in tables_of(server, cup, number) if one["table"] == table["table"]):
            page.wait_for_timeout(100)


def tables_of(server: Server, cup: str, number: int) -> Any:
    return shown(server, cup)["rounds"][number - 1]["tables"]


def test_three_with_a_bot_from_the_link_to_the_end(own_server: Server, new_page: NewPage) -> None:
    organizer = new_page(viewport=DESK, bypass_csp=True)
    organizer.goto(f"{own_server.url}tournament?game=icefrogs")
    organizer.get_by_label("Name").fill("Spring Cup")
    assert complaints_of_axe(organizer) == []
    organizer.get_by_role("radio", name=re.compile("^Everybody")).check()
    organizer.get_by_role("button", name="Open the tournament").press("Enter")
    expect(organizer.get_by_role("heading", name="Spring Cup")).to_be_visible()
    found = re.search(r"/tournament/(\w+)#", organizer.url)
    assert found is not None
    cup, address = found[1], f"{own_server.url}tournament/{found[1]}"
    pages: dict[str, Page] = {}
    for name, size in (("Ann", PHONE), ("Bob", WINDOW)):
        page = pages[name] = new_page(viewport=size)
        page.goto(address)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(page.get_by_text(f"You\N{RIGHT SINGLE QUOTATION MARK}re in as {name}")).to_be_visible()
    organizer.get_by_role("button", name="Add a bot").click()
    expect(organizer.get_by_role("heading", name="3 entrants")).to_be_visible()
    assert complaints_of_axe(organizer) == []
    expect(organizer.get_by_role("button", name="Remove Bob")).to_be_visible()
    organizer.get_by_role("button", name="Start the tournament").click()
    expect(organizer.get_by_role("heading", name="Round 1, under way")).to_be_visible()

    play_round(pages, address, own_server, cup)
    own_server.kill()
    own_server.start()
    for number in (2, 3):
        expect(organizer.get_by_role("heading", name=f"Round {number}, under way")).to_be_visible(timeout=20_000)
        play_round(pages, address, own_server, cup)
    expect(organizer.get_by_text(re.compile("(wins|share) it"))).to_be_visible(timeout=20_000)
    over = shown(own_server, cup)
    assert (over["state"], len(over["rounds"])) == ("over", 3)
    assert sum(line["points"] for line in over["standings"]) == 6
    assert complaints(organizer) == []
    ann = pages["Ann"]
    ann.goto(address)
    expect(ann.get_by_role("region", name="Standing in columns")).to_be_visible()
    assert ann.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(ann.get_by_role("button", name=re.compile("Start|Remove|does not play"))).to_have_count(0)
