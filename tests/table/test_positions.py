"""A room keeps few positions; those that it works out again are the ones that were there before."""

from __future__ import annotations

import gc
import random
from typing import Any

import numpy as np
import pytest
from msgspec import UNSET

from icetable.core import record
from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import CHANCE, State
from icetable.core.registry import load
from icetable.core.turns import TurnState
from icetable.table import fair, positions, wire
from icetable.table.changes import End
from icetable.table.positions import STRETCHES, STRIDE, Positions
from icetable.table.rooms import Entry, Room, standing

from .gates import ANYBODY, drawn, gate
from .test_rooms import NOW, ask, founded, person

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


def long_room(acts: int, **options: Any) -> tuple[Room, dict[str, str]]:
    """A game of IceFrogs after so many random acts that did not end it, one every 10 ms."""
    room, codes = founded("icefrogs", person(), person(), turn_limit=0, **options)
    rng = np.random.default_rng(acts)
    while room.acts < acts:
        act = room.game.random_act(room.state, rng)
        if not room.state.apply(act).is_terminal:
            room.take(room.act(ANYBODY, min(room.to_act), act, NOW + 10 * room.acts))
    return room, codes


def make_any_act(room: Room, dice: random.Random, now: int) -> None:
    seat = min(room.to_act)
    act = room.game.random_act(room.state, np.random.default_rng(dice.randrange(2**32)))
    room.take(drawn(room, now) if seat == CHANCE else room.act(ANYBODY, seat, act, now))


@pytest.fixture
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "STRIDE", 4)
    monkeypatch.setattr(positions, "STRETCHES", 2)


@pytest.mark.usefixtures("short_stretches")
@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_every_position_is_as_if_all_were_kept(name: str, options: dict[str, Any]) -> None:
    dice, undone = random.Random(3), 0
    for _ in range(3):
        room, codes = founded(name, *[person() for _ in range(options.get("players", 2))], **options)
        second = room.viewer([codes["1"]])
        kept = [room.state]
        while room.entries < 60:
            number = room.entries
            if room.is_over or (room.acts and dice.random() < 0.1):
                back = dice.randrange(max(0, room.acts - 9), room.acts)
                room.take(room.chained(Entry(number + 1, 0, NOW, f"undo {back}")))  # old logs have it behind an end
                del kept[back + 1 :]
                undone += 1
            else:
                make_any_act(room, dice, NOW + 10 * number)
                last = room.log()[-1]
                kept.append(kept[-1].apply(last.text, last.seat, last.at / 1000))
            assert told(room.state) == told(kept[-1])
            one = dice.randrange(len(kept))
            assert told(room.after(one)) == told(kept[one])
            mine = [number for number, state in enumerate(kept) if state.seat == 1]
            assert gate(room).frame(second).undo == (mine[-1] - 1 if mine and not room.is_over else UNSET)
        assert [told(room.after(one)) for one in range(room.acts + 1)] == list(map(told, kept))
        assert [told(state) for state in room.replay(room.log())] == list(map(told, kept))
    assert undone > 5


@pytest.mark.usefixtures("short_stretches")
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


@pytest.mark.parametrize("acts", [STRIDE - 1, STRIDE, STRIDE + 1, 5 * STRIDE + 7])
def test_acts_are_taken_back_across_stretches(acts: int) -> None:
    room, codes = long_room(acts)
    everybody = room.viewer([*codes.values()])
    kept = [room.after(number) for number in range(acts + 1)]
    for back in sorted({acts - 1, acts // 2, STRIDE, STRIDE // 2, 1, 0} - set(range(acts, STRIDE + 1)), reverse=True):
        assert isinstance(ask(room, everybody, wire.Undo(f"{back}", back)), wire.Ack)
        assert (room.acts, told(room.state)) == (back, told(kept[back]))
    assert room.made_by(0) == 0


def test_a_long_game_keeps_few_states() -> None:
    room, _ = long_room(12 * STRIDE + 5)
    for number in range(0, room.acts, 100):
        room.after(number)
    assert room._positions.kept <= 13 + STRETCHES * STRIDE
    gc.collect()
    alive = [one for one in gc.get_objects() if type(one) is TurnState and one.game is room.game]
    assert len(alive) < (STRETCHES + 2) * STRIDE
    assert len(list(room.state.history())) <= STRIDE + 1


def test_a_replay_holds_few_states_at_a_time() -> None:
    room, _ = long_room(4 * STRIDE)
    assert max(len(list(state.history())) for state in room.replay(room.log())) <= STRIDE + 1


@pytest.mark.parametrize("acts", [0, 5, STRIDE])
def test_a_refused_act_changes_nothing(acts: int) -> None:
    room, _ = long_room(acts)
    before = room.state
    seat = min(room.to_act)
    with pytest.raises(IllegalAction):
        room._positions.play(Entry(acts + 1, seat, 10**6, "L@a1" if seat == 0 else "L@i1"))
    assert (room.acts, room.state) == (acts, before)
    act = str(room.state.legal_actions()[0])
    room.take(room.act(ANYBODY, seat, act, NOW + 10**6))
    assert room.after(acts + 1) == before.apply(act)


def test_time_does_not_run_back_where_a_stretch_begins() -> None:
    room, _ = long_room(STRIDE)
    act = str(room.state.legal_actions()[0])
    with pytest.raises(GameError, match="time does not run back"):
        room._positions.play(Entry(STRIDE + 1, min(room.to_act), 0, act))


def test_the_record_is_that_of_the_whole_history() -> None:
    room, codes = long_room(3 * STRIDE)
    everybody = room.viewer([*codes.values()])
    assert isinstance(ask(room, everybody, wire.Undo("u", 2 * STRIDE + 3)), wire.Ack)
    state = room.game.start()
    for entry in standing(room.log()):
        state = state.apply(entry.text, entry.seat, entry.at / 1000)
    secret, table = room.charter.secret, room.charter.id
    first, *later = state.history()
    lines = [record.act_line(one) for one in later]

    def told(over: bool, log: list[str], proven: tuple[str, ...]) -> str:
        pledge, terms = fair.pledge(secret, table, over), room.charter.terms_told()
        return record.written(first, lines, state, record.Told(pledge, terms, log, proven))

    assert gate(room).record() == told(False, [], ())
    room.take(room._changed(0, End("draw", (0, 1)), NOW + 10**6, None))
    log = [f"{entry.seq} {entry.seat} {entry.at} {entry.link} {entry.text}" for entry in room.log()]
    proven = fair.what_is_proven(room.charter.terms_told(), room.closing)
    assert gate(room).record() == told(True, log, proven)
    assert fair.verify(gate(room).record()).link == room.closing
