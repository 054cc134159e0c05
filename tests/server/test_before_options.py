"""What was kept before some options is read as it was meant, goes on so, and keeps its chains and texts.

The folder was written before Squad had `begins`, `stuck` and `tie`, WreckTangle `home_coin`, and High Rise `numbers`: a
database of tables that are over and under way, with the records of the former; and records of games played elsewhere.
Its tables from positions can't be opened any more: positions of games of turns are saved in another form since.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from icetable import games
from icetable.core.record import read_head
from icetable.server.store import open_store
from icetable.server.table import fairness
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import TableViews

from .table_states import ANYBODY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.server.store.store import Store

OLD = Path(__file__).parent / "before_options"
LATER = 1_800_000_000_000


class Known(msgspec.Struct, frozen=True):
    """What is known of a table."""

    what: str
    game: str
    entries: int
    acts: int
    scores: tuple[float, ...]
    over: bool


FROM_POSITIONS = ("from a position", "puzzle")
TABLES = {
    table: known
    for table, known in msgspec.json.decode((OLD / "tables.json").read_bytes(), type=dict[str, Known]).items()
    if not known.what.startswith(FROM_POSITIONS)
}
each_table = pytest.mark.parametrize("table", TABLES, ids=[known.what for known in TABLES.values()])
each_record = pytest.mark.parametrize("path", sorted(OLD.glob("*.txt")), ids=lambda path: path.stem)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    shutil.copy(OLD / "tables.sqlite", tmp_path)
    with closing(open_store(tmp_path / "tables.sqlite")) as store:
        yield store


def opened(store: Store, table: str) -> TableState:
    setup = store.setup(table)
    assert setup is not None
    return TableState(setup, games.info(setup.game).load_stored(setup.options), store.entries(table))


def play_on(state: TableState) -> None:
    """To the end by first acts."""
    while not state.is_over:
        entry = state.draw_chance(LATER)
        if entry is None:
            seat = min(state.to_act)
            entry = state.entry_for_act(ANYBODY, seat, state.position.legal_actions(seat)[0], LATER)
        state.append(entry)


@each_table
def test_a_table_is_as_it_was(store: Store, table: str) -> None:
    state, was = opened(store, table), TABLES[table]
    assert (state.game.info.name, state.entries, state.acts) == (was.game, was.entries, was.acts)
    assert (state.position.scores, state.is_over) == (was.scores, was.over)
    if was.over:
        text = TableViews(state, lambda: LATER).record()
        assert text == (OLD / f"{table}.txt").read_text()
        assert fairness.verify(text).link == state.closing


@pytest.mark.parametrize(
    "table", [table for table, was in TABLES.items() if not was.over and was.game in ("squad", "wrecktangle")]
)
def test_a_table_under_way_goes_on(store: Store, table: str) -> None:
    """To an end whose record verifies, with the options and the start in its head as they were settled."""
    state = opened(store, table)
    play_on(state)
    text = TableViews(state, lambda: LATER).record()
    head = read_head(text)
    assert {"begins", "stuck", "tie", "home_coin"}.isdisjoint(head.options)
    assert head.setup == state.setup.start
    assert fairness.verify(text).link == state.closing
    assert games.replay(text) == state.position


def test_seat_0_begins_at_a_table_of_then(store: Store) -> None:
    """Its first captain in a corner is that of seat 1."""
    (table,) = (table for table, was in TABLES.items() if was.what == "squad for three, captains only")
    assert opened(store, table).position.to_act == {0}


def test_the_next_game_of_a_series_is_played_as_the_first(store: Store) -> None:
    (table,) = (table for table, was in TABLES.items() if was.what == "squad for three, over")
    state = opened(store, table)
    following, _ = state.next_setup(Viewer(frozenset(range(3))), False, LATER)
    game = games.info("squad").load_stored(following.options)
    assert game == state.game
    assert game.options["begins"] == "seat"
    assert TableState(following, game).position == game.start()


@each_record
def test_a_record_replays(path: Path) -> None:
    text = path.read_text()
    state = games.replay(text)
    assert state.game == games.info(state.game.info.name).load_stored(read_head(text).options)
    again = games.replay(state.record())
    assert again == state
    assert len(list(again.history())) == len(list(state.history()))
