"""Matches: games that belong together until somebody has won, and what is said of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from icetable.server import messages
from icetable.server.errors import BadTable
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import PARTS_PER_WIN, Series
from icetable.server.table.state import TableState
from tests.server.table_states import NOW, ask, person, views

from .fakes import PATIENCE, Listener
from .support import acked, codes_of, join, kind, receive, sit
from .table_states import OPEN, Table, request

if TYPE_CHECKING:
    from icetable.server.live.manager import TableManager

SCORES, TIES = (4, 9), (0, 0)


def begun(match: messages.Match, *names: str, game: str = "icefrogs", pair: bool = False) -> TableState:
    """The first table of a match."""
    return Table(game, *map(person, names), match=match, pair=pair).state


@pytest.mark.parametrize(
    ("until", "number", "games", "wins", "scores", "winners"),
    [
        ("wins", 2, 2, (1, 1), (4, 9), None),
        ("wins", 2, 3, (2, 1), (4, 9), [0]),
        ("wins", 2, 4, (2, 2), (4, 9), [0, 1]),
        ("wins", 2, 3, (1.5, 1.5), (4, 9), None),
        ("games", 3, 2, (2, 0), (4, 9), None),
        ("games", 3, 3, (2, 1), (4, 9), [1]),
        ("games", 3, 3, (2, 1), (9, 9), [0, 1]),
    ],
)
def test_when_a_match_is_won(
    until: str, number: int, games: int, wins: tuple[float, ...], scores: tuple[int, ...], winners: list[int] | None
) -> None:
    match = msgspec.convert({"until": until, "number": number}, messages.Match)
    series = Series("before", games, scores, TIES, tuple(int(won * PARTS_PER_WIN) for won in wins))
    assert series.winners_of(match) == winners
    assert series.winners_of(None) is None


def resigned(table_state: TableState, seat: int) -> None:
    """Seat 0 and 1 play on one screen, and one of them resigns."""
    both = table_state.viewer_with(frozenset(one.code_hash for one in table_state.seating.seats if one.code_hash))
    ask(table_state, both, messages.Resign("r", seat))
    assert table_state.is_over


def test_a_resigned_game_counts_as_lost_whatever_the_points_were() -> None:
    table_state = begun(messages.Match("games", 2), "Ann", "Bob", game="squad")
    both = table_state.viewer_with(frozenset(one.code_hash for one in table_state.seating.seats if one.code_hash))
    while len(set(table_state.position.scores)) == 1:
        (seat,) = table_state.to_act
        act = str(table_state.position.legal_actions(seat)[-1])
        ask(table_state, both, messages.Act(f"{table_state.acts}", seat, act))
    best = max(table_state.position.scores)
    ahead = table_state.position.scores.index(best)
    ask(table_state, both, messages.Resign("r", ahead))
    series = table_state.series()
    assert (series.scores[ahead], series.scores[1 - ahead]) == (best, best + 1)
    assert series.leaders == [1 - ahead]


def test_seats_change_until_a_match_is_won_and_then_another_one_begins() -> None:
    table_state = begun(messages.Match("wins", 2), "Ann", "Bob")
    standings = []
    for loser in ("Bob", "Ann", "Bob", "Ann"):
        names = [seat.name for seat in table_state.seating.seats]
        resigned(table_state, names.index(loser))
        ending = views(table_state).ending
        assert ending is not None
        wins = dict(zip(names, ending.standing.wins or [], strict=True))
        standings.append((ending.standing.games, wins["Ann"], wins["Bob"], ending.standing.match_winners or None))
        everybody = table_state.viewer_with(
            frozenset(one.code_hash for one in table_state.seating.seats if one.code_hash)
        )
        setup, _ = table_state.next_setup(everybody, rotate=False, now=NOW)
        assert [seat.name for seat in setup.seats] == names[::-1]
        table_state = TableState(setup, table_state.game)
        assert views(table_state).table(everybody).match == messages.Match("wins", 2)
    assert standings == [(1, 1, 0, None), (2, 1, 1, None), (3, 2, 1, [0]), (1, 0, 1, None)]


@pytest.mark.anyio
async def test_a_player_who_comes_back_is_told_of_the_next_game_of_the_match(manager: TableManager) -> None:
    """By the list of games and at the finished table; watchers are not."""
    created = await manager.tables.create(request("icefrogs", person("Ann"), OPEN, match=messages.Match("wins", 2)))
    ann, bob = await join(manager, created.table, codes_of(created, 0)), Listener()
    await bob.join(manager, created.table, [created.invites["1"]])
    acked(await sit(bob, 1, "b" * 32))
    acked(await bob.table.handle(bob.viewer, messages.Resign("r", 1)))
    codes = codes_of(created, 0)
    summary = await manager.summaries.hold(created.table, None, frozenset(map(hash_code, codes)))
    assert (summary.match, summary.next) == (messages.Match("wins", 2), None)
    assert summary.standing is not None
    assert (summary.standing.games, summary.standing.wins) == (1, [1.0, 0.0])
    following = (await manager.tables.create_next(created.table, messages.NextRequest(codes, rotate=True))).table
    await manager.leave(ann)
    again = await join(manager, created.table, codes)
    async with asyncio.timeout(PATIENCE):
        assert (await receive(again, kind("next")))[-1]["table"] == following
    summary = await manager.summaries.hold(created.table, None, frozenset(map(hash_code, codes)))
    assert summary.next == following
    assert (await manager.summaries.summary(created.table, None)).next is None
    begun = await manager.summaries.summary(following, None)
    assert begun.standing is not None
    assert (begun.standing.games, begun.standing.wins) == (1, [0.0, 1.0])


def test_a_match_that_can_not_be() -> None:
    with pytest.raises(BadTable, match="a match can't be a pair of games"):
        begun(messages.Match("games", 2), "Ann", "Bob", pair=True)
    with pytest.raises(BadTable, match="whose scores add up"):
        begun(messages.Match("wins", 2), "Ann", game="squad")
    assert begun(messages.Match("games", 3), "Ann", game="squad").setup.terms.match == messages.Match("games", 3)
