"""Games of the workshop are games like all others: states, views, records, refusals, chance, secrets, bots."""

from __future__ import annotations

import inspect
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import icetable
from icetable import BadNotation, BadRecord, GameError, bots, games, lab
from icetable.core.turns import TurnState, determinized
from icetable.games.squad.game import Squad
from icetable.workshop import DesignError, Game, Pyramid, Table, files, guard
from icetable.workshop.examples.bastions import Bastions
from icetable.workshop.examples.beacons import Beacons
from icetable.workshop.examples.cairns import Cairns
from icetable.workshop.examples.canals import Canals
from icetable.workshop.examples.carousel import Carousel
from icetable.workshop.examples.divers import Divers
from icetable.workshop.examples.first import First
from icetable.workshop.examples.honeycomb import Honeycomb
from icetable.workshop.examples.rockfall import Rockfall
from icetable.workshop.files import info_of
from icetable.workshop.playing import PlainGame, codes_at
from tests.workshop.designs import Clumsy, Depot, Duel, Endless, Hands, Heap, Knockout, Lonely, Looping, Race

EXAMPLES = [Bastions, Beacons, Cairns, Canals, Carousel, Divers, First, Honeycomb, Rockfall]
EVERY = pytest.mark.parametrize("design", [*EXAMPLES, Depot, Duel, Heap, Race, Lonely, Knockout, Hands])


def starts(design: type[Game], **options: object) -> TurnState:
    state = icetable.load(design, None, **options).start()
    assert isinstance(state, TurnState)
    return state


@EVERY
def test_games_are_played_saved_and_replayed(design: type[Game]) -> None:
    game = icetable.load(design)
    for seed in range(3):
        end = game.random_game(np.random.default_rng(seed))
        assert end.is_terminal
        assert end.ended_by in info_of(design).design.rule_ids()
        assert game.replay(end.record()) == end
        assert pickle.loads(pickle.dumps(end)) == end
        for state in end.history():
            again = game.from_json(state.to_json())
            assert again == state
            assert hash(again) == hash(state)
            assert again.legal_actions() == state.legal_actions()
            json.dumps(state.view(0))
    assert game == icetable.load(design)


@EVERY
def test_pictures(design: type[Game]) -> None:
    state = icetable.load(design).random_game(np.random.default_rng(5))
    assert state.svg().startswith("<svg")
    assert f"Turns played: {state.view()['turn']}" in state.draw()


def test_sets_of_a_table_have_an_order() -> None:
    """So that a game goes the same way in every process."""
    state, taken = starts(Heap), []
    while not state.is_terminal:
        again = state.game.from_json(state.to_json()).apply("take")
        assert isinstance(again, TurnState)
        state = again
        taken.append(state.view()["own"]["last"])
        assert [effect.kind for effect in state.effects] == [min(taken)]
    assert taken == sorted(f"name{number}" for number in range(12))


def test_spending_returns_the_piece() -> None:
    game = starts(Beacons).game
    assert isinstance(game, PlainGame)
    table = game.first_table.copy()
    before = len(table.pad[1])
    piece = table.pad[1][-1]
    assert table.spend(piece, 1) == piece
    assert len(table.pad[1]) == before - 1


def test_divers_say_who_brings_up_what() -> None:
    """DI-3: the largest diver has all; two of one size have nothing."""
    state = starts(Divers)
    for act in ("choose:L@a1", "choose:S@a1"):
        state = state.apply(act)
    assert [str(effect) for effect in state.effects[2:5]] == ["lifts a1 blackS", "lifts a1 blackM", "treasure a1 0:+3"]
    for act in ("choose:M@b1", "choose:M@b1"):
        state = state.apply(act)
    assert {effect.kind for effect in state.effects} == {"reveals", "spends", "dives"}
    assert state.scores == (3, 0)


