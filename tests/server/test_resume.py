"""A client that comes back is sent what it missed, and then knows as much as one that joins anew."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest

from icetable.core.game import CHANCE
from icetable.server import messages
from icetable.server.table.log import End
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import NOW, ask, drawn, founded, person, views

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
    """A browser's data of a table."""

    table: messages.TableInfo
    lines: list[messages.Line] | None
    frame: messages.Frame


def known_anew(table_state: TableState, viewer: Viewer) -> Known:
    welcome = views(table_state).welcome(viewer)
    return Known(welcome.table, welcome.lines, welcome.frame)


def seen_in(known: Known) -> messages.Seen | None:
    """The `seen` of a browser; None if it does not know all acts."""
    if known.lines is None:
        return None
    return messages.Seen(known.frame.seq, known.frame.entry or 0)


def come_back(table_state: TableState, viewer: Viewer, known: Known) -> tuple[str, Known]:
    """How a table answers, and what the browser knows then."""
    seen = seen_in(known)
    resumed = None if seen is None else views(table_state).resumed(viewer, seen)
    if resumed is None:
        return "welcome", known_anew(table_state, viewer)
    assert known.lines is not None
    return "resumed", Known(resumed.table, [*known.lines, *resumed.lines], resumed.frame)


def step(table_state: TableState, everybody: Viewer, dice: random.Random) -> None:
    """An act, or now and then, and before the game would end, some are taken back."""
    number, (seat,) = table_state.entries, table_state.to_act
    chance = seat == CHANCE
    text = str(table_state.game.random_act(table_state.position, np.random.default_rng(dice.randrange(2**32))))
    text = drawn(table_state, NOW).text if chance else text
    if not table_state.acts and table_state.position.apply(text, seat).is_terminal:
        return
    if table_state.acts and (dice.random() < 0.08 or table_state.position.apply(text, seat).is_terminal):
        back = max(0, table_state.acts - dice.randint(1, 4))
        assert isinstance(ask(table_state, everybody, messages.Undo(f"{number}", back)), messages.Ack)
    elif chance:
        table_state.append(drawn(table_state, NOW))
    else:
        assert isinstance(ask(table_state, everybody, messages.Act(f"{number}", seat, text)), messages.Ack)


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_from_wherever_somebody_comes_back_they_know_what_a_newcomer_knows(name: str, options: dict[str, Any]) -> None:
    dice, answers = random.Random(7), Counter[str]()
    for _ in range(2):
        table_state, codes = founded(name, *[person() for _ in range(options.get("players", 2))], **options)
        everybody = table_state.viewer([*codes.values()])
        viewers = (WATCHER, table_state.viewer([codes["0"]]), everybody)
        known = {viewer: [known_anew(table_state, viewer)] for viewer in viewers}
        for _ in range(50):
            step(table_state, everybody, dice)
            for viewer in viewers:
                known[viewer].append(known_anew(table_state, viewer))
        for viewer in viewers:
            for before in known[viewer]:
                answer, after = come_back(table_state, viewer, before)
                assert after == known[viewer][-1]
                answers[answer] += 1
    assert min(answers["welcome"], answers["resumed"]) > 25


def test_only_missed_acts_are_sent() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    everybody = table_state.viewer([*codes.values()])
    assert isinstance(ask(table_state, everybody, messages.Act("a", 0, "S@b1")), messages.Ack)
    before = known_anew(table_state, WATCHER)
    assert views(table_state).resumed(WATCHER, messages.Seen(1, 1)) == messages.Resumed(before.table, [], before.frame)
    assert isinstance(ask(table_state, everybody, messages.Act("b", 1, "S@h1")), messages.Ack)
    resumed = views(table_state).resumed(WATCHER, messages.Seen(1, 1))
    assert resumed is not None
    assert [line.text for line in resumed.lines] == ["S@h1"]
    assert (resumed.frame.seq, resumed.frame.entry) == (2, 2)
    from_start = views(table_state).resumed(WATCHER, messages.Seen(0, 0))
    assert from_start is not None
    assert [line.seq for line in from_start.lines] == [1, 2]


def test_a_client_that_knows_other_acts_gets_the_whole_table() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    everybody = table_state.viewer([*codes.values()])
    for number, text in enumerate(("S@b1", "S@h1")):
        assert isinstance(ask(table_state, everybody, messages.Act(f"{number}", number, text)), messages.Ack)
    assert isinstance(ask(table_state, everybody, messages.Undo("u", 1)), messages.Ack)
    assert isinstance(ask(table_state, everybody, messages.Act("again", 1, "S@h2")), messages.Ack)
    assert views(table_state).frame(WATCHER).entry == 4
    known = [(seq, entry) for seq in range(5) for entry in range(6)]
    kept = [seen for seen in known if views(table_state).resumed(WATCHER, messages.Seen(*seen)) is not None]
    assert kept == [(0, 0), (1, 1), (2, 4)]


def test_a_hidden_history_is_not_told_by_coming_back() -> None:
    table_state, codes = founded("toy", person(), person(), secretive=True)
    everybody = table_state.viewer([*codes.values()])
    for number in range(3):
        assert isinstance(
            ask(table_state, everybody, messages.Act(f"{number}", min(table_state.to_act), "take")), messages.Ack
        )
    for seen in range(4):
        assert views(table_state).resumed(everybody, messages.Seen(seen, seen)) is None
    assert views(table_state).welcome(everybody).lines is None


def test_a_client_that_may_not_see_the_game_learns_nothing_by_coming_back() -> None:
    table_state, codes = founded("icefrogs", person(), person(), live=False)
    told = views(table_state).welcome(WATCHER)
    everybody = table_state.viewer(codes.values())
    assert isinstance(ask(table_state, everybody, messages.Act("a", 0, "S@b1")), messages.Ack)
    assert views(table_state).welcome(WATCHER) == told
    assert all(views(table_state).resumed(WATCHER, messages.Seen(seq, seq)) is None for seq in range(3))
    assert views(table_state).resumed(everybody, messages.Seen(0, 0)) is not None


def test_when_the_game_is_over_the_whole_table_is_shown() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    everybody = table_state.viewer([*codes.values()])
    assert isinstance(ask(table_state, everybody, messages.Act("a", 0, "S@b1")), messages.Ack)
    table_state.append(table_state.next_event(0, End("draw", (0, 1)), NOW))
    assert views(table_state).resumed(everybody, messages.Seen(1, 1)) is None
    assert views(table_state).welcome(everybody).ending is not None
