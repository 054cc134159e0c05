"""The page of Who's On The Squad?: in a real browser, against the computer and alone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from icetable import State
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    DESK,
    acts_made,
    acts_shown,
    choose_game,
    click_square,
    go_to,
    open_by_keyboard,
    play,
    set_up,
    space,
    status,
    supply,
)
from tests.e2e.server import Server

TITLE = "Who's On The Squad?"
KINDS = {"F": "freshman", "S": "sophomore", "J": "junior"}


def by_mouse(page: Page, act: str) -> None:
    """Make an act with two clicks; a captain is in hand already."""
    kind, square = act.split("@")
    if kind in KINDS:
        supply(page, KINDS[kind]).click()
    click_square(page, square)


def by_key(page: Page, act: str) -> None:
    """Make an act with the kind's letter, N and Enter; the focus is on the board."""
    kind, square = act.split("@")
    if kind in KINDS:
        page.keyboard.press(kind.lower())
    go_to(page, square)
    page.keyboard.press("Enter")


def check_the_end(page: Page, state: State) -> None:
    """The page tells seat 0 what the record says."""
    assert state.is_terminal
    assert state.scores is not None
    words = "You win" if state.winners == {0} else "You lose" if state.winners == {1} else "A draw"
    expect(status(page)).to_have_text(re.compile(f"^{words}"))
    for seat, score in enumerate(state.scores):
        expect(page.get_by_role("region", name=re.compile("'s supply$")).nth(seat)).to_contain_text(f"{score} point")
    assert acts_shown(page) == acts_made(state)


def test_a_whole_game_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    open_by_keyboard(page, server, TITLE)
    check_the_end(page, play(page, by_key))


def test_alone_by_dragging(server: Server, new_page: NewPage) -> None:
    """SQ-16: in the end the best known score stands beside one's own. The lobby suggests the friendly reading first."""
    page = new_page(viewport=DESK, reduced_motion="reduce")
    choose_game(page, server, TITLE)
    set_up(page)
    page.get_by_role("radio", name="1", exact=True).check()
    form = page.get_by_role("form")
    expect(form.get_by_role("radio", name="Friendly")).to_be_checked()
    form.get_by_role("radio", name="Exact").check()
    expect(form.get_by_text("exactly 1 neighbour")).to_be_visible()
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/table/*")
    state = play(page, by_dragging)
    assert state.scores is not None
    expect(status(page)).to_have_text(re.compile(f"^Game over: {state.scores[0]} points?$"))
    expect(page.get_by_text("The best known score is 12.").first).to_be_visible()
    expect(page.get_by_role("region", name="Result").get_by_text("The score to beat next time.")).to_be_visible()


def by_dragging(page: Page, act: str) -> None:
    kind, square = act.split("@")
    if kind in KINDS:
        supply(page, KINDS[kind]).drag_to(space(page, square))
    else:
        space(page, square).click()
