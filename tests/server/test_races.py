"""Two players of Icehouse let go at the same moment over the same spot, at one server or at two: one piece lands.

The variable ICETABLE_RACES says how often (a thousand times takes some minutes).
"""

from __future__ import annotations

import os
import random
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx

import icetable
from icetable.server.table import fairness
from tests.at_once import at_once

from .processes import Process
from .serving import Client, create_table, person

if TYPE_CHECKING:
    from pathlib import Path

RACES = int(os.environ.get("ICETABLE_RACES", "10"))
AT_A_TABLE = 10
"""How many races a table has room and pieces for: a player has five of each size."""
SPOTS = [(4000 + 8000 * column, 4000 + 4000 * row) for row in range(5) for column in range(2)]
OVERLAP = 200
"""Pyramids that are at most that many thousandths of an inch apart lie deep in each other."""


def acts_at_once(players: list[Client], acts: list[str]) -> list[dict[str, Any]]:
    """Each player sends an act, all at the same moment; the answers."""
    return at_once(*(partial(player.act, seat, acts[seat]) for seat, player in enumerate(players)))


def race(players: list[Client], everybody: list[Client], number: int, dice: random.Random) -> None:
    """Both place a piece of the same size at almost the same spot."""
    for answer in acts_at_once(players, [f"lift {'SML'[number % 3]}"] * 2):
        assert answer["type"] == "ack", answer
    x, y = SPOTS[number]
    places = [(x + dice.randint(-OVERLAP, OVERLAP), y + dice.randint(-OVERLAP, OVERLAP)) for _ in players]
    answers = acts_at_once(players, [f"place {x},{y} stand {dice.randrange(900) / 10}" for x, y in places])
    assert sorted(answer["type"] for answer in answers) == ["ack", "refused"]
    winner = [answer["type"] for answer in answers].index("ack")
    fault = answers[1 - winner]["fault"]
    assert fault["rule"] == "IH-5", fault
    back = players[1 - winner].act(1 - winner, "return")
    assert back["type"] == "ack"
    for client in everybody:
        client.wait_for(back["seq"])
        field = client.frame["view"]["field"]
        assert len(field) == number + 1
        assert (field[-1]["x"], field[-1]["y"]) == places[winner]
        assert field[-1]["colour"] == ("red", "green")[winner]
        assert client.frame["view"]["hands"] == [None, None]
        assert field == everybody[0].frame["view"]["field"]


def race_at_a_table(urls: list[str], races: int, dice: random.Random) -> None:
    """Races at a new table, each player at a server of their own."""
    table, codes = create_table(
        urls[0], person("Ann"), person("Bob"), game="icehouse", terms={"scripts": True}, crash="refuse", timer=0
    )
    with ExitStack() as visits:
        players = [
            visits.enter_context(Client(urls[seat % len(urls)], table, [code])) for seat, code in enumerate(codes)
        ]
        watchers = [visits.enter_context(Client(url, table)) for url in urls]
        for answer in acts_at_once(players, ["ready", "ready"]):
            assert answer["type"] == "ack"
        for number in range(races):
            race(players, [*players, *watchers], number, dice)
        for url in urls:
            record = httpx.get(f"{url}api/tables/{table}/record").text
            state = icetable.replay(record)
            assert len(state.view()["field"]) == races
            assert record.count(" place ") == races
        assert players[0].ask(type="offer", what="draw")["type"] == "ack"
        assert players[1].ask(type="vote", number=3 + 4 * races, agree=True)["type"] == "ack"
        sound = fairness.verify(httpx.get(f"{urls[-1]}api/tables/{table}/record").text)
        assert sound.entries == 2 + 4 * races + 2


def run(urls: list[str]) -> None:
    dice = random.Random(7)
    for first in range(0, RACES, AT_A_TABLE):
        race_at_a_table(urls, min(AT_A_TABLE, RACES - first), dice)


def test_of_two_pieces_over_one_spot_one_lands_on_one_process(tmp_path: Path) -> None:
    with Process(tmp_path / "tables.sqlite") as server:
        run([server.url])


def test_of_two_pieces_over_one_spot_one_lands_on_two_processes(database: str) -> None:
    with Process(database) as one, Process(database) as other:
        run([one.url, other.url])
