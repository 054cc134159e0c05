"""The end of a game: what the page says of it, and what it offers."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from icetable.server.table import fairness
from tests.e2e.ahead import play_ahead, resigns
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    PHONE,
    SHOWS_ACTS,
    choose,
    choose_at_the_end,
    quick_start,
    space,
    status,
    supply,
    text_of_record,
)
from tests.e2e.server import Server, people

GAMES_COMPILING = 60_000


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Result", exact=True)


def test_resigning_ends_the_game_and_leads_to_a_rematch(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    quick_start(page, server, "IceFrogs")
    supply(page, "Small pyramid").click()
    space(page, "b1").click()
    page.wait_for_function(SHOWS_ACTS, arg=2, timeout=GAMES_COMPILING)
    board = page.get_by_role("grid").bounding_box()
    choose(page, "Resign")
    expect(page.get_by_role("dialog")).to_contain_text("Frost will win this game.")
    page.get_by_role("button", name="Keep playing").click()
    expect(status(page)).to_have_text("Your turn")
    choose(page, "Resign")
    page.get_by_role("button", name="Resign", exact=True).last.click()
    expect(status(page)).to_have_text("You resigned: Frost wins")
    expect(page.get_by_text(re.compile("[01] points?"))).to_have_count(0)
    expect(page.locator(".gold")).to_have_count(0)

    box, after = card(page).bounding_box(), page.get_by_role("grid").bounding_box()
    assert box is not None
    assert board is not None
    assert after is not None
    assert box["height"] <= PHONE["height"] / 4
    assert box["y"] + box["height"] <= after["y"]
    assert after["width"] >= board["width"] * 0.9
    fairness.verify(text_of_record(page))

    page.get_by_role("button", name="Previous move").click()
    expect(page.get_by_text("at move 1 of 2")).to_be_visible()
    expect(card(page)).to_have_count(0)
    page.get_by_role("button", name="Result").click()
    page.get_by_role("button", name="Close the result").click()
    expect(card(page)).to_have_count(0)
    page.get_by_role("button", name="Result").click()
    choose_at_the_end(page, "Watch it again")
    expect(page.get_by_text("The start.", exact=True)).to_be_attached()
    expect(card(page)).to_be_visible(timeout=30_000)  # it plays to the end by itself

    finished = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != finished)
    page.wait_for_function(SHOWS_ACTS, arg=1)
    assert re.findall(r"^[01] ", text_of_record(page), re.MULTILINE) == ["0 "]  # the computer has begun


def test_a_resigned_game_counts_as_lost_in_the_pair(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    made = server.create_table("squad", people("Ann", "Ben"), pair=True)
    play_ahead(made, 5, last=resigns(0))
    page.goto(made.link(0))
    expect(status(page)).to_have_text("You resigned: Ben wins")
    expect(card(page)).to_contain_text("Game 2 of 2: you swap seats")
    page.get_by_role("button", name="Play game 2").click()
    page.wait_for_url(re.compile(rf"/table/(?!{made.table})"))
    seats = page.get_by_role("region", name="Seats").get_by_role("listitem")
    expect(seats.filter(has_text="Ann")).to_contain_text("total 1")
    expect(seats.filter(has_text="Ben")).to_contain_text(re.compile("total ([2-9]|1[0-9])"))


def test_a_refusal_stays_until_it_is_closed_or_untrue(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.clock.install()
    created = server.create_table("icefrogs", people("Ann", "Ben"))
    page.goto(created.link())
    refusal = page.get_by_role("note")

    supply(page, "Small pyramid").click()
    space(page, "e5").click()
    expect(refusal).to_be_visible()
    page.clock.run_for(30_000)
    expect(refusal).to_be_visible()
    refusal.get_by_role("button").click()
    expect(refusal).to_have_count(0)
    space(page, "e5").click()
    expect(refusal).to_be_visible()
    supply(page, "Large pyramid").click()
    expect(refusal).to_have_count(0)
