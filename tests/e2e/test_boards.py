"""Boards of games of turns: one's own side is below, names can be read, every click is answered, nothing jumps."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, acts_shown, click_square, space, supply
from tests.e2e.server import Server, people

PEOPLE = people("Ann", "Bob")
SMALLEST = ViewportSize(width=360, height=740)
LARGEST = ViewportSize(width=2560, height=1440)
GAMES = ("icefrogs", "squad", "highrise", "wrecktangle")

LEGIBLE = """() => {
  const picture = document.querySelector('[role=grid]').closest('svg');
  const scale = picture.getScreenCTM().a;
  const sizes = [...picture.querySelectorAll('text')].map((text) => parseFloat(getComputedStyle(text).fontSize));
  return sizes.length > 3 && Math.min(...sizes) * scale >= 11;
}"""
"""Whether every name on the board is at least 11 CSS pixels high."""


def visit(page: Page, server: Server, game: str, *seats: int) -> None:
    """Come to a new table of two, with the codes of some seats."""
    made = server.create_table(game, PEOPLE)
    page.goto(made.link(*seats))
    expect(page.get_by_role("grid")).to_be_visible()


def top(thing: Locator) -> float:
    box = thing.bounding_box()
    assert box is not None
    return box["y"]


def test_the_board_turns_to_its_player(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, reduced_motion="reduce")
    visit(page, server, "squad", 1)  # a board without sides: both mean the same by "the top left"
    mine, theirs = (page.get_by_role("region", name=f"{name}'s supply") for name in ("Bob", "Ann"))
    assert top(space(page, "a4")) < top(space(page, "a1"))
    assert top(mine) >= top(theirs)
    visit(page, server, "icefrogs", 1)
    assert top(space(page, "i1")) < top(space(page, "a1"))
    expect(page.get_by_role("row").first).to_have_accessible_name("Row i")

    space(page, "i1").focus()
    page.keyboard.press("f")
    expect(space(page, "i1")).to_be_focused()
    turned = top(space(page, "i1"))
    assert turned > top(space(page, "g7")) or turned < top(space(page, "a1"))
    page.reload()
    expect(page.get_by_role("grid")).to_be_visible()
    assert top(space(page, "i1")) == turned
    for _ in range(2):
        page.get_by_role("button", name="Turn the board").click()
    assert top(space(page, "i1")) > top(space(page, "a1"))

    visit(page, server, "wrecktangle", 1)
    assert top(space(page, "d8")) > top(space(page, "d1"))
    expect(page.get_by_role("row").last).to_have_accessible_name("Row 8")
    page.keyboard.press("f")
    expect(page.get_by_role("row").last).to_have_accessible_name("Row h")
    visit(page, server, "wrecktangle", 0, 1)
    assert top(space(page, "d8")) < top(space(page, "d1"))


def test_names_on_boards_can_be_read_in_every_window(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=SMALLEST, reduced_motion="reduce")
    for game in GAMES:
        page.set_viewport_size(SMALLEST)
        visit(page, server, game, 0)
        page.wait_for_function(LEGIBLE)
        page.get_by_role("button", name=re.compile("^View from")).click()
        page.wait_for_function(LEGIBLE)
        page.set_viewport_size(LARGEST)
        page.wait_for_function(LEGIBLE)


def test_every_click_has_an_answer_and_nothing_jumps(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, reduced_motion="reduce")
    visit(page, server, "squad", 0, 1)
    picture = page.locator("svg", has=page.get_by_role("grid"))
    for number, corner in enumerate(("a1", "d4")):
        before = picture.bounding_box()
        click_square(page, corner)
        expect(page.get_by_role("group", name="Steps through the game")).to_contain_text(f"{number + 1} / {number + 1}")
    expect(page.locator(".step")).to_have_text("Take a friend from your supply, then choose a marked square.")
    assert picture.bounding_box() == before
    click_square(page, "b2")
    note = page.get_by_role("main").get_by_text("Take a pyramid from your supply first.")
    expect(note).to_be_visible()
    assert picture.bounding_box() == before
    supply(page, "freshman").click()
    expect(note).to_have_count(0)
    page.keyboard.press("Escape")
    supply(page, "junior").click(force=True)  # it can't be placed now, and says so
    expect(page.get_by_text("A junior needs 3 friends beside it").first).to_be_visible()
    expect(page.get_by_role("link", name="SQ-7")).to_be_visible()
    assert acts_shown(page) == 2

    visit(page, server, "highrise", 1)
    click_square(page, "a3")
    expect(page.get_by_text(re.compile("Not yet: Ann.s turn")).first).to_be_visible()
    visit(page, server, "wrecktangle", 0, 1)
    expect(page.get_by_role("gridcell", name=re.compile("can move")).first).to_be_visible()
    page.keyboard.press("Escape")
    space(page, "e4").focus()
    page.keyboard.press("e")
    expect(page.get_by_text("You can make your normal move, so you must.").first).to_be_visible()
