"""IceFrogs as people play it: in a real browser, against the computer, by mouse and by keyboard alone."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import icetable
from icetable import bots
from tests.e2e.conftest import NewPage
from tests.e2e.server import Server

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
SIZES = {"S": "Small", "M": "Medium", "L": "Large"}

OUR_TURN_OR_END = re.compile("Your turn|You win|wins|draw")
SHOWS_ACTS = "acts => [...document.querySelectorAll('[role=group]')].some(g => g.innerText.includes(`/ ${acts}`))"

Do = Callable[[Page, str], None]


def record(page: Page) -> icetable.State:
    """The game on the page, as the server has it."""
    table = page.url.rsplit("/", 1)[1]
    address = f"{page.url.split('/table/')[0]}/api/tables/{table}/record"
    with urllib.request.urlopen(address) as answer:
        return icetable.replay(answer.read().decode())


def space(page: Page, name: str) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^{name}\b"))


def supply(page: Page, size: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^{SIZES[size]} pyramid, \d+ left", re.IGNORECASE)).first


def by_mouse(page: Page, act: str) -> None:
    """Make an act with two clicks."""
    start, target = re.split("[@-]", act)
    (supply(page, start) if start in SIZES else space(page, start)).click()
    space(page, target).click()


def by_key(page: Page, act: str) -> None:
    """Make an act with N, Enter and the letters of the sizes; the focus is on the board."""
    start, target = re.split("[@-]", act)
    if start in SIZES:
        page.keyboard.press(start.lower())
    else:
        go_to(page, start)
        page.keyboard.press("Enter")
    go_to(page, target)
    page.keyboard.press("Enter")


def go_to(page: Page, name: str) -> None:
    """Press N until the focus is on a space; there is nowhere to go while an act is still being shown."""
    for _ in range(100):
        focused = page.evaluate("document.activeElement.getAttribute('aria-label')") or ""
        if re.match(rf"{name}\b", focused):
            return
        page.keyboard.press("n")
        page.wait_for_timeout(30)
    raise AssertionError(f"N never came to {name}")


def acts_shown(page: Page) -> int:
    """How many acts the page has in its list."""
    return int((page.get_by_role("group", name="Steps through the game").inner_text()).split("/")[1].split()[0])


def play(page: Page, do: Do, most: int | None = None) -> icetable.State:
    """Play seat 0 as a skilled bot would, by the page alone, to the end or for so many acts of our own."""
    bot = bots.Bot(icetable.load("icefrogs"), "skilled", seed=1)
    made = 0
    while most is None or made < most:
        expect(page.locator("main p strong").first).to_have_text(OUR_TURN_OR_END, timeout=60_000)
        state = record(page)
        if state.is_terminal:
            return state
        do(page, bot.choose(state, 0))
        made += 1
        expect(page.get_by_role("button", name="To the newest act")).to_be_visible()
        page.wait_for_function(SHOWS_ACTS, arg=len(state.record().split("\n\n")[1].splitlines()) + 1)
    return record(page)


def quick_start(page: Page, server: Server, level: str = "Beginner") -> None:
    page.goto(server.url)
    page.get_by_text(level, exact=True).first.click()
    page.get_by_role("button", name="Play against the computer").click()
    page.wait_for_url("**/table/*")


@pytest.mark.parametrize("viewport", [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone")])
def test_a_whole_game_by_mouse(server: Server, new_page: NewPage, viewport: dict[str, int]) -> None:
    page = new_page(viewport=viewport)
    quick_start(page, server)
    state = play(page, by_mouse)
    assert state.winners == {0}
    expect(page.get_by_text(re.compile("You win")).first).to_be_visible()
    assert acts_shown(page) == sum(1 for _ in state.history()) - 1


def test_a_whole_game_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    page.goto(server.url)
    press_on(page, "Play against the computer")
    page.wait_for_url("**/table/*")
    tab_to_board(page)
    state = play(page, by_key)
    assert state.is_terminal
    expect(page.get_by_text(re.compile("You win|Computer wins")).first).to_be_visible()


def test_refresh_and_a_power_cut_in_mid_game_lose_nothing(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    quick_start(page, server)
    before = play(page, by_mouse, most=3)
    page.reload()
    page.wait_for_function(SHOWS_ACTS, arg=6)
    assert record(page).record().startswith(before.record().rstrip("\n"))
    play(page, by_mouse, most=1)
    server.restart()
    state = play(page, by_mouse)
    assert state.is_terminal
    assert state.record().startswith(before.record().rstrip("\n"))


def test_a_refusal_cites_the_rule_and_changes_nothing(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    quick_start(page, server)
    expect(space(page, "e3")).to_be_visible()
    by_mouse(page, "L@e3")
    expect(page.get_by_text("No step and no chain of jumps").first).to_be_visible()
    page.get_by_role("link", name="IF-9").click()
    expect(page.get_by_role("dialog").get_by_text("IF-9").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert acts_shown(page) == 0


def test_undo_and_stepping_back(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    quick_start(page, server)
    played = play(page, by_mouse, most=2)
    expect(page.locator("main p strong").first).to_have_text(OUR_TURN_OR_END)
    page.get_by_role("button", name="To the start").click()
    expect(page.get_by_role("gridcell", name=re.compile("red large|red medium|red small"))).to_have_count(0)
    page.get_by_role("button", name="To the newest act").click()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(SHOWS_ACTS, arg=2)
    first_acts = [line.split(" # ")[0] for line in played.record().split("\n\n")[1].splitlines()[:2]]
    left = [line.split(" # ")[0] for line in record(page).record().split("\n\n")[1].splitlines()]
    assert left == first_acts


def press_on(page: Page, name: str) -> None:
    """Tab until a button has the focus, then press Enter."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"Tab never came to {name}")


def tab_to_board(page: Page) -> None:
    expect(page.get_by_role("grid")).to_be_visible()
    for _ in range(60):
        if page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab never came to the board")
