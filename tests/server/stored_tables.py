"""A database of tables that were played: some games are over, others go on."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from icetable import games
from icetable.server.store import open_store
from icetable.server.table import fairness
from icetable.server.table.log import Entry
from icetable.server.table.state import TableState

from .table_states import ANYBODY, NOW, bot, founded, person, views

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from icetable.server.store.store import Store


class Stored(NamedTuple):
    """Figures of a stored table."""

    entries: int
    acts: int
    scores: tuple[int, ...]
    over: bool


def next_entry(state: TableState) -> Entry:
    """Chance's act where it is due, else the first legal act of the first seat."""
    entry = state.draw_chance(NOW)
    if entry is not None:
        return entry
    seat = min(state.to_act)
    return state.entry_for_act(ANYBODY, seat, state.position.legal_actions(seat)[0], NOW)


def tables() -> Iterable[TableState]:
    """A game of each kind of turns that is over, and one under way."""
    for game in ("squad", "icefrogs", "wrecktangle", "highrise"):
        for acts in (1_000, 5):
            options = {"turn_limit": 20} if game == "icefrogs" else {}
            state, _ = founded(game, person(), bot() if game == "squad" else person("Bob"), **options)
            while not state.is_over and state.acts < acts:
                state.append(next_entry(state))
            yield state


def write(path: Path) -> dict[str, Stored]:
    """Store the tables in a new SQLite file, and say what they are."""
    known = {}
    with closing(open_store(path)) as store:
        for state in tables():
            store.tables.create(state.setup).result()
            for written in [store.logs.append_soon(state.setup.id, entry) for entry in state.log()]:
                written.result()  # in few commits
            if state.is_over:
                store.tables.set_over(state.setup.id, True).result()
            known[state.setup.id] = Stored(state.entries, state.acts, state.position.scores, state.is_over)
    assert {stored.over for stored in known.values()} == {True, False}
    return known


def replayed(store: Store, table: str) -> TableState:
    setup = store.tables.setup(table)
    assert setup is not None
    return TableState(setup, games.info(setup.game).load_stored(setup.options), store.logs.entries(table))


def check(store: Store, known: dict[str, Stored]) -> None:
    """Every table is as it was, its record verifies if the game is over, and otherwise the game goes on."""
    for table, was in known.items():
        state = replayed(store, table)
        assert (state.entries, state.acts, state.position.scores, state.is_over) == was
        if was.over:
            verified = fairness.verify(views(state).record())
            assert (verified.entries, verified.link) == (was.entries, state.closing)
        else:
            store.logs.append_soon(table, next_entry(state)).result()
            assert replayed(store, table).acts == was.acts + 1
    assert set(store.tables.running(0, 100)) == {table for table, was in known.items() if not was.over}
