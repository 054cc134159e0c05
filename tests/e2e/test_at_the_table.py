"""The page beside a board: notes that go, legends that fit, who watches, what chance decides."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, SHOWS_ACTS_OR_MORE, choose, space, status, supply
from tests.e2e.server import Server, Table, people

SMALLEST = ViewportSize(width=320, height=740)


def open_table(page: Page, server: Server, game: str, watch: bool = False, **terms: Any) -> Table:
    """A new table for two, of which the page has both seats or none."""
    made = server.create_table(game, people("Ann", "Bob"), **terms)
    page.goto(made.address if watch else made.link())
    expect(page.get_by_role("grid")).to_be_visible()
    return made


def come_to_an_end_of_turn(page: Page, made: Table) -> Locator:
    """Play WreckTangle until a turn can be ended, which the die decides; the button that ends it."""
    end = page.get_by_role("button", name="End turn")
    for acts in range(2, 100):
        page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=play_ahead(made, acts))
        if end.is_visible():
            break
    expect(end).to_be_visible()
    return end


def test_the_note_on_a_space_goes_with_what_is_done(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    mine = page.locator("[role=gridcell].movable").first
    theirs = page.locator("[role=gridcell][aria-label*=queen]:not(.movable)").first
    while not theirs.count():  # a wild die moves any pyramid
        open_table(page, server, "wrecktangle")
        expect(mine).to_be_attached()
    note = page.locator(".caption p")
    theirs.tap()
    expect(note).to_contain_text("queen")
    mine.tap()
    expect(page.locator("[role=gridcell][aria-selected=true]")).to_have_count(1)
    expect(note).to_have_count(0)


def test_the_latest_turn_is_told_with_its_roll(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    told = page.locator(".latest")
    made = server.create_table("icefrogs", people("Ann", "Bob"))
    play_ahead(made, texts=[(0, "S@b1")])
    page.goto(made.link(1))
    expect(told).to_have_text("Ann’s small red pyramid comes in at a1 and steps to b1.")
    expect(page.get_by_text("Goal: be the first")).to_be_visible()
    supply(page, "Small pyramid").click()
    space(page, "h1").click()
    expect(told).to_have_text("Your small blue pyramid comes in at i1 and steps to h1.")
    expect(page.get_by_text("Goal: be the first")).to_be_hidden()

    made = server.create_table("wrecktangle", people("Ann", "Bob"))
    play_ahead(made, 2)
    page.goto(made.link(1))
    expect(told).to_have_text(re.compile("^Ann rolls “.*”[.] (Ann’s|Ann: your) .* (moves from|change places) .*[.]$"))
    page.get_by_role("button", name="Go to start").click()
    expect(told).to_have_count(0)


def test_whose_turn_it_is_waits_for_the_board(server: Server, new_page: NewPage) -> None:
    """While the move of another is shown, it is still theirs."""
    page = new_page(viewport=DESK, reduced_motion="no-preference")
    page.clock.install()
    made = server.create_table("icefrogs", people("Ann", "Bob"))
    play_ahead(made, texts=[(0, "S@b1")])
    page.goto(made.link(0))
    expect(status(page)).to_have_text("Bob\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(page.get_by_role("grid")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.clock.pause_at(time.time() + 10)
    play_ahead(made, texts=[(1, "S@h1")])
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=2, polling=50)
    expect(status(page)).to_have_text("Bob\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(page.get_by_role("region", name="Seats").get_by_role("listitem").nth(1)).to_contain_text("to move")
    page.clock.run_for(5_000)
    expect(status(page)).to_have_text("Your turn")


def test_a_refusal_moves_nothing(server: Server, new_page: NewPage) -> None:
    for window in (SMALLEST, PHONE, DESK):
        page = new_page(viewport=window)
        open_table(page, server, "icefrogs")
        board, note = page.get_by_role("grid"), page.get_by_role("note")
        expect(page.locator(".step")).to_be_visible()
        before = board.bounding_box()
        for choice, refused in (("", "Take a pyramid from your supply first"), ("Large pyramid", "is too far from a1")):
            if choice:
                supply(page, choice).click()
            space(page, "f4").click()
            expect(note).to_contain_text(refused)
            assert board.bounding_box() == before
            page.wait_for_function("() => document.getAnimations().length === 0")
            assert note.evaluate("note => note.getBoundingClientRect().bottom") <= before_top(board)
            note.get_by_role("button").click()
            expect(note).to_have_count(0)
            assert board.bounding_box() == before


def before_top(board: Locator) -> float:
    """The upper edge of the board's part of the page."""
    return float(board.evaluate("grid => grid.closest('section').getBoundingClientRect().top")) + 1


