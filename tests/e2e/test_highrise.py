"""High Rise as people play it: in a real browser, against the computer, from first pyramid to the numbers."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    DESK,
    PHONE,
    SHOWS_ACTS,
    SHOWS_ACTS_OR_MORE,
    acts_shown,
    click_square,
    go_to,
    record,
    space,
    status,
    supply,
    tab_to,
)
from tests.e2e.server import Server, people

TITLE = "High Rise"
SIZES = {"L": "large", "M": "medium", "S": "small"}
ROLL = 1
"""The act of chance that a game begins with."""
SQUARES = [f"{file}{rank}" for rank in (3, 2, 1) for file in "abc"]

ACCOUNTS_OUTSIDE = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const accounts = boxes('.account');
  const tiles = boxes('.ground-rim');
  const lies = (box) => (tile) =>
    box.left >= tile.left && box.right <= tile.right && box.top >= tile.top && box.bottom <= tile.bottom;
  return accounts.length === 18 ? accounts.filter((box) => !tiles.some(lies(box))) : ['not all are there'];
}"""
"""The numbers and points that are not within a tile."""


def by_mouse(page: Page, size: str, square: str) -> None:
    button = supply(page, f"{SIZES[size]} pyramid")
    if button.get_attribute("aria-pressed") == "false":  # the last size left is in hand by itself
        button.click()
    click_square(page, square)


def by_key(page: Page, size: str, square: str) -> None:
    page.keyboard.press(size.lower())
    go_to(page, square)
    page.keyboard.press("Enter")


def test_a_game_by_mouse(server: Server, new_page: NewPage) -> None:
    """The board tells the numbers before the page tells the result (HR-8)."""
    page = new_page(viewport=PHONE, reduced_motion="no-preference")
    made = server.create_table("highrise", people("Ann", "Bob"))
    for placed in (0, 48):
        page.goto("about:blank")
        play_ahead(made, ROLL + placed)
        page.goto(made.link(0))
        page.wait_for_function(SHOWS_ACTS, arg=ROLL + placed)
        left = page.get_by_role("button", name=re.compile(r"^\w+ pyramid, [1-9]\d* left"), disabled=False).first
        if left.get_attribute("aria-pressed") == "false":  # the size placed last stays in hand
            left.click()
        click_square(page, "b2")
        page.wait_for_function(SHOWS_ACTS, arg=ROLL + placed + 1)
    play_ahead(made, ROLL + 50)
    skip = page.get_by_role("button", name="Skip")
    expect(skip).to_be_visible(timeout=60_000)
    expect(status(page)).to_have_text("The last move")
    skip.click()
    check_the_end(page)


def test_a_game_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    """A pyramid of each size by keys, the others by a socket: large ones first, round the board."""
    page = new_page(viewport=DESK)
    placings = [(size, SQUARES[number % 9]) for number, size in enumerate("L" * 10 + "M" * 10 + "S" * 5)]
    acts = [
        (seat, f"{size}@{SQUARES[(number + seat) % 9]}") for number, (size, _) in enumerate(placings) for seat in (0, 1)
    ]
    made = server.create_table("highrise", people("Ann", "Bob"))
    made_acts = play_ahead(made, ROLL)
    for number in (0, 12, 24):
        page.goto("about:blank")
        if ahead := acts[made_acts - ROLL : 2 * number]:
            play_ahead(made, texts=ahead)
        page.goto(made.link(0))
        expect(status(page)).to_have_text("Your turn")
        tab_to(page, "document.activeElement.getAttribute('role') === 'gridcell'")
        by_key(page, *placings[number])
        made_acts = ROLL + 2 * number + 1
        page.wait_for_function(SHOWS_ACTS, arg=made_acts)
    play_ahead(made, texts=acts[-1:])
    check_the_end(page)


def check_the_end(page: Page) -> None:
    """The page shows what the record says (HR-9, HR-10)."""
    expect(status(page)).to_have_text(re.compile("You win|You lose|A draw"), timeout=60_000)
    state = record(page)
    assert state.is_terminal
    assert state.scores is not None
    words = "You win" if state.winners == {0} else "You lose" if state.winners == {1} else "A draw"
    most, least = sorted(state.scores, reverse=True)
    expect(status(page)).to_have_text(re.compile(f"^{words}.* {most}\N{EN DASH}{least}$"))
    end = page.get_by_role("region", name="Result", exact=True)
    expect(end).to_contain_text(re.compile(r"holds? \w+ towers? and |Both have \d+ points"))
    expect(end.get_by_role("link", name="Rule HR-8")).to_be_visible()
    for seat, score in enumerate(state.scores):
        expect(page.get_by_role("region", name=re.compile("'s supply$")).nth(seat)).to_contain_text(f"{score} point")
    accounts = state.view()["accounts"]
    for square in SQUARES:
        expect(space(page, square)).to_have_accessible_name(re.compile(f"number {accounts[square]['number']},"))
    for _ in ("from the side", "from above"):
        assert page.evaluate(ACCOUNTS_OUTSIDE) == []
        page.keyboard.press("v")


def test_the_numbers_lie_beside_the_board(server: Server, new_page: NewPage) -> None:
    """All know which there are, and with `numbers=unseen` nobody does (HR-2)."""
    seats = people("Ann", "Bob")
    page = new_page(viewport=PHONE)
    for numbers in ("seen", "unseen"):
        made = server.create_table("highrise", seats, options={"players": 2, "numbers": numbers})
        page.goto(made.link(0))
        expect(status(page)).to_have_text("Your turn")
        told = page.get_by_text(re.compile(r"^The numbers ([1-6], ){7}[1-6] and [1-6] lie under the covers"))
        expect(told).to_have_count(1 if numbers == "seen" else 0)


def test_a_covered_pyramid_is_hidden(server: Server, new_page: NewPage) -> None:
    """HR-7"""
    page = new_page(viewport=DESK, reduced_motion="reduce")
    page.goto(server.url)
    page.get_by_role("radio", name=TITLE).check()
    page.get_by_role("button", name="Pass and play on one screen").click()
    page.wait_for_url("**/table/*")
    expect(page.get_by_role("grid")).to_be_visible()
    for size in ("S", "M", "M", "L"):
        expect(supply(page, f"{SIZES[size]} pyramid")).to_be_enabled()
        seen = acts_shown(page)
        by_mouse(page, size, "b2")
        page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=seen + 1)
    expect(
        page.get_by_text(re.compile("^b2: Player 1 0 pips, Player 2 3 pips, 3 hidden: Player 2 leads"))
    ).to_be_attached()
    expect(supply(page, "medium pyramid")).to_have_attribute("aria-pressed", "true")  # as Player 1 placed last
    expect(space(page, "b2")).to_have_accessible_name(
        re.compile("^b2: 4 pyramids, 3 hidden, Player 2's large .*( on a hidden pyramid){3}")
    )
