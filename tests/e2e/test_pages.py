"""Every page, in windows of every size, in large letters and looked through by axe.

Nothing is scrolled sideways, no control is covered, no text is cut, and nobody is kept out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Error, Page, ViewportSize, expect

from icetable import games
from tests.e2e.ahead import play_ahead
from tests.e2e.axe import LOOKS, complaints, look
from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, SHOWS_ACTS_OR_MORE, choose, set_up, status
from tests.e2e.server import OPEN, Server, people
from tests.e2e.sizes import HALVES, QUARTERS, SETTLING, flaws

GAMES = [info.name for info in games.list_games()]
NAMES = tuple(39 * "W" + letter for letter in "ABCDEFGH")
"""As wide as the server accepts, and alike up to the last letter."""
CLOCK = {"per": "game", "seconds": 3600, "increment": 5}


def field_full(players: int) -> list[tuple[int, str]]:
    """All pieces of Icehouse, standing in rows; with the last of them the game ends."""
    acts = [(seat, "ready") for seat in range(players)]
    places = [(1200 + 2000 * (at % 12), 1200 + 2000 * (at // 12)) for at in range(15 * players)]
    for number, (x, y) in enumerate(places):
        seat, turn = number % players, number // players
        acts += [(seat, f"lift {'SML'[turn % 3]}"), (seat, f"place {x},{y} stand 0.0")]
    return acts


@pytest.fixture
def page(server: Server, new_page: NewPage) -> Page:
    return new_page(viewport=PHONE, reduced_motion="reduce")


LARGE_LETTERS = """
const sheet = new CSSStyleSheet();
sheet.replaceSync('html { font-size: 200% } * { letter-spacing: 0.04em !important }');
document.adoptedStyleSheets.push(sheet);
"""
"""Text twice as large, and wider than in any usual font."""
OUT_OF_REACH = {"wrecktangle": 26}
"""The number of a space that no first act begins or ends on, whatever the die shows; by default 7."""


@pytest.mark.parametrize("game", GAMES)
def test_a_table(server: Server, page: Page, game: str) -> None:
    found = []
    for number, state in enumerate(table_states(server, page, game), GAMES.index(game)):
        found += faults(page, state, number)
        if state == "at the start":
            least = 390 if game == "icehouse" else 320  # eight names of forty letters, twice as large
            found += in_large_letters(page, state, (least, 390, 820, 1280))
    assert found == [], "\n".join(found)


def faults(page: Page, state: str, number: int) -> list[str]:
    """What is wrong in some of the windows, and what axe finds in one of the looks."""
    found = flaws(page, state, QUARTERS[number % 4])
    return found + [f"{state}, {complaint}" for complaint in complaints(page, [LOOKS[number % 2]])]


def in_large_letters(page: Page, state: str, widths: Sequence[int] = (320, 820)) -> list[str]:
    """In which windows the page is scrolled sideways then."""
    found = []
    page.evaluate(LARGE_LETTERS)
    for width in widths:
        page.set_viewport_size(ViewportSize(width=width, height=800))
        try:
            page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth", timeout=SETTLING)
        except Error:
            found.append(f"{state} in large letters: {width} px are too narrow")
    page.evaluate("document.adoptedStyleSheets = []")
    return found


def table_states(server: Server, page: Page, game: str) -> Iterator[str]:
    """Brings the page to a table of a game from its start to its end, with most players and long names."""
    info = games.info(game)
    count = info.players[1]
    terms: dict[str, Any] = {"clock": CLOCK} if info.turns else {}
    options = {"players": count, **({"timer": 0, "crash": "refuse"} if game == "icehouse" else {})}
    made = server.create_table(game, people(*NAMES[:count]), options=options, **terms)
    texts = [] if info.turns else field_full(count)
    page.goto(made.link())
    expect(page.locator("[role=grid], [role=application]").first).to_be_visible()
    yield "at the start"
    if info.turns:
        expect(page.locator(".step")).to_be_visible()  # a die has fallen
        page.get_by_role("gridcell").nth(OUT_OF_REACH.get(game, 7)).click(force=True)
        expect(page.get_by_role("note")).to_be_visible()
        yield "refused"
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=play_ahead(made, 24, texts[:24]))
    yield "in the middle"

    if texts:
        page.goto("about:blank")
        play_ahead(made, texts=texts[24:])
        page.goto(made.link())
    else:
        page.get_by_role("button", name="Menu").click()
        yield "with the menu"
        page.get_by_role("button", name="Resign", exact=True).click()
        yield "about to resign"
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Resign|resigns$")).first.click()
    expect(page.get_by_role("region", name="Result", exact=True)).to_be_visible()
    yield "at the end"
    page.get_by_role("button", name="Close the result").click()
    yield "without the result"
    page.keyboard.press("[")
    expect(page.get_by_text("Looking back").first).to_be_visible()
    yield "looking back"


def test_the_lobby(own_server: Server, page: Page) -> None:
    page.goto(own_server.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    found = complaints(page, LOOKS[:1])
    set_up(page)
    for number, info in enumerate(games.list_games()):
        page.get_by_role("radio", name=re.compile(f"^{re.escape(info.title)}")).check()
        form = page.get_by_role("form")
        if info.players[0] < info.players[1]:
            form.get_by_role("radio", name=str(info.players[1]), exact=True).check()
        for summary in reversed(page.locator("details:not([open]) summary").all()):
            summary.click()
        found += faults(page, info.name, number) + in_large_letters(page, info.name)
    own_server.create_table("wrecktangle", [*people(*NAMES[:3]), OPEN], public=True)
    made = own_server.create_table("icehouse", people(*NAMES[:8]), options={"players": 8})
    page.goto(made.link())
    expect(page.get_by_role("application")).to_be_visible()
    page.goto(own_server.url)
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(page.get_by_role("button", name="Join WW").first).to_be_visible()
    found += flaws(page, "with tables") + complaints(page) + in_large_letters(page, "with tables")
    page.context.set_offline(True)
    expect(page.get_by_role("status").get_by_text("offline")).to_be_visible()
    found += flaws(page, "off line", HALVES[0])
    assert found == [], "\n".join(found)


def test_pages_to_read(server: Server, page: Page) -> None:
    found = []
    for number, info in enumerate(games.list_games()):
        for kind, path in enumerate((f"learn/{info.name}", f"rules/{info.name}")):
            page.goto(server.url + path)
            expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
            found += faults(page, path, number + kind)
    found += in_large_letters(page, "rules")
    for path in ("puzzles/squad", "puzzles"):
        page.goto(server.url + path)
        expect(page.get_by_role("link", name="Solve it").first).to_be_visible()
        found += flaws(page, path, HALVES[0])
    found += in_large_letters(page, "puzzles")
    page.goto(f"{server.url}nowhere")
    assert found + flaws(page, "nowhere", HALVES[1]) == []


def test_panels_beside_a_table(server: Server, page: Page) -> None:
    made = server.create_table("icefrogs", [*people(*NAMES[:5]), OPEN])
    page.goto(f"{made.link(0)},{made.host}")
    expect(page.get_by_role("heading", name="Invite the others")).to_be_visible()
    found = flaws(page, "waiting") + complaints(page) + in_large_letters(page, "waiting")
    for number, key in enumerate(("k", "i", "r", "?")):
        look(page, *LOOKS[1])  # at a desk the chat is no dialog
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        found += faults(page, key, number)
        page.keyboard.press("Escape")
    choose(page, "Settings")
    found += faults(page, "settings", 1)
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    expect(status(page)).to_have_text("Connection lost")
    assert found + flaws(page, "off line", HALVES[0]) == []
