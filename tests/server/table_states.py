"""The states of tables, without a network, a database or a clock."""

from __future__ import annotations

from typing import Any

import numpy as np

from icetable.games import load
from icetable.server import messages
from icetable.server.table.judge import Judge
from icetable.server.table.log import Entry
from icetable.server.table.seats import Seat
from icetable.server.table.setup import TableSetup, create_setup
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import TableViews

from .toy import TOY

ANYBODY = range(9)
"""Holds every seat."""


def drawn(table_state: TableState, now: int) -> Entry:
    """The entry that chance draws, which has to be due."""
    entry = table_state.draw_chance(now)
    assert entry is not None
    return entry


def views(table_state: TableState, now: int = 0) -> TableViews:
    return TableViews(table_state, lambda: now)


CHARTER = TableSetup(
    "k7m2",
    "icefrogs",
    {"players": 2, "board": "star", "turn_limit": 400},
    (Seat("person", "Ann", None, "red", "ab" * 32), Seat("bot", "Räuber", "expert", "blue", None)),
    bytes(range(32)),
    1_700_000_000_000,
).with_salts()

NOW = 1_000_000


LEVELS = ("easy", "hard")


def person(name: str = "Ann") -> messages.SeatRequest:
    return messages.SeatRequest("person", name, None)


def bot(level: str | None = "easy") -> messages.SeatRequest:
    return messages.SeatRequest("bot", "Robot", level)


def founded(game: str, *seats: messages.SeatRequest, **options: Any) -> tuple[TableState, dict[str, str]]:
    game_ = TOY.load(None, **options) if game == "toy" else load(game, **options)
    request = messages.TableRequest(game, messages.Options(options), list(seats))
    setup, created = create_setup(request, game_, LEVELS, NOW)
    return TableState(setup, game_), created.codes


def pair(*seats: messages.SeatRequest) -> tuple[TableState, dict[str, str]]:
    """The first of a pair of toy games."""
    game = TOY.load(None, players=len(seats), target=50)
    request = messages.TableRequest("toy", messages.Options({}), list(seats), pair=True)
    setup, created = create_setup(request, game, LEVELS, NOW)
    return TableState(setup, game), created.codes


def ask(
    table: TableState | Judge, viewer: Viewer, request: messages.Request, now: int = NOW
) -> messages.Ack | messages.Refused:
    """Judge a request as a server does, and apply its entry."""
    judge = table if isinstance(table, Judge) else Judge(table)
    verdict = judge.judge(viewer, request, now)
    if isinstance(verdict, Entry):
        judge.state.append(verdict)
        return ask(judge, viewer, request, now)
    return verdict


def long_game(acts: int, **options: Any) -> tuple[TableState, dict[str, str]]:
    """A game of IceFrogs after a number of random acts that did not end it, one every 10 ms."""
    table_state, codes = founded("icefrogs", person(), person(), turn_limit=0, **options)
    rng = np.random.default_rng(acts)
    while table_state.acts < acts:
        act = table_state.game.random_act(table_state.position, rng)
        if not table_state.position.apply(act).is_terminal:
            table_state.append(
                table_state.entry_for_act(ANYBODY, min(table_state.to_act), act, NOW + 10 * table_state.acts)
            )
    return table_state, codes
