"""The lines of a long game come in pages: the last ones at once, the others when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import UNSET

from icetable.server import messages
from icetable.server.errors import Hidden
from icetable.server.messages import LINES_PER_PAGE
from icetable.server.table.log import End
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .serving import Client, Running, create_table
from .serving import person as person_there
from .table_states import NOW, ask, founded, long_game, person, views

if TYPE_CHECKING:
    from pathlib import Path

ACTS = 2 * LINES_PER_PAGE + 3
WATCHER = Viewer()


@pytest.fixture(scope="module")
def played() -> TableState:
    """A game of more than two pages. Nothing changes it."""
    return long_game(ACTS)[0]


def numbers(lines: list[messages.Line] | None) -> list[int]:
    assert lines is not None
    return [line.seq for line in lines]


def test_a_welcome_has_the_last_page(played: TableState) -> None:
    welcome = views(played).welcome(WATCHER)
    assert numbers(welcome.lines) == list(range(ACTS - LINES_PER_PAGE + 1, ACTS + 1))
    assert welcome.lines is not None
    assert welcome.lines[-1] == welcome.frame.line


@pytest.mark.parametrize(
    ("acts", "first"), [(1, 1), (LINES_PER_PAGE - 1, 1), (LINES_PER_PAGE, 1), (LINES_PER_PAGE + 1, 2)]
)
def test_a_game_of_a_page_comes_whole(acts: int, first: int) -> None:
    table_state, _ = long_game(acts)
    assert numbers(views(table_state).welcome(WATCHER).lines) == list(range(first, acts + 1))


@pytest.mark.parametrize(
    ("before", "first", "last"),
    [
        (1, 1, 0),
        (2, 1, 1),
        (4, 1, 3),
        (LINES_PER_PAGE + 1, 1, LINES_PER_PAGE),
        (LINES_PER_PAGE + 2, 2, LINES_PER_PAGE + 1),
        (ACTS - LINES_PER_PAGE + 1, 4, ACTS - LINES_PER_PAGE),
        (ACTS, ACTS - LINES_PER_PAGE, ACTS - 1),
        (ACTS + 1, ACTS - LINES_PER_PAGE + 1, ACTS),
        (10**9, ACTS - LINES_PER_PAGE + 1, ACTS),
    ],
)
def test_a_page_ends_before_the_number_that_is_named(played: TableState, before: int, first: int, last: int) -> None:
    assert numbers(views(played).history(WATCHER, before)) == list(range(first, last + 1))


def test_the_pages_together_are_the_game(played: TableState) -> None:
    gates = views(played)
    lines = gates.welcome(WATCHER).lines
    assert lines is not None
    while lines[0].seq > 1:
        lines = [*gates.history(WATCHER, lines[0].seq), *lines]
    states = list(played.replay(played.log()))[1:]
    assert [(line.seat, line.text) for line in lines] == [(state.seat, state.act) for state in states]
    kinds = [[(effect.kind, tuple(effect.spaces), effect.value) for effect in line.effects] for line in lines]
    assert kinds == [[(effect.kind, effect.spaces, effect.value) for effect in state.effects] for state in states]
    assert {line.at for line in lines} == {UNSET}


def test_when_the_game_is_over_the_pages_tell_the_times() -> None:
    table_state, _ = long_game(ACTS)
    table_state.append(table_state.next_event(0, End("draw", (0, 1)), NOW + 10**6))
    lines = views(table_state).lines(WATCHER)
    assert lines is not None
    times = [line.at for line in [*views(table_state).history(WATCHER, lines[0].seq), *lines]]
    assert times == [10 * number for number in range(3, ACTS)]


def test_acts_that_were_taken_back_are_in_no_page() -> None:
    table_state, codes = long_game(ACTS)
    assert isinstance(
        ask(table_state, table_state.viewer([*codes.values()]), messages.Undo("u", LINES_PER_PAGE + 1)), messages.Ack
    )
    assert numbers(views(table_state).lines(WATCHER)) == list(range(2, LINES_PER_PAGE + 2))
    assert numbers(views(table_state).history(WATCHER, ACTS)) == list(range(2, LINES_PER_PAGE + 2))


def test_a_client_that_missed_more_than_a_page_gets_the_whole_table(played: TableState) -> None:
    missed = {
        count: views(played).resumed(WATCHER, messages.Seen(ACTS - count, ACTS - count))
        for count in (LINES_PER_PAGE, LINES_PER_PAGE + 1)
    }
    resumed = missed[LINES_PER_PAGE]
    assert resumed is not None
    assert numbers(resumed.lines) == list(range(ACTS - LINES_PER_PAGE + 1, ACTS + 1))
    assert missed[LINES_PER_PAGE + 1] is None


def test_a_hidden_history_has_no_pages() -> None:
    table_state, codes = founded("toy", person(), person(), secretive=True)
    everybody = table_state.viewer([*codes.values()])
    assert isinstance(ask(table_state, everybody, messages.Act("a", 0, "take")), messages.Ack)
    with pytest.raises(Hidden, match="hides its history"):
        views(table_state).history(everybody, 2)


def test_a_client_that_may_not_see_the_game_gets_no_page() -> None:
    table_state, codes = founded("icefrogs", person(), person(), live=False)
    everybody = table_state.viewer(codes.values())
    assert isinstance(ask(table_state, everybody, messages.Act("a", 0, "S@b1")), messages.Ack)
    assert numbers(views(table_state).history(everybody, 2)) == [1]
    with pytest.raises(Hidden, match="when it is over"):
        views(table_state).history(WATCHER, 2)


def test_a_page_is_asked_for_by_socket(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as server:
        table, codes = create_table(server.url, person_there("Ann"), person_there("Bob"))
        with Client(server.url, table, codes) as ann:
            ann.act(0, "S@b1")
            ann.act(1, "S@h1")
            ann.say(type="history", before=2)
            page = ann.hear("history")
            assert [(line["seq"], line["text"]) for line in page["lines"]] == [(1, "S@b1")]
            for before in (0, -1, 10**9 + 1, "2", None):
                ann.say(type="history", before=before)
                assert "can't be read" in ann.hear("error")["message"]


def test_a_page_of_a_hidden_history_is_refused_by_socket(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as server:
        table, codes = create_table(server.url, person_there("Ann"), person_there("Bob"), game="highrise", memory="on")
        with Client(server.url, table, codes) as ann:
            ann.say(type="history", before=1)
            assert ann.hear("error")["message"] == "This game hides its history until it is over."
