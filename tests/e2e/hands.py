"""A person at the page: what any game's tests do there, by mouse and by keyboard."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable, Mapping

from playwright.sync_api import Locator, Page, expect

import icetable
from icetable import bots
from tests.e2e.server import Server

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}

OUR_TURN_OR_END = re.compile("Your turn|You win|You lose|wins|draw|Game over")
ACTS_SHOWN = "parseInt(document.querySelector('[role=group][aria-label^=Steps]')?.innerText.split('/')[1])"
SHOWS_ACTS = f"acts => {ACTS_SHOWN} === acts"
SHOWS_ACTS_OR_MORE = f"acts => {ACTS_SHOWN} >= acts"

Do = Callable[[Page, str], None]
"""Makes an act of seat 0 on the page."""


def record(page: Page) -> icetable.State:
    """The game on the page, as the server has it."""
    return icetable.replay(text_of_record(page))


def text_of_record(page: Page) -> str:
    """The record of the game on the page."""
    table = page.url.rsplit("/", 1)[1]
    address = f"{page.url.split('/table/')[0]}/api/tables/{table}/record"
    with urllib.request.urlopen(address) as answer:
        return str(answer.read().decode())


def space(page: Page, name: str) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^{name}\b"))


def click_square(page: Page, name: str) -> None:
    """Click a corner of a square, as a person does: a piece in front may hide its middle."""
    square = space(page, name)
    box = square.bounding_box()
    assert box is not None
    square.click(position={"x": 0.12 * box["width"], "y": box["height"] - 0.2 * box["width"]})


def supply(page: Page, piece: str) -> Locator:
    """The button with the rest of a kind of piece that the page may take from."""
    return page.get_by_role("button", name=re.compile(rf"^{piece}, \d+ left", re.IGNORECASE)).first


def drag_by_finger(page: Page, start: Locator, target: Locator) -> None:
    """Playwright's own finger only taps; this one moves."""
    session = page.context.new_cdp_session(page)
    boxes = [one.bounding_box() for one in (start, target)]
    places = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    (x, y), (to_x, to_y) = places
    for kind, share in (("touchStart", 0.0), ("touchMove", 0.2), ("touchMove", 0.6), ("touchMove", 1.0)):
        point = {"x": x + share * (to_x - x), "y": y + share * (to_y - y)}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def status(page: Page) -> Locator:
    """The line that says whose turn it is, or how the game ended."""
    return page.locator("main p strong").first


def go_to(page: Page, name: str, words: str = "") -> None:
    """Press N until the focus is on a space that is called so; there is nowhere to go while an act is on its way."""
    for _ in range(1000):
        focused = page.evaluate("document.activeElement.getAttribute('aria-label')") or ""
        if re.match(rf"{name}\b.*({words})", focused):
            return
        page.keyboard.press("n")
        page.wait_for_timeout(5)
    raise AssertionError(f"N never came to {name}")


def acts_shown(page: Page) -> int:
    """How many acts the page has in its list."""
    return int(page.evaluate(ACTS_SHOWN))


def acts_made(state: icetable.State) -> int:
    return sum(1 for _ in state.history()) - 1


def play(page: Page, do: Do, most: int | None = None, level: str = "beginner") -> icetable.State:
    """Play seat 0 as a bot of that level would, by the page alone, to the end or for so many acts of our own."""
    bot: bots.Bot | None = None
    made = 0
    while most is None or made < most:
        expect(status(page)).to_have_text(OUR_TURN_OR_END, timeout=60_000)
        state = record(page)
        if state.is_terminal:
            return state
        bot = bot or bots.Bot(state.game, level, seed=1)
        do(page, bot.choose(state, 0))
        made += 1
        expect(page.get_by_role("button", name="Go to latest move")).to_be_visible()
        page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=acts_made(state) + 1)
    return record(page)


def play_together(
    pages: Mapping[int, Page], do: Do, levels: Mapping[int, str], until: Callable[[icetable.State], bool] | None = None
) -> icetable.State:
    """Play every seat at a page of its own, each as a bot of its level would, to the end or until that holds.

    The page of seat 0 has to be on line; nature draws at the server.
    """
    state = record(pages[0])
    players = {seat: bots.Bot(state.game, level, seed=seat) for seat, level in levels.items()}
    while not (state.is_terminal or (until and until(state))):
        if icetable.CHANCE not in state.to_act:
            seat = min(state.to_act)
            pages[seat].wait_for_function(SHOWS_ACTS, arg=acts_made(state))
            do(pages[seat], players[seat].choose(state, seat))
            pages[seat].wait_for_function(SHOWS_ACTS_OR_MORE, arg=acts_made(state) + 1)
        state = record(pages[0])
    return state


def acts_listed(page: Page) -> list[str]:
    """The acts in the page's own list, in the game's notation."""
    turns = page.locator("button[data-seq] [title]").evaluate_all("items => items.map(({ title }) => title)")
    return [act for turn in turns for act in turn.split(" · ")]


def choose(page: Page, entry: str) -> None:
    """Choose an entry of the menu."""
    page.get_by_role("button", name="Menu").click()
    page.locator("[popover]").get_by_role("button", name=re.compile(f"^{entry}( .)?$")).click()


def choose_at_the_end(page: Page, entry: str) -> None:
    """Choose an entry of the menu in the result."""
    result = page.get_by_role("region", name="Result", exact=True)
    result.get_by_role("button", name="More", exact=True).click()
    result.get_by_text(entry, exact=True).click()


def resign(page: Page) -> None:
    choose(page, "Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").first.click()
    expect(status(page)).to_have_text(re.compile("resigned"))


def choose_game(page: Page, server: Server, title: str) -> None:
    page.goto(server.url)
    page.get_by_role("radio", name=re.compile(f"^{re.escape(title)}")).check()


def choose_level(page: Page, title: str) -> None:
    """Choose how strong the computer plays, among all levels."""
    if all_levels := page.get_by_role("button", name="All levels").all():
        all_levels[0].click()
    page.get_by_role("radio", name=title, exact=True).check(force=True)


def set_up(page: Page) -> None:
    """Unfold the form for all that can be set up."""
    page.get_by_text("More choices: players").click()
    expect(page.get_by_role("button", name="Create table")).to_be_visible()


def quick_start(page: Page, server: Server, title: str, level: str = "Beginner", turn_limit: int | None = None) -> None:
    """Play against the computer, the usual way."""
    choose_game(page, server, title)
    choose_level(page, level)
    if turn_limit is None:
        page.get_by_role("button", name="Play against the computer").click()
    else:
        set_up(page)
        page.get_by_text("Game options").click()
        page.get_by_label("Total turns").fill(str(turn_limit))
        page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/table/*")


def open_by_keyboard(page: Page, server: Server, title: str) -> None:
    """Play against the computer, and come to the board, by keyboard alone."""
    page.goto(server.url)
    tab_to(page, "document.activeElement.name === 'game'")
    for _ in range(10):
        if page.evaluate("document.activeElement.parentElement.textContent").strip().startswith(title):
            break
        page.keyboard.press("ArrowDown")
    tab_to(page, "document.activeElement.textContent.trim() === 'Play against the computer'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    expect(page.get_by_role("grid")).to_be_visible()
    tab_to(page, "document.activeElement.getAttribute('role') === 'gridcell'")


def tab_to(page: Page, there: str) -> None:
    """Press Tab until a condition holds, in JavaScript."""
    for _ in range(60):
        if page.evaluate(there):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to where {there}")