def test_canals() -> None:
    """CA-4 to CA-9 on a few moves."""
    state = starts(Canals)
    assert state.legal_actions() == ["a2-a3", "a2-a4", "b1-c2", "b1-d3", "b2-a3", "b2-c3", "c1-c2", "c1-c3", "d1-c2"]
    for act in ("b1-d3", "d5-d3", "a2-a4"):
        state = state.apply(act)
    assert state.scores == (0, 3)
    assert state.parent is not None
    assert [str(effect) for effect in state.parent.effects] == ["takes d3 0L", "moves d5 d3 1M", "scores 1:+3"]
    refused = state.fault("d3-d5")
    assert refused is not None
    assert (refused.code, refused.rule) == ("not-legal", "CA-3")
    with pytest.raises(BadNotation):
        state.fault("d3 \n d5")


def test_why_names_a_rule() -> None:
    state = starts(Cairns)
    refused = [state.fault(act) for act in ("b1-c1", "a1-c1", "x9")]
    assert [(one.rule, one.message[:24]) for one in refused if one] == [
        ("CN-2", "That cairn is not yours:"),
        ("CN-3", "That cairn moves exactly"),
        ("CN-3", "That is not a legal move"),
    ]


def test_chance_has_its_odds() -> None:
    state = starts(Beacons)
    assert state.to_act == {icetable.CHANCE}
    assert state.chance_outcomes() == [("die:large", 1 / 3), ("die:medium", 1 / 3), ("die:small", 1 / 3)]
    state = state.apply("die:medium")
    assert {act[0] for act in state.legal_actions()} == {"M"}


def test_dice_fall_by_their_odds() -> None:
    start = starts(Beacons)
    rng = np.random.default_rng(3)
    faces = [str(start.game.random_act(start, rng)) for _ in range(900)]
    assert all(240 < faces.count(f"die:{size}") < 360 for size in ("small", "medium", "large"))


def test_secret_choices_are_shown_to_nobody() -> None:
    start = starts(Duel)
    high, low = start.apply("choose:high"), start.apply("choose:low")
    for seat in (None, 0, 1):
        assert high.view(seat) == low.view(seat)
    assert high.view()["asked"] == [1]
    assert not start.game.shows_history(high)
    assert start.game.shown_act(high) == "chooses"
    both = high.apply("choose:low")
    assert start.game.shows_history(both)
    assert both.scores == (0, 1)
    assert [str(effect) for effect in both.effects][:2] == ["reveals 0:high", "reveals 1:low"]


def test_all_who_are_asked_may_choose_in_any_order() -> None:
    start = starts(Duel)
    assert start.to_act == {0, 1}
    first, last = start.apply("choose:high", seat=0), start.apply("choose:low", seat=1)
    assert first.to_act == {1}
    assert last.to_act == {0}
    assert last.legal_actions(0) == ["choose:high", "choose:low"]
    assert last.legal_actions(1) == []
    for seat in (1, None):
        fault = first.fault("choose:medium", seat)
        assert fault is not None
        assert fault.code == "not-legal"
    twice = last.fault("choose:high", seat=1)
    assert twice is not None
    assert twice.code == "not-your-turn"
    one, other = first.apply("choose:low", seat=1), last.apply("choose:high", seat=0)
    assert one == other
    assert one.effects == other.effects
    assert other.view() == one.view()
    again = start.game.replay(other.record())
    assert again == other
    assert [state.seat for state in again.history()] == [None, 1, 0]


def test_bots_choose_for_any_seat_that_is_asked() -> None:
    state = starts(Duel)
    for seat in (1, 0):
        assert bots.Bot(state.game, "beginner", 1).choose(state, seat) in state.legal_actions(seat)


def test_bots_do_not_know_secret_choices() -> None:
    """A bot searches choices that are drawn anew, and reveals nothing of those that were made."""
    high = starts(Duel).apply("choose:high")
    taken = {determinized(high, None, seed).apply("choose:high").scores for seed in range(20)}
    assert taken == {(1, 0), (0, 1)}


