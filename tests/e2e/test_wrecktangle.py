"""WreckTangle as people play it: in a real browser, against the computer and on one screen."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, ViewportSize, expect

from icetable import CHANCE, State
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    DESK,
    PHONE,
    choose_game,
    click_square,
    drag_by_finger,
    go_to,
    play,
    record,
    set_up,
    space,
    status,
    tab_to,
)
from tests.e2e.server import Server, people
from tests.server.serving import Client

TITLE = "WreckTangle"
TURNS = 2
SQUARES = re.compile("~?([a-h][1-8])[-*]([a-h][1-8])")
READY = ("can move", "legal destination")
"""How the square is called that a move starts from, and where it may end."""


def by_mouse(page: Page, act: str) -> None:
    """Make an act with two clicks, or end the turn with one."""
    squares = SQUARES.fullmatch(act)
    if squares is None:
        page.get_by_role("button", name="End turn").click()
        return
    for square, words in zip(squares.groups(), READY, strict=True):
        expect(space(page, square)).to_have_accessible_name(re.compile(words))
        click_square(page, square)


def by_key(page: Page, act: str) -> None:
    """Make an act with N, Enter and E; the focus is on the board."""
    squares = SQUARES.fullmatch(act)
    if squares is None:
        page.keyboard.press("e")
        return
    start, target = squares.groups()
    go_to(page, start, READY[0])
    page.keyboard.press("Enter")
    expect(space(page, start)).to_have_accessible_name(re.compile("chosen$"))
    go_to(page, target, READY[1])
    page.keyboard.press("Enter")


def by_dragging(page: Page, act: str) -> None:
    squares = SQUARES.fullmatch(act)
    assert squares is not None
    expect(space(page, squares[1])).to_have_accessible_name(re.compile(READY[0]))
    space(page, squares[1]).drag_to(space(page, squares[2]))


def open_short_game(page: Page, server: Server) -> None:
    """A table against the weakest bot, drawn after few turns (WT-18)."""
    choose_game(page, server, TITLE)
    set_up(page)
    page.get_by_text("Game options").click()
    page.get_by_label("Total turns").fill(str(TURNS))
    page.get_by_role("combobox").first.select_option("Beginner")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/table/*")


def check_the_end(page: Page, state: State) -> None:
    """A draw after so many turns, each of which begins with a roll."""
    assert state.ended_by == "WT-18"
    expect(status(page)).to_have_text("A draw")
    assert sum(1 for one in state.history() if one.seat == CHANCE) == TURNS


def test_a_whole_game_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK, reduced_motion="reduce")
    open_short_game(page, server)
    expect(page.get_by_role("grid")).to_be_visible()
    tab_to(page, "document.activeElement.getAttribute('role') === 'gridcell'")
    check_the_end(page, play(page, by_key))


CHOOSE_NEXT = re.compile(r"^Now choose a marked square( or pyramid)?\.$")
"""The words mention pyramids only where the die allows a swap."""


def test_the_first_turn_by_what_the_page_says(server: Server, new_page: NewPage) -> None:
    made = server.create_table("wrecktangle", people("Ann", "Bob"))
    page = new_page(viewport=PHONE)
    page.goto(made.link())
    expect(page.locator(".step")).to_have_text(re.compile("^Move two squares: small pawns"))
    drawing = page.locator(".goal .drawing")
    expect(drawing.locator("svg")).to_have_count(5)
    refusal = page.get_by_role("note")
    space(page, "e4").click()
    expect(refusal).to_contain_text("Pick one of your own pyramids first: none stands on e4.")
    expect(refusal.get_by_role("link", name="Rule WT-6")).to_be_visible()
    click_square(page, "d1")
    expect(refusal).to_have_count(0)
    expect(page.locator(".step")).to_have_text(CHOOSE_NEXT)
    click_square(page, "d3")
    expect(page.locator(".step")).not_to_have_text(CHOOSE_NEXT)
    expect(space(page, "d3")).to_have_accessible_name(re.compile("queen"))
    expect(drawing).to_have_count(0)


FRAMING = ("b1-b3", "d8-d6", "g1-g3", "d6-d4", "f1-d3", "b8-b6", "d3-b5", "g8-g6", "c1-e3", "g6-e6")
"""The normal moves of both players before red frames blue's queen."""


def owes_move(view: dict[str, Any]) -> bool:
    """Whether the normal move of a turn is still to be made."""
    return any(part["now"] == "to do" for part in view.get("turn_parts", ()))


def come_to_turn(both: Client, seat: int) -> None:
    """Let the dice fall and turns end until a player owes a normal move."""
    while not (owes_move(both.frame["view"]) and str(seat) in both.frame["legal"]):
        if both.frame["legal"]:
            (mover,) = both.frame["legal"]
            both.wait_for(both.act(int(mover), "end")["seq"])
        else:
            both.wait_for(both.frame["seq"] + 1)


def test_a_rectangle_captures(server: Server, new_page: NewPage) -> None:
    """Red frames blue's queen, by dragging: heads takes what is inside and turns the coin (WT-10, WT-14).

    Learners are told of it one move before.
    """
    made = server.create_table("wrecktangle", people("Ann", "Bob"))
    with Client(server.url, made.table, made.codes) as both:
        for seat, move in enumerate(FRAMING):
            come_to_turn(both, seat % 2)
            both.wait_for(both.act(seat % 2, move)["seq"])
        come_to_turn(both, 0)
    page = new_page(viewport=DESK)
    page.goto(made.link())
    expect(page.get_by_text(re.compile(r"^A pyramid on g5 \(\+\) captures a queen, by a move"))).to_be_visible()
    expect(space(page, "d4")).to_have_accessible_name(re.compile("threatened by Ann"))
    by_dragging(page, "e3-g5")
    expect(space(page, "d4")).to_have_accessible_name("d4: empty")
    expect(page.get_by_role("region", name="Bob's pad")).to_contain_text("1 of 3 lost")
    expect(page.get_by_text("captures opponents on its edges")).to_be_visible()
    captured = re.compile("rectangle b3.g5 captures a queen; Bob.s blue queen on d4")
    expect(page.get_by_text(captured).first).to_be_attached()
    expect(page.locator("path.captured")).to_have_count(1)
    page.get_by_role("button", name="End turn").click()
    expect(status(page)).to_have_text("Bob\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(page.locator("path.captured")).to_have_count(1)  # until Bob moves, also after the roll
    page.set_viewport_size(ViewportSize(width=390, height=844))
    assert page.locator("div.turn").evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight")


def test_by_finger(server: Server, new_page: NewPage) -> None:
    """A pyramid is dragged over the board, and does not scroll the page."""
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    choose_game(page, server, TITLE)
    page.get_by_role("button", name="Pass and play on one screen").click()
    page.wait_for_url("**/table/*")
    goal, board = page.get_by_text("Goal: put four of yours"), page.get_by_role("grid")
    expect(page.get_by_text("a new rectangle captures opponents inside")).to_be_visible()
    expect(goal).to_be_visible()
    before = board.bounding_box()
    expect(space(page, "b1")).to_have_accessible_name(re.compile("can move"))
    drag_by_finger(page, space(page, "b1"), space(page, "b3"))
    expect(space(page, "b3")).to_have_accessible_name(re.compile("red pawn"))
    assert "b1-b3" in [str(one.act) for one in record(page).history()]
    assert board.bounding_box() == before
