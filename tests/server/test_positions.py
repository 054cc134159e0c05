"""A room keeps few positions; those that it works out again are the ones that were there before."""

from __future__ import annotations

import gc
import random
import sys
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec import UNSET

from icetable.core import record
from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import CHANCE, State
from icetable.core.turns import TurnState
from icetable.games import load
from icetable.server import messages, position_cache
from icetable.server.position_cache import Cache
from icetable.server.table import fairness, positions
from icetable.server.table.log import End, Entry, remaining_acts
from icetable.server.table.positions import SEGMENT, Positions, Segment
from icetable.server.table.state import TableState

from .table_states import ANYBODY, NOW, ask, drawn, founded, long_game, person, views

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("toy", {"target": 60}),
    ("icefrogs", {"players": 3}),
    ("wrecktangle", {}),
    ("squad", {}),
    ("highrise", {"memory": "off"}),
]


def told(state: State) -> tuple[Any, ...]:
    """All that a state tells."""
    last = (state.act, state.seat, state.at, state.effects)
    return (*last, state.to_act, state.winners, state._position(), [state.view(seat) for seat in (None, 0, 1)])


def make_any_act(table_state: TableState, dice: random.Random, now: int) -> None:
    seat = min(table_state.to_act)
    act = table_state.game.random_act(table_state.position, np.random.default_rng(dice.randrange(2**32)))
    table_state.append(
        drawn(table_state, now) if seat == CHANCE else table_state.entry_for_act(ANYBODY, seat, act, now)
    )


@pytest.fixture
def short_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "SEGMENT", 4)
    monkeypatch.setattr(position_cache, "cache", Cache(5000))


@pytest.mark.usefixtures("short_segments")
@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_every_position_is_as_if_all_were_kept(name: str, options: dict[str, Any]) -> None:
    dice, undone = random.Random(3), 0
    for _ in range(2):
        table_state, codes = founded(name, *[person() for _ in range(options.get("players", 2))], **options)
        second = table_state.viewer([codes["1"]])
        kept = [table_state.position]
        while table_state.entries < 60:
            number = table_state.entries
            if table_state.is_over or (table_state.acts and dice.random() < 0.1):
                back = dice.randrange(max(0, table_state.acts - 9), table_state.acts)
                table_state.append(
                    table_state.chained(Entry(number + 1, 0, NOW, f"undo {back}"))
                )  # old logs have it behind an end
                del kept[back + 1 :]
                undone += 1
            else:
                make_any_act(table_state, dice, NOW + 10 * number)
                last = table_state.log()[-1]
                kept.append(kept[-1].apply(last.text, last.seat, last.at / 1000))
            assert told(table_state.position) == told(kept[-1])
            one = dice.randrange(len(kept))
            assert told(table_state.after(one)) == told(kept[one])
            mine = [number for number, state in enumerate(kept) if state.seat == 1]
            assert views(table_state).frame(second).undo == (
                mine[-1] - 1 if mine and not table_state.is_over else UNSET
            )
        assert [told(table_state.after(one)) for one in range(table_state.acts + 1)] == list(map(told, kept))
        assert [told(state) for state in table_state.replay(table_state.log())] == list(map(told, kept))
    assert undone > 5


@pytest.mark.usefixtures("short_segments")
def test_a_game_without_turns_is_worked_out_again_too() -> None:
    first, *later = load("icehouse", players=2).random_game(np.random.default_rng(1)).history()
    kept = Positions(first)
    for number, state in enumerate(later, 1):
        assert state.act is not None
        assert state.seat is not None
        assert state.at is not None
        kept.play(Entry(number, state.seat, state.at, state.act))
    assert len(later) > 40
    for number, state in enumerate(later, 1):
        assert told(kept.after(number)) == told(state)
    assert kept.newest == later[-1]


@pytest.mark.parametrize("acts", [SEGMENT - 1, SEGMENT, SEGMENT + 1, 5 * SEGMENT + 7])
def test_acts_are_taken_back_across_segments(acts: int) -> None:
    table_state, codes = long_game(acts)
    everybody = table_state.viewer([*codes.values()])
    kept = [table_state.after(number) for number in range(acts + 1)]
    for back in sorted(
        {acts - 1, acts // 2, SEGMENT, SEGMENT // 2, 1, 0} - set(range(acts, SEGMENT + 1)),
        reverse=True,
    ):
        assert isinstance(ask(table_state, everybody, messages.Undo(f"{back}", back)), messages.Ack)
        assert (table_state.acts, told(table_state.position)) == (back, told(kept[back]))
    assert table_state.entry_of_act(0) == 0


def test_long_games_keep_few_states_together(monkeypatch: pytest.MonkeyPatch) -> None:
    start = load("icefrogs", players=2).start()
    most = 3 * SEGMENT * sys.getsizeof(start)
    monkeypatch.setattr(position_cache, "cache", Cache(most))
    tables = [long_game(4 * SEGMENT + 5)[0] for _ in range(3)]
    for table_state in tables:
        for number in range(0, table_state.acts, 100):
            assert len(list(table_state.after(number).history())) <= 2
    assert position_cache.cache.positions <= 3 * SEGMENT
    gc.collect()
    games = {id(table_state.game) for table_state in tables}
    alive = [one for one in gc.get_objects() if type(one) is TurnState and id(one.game) in games]
    assert len(alive) < 2 * 3 * SEGMENT + 30
    del tables, table_state
    gc.collect()
    assert position_cache.cache.positions == 0


def test_a_replay_holds_few_states_at_a_time() -> None:
    table_state, _ = long_game(4 * SEGMENT)
    assert max(len(list(state.history())) for state in table_state.replay(table_state.log())) <= 2


def missing(kept: Positions, first: int, last: int) -> list[Segment]:
    """The segments that are not in memory."""
    return [one for one in kept.segments(first, last) if isinstance(one, Segment)]


def test_positions_that_are_held_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_cache, "cache", Cache(1))
    (mine, _), (other, _) = long_game(SEGMENT + 5), long_game(5)
    start = [told(mine.after(number)) for number in range(6)]
    mine.positions.preload(mine.acts)
    other.after(1)
    assert position_cache.cache.positions == 5  # there is room for one segment
    assert missing(mine.positions, 1, mine.acts) == []
    mine.append(mine.next_entry(0, "undo 6", 10**6))
    assert [told(mine.after(number)) for number in range(6)] == start
    mine.positions.release()
    other.after(1)
    assert missing(mine.positions, 1, mine.acts) != []