def test_the_last_one_wins_and_those_who_are_out_do_not_act() -> None:
    state = starts(Knockout).apply("out:1")
    assert state.to_act == {2}
    end = state.apply("out:0")
    assert (sorted(end.winners), end.view()["out"], end.ended_by) == ([2], [0, 1], "KN-1")


def test_alone() -> None:
    end = starts(Lonely).game.random_game(np.random.default_rng(0))
    assert end.scores[0] in (2, 3)
    assert end.ended_by == "LO-1"


def test_nobody_may_win() -> None:
    """Also one who plays alone can lose, so that bots have something to play for."""

    class Sparse(Lonely):
        """Lonely, won with three pyramids."""

        def winners(self, table):  # type: ignore[no-untyped-def]
            return [seat for seat in self.seats if table.score[seat] == 3]

    assert starts(Sparse).apply("a1").apply("b3").apply("c1").winners == {0}
    lost = starts(Sparse).apply("b2")
    assert lost.is_terminal
    assert lost.winners == frozenset()


def test_options() -> None:
    assert [option.name for option in info_of(Canals).options] == ["rows", "undo", "turn_limit"]
    assert len(starts(Canals, rows=8).view()["stacks"]) == 12
    for options in ({"rows": 7}, {"undo": 1}, {"turn_limit": -1}, {"columns": 4}, {"players": 3}):
        with pytest.raises(GameError):
            icetable.load(Canals, None, **options)


def test_a_rule_is_changed_by_a_subclass() -> None:
    class Shallow(Canals):
        """Canals, whose large pyramids go one step."""

        def reach(self, table, here, piece):  # type: ignore[no-untyped-def]
            steps = list(super().reach(table, here, piece))
            return [one for one in steps if piece.size != "L" or one in table.neighbours(here)]

    assert starts(Shallow).legal_actions() == [act for act in starts(Canals).legal_actions() if act != "b1-d3"]
    assert info_of(Shallow).name == "shallow"
    assert info_of(Canals).name == "canals"


def test_players_are_a_number_or_two() -> None:
    class Crowd(Lonely):
        """Too many numbers."""

        players = (2, 3, 4)  # type: ignore[assignment]

    with pytest.raises(GameError, match=r"Crowd: players is a number .* such as \(2, 4\), not \(2, 3, 4\)"):
        info_of(Crowd)


def test_faults_name_file_and_line(monkeypatch: pytest.MonkeyPatch) -> None:
    state = starts(Clumsy)
    with pytest.raises(DesignError, match=r"^play \(designs\.py:\d+\) has failed: there is no space 'c9'"):
        state.apply("a1-c9")
    with pytest.raises(DesignError, match=r"^why \(designs\.py:\d+\) has failed: AttributeError"):
        state.fault("b1")
    with pytest.raises(DesignError, match=r"^acts \(designs\.py:\d+\) has failed: there are more than 4096 legal acts"):
        icetable.load(Endless).start()
    monkeypatch.setattr(guard, "MAX_SECONDS", 0.3)
    with pytest.raises(DesignError, match=r"^play \(designs\.py:\d+\) takes longer than 0.3 s"):
        starts(Looping).apply("on")
    assert starts(Clumsy).legal_actions()  # other calls into the file go on


def test_a_search_lists_the_acts_of_a_position_only_where_it_needs_them() -> None:
    listed = []

    class Counted(First):
        def acts(self, table: Table) -> Iterator[str]:
            for act in super().acts(table):
                listed.append(act)
                yield act

    state = starts(Counted)
    position = state.array.copy()
    code = state.game.code("c3")
    assert code is not None
    listed.clear()
    state.game.rules.apply(position, code)
    assert len(listed) == 1
    assert len(codes_at(position)) == len(listed) == 24
    codes_at(position)
    assert len(listed) == 24


