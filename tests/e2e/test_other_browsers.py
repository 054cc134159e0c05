"""Every game begun in Firefox and in WebKit, with one move by mouse. Browsers that are not there are skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tests.e2e import firefox, webkit
from tests.e2e.hands import DESK
from tests.e2e.other_browser import OtherBrowser
from tests.e2e.server import Server, people
from tests.server.serving import Client

SIZES = {"S": "small", "M": "medium", "L": "large"}


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OtherBrowser]:
    """One browser for all games."""
    folder = tmp_path_factory.mktemp("profile")
    module = {"firefox": firefox, "webkit": webkit}[request.param]
    if module.program() is None:
        pytest.skip(module.MISSING)
    with module.open_in(folder) as browser:
        browser.resize(**DESK)
        yield browser


@pytest.fixture
def browser(started: OtherBrowser, server: Server) -> Iterator[OtherBrowser]:
    """The browser, which leaves the server's pages before the server ends. The test fails if a page logs an error."""
    yield started
    started.show("about:blank")
    assert started.errors == []


def sit(browser: OtherBrowser, server: Server, game: str) -> Client:
    """Open a table for two, with the first seat in the browser; a client that holds both seats."""
    made = server.create_table(game, people("Ann", "Ben"))
    table, codes = made.table, made.codes
    kept = {"id": table, "game": game, "title": game, "names": [], "when": 1, "codes": codes[:1]}
    browser.show(f"{server.url}rules/{game}")
    browser.run(f"localStorage.setItem('icetable.table.{table}', {json.dumps(json.dumps(kept))})")
    browser.show(f"{server.url}table/{table}")
    return Client(server.url, table, codes)


def click_space(browser: OtherBrowser, name: str) -> None:
    """Click a space near a corner, which round ones have not: a piece in front may hide its middle."""
    x, y, width, height = browser.box("[role=gridcell]", rf"^{name}\b")
    browser.click_at(x + 0.2 * width, y + height - 0.2 * width)


@pytest.mark.parametrize("game", ["highrise", "icefrogs", "squad", "wrecktangle"])
def test_a_move_in_a_game_of_turns(server: Server, browser: OtherBrowser, game: str) -> None:
    with sit(browser, server, game) as both:
        while not both.frame["legal"]:  # a die may have to fall first
            both.listen()
        act = next(act for act in both.frame["legal"]["0"] if re.search("[@-]", act))
        start, target = re.split("[@-]", act)
        if start in SIZES:
            browser.click("button", rf"^{SIZES[start]}.*, \d+ left")
        elif start != "C":  # a captain is in hand already
            click_space(browser, start)
        click_space(browser, target)
        both.wait_for(both.frame["seq"] + 1)
        assert both.frame["line"]["text"] == act


def take_a_piece(browser: OtherBrowser, both: Client) -> None:
    """Begin a game of Icehouse, and take a piece in hand."""
    assert both.act(1, "ready")["type"] == "ack"
    browser.click("button", "ready")
    both.wait_for(2)
    browser.click("button", "^medium red")
    both.wait_for(3)


def test_a_piece_on_the_field_of_icehouse(server: Server, browser: OtherBrowser) -> None:
    with sit(browser, server, "icehouse") as both:
        take_a_piece(browser, both)
        x, y, width, height = browser.box("[role=application]")
        browser.click_at(x + width / 2 + 40, y + height / 2 - 40)
        both.wait_for(4)
        (piece,) = both.frame["view"]["field"]
        assert (piece["size"], piece["colour"]) == ("M", "red")


STICKS_OUT = """() => {
    const shown = [...document.querySelectorAll('main :is(button, a, input)')].filter((one) => one.offsetWidth > 0);
    const isOut = ({ left, right }) => left < -1 || right > innerWidth + 1;
    const out = shown.filter((one) => !one.closest('ol') && isOut(one.getBoundingClientRect()));
    return [document.documentElement.scrollWidth - innerWidth, ...out.map((one) => one.textContent.trim())];
}"""
"""By how much a page is too wide, and the controls that stick out of it, but for those in lists that are scrolled."""


def test_nothing_sticks_out_with_a_piece_in_hand(server: Server, browser: OtherBrowser) -> None:
    with sit(browser, server, "icehouse") as both:
        take_a_piece(browser, both)
        for width in (1440, 1300, 1280, 820, 600):
            browser.resize(width, 900)
            browser.wait_for("([width]) => innerWidth === width || null", [width])
            assert browser.wait_for(STICKS_OUT) == [0], width
    browser.resize(**DESK)
