"""Every game begun in Firefox, with one move by mouse. Where the system has no Firefox the tests are skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tests.e2e.firefox import Firefox, program
from tests.e2e.hands import DESK
from tests.e2e.server import Server
from tests.server.serving import Client

SIZES = {"S": "small", "M": "medium", "L": "large"}


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One Firefox for all games."""
    found = program()
    if found is None:
        pytest.skip("There is no Firefox here (on Debian: apt install firefox-esr).")
    with Firefox(found, tmp_path_factory.mktemp("profile")) as firefox:
        firefox.resize(**DESK)
        yield firefox


@pytest.fixture
def firefox(started: Firefox, server: Server) -> Iterator[Firefox]:
    """Firefox, which leaves the server's pages before the server ends. The test fails if a page logs an error."""
    yield started
    started.show("about:blank")
    assert started.errors == []


def sit(firefox: Firefox, server: Server, game: str) -> Client:
    """Open a table for two, with the first seat in Firefox; a client that holds both seats."""
    seats = [{"kind": "person", "name": name, "level": None} for name in ("Ann", "Ben")]
    made = server.create_table(game, seats)
    table, codes = made["table"], list(made["codes"].values())
    kept = {"id": table, "game": game, "title": game, "names": [], "when": 1, "codes": codes[:1]}
    firefox.show(f"{server.url}rules/{game}")
    firefox.run(f"localStorage.setItem('icetable.table.{table}', {json.dumps(json.dumps(kept))})")
    firefox.show(f"{server.url}table/{table}")
    return Client(server.url, table, codes)


def click_space(firefox: Firefox, name: str) -> None:
    """Click a space near a corner, which round ones have not: a piece in front may hide its middle."""
    x, y, width, height = firefox.box("[role=gridcell]", rf"^{name}\b")
    firefox.click_at(x + 0.2 * width, y + height - 0.2 * width)


@pytest.mark.parametrize("game", ["highrise", "icefrogs", "squad", "wrecktangle"])
def test_a_move_in_a_game_of_turns(server: Server, firefox: Firefox, game: str) -> None:
    with sit(firefox, server, game) as both:
        while not both.frame["legal"]:  # a die may have to fall first
            both.listen()
        act = next(act for act in both.frame["legal"]["0"] if re.search("[@-]", act))
        start, target = re.split("[@-]", act)
        if start in SIZES:
            firefox.click("button", rf"^{SIZES[start]}.*, \d+ left")
        elif start != "C":  # a captain is in hand already
            click_space(firefox, start)
        click_space(firefox, target)
        both.wait_for(both.frame["seq"] + 1)
        assert both.frame["line"]["text"] == act


def test_a_piece_on_the_field_of_icehouse(server: Server, firefox: Firefox) -> None:
    with sit(firefox, server, "icehouse") as both:
        assert both.act(1, "ready")["type"] == "ack"
        firefox.click("button", "ready")
        both.wait_for(2)
        firefox.click("button", "^medium red")
        both.wait_for(3)  # the piece is in hand
        x, y, width, height = firefox.box("[role=application]")
        firefox.click_at(x + width / 2 + 40, y + height / 2 - 40)
        both.wait_for(4)
        (piece,) = both.frame["view"]["field"]
        assert (piece["size"], piece["colour"]) == ("M", "red")