def test_spoiled_positions_are_refused() -> None:
    game = icetable.load(Cairns)
    saved = json.loads(game.start().to_json())
    changes: list[dict[str, object]] = [
        {"seat": 9},
        {"stacks": {"z9": [{"pyramid": ["S", 0, None]}]}},
        {"stacks": {"a1": [{"pyramid": ["X", 0, None]}]}},
        {"score": [1]},
        {"own": {"last": {"nothing": 1}}},
        {"own": {"copy": 1}},
        {"own": {"_odds": {}}},
        {"own": {"no name": 1}},
        {"stacks": {"a1": [{"pyramid": ["S", 7, None]}]}},
        {"stacks": {"a1": [{"pyramid": ["S", 0, "up"]}]}},
        {"stacks": {"a1": [5]}},
        {"more": 1},
    ]
    for change in changes:
        with pytest.raises(BadRecord):
            game.from_saved({**saved, "position": {**saved["position"], **change}})


def test_worth_is_exact_at_the_end() -> None:
    """Also outside a search, as the laboratory asks."""
    game = icetable.load(Rockfall)
    end = game.random_game(np.random.default_rng(1))
    assert isinstance(end, TurnState)
    values = np.empty(2)
    end.game.evaluation.evaluate(end.array, values)
    assert list(values) == [(seat in end.winners) / len(end.winners) for seat in (0, 1)]


def test_bots_and_the_laboratory_take_them() -> None:
    state = starts(First)
    assert bots.Bot(First, "casual", 1).choose(state, 0) in state.legal_actions()
    played = lab.run(lab.Plan(First, seats=["random"], blocks=4))
    assert played.measure("seat_share")["seat 1"].value + played.measure("seat_share")["seat 2"].value == pytest.approx(
        1
    )


def test_files_are_read_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REGISTERED", {})
    file = tmp_path / "mine.py"
    source = Path(info_of(First).file).read_text(encoding="utf-8").replace("First", "Mine")
    file.write_text(source, encoding="utf-8")
    info = games.register(file)
    assert info in games.list_games()
    assert icetable.load("mine") == icetable.load(str(file))
    record = icetable.load("mine").start().apply("a1").record()
    assert f"\nsource {info.source}\n" in record
    file.write_text(source.replace("any(beside in own", "all(beside not in own"), encoding="utf-8")
    changed = games.register(file)
    assert changed.source != info.source
    with pytest.raises(BadRecord, match="by another version of mine"):
        icetable.replay(f"{record}1 b1\n0 a2\n")


def test_a_file_is_read_as_it_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it was saved twice in a moment, and is as long as before."""
    monkeypatch.setattr(files, "REGISTERED", {})
    file = tmp_path / "quick.py"
    for side in (5, 6, 4, 5):
        text = inspect.getsource(inspect.getmodule(First)).replace("option(5, 4, 6", f"option({side}, 7, 8")  # type: ignore[arg-type]
        file.write_text(text, encoding="utf-8")
        assert icetable.load(file).options["side"] == side


class Gentle(Squad):
    """Who's On The Squad?, where a sophomore needs one friend or two."""

    def needs(self, friend: Pyramid) -> range:
        return range(1, 3) if friend.size == "M" else super().needs(friend)


def test_a_rule_of_a_built_in_game_is_changed_in_three_lines() -> None:
    """The changed class plays without the kernel."""
    gentle, usual = icetable.load(Gentle).start(), icetable.load("squad").start()
    assert isinstance(gentle.game, PlainGame)
    for act in ("C@a1", "C@d4"):
        gentle, usual = gentle.apply(act), usual.apply(act)
    assert {*gentle.legal_actions()} - {*usual.legal_actions()} == {"S@a2", "S@b1", "S@c4", "S@d3"}
    assert gentle.game.info.name == "gentle"
    assert gentle.game.info.title == "Gentle"
    assert [option.name for option in gentle.game.info.options] == [
        option.name for option in games.info("squad").options
    ]
