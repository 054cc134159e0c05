"""A game of more acts than the page is told at once: earlier acts are listed when they are wanted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.ahead import DRAW, play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, choose_at_the_end, status
from tests.e2e.server import Server, people
from tests.e2e.short_pages import PAGE

PROGRAM = "tests.e2e.short_pages"
ACTS = 100
LOW = {"width": 1000, "height": 480}
"""Wide enough for a list beside the board, too low for a page of acts."""


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    """The address of a game that is over, with the codes of its seats; no dice may end this one early."""
    created = server.create_table("icefrogs", people("Ann", "Bob"))
    play_ahead(created, ACTS, pick=0, last=DRAW)
    return created.link()


SIZES = [pytest.param(LOW, id="low"), pytest.param(PHONE, id="phone")]
ON_A_PHONE = pytest.mark.parametrize("page", SIZES[1:], indirect=True)
WITH_KEYS = pytest.mark.parametrize("page", SIZES[:1], indirect=True)


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, table: str, new_page: NewPage) -> Page:
    page = new_page(viewport=request.param)
    page.goto(table)
    expect(status(page)).to_have_text("Draw by agreement")
    expect(item(page, newest(page))).to_be_in_viewport()
    return page


def newest(page: Page) -> int:
    return int(page.get_by_role("group", name="Steps through the game").inner_text().split("/")[1].split()[0])


def item(page: Page, seq: int) -> Locator:
    """The turn of an act in the list."""
    return page.locator(f"button[data-first='{first_of_turn(page, seq)}']")


def first_of_turn(page: Page, seq: int) -> int:
    return max(first for first, _ in turns(page) if first <= seq)


def turns(page: Page) -> list[tuple[int, int]]:
    """The first and the last act of each turn in the list."""
    numbers = "items => items.map(({ dataset }) => [Number(dataset.first), Number(dataset.seq)])"
    return [(first, last) for first, last in page.locator("button[data-first]").evaluate_all(numbers)]


def list_begins(page: Page, seq: int) -> None:
    """Wait until the list begins with an act, and see that it goes on to the newest without a gap."""
    expect(page.locator("button[data-first]").first).to_have_attribute("data-first", str(seq))
    listed = turns(page)
    assert [first for first, _ in listed] == [seq, *(last + 1 for _, last in listed[:-1])]
    assert listed[-1][1] == newest(page)


def test_scrolling_brings_earlier_acts_and_leaves_the_others_where_they_are(page: Page) -> None:
    """The newest act stays in view when the list gets less room."""
    assert page.viewport_size is not None
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    for room in (height - 100, height):
        page.set_viewport_size({"width": width, "height": room})
        expect(item(page, newest(page))).to_be_in_viewport(ratio=0.9)
    first = newest(page) - PAGE + 1
    list_begins(page, first)
    page.get_by_role("button", name="Earlier moves").scroll_into_view_if_needed()
    list_begins(page, first - PAGE)
    expect(item(page, first)).to_be_in_viewport()
    expect(item(page, first - PAGE)).not_to_be_in_viewport()


@WITH_KEYS
def test_the_keyboard_comes_to_earlier_acts_and_goes_on_from_there(page: Page) -> None:
    first = newest(page) - PAGE + 1
    page.get_by_role("button", name="Earlier moves").focus()
    list_begins(page, first)
    page.keyboard.press("Enter")
    list_begins(page, first - PAGE)
    expect(item(page, first - 1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    before = first_of_turn(page, newest(page)) - 1
    expect(looking(page)).to_contain_text(f"at move {before} of {newest(page)}")
    expect(item(page, before)).to_be_focused()


@ON_A_PHONE
def test_steps_lead_to_any_act(page: Page) -> None:
    first = newest(page) - PAGE + 1
    for _ in range(PAGE):
        page.keyboard.press("[")
    expect(looking(page)).to_contain_text(f"at move {first - 1} of {newest(page)}")
    list_begins(page, first - PAGE)
    expect(item(page, first - 1)).to_have_attribute("aria-current", "step")
    page.keyboard.press("Home")
    list_begins(page, 1)
    expect(page.get_by_role("button", name="Earlier moves")).to_have_count(0)
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_in_viewport()


@pytest.mark.parametrize("size", SIZES)
def test_the_newest_act_stays_in_view_when_its_words_come_late(
    new_page: NewPage, table: str, size: dict[str, int]
) -> None:
    page = new_page(viewport=size)
    late: list[Route] = []
    page.route("**/assets/bundle-*.js", lambda route: late.append(route))
    page.goto(table)
    expect(page.locator("button[data-first]").last).to_be_in_viewport()
    while not late:  # the list may be there before the page has come to ask for the words
        page.wait_for_timeout(10)
    for route in late:
        route.continue_()
    expect(item(page, newest(page))).to_contain_text(" ")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(item(page, newest(page))).to_be_in_viewport(ratio=0.9)


@WITH_KEYS
def test_the_game_is_watched_again_from_the_start(page: Page) -> None:
    choose_at_the_end(page, "Watch it again")
    expect(looking(page)).to_contain_text(re.compile("at move [1-9]"))
    list_begins(page, 1)
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("button", name="Go to latest move").click()
    expect(status(page)).to_have_text("Draw by agreement")


def looking(page: Page) -> Locator:
    """Which earlier position is on show."""
    return page.get_by_role("main").get_by_text("Looking back").locator("..")
