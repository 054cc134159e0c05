"""Who comes back is sent what they have missed: with it they know what somebody knows who comes anew."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest

from icetable.core.game import CHANCE
from icetable.table import wire
from icetable.table.changes import End
from icetable.table.charter import draw_up
from icetable.table.rooms import Room, Viewer

from .gates import drawn, gate
from .test_rooms import NOW, ask, founded, person

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("toy", {"target": 60}),
    ("icefrogs", {"players": 2}),
    ("icefrogs", {"players": 3}),
    ("wrecktangle", {}),
    ("squad", {}),
    ("highrise", {"memory": "off"}),
]
WATCHER = Viewer()


class Known(NamedTuple):
    """What a browser has of a table."""

    table: wire.TableInfo
    lines: list[wire.Line] | None
    frame: wire.Frame


def known_anew(room: Room, viewer: Viewer) -> Known:
    welcome = gate(room).welcome(viewer)
    return Known(welcome.table, welcome.lines, welcome.frame)


def seen_in(known: Known) -> wire.Seen | None:
    """What a browser names: nothing where it does not know all acts."""
    if known.lines is None:
        return None
    return wire.Seen(known.frame.seq, known.frame.entry or 0)


def come_back(room: Room, viewer: Viewer, known: Known) -> tuple[str, Known]:
    """How a table answers, and what the browser knows then."""
    seen = seen_in(known)
    resumed = None if seen is None else gate(room).resumed(viewer, seen)
    if resumed is None:
        return "welcome", known_anew(room, viewer)
    assert known.lines is not None
    return "resumed", Known(resumed.table, [*known.lines, *resumed.lines], resumed.frame)


def step(room: Room, everybody: Viewer, dice: random.Random) -> None:
    """An act, or now and then, and before the game would end, some are taken back."""
    number, (seat,) = room.entries, room.to_act
    chance = seat == CHANCE
    text = str(room.game.random_act(room.state, np.random.default_rng(dice.randrange(2**32))))
    text = drawn(room, NOW).text if chance else text
    if not room.acts and room.state.apply(text, seat).is_terminal:
        return
    if room.acts and (dice.random() < 0.08 or room.state.apply(text, seat).is_terminal):
        back = max(0, room.acts - dice.randint(1, 4))
        assert isinstance(ask(room, everybody, wire.Undo(f"{number}", back)), wire.Ack)
    elif chance:
        room.take(drawn(room, NOW))
    else:
        assert isinstance(ask(room, everybody, wire.Act(f"{number}", seat, text)), wire.Ack)


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_from_wherever_somebody_comes_back_they_know_what_a_newcomer_knows(name: str, options: dict[str, Any]) -> None:
    dice, answers = random.Random(7), Counter[str]()
    for _ in range(4):
        room, codes = founded(name, *[person() for _ in range(options.get("players", 2))], **options)
        everybody = room.viewer([*codes.values()])
        viewers = (WATCHER, room.viewer([codes["0"]]), everybody)
        known = {viewer: [known_anew(room, viewer)] for viewer in viewers}
        for _ in range(50):
            step(room, everybody, dice)
            for viewer in viewers:
                known[viewer].append(known_anew(room, viewer))
        for viewer in viewers:
            for before in known[viewer]:
                answer, after = come_back(room, viewer, before)
                assert after == known[viewer][-1]
                answers[answer] += 1
    assert min(answers["welcome"], answers["resumed"]) > 50


def test_what_came_is_all_that_is_sent() -> None:
    room, codes = founded("icefrogs", person(), person())
    everybody = room.viewer([*codes.values()])
    assert isinstance(ask(room, everybody, wire.Act("a", 0, "S@b1")), wire.Ack)
    before = known_anew(room, WATCHER)
    assert gate(room).resumed(WATCHER, wire.Seen(1, 1)) == wire.Resumed(before.table, [], before.frame)
    assert isinstance(ask(room, everybody, wire.Act("b", 1, "S@h1")), wire.Ack)
    resumed = gate(room).resumed(WATCHER, wire.Seen(1, 1))
    assert resumed is not None
    assert [line.text for line in resumed.lines] == ["S@h1"]
    assert (resumed.frame.seq, resumed.frame.entry) == (2, 2)
    from_start = gate(room).resumed(WATCHER, wire.Seen(0, 0))
    assert from_start is not None
    assert [line.seq for line in from_start.lines] == [1, 2]


def test_who_knows_other_acts_gets_the_whole_table() -> None:
    room, codes = founded("icefrogs", person(), person())
    everybody = room.viewer([*codes.values()])
    for number, text in enumerate(("S@b1", "S@h1")):
        assert isinstance(ask(room, everybody, wire.Act(f"{number}", number, text)), wire.Ack)
    assert isinstance(ask(room, everybody, wire.Undo("u", 1)), wire.Ack)
    assert isinstance(ask(room, everybody, wire.Act("again", 1, "S@h2")), wire.Ack)
    assert gate(room).frame(WATCHER).entry == 4
    known = [(seq, entry) for seq in range(5) for entry in range(6)]
    kept = [seen for seen in known if gate(room).resumed(WATCHER, wire.Seen(*seen)) is not None]
    assert kept == [(0, 0), (1, 1), (2, 4)]


def test_a_hidden_history_is_not_told_by_coming_back() -> None:
    room, codes = founded("toy", person(), person(), secretive=True)
    everybody = room.viewer([*codes.values()])
    for number in range(3):
        assert isinstance(ask(room, everybody, wire.Act(f"{number}", min(room.to_act), "take")), wire.Ack)
    for seen in range(4):
        assert gate(room).resumed(everybody, wire.Seen(seen, seen)) is None
    assert gate(room).welcome(everybody).lines is None


def test_who_does_not_see_the_game_is_told_nothing_by_coming_back() -> None:
    game = founded("icefrogs", person(), person())[0].game
    request = wire.TableRequest("icefrogs", wire.Options({}), [person(), person()], live=False)
    charter, created = draw_up(request, game, [], NOW)
    room = Room(charter, game)
    told = gate(room).welcome(WATCHER)
    everybody = room.viewer([*created.codes.values()])
    assert isinstance(ask(room, everybody, wire.Act("a", 0, "S@b1")), wire.Ack)
    assert gate(room).welcome(WATCHER) == told
    assert all(gate(room).resumed(WATCHER, wire.Seen(seq, seq)) is None for seq in range(3))
    assert gate(room).resumed(everybody, wire.Seen(0, 0)) is not None


def test_when_the_game_is_over_the_whole_table_is_shown() -> None:
    room, codes = founded("icefrogs", person(), person())
    everybody = room.viewer([*codes.values()])
    assert isinstance(ask(room, everybody, wire.Act("a", 0, "S@b1")), wire.Ack)
    room.take(room._changed(0, End("draw", (0, 1)), NOW, None))
    assert gate(room).resumed(everybody, wire.Seen(1, 1)) is None
    assert gate(room).welcome(everybody).ending is not None