def test_the_list_of_moves_speaks_no_notation(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    made = open_table(page, server, "squad")
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=play_ahead(made, 1))
    move = page.locator("button[aria-current=step]")
    expect(move).to_contain_text("captain on")
    expect(move).not_to_contain_text("C@")
    expect(move).to_have_accessible_name(re.compile("^1 (Ann.s|Your) red captain begins on ..[.]$"))
    expect(move).to_have_accessible_description("")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("checkbox", name="Notation").check()
    page.keyboard.press("Escape")
    expect(move).to_contain_text("C@")


def test_the_list_of_moves_draws_what_the_die_shows(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    made = open_table(page, server, "wrecktangle")
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=play_ahead(made, 3))
    turn = page.locator("button[data-seq][data-first='1']")
    expect(turn.locator(".text svg")).to_have_count(1)
    box = turn.locator(".text svg").bounding_box()
    assert box is not None
    assert box["width"] > 10


def test_the_legend_has_room_beside_the_end_of_the_turn(server: Server, new_page: NewPage) -> None:
    """After that end by a button keys are for the board."""
    page = new_page(viewport=SMALLEST)
    end = come_to_an_end_of_turn(page, open_table(page, server, "wrecktangle"))
    parts = page.get_by_role("list", name="This turn").locator("b")
    for part in parts.all():
        assert part.evaluate("part => part.getBoundingClientRect().width") > 40
        assert part.evaluate(
            "part => { const { right, bottom } = part.getBoundingClientRect(), tray = part.closest('.turn');"
            "const room = tray.getBoundingClientRect(); return right <= room.right + 1 && bottom <= room.bottom + 1 }"
        )
    end.click()
    expect(page.locator("[role=gridcell]:focus")).to_have_count(1)


def test_watchers_are_told_that_they_watch(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    open_table(page, server, "icefrogs", watch=True)
    expect(page.get_by_role("main").get_by_text("You are watching")).to_be_visible()
    open_table(page, server, "icefrogs")
    expect(status(page)).to_be_visible()
    expect(page.get_by_text("You are watching")).to_have_count(0)


def test_dice_are_fair_only_where_there_are_some(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    for game, dice in (("wrecktangle", True), ("icefrogs", False)):
        open_table(page, server, game, random_seats=False)
        page.get_by_role("button", name="Menu").click()
        expect(page.locator(":popover-open").get_by_text("Rules")).to_be_visible()
        expect(page.locator(":popover-open").get_by_text("Fair play")).to_have_count(int(dice))


def test_a_question_covers_the_whole_status(server: Server, new_page: NewPage) -> None:
    page, other = new_page(viewport=DESK), new_page(viewport=DESK)
    made = server.create_table("icefrogs", people("Ann", "Bob"))
    for one, seat in ((page, 0), (other, 1)):
        one.goto(made.link(seat))
        expect(one.get_by_role("grid")).to_be_visible()
    choose(other, "Offer a draw")
    question = page.get_by_role("main").get_by_text("Bob offers a draw").locator("..")
    expect(question).to_be_visible()
    asked, told = question.bounding_box(), status(page).bounding_box()
    assert asked is not None
    assert told is not None
    assert asked["x"] <= told["x"]
    assert asked["x"] + asked["width"] >= told["x"] + told["width"]
    assert asked["y"] + asked["height"] >= told["y"] + told["height"]


def test_towers_in_sight_can_be_scrolled_by_keys(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    open_table(page, server, "highrise")
    towers = page.get_by_role("group", name="Score so far")
    towers.focus()
    expect(towers).to_be_focused()
