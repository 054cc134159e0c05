"""The analysis of positions: of a game that is over, at tables for exploring, and never while a game is under way."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.ahead import play_ahead
from tests.e2e.axe import complaints_of_axe, look
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, acts_shown, choose, choose_game, set_up
from tests.e2e.server import Server, people
from tests.e2e.test_review import NAMES, finished_game

PROGRAM = "tests.e2e.quick_reviews"
ANALYSED = 60_000
"""Until a position is analysed: the process has to start."""
PEOPLE = people(*NAMES)


def switch(page: Page) -> Locator:
    """The control that turns the analysis on: a tab at a desk, a button on a phone."""
    return page.get_by_role("tab", name="Analysis").or_(page.get_by_role("button", name="Analysis", exact=True))


def moves(page: Page) -> Locator:
    return page.get_by_role("list", name="Moves, the best first")


def marks(page: Page) -> Locator:
    """The marks of the analysis on the board."""
    return page.get_by_role("region", name="Board").locator(".label")


def test_a_finished_game_is_analysed_and_a_move_tried(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    finished_game(page, server, "squad")
    page.get_by_role("button", name="Close the result").click()
    for _ in range(5):
        page.get_by_role("button", name="Previous move").click()
    switch(page).click()
    expect(moves(page)).to_be_visible(timeout=ANALYSED)
    worth = page.get_by_role("img", name="What the position is worth")
    expect(worth).to_have_accessible_name(re.compile(r"worth: Ann \d+%, Bob \d+%$"))
    expect(page.get_by_text(re.compile("^4 simulations$|solved"))).to_be_visible()
    expect(page.get_by_text(re.compile("^Best: .* on [a-e][1-5]"))).to_have_count(1)  # spoken
    expect(marks(page).first).to_be_visible()

    # by keyboard: the line of a move
    first = moves(page).get_by_role("button").first
    first.focus()
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-expanded", "true")
    expect(marks(page).filter(has_text="1.")).to_have_count(1)
    assert complaints_of_axe(page) == []

    # another position has another analysis
    page.keyboard.press("[")
    expect(page.get_by_text(re.compile("^Best: "))).to_have_count(2)
    expect(moves(page).locator("[aria-expanded=true]")).to_have_count(0)

    # on an analysis board, and on a phone
    finished = page.url
    moves(page).get_by_role("button").first.click()
    page.get_by_role("button", name="Try it on an analysis board").click()
    page.wait_for_url(lambda url: url != finished)
    expect(moves(page)).to_be_visible(timeout=ANALYSED)
    look(page, "dark", PHONE)
    expect(moves(page)).to_be_visible()
    moves(page).get_by_role("button").first.click()
    page.get_by_role("button", name=re.compile("^Play ")).click()
    expect(page.get_by_role("group", name=re.compile("^Steps"))).to_contain_text("1 / 1")
    expect(moves(page).or_(page.get_by_text("The game is over here"))).to_be_visible()
    assert acts_shown(page) == 1

    page.keyboard.press("a")
    expect(moves(page)).to_have_count(0)
    expect(marks(page)).to_have_count(0)
    page.get_by_role("button", name="Previous move").click()
    switch(page).click()
    expect(moves(page)).to_be_visible()
    assert complaints_of_axe(page) == []


def test_chance_is_analysed_by_its_outcomes(server: Server, new_page: NewPage) -> None:
    page = new_page()
    finished_game(page, server, "wrecktangle", 12)
    page.get_by_role("button", name="Go to start").click()
    page.keyboard.press("a")
    outcomes = page.get_by_role("table", name=re.compile("^Chance is next"))
    expect(outcomes).to_be_visible(timeout=ANALYSED)
    expect(outcomes.get_by_role("rowheader")).to_have_count(6)
    page.get_by_role("button", name="Next move").click()
    expect(moves(page)).to_be_visible()
    expect(page.locator(".arrow").first).to_be_visible()


def test_a_game_under_way_offers_none(server: Server, new_page: NewPage) -> None:
    page = new_page()
    made = server.create_table("icefrogs", PEOPLE)
    play_ahead(made, 4)
    page.goto(made.link())
    expect(page.get_by_text("4 / 4")).to_be_visible()
    expect(switch(page)).to_have_count(0)
    page.keyboard.press("a")
    expect(page.get_by_role("region", name="Analysis")).to_have_count(0)

    # nor does a board to try its moves at
    choose(page, "Analysis board")
    page.wait_for_url(lambda url: made.table not in url)
    expect(page.get_by_text("0 / 0")).to_be_visible()
    expect(switch(page)).to_have_count(0)

    # it says what it is, keeps the way back, and stands apart from the games
    expect(page.get_by_role("heading", name="Analysis \N{EN DASH} IceFrogs")).to_be_visible()
    expect(page.get_by_text("Analysis board after move 4: nothing counts.")).to_be_visible()
    assert complaints_of_axe(page) == []
    page.reload()
    page.get_by_role("link", name="Back to your game").click()
    expect(page.get_by_text("4 / 4")).to_be_visible()
    expect(page.get_by_role("link", name="Back to your game")).to_have_count(0)
    page.goto(server.url)
    yours = page.get_by_role("region", name="Your games")
    expect(yours.get_by_role("listitem")).to_have_count(1)
    yours.get_by_role("button", name="Show all 2").click()
    apart = yours.get_by_role("list", name="Analysis boards").get_by_role("listitem")
    expect(apart).to_have_count(1)
    expect(apart).to_contain_text("Analysis \N{EN DASH} IceFrogs")


def test_an_analysis_board_is_set_up_in_the_lobby(server: Server, new_page: NewPage) -> None:
    page = new_page()
    choose_game(page, server, "IceFrogs")
    set_up(page)
    form = page.get_by_role("form", name=re.compile("^Set up"))
    expect(form.get_by_role("checkbox", name=re.compile("^Analysis board"))).to_have_count(0)
    form.get_by_role("radio", name="Person here", exact=True).nth(1).check()
    form.get_by_role("checkbox", name=re.compile("^Analysis board")).check()
    form.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/table/*")
    switch(page).click()
    expect(moves(page)).to_be_visible(timeout=ANALYSED)