def test_positions_from_another_thread_are_cached_unless_the_acts_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    table_state, _ = long_game(2 * SEGMENT + 5)
    everything = [table_state.after(number) for number in range(table_state.acts)]
    monkeypatch.setattr(position_cache, "cache", Cache(10**9))
    kept = table_state.positions
    first, second, third = missing(kept, 0, table_state.acts)
    assert [first.number, second.number, third.number] == [0, 1, 2]
    assert missing(kept, SEGMENT + 1, 2 * SEGMENT) == [second]
    kept.cache(second, second.states())
    assert [segment.number for segment in missing(kept, 0, table_state.acts)] == [0, 2]
    assert (
        table_state.after(SEGMENT + 1) is second.states()[0]
        or table_state.after(SEGMENT + 1) == everything[SEGMENT + 1]
    )
    table_state.append(table_state.next_entry(0, f"undo {2 * SEGMENT + 1}", 10**6))
    assert kept.cache(third, third.states()) is None
    assert [segment.number for segment in missing(kept, 0, table_state.acts)] == [0]
    kept.cache(first, first.states())
    assert [told(table_state.after(number)) for number in range(table_state.acts)] == list(
        map(told, everything[: table_state.acts])
    )


@pytest.mark.parametrize("acts", [0, 5, SEGMENT])
def test_a_refused_act_changes_nothing(acts: int) -> None:
    table_state, _ = long_game(acts)
    before = table_state.position
    seat = min(table_state.to_act)
    with pytest.raises(IllegalAction):
        table_state.positions.play(Entry(acts + 1, seat, 10**6, "L@a1" if seat == 0 else "L@i1"))
    assert (table_state.acts, table_state.position) == (acts, before)
    act = str(table_state.position.legal_actions()[0])
    table_state.append(table_state.entry_for_act(ANYBODY, seat, act, NOW + 10**6))
    assert table_state.after(acts + 1) == before.apply(act)


def test_an_act_is_worked_out_once_for_its_judge_and_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    table_state, _ = long_game(3)
    made = list[str]()
    apply = TurnState.apply

    def counted(state: TurnState, action: str, seat: int | None = None, at: float | None = None) -> TurnState:
        made.append(action)
        return apply(state, action, seat, at)

    monkeypatch.setattr(TurnState, "apply", counted)
    seat = min(table_state.to_act)
    act = str(table_state.position.legal_actions()[0])
    tried = table_state.entry_for_act(ANYBODY, seat, act, NOW + 10**6)
    table_state.append(tried)
    assert (made, table_state.position.act) == ([act], act)


def test_an_act_that_was_tried_before_an_undo_is_worked_out_anew() -> None:
    table_state, _ = long_game(3)
    positions, start = table_state.positions, table_state.after(0)
    entry = Entry(4, min(table_state.to_act), 10**6, str(table_state.position.legal_actions()[0]))
    positions.try_act(entry)
    positions.undo(0)
    positions.play(msgspec.structs.replace(entry, seat=0, text="S@b1"))
    assert positions.newest == start.apply("S@b1")


def test_time_does_not_run_back_where_a_stretch_begins() -> None:
    table_state, _ = long_game(SEGMENT)
    act = str(table_state.position.legal_actions()[0])
    with pytest.raises(GameError, match="time does not run back"):
        table_state.positions.play(Entry(SEGMENT + 1, min(table_state.to_act), 0, act))


def test_the_record_is_that_of_the_whole_history() -> None:
    table_state, codes = long_game(3 * SEGMENT)
    everybody = table_state.viewer([*codes.values()])
    assert isinstance(ask(table_state, everybody, messages.Undo("u", 2 * SEGMENT + 3)), messages.Ack)
    state = table_state.game.start()
    for entry in remaining_acts(table_state.log()):
        state = state.apply(entry.text, entry.seat, entry.at / 1000)
    secret, table = table_state.setup.secret, table_state.setup.id
    first, *later = state.history()
    lines = [record.act_line(one) for one in later]

    def told(over: bool, log: list[str], proven: tuple[str, ...]) -> str:
        pledge, terms = fairness.nature_of(secret, table, over), table_state.setup.terms_in_record()
        return record.written(
            table_state.setup.head_of_record(first), lines, state, record.TableDetails(pledge, terms, log, proven)
        )

    names = [f"name {line}" for line in record.read_head(views(table_state).record()).names()]
    assert len(names) == len(table_state.setup.seats)
    assert views(table_state).record() == told(False, names, ())
    table_state.append(table_state.next_event(0, End("draw", (0, 1)), NOW + 10**6))
    log = [f"{entry.seq} {entry.seat} {entry.at} {entry.link} {entry.text}" for entry in table_state.log()]
    proven = fairness.proof_comments(table_state.closing)
    assert views(table_state).record() == told(True, [*log, *names], proven)
    assert fairness.verify(views(table_state).record()).link == table_state.closing
