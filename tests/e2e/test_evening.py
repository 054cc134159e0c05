"""An evening of several games, by clicks: a match, and a tournament with byes and days per move.

Nobody types an address: between the games, pages, lists and notices lead everybody on, also after a restart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from tests.e2e.axe import complaints_of_axe
from tests.e2e.conftest import NewPage, running
from tests.e2e.hands import DESK, PHONE, choose_game, resign, set_up, status
from tests.e2e.server import Server
from tests.e2e.test_links import copied, sit
from tests.e2e.test_strangers import BUTTON, PLAYING, service, visitor, wait_until
from tests.server.push_service import Browser, PushService

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["service"]  # a fixture

DASH = "\N{EN DASH}"
TURN = re.compile("Your turn|\N{RIGHT SINGLE QUOTATION MARK}s turn")


def test_an_evening_leads_everybody_on(new_page: NewPage, tmp_path: Path, service: PushService) -> None:
    of_cem = Browser("cem")
    with running(Server(tmp_path / "tables.sqlite", program="tests.e2e.pushing")) as server:
        ann, bob, cem = visitor(new_page, DESK), visitor(new_page, PHONE), visitor(new_page, PHONE, of_cem)
        in_a_slow_match(server, ann, bob)
        in_a_tournament(server, ann, bob, cem, of_cem, service)


def in_a_slow_match(server: Server, ann: Page, bob: Page) -> None:
    """The invitation tells the terms; Bob, who has left, finds the next game in his list, with how the match stands."""
    choose_game(ann, server, "IceFrogs")
    set_up(ann)
    ann.get_by_label("Name at seat 1").fill("Ann")
    ann.get_by_role("radio", name="Friend by link").last.check(force=True)
    ann.get_by_role("combobox", name="Games").select_option(label="First to 2 wins")
    ann.get_by_role("combobox", name="Time control").select_option(label="3 days per move")
    ann.get_by_role("button", name="Create table").click()
    expect(status(ann)).to_have_text("Waiting for 1 player")
    bob.goto(copied(ann, "Share link"))
    terms = bob.get_by_role("list", name="Terms").get_by_role("listitem")
    expect(terms).to_have_text(["First to 2 wins", "3 days per move"])
    expect(status(bob)).to_have_text("Waiting for you")
    sit(bob, "Bob")
    for page in (ann, bob):
        expect(page.get_by_text("First to 2 wins \N{MIDDLE DOT} 3 days per move")).to_be_visible()
    resign(ann)
    expect(bob.get_by_role("region", name="Result")).to_be_visible()
    bob.goto(f"{server.url}healthz")
    server.restart()
    ann.get_by_role("button", name="Next game").click(timeout=30_000)
    bob.goto(server.url)
    row = bob.get_by_role("region", name="Your games").get_by_role("link", name=re.compile("game 2"))
    expect(row).to_contain_text(f"First to 2 wins \N{MIDDLE DOT} game 2 \N{MIDDLE DOT} 1{DASH}0")
    assert complaints_of_axe(bob) == []
    row.click()
    for page in (ann, bob):
        expect(status(page)).to_have_text(PLAYING)
    resign(ann)
    expect(bob.get_by_role("main").get_by_text(f"You win the match 2{DASH}0")).to_be_visible()


def in_a_tournament(server: Server, ann: Page, bob: Page, cem: Page, of_cem: Browser, service: PushService) -> None:
    """Three rounds of three: each has a bye, and is told of the next game where they are."""
    for page, name in ((bob, "Bob"), (cem, "Cem")):
        page.goto(server.url)
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Your name").press("Tab")
    home(ann)
    ann.get_by_role("link", name="Create a tournament").click()
    ann.get_by_label("Name").fill("Friday Cup")
    ann.get_by_role("combobox", name="Time control").select_option(label="3 days per move")
    ann.get_by_role("checkbox", name="List it on the start page").check()
    ann.get_by_role("button", name="Create the tournament").click()
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Join", exact=True).click()
    for page, name in ((bob, "Bob"), (cem, "Cem")):
        page.reload()
        page.get_by_role("link", name="Join Friday Cup").click()
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_text(f"in as {name}")).to_be_visible()
    ann.get_by_role("button", name="Start the tournament").click()

    # Ann has left the page of the tournament, and finds it again.
    home(ann)
    cup = ann.get_by_role("region", name="Tournaments")
    expect(cup).to_contain_text("round 1 of 3 \N{MIDDLE DOT} your game")
    assert complaints_of_axe(ann) == []
    cup.get_by_role("link", name="Play Bob").click()
    bob.get_by_role("button", name="Play your game").click()
    expect(cem.get_by_text("You have a bye")).to_be_visible()
    for page in (ann, bob):
        expect(status(page)).to_have_text(TURN)
    resign(ann)

    # Bob plays on from the finished table, Cem from the page of the tournament; Ann waits where she is.
    result = ann.get_by_role("region", name="Result")
    expect(result).to_contain_text("You have a bye in round 2 of 3", timeout=30_000)
    expect(result.get_by_role("button", name="Another level")).to_have_count(0)
    expect(bob.get_by_role("main").get_by_text("Round 2 of 3 has begun: you play Cem")).to_be_visible()
    assert complaints_of_axe(bob) == []
    server.restart()
    bob.get_by_role("button", name="Play round 2").click()
    cem.get_by_role("button", name="Play your game").click()
    cem.get_by_role("button", name=BUTTON).click()
    expect(cem.get_by_role("button", name="Stop")).to_be_enabled()
    for page in (bob, cem):
        expect(status(page)).to_have_text(TURN)
    cem.goto(f"{server.url}healthz")
    resign(bob)

    # Cem, who has closed the page, gets a notice of the next round, and finds the game on the start page.
    ann.get_by_role("button", name="Play round 3").click(timeout=30_000)
    expect(status(ann)).to_have_text(TURN)
    table = ann.url.rpartition("/")[2]
    wait_until(ann, lambda: any(of_cem.read(one.body)["table"] == table for one in service.received))
    expect(bob.get_by_role("region", name="Result")).to_contain_text("You have a bye in round 3 of 3")
    cem.goto(server.url)
    expect(cem.get_by_role("region", name="Your games")).to_contain_text("Friday Cup")
    cem.get_by_role("link", name="Play Ann").click()
    expect(status(cem)).to_have_text(TURN)
    resign(cem)
    for page in (ann, bob, cem):
        words = page.get_by_role("main").get_by_text(re.compile("The tournament is over: you came [123](st|nd|rd)"))
        expect(words).to_be_visible(timeout=30_000)


def home(page: Page) -> None:
    """To the start page by its link."""
    page.get_by_role("link", name=re.compile("icetable|All games")).first.click()
    expect(page.get_by_role("heading", name="Play Looney pyramid games")).to_be_visible()
