"""The levels of bots, and their versions: a level that plays otherwise is a new version."""

from __future__ import annotations

import dataclasses
import itertools
import math
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from levels import PAGE, merge, page, rows, stored

import icetable
from icetable import GameError, UnknownGame, analysis, bots, games, lab
from icetable.bots.bot import MAX_POSITIONS
from icetable.bots.levels import SearchLevel, for_each_number, in_words, timeless_levels
from icetable.core.game import CHANCE, State
from icetable.extras.strength import BEST, PERFECT, best_acts, can_solve
from icetable.kernels import jit
from icetable.lab.players import player
from tests.arena import arena
from tests.conformance.material import material

TURN_GAMES = [info for info in icetable.list_games() if info.turns]
GAMES, BEHIND, AHEAD = 28, -3, 4
"""A level is better once it is so many wins ahead of the one below, within so many games and never so far behind."""
UNBOUNDED = 1000
"""A search of more simulations needs a limit in seconds, for slow machines."""


def with_effort(level: SearchLevel, **changes: Any) -> SearchLevel:
    return dataclasses.replace(level, effort=dataclasses.replace(level.effort, **changes))


def test_levels_have_names_of_their_own_and_say_what_they_are() -> None:
    for info in icetable.list_games():
        levels = bots.levels(info.name)
        assert len({level.name for level in levels}) == len(levels) >= 3
        assert all(level.title and level.about.endswith(".") for level in levels)


def test_a_level_is_told_by_what_it_does() -> None:
    tries = "ries out {} lines of play before each move"
    for game, level, told in (
        (
            "highrise",
            "skilled",
            f"T{tries.format(3)}, misses a few of its chances and remembers only the last 48 moves.",
        ),
        ("highrise", "expert", f"T{tries.format(40)} and forgets nothing."),
        (
            "icefrogs",
            "beginner",
            "Looks one move ahead and misses more than half of its chances. Good for a first game.",
        ),
        ("icefrogs", "casual", "Looks one move ahead and misses some of its chances."),
        ("icefrogs", "strong", f"T{tries.format(430)}, for a second at most."),
        ("icefrogs", "expert", f"T{tries.format('3,600')}, for a second at most."),
        ("icefrogs", "master", "Thinks for a second."),
        (
            "wrecktangle",
            "able",
            (
                f"With 2 players: t{tries.format(8)}. "
                "With 3 or 4 players: looks one move ahead and misses some of its chances."
            ),
        ),
    ):
        abouts = {one.name: abouts for one, abouts in for_each_number(icetable.games.info(game))}
        assert in_words(abouts[level]) == told
    (master,) = (abouts for one, abouts in for_each_number(icetable.games.info("squad")) if one.name == "master")
    assert in_words(master).startswith("With 1 or 2 players: thinks for a second and plays perfectly where it can ")


def test_games_without_turns_have_other_bots() -> None:
    with pytest.raises(icetable.GameError, match="Icehouse has no turns, and is played by a RealTimeBot"):
        bots.Bot(icetable.load("icehouse"), "beginner")
    with pytest.raises(icetable.UnknownGame, match="'nope'"):
        bots.levels("nope")


@pytest.fixture
def _time_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches end by the number of their simulations: how fast this machine is, and compiles, does not count."""
    monkeypatch.setattr("icetable.bots.search.time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.mark.usefixtures("_time_to_think")
@pytest.mark.parametrize("level", ["beginner", "casual", "skilled"])
def test_a_seeded_bot_plays_the_same_game_again(level: str) -> None:
    game = icetable.load("icefrogs", players=3, turn_limit=30)

    def play() -> str:
        players = [bots.Bot(game, level, seed) for seed in range(3)]
        state = game.start()
        while not state.is_terminal:
            (seat,) = state.to_act
            state = state.apply(players[seat].choose(state, seat), seat)
        return state.record()

    assert play() == play()


def test_a_bot_varies_its_games() -> None:
    game = icetable.load("icefrogs")
    openings = {bots.Bot(game, "beginner", seed).choose(game.start(), 0) for seed in range(30)}
    assert len(openings) > 1


def test_a_level_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(icetable.BadOption, match="'godlike'; allowed: beginner, casual, skilled, expert, master"):
        bots.Bot(icetable.load("squad"), "godlike")


def test_a_bot_moves_only_when_its_seat_is_to_act() -> None:
    game = icetable.load("icefrogs")
    bot = bots.Bot(game, "beginner", 1)
    with pytest.raises(icetable.GameError, match="seat 1 is not to act"):
        bot.choose(game.start(), 1)
    with pytest.raises(icetable.GameError, match="seat 0 is not to act"):
        bot.choose(icetable.load("icefrogs", players=3).start(), 0)


@pytest.mark.parametrize("info", TURN_GAMES, ids=lambda info: info.name)
def test_nothing_escapes_a_level_that_a_weaker_one_finds(info: icetable.GameInfo) -> None:
    """For each number of players the levels have the same names, and each tries, notices and remembers more."""
    usual = [level.name for level in bots.levels(info.name)]
    named = ("beginner", "casual", "regular", "able", "skilled", "strong", "seasoned", "expert", "master")
    assert usual == [name for name in named if name in usual]
    least, most = info.players
    for players in range(least, most + 1):
        levels = [level for level in bots.levels(info.name, players) if isinstance(level, SearchLevel)]
        assert [level.name for level in levels] == usual
        efforts = [level.effort for level in levels]
        assert efforts[-1] == (PERFECT if can_solve(info.load(players=players)) else BEST)
        for weaker, stronger in itertools.pairwise(efforts):
            assert weaker.simulations is not None
            assert weaker.simulations <= (stronger.simulations or math.inf)
            assert weaker.attention <= stronger.attention
            assert (weaker.memory or math.inf) <= (stronger.memory or math.inf)
            assert weaker != stronger
        assert all(effort.seconds is not None for effort in efforts if (effort.simulations or math.inf) > UNBOUNDED)


def test_a_game_that_sets_no_levels_has_usual_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icetable.GameInfo, "part", lambda _info, _name: None)
    levels = bots.levels("squad", 1)
    assert [level.name for level in levels] == ["beginner", "casual", "skilled", "expert", "master"]
    assert levels == bots.levels("squad", 4)


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels search too slowly")
@pytest.mark.parametrize("info", TURN_GAMES, ids=lambda info: info.name)
def test_a_higher_level_beats_a_lower_one(info: icetable.GameInfo) -> None:
    game = info.load()
    quick = [level.name for level in bots.levels(info.name) if level.is_quick]
    for weaker, stronger in itertools.pairwise(quick):
        players = [
            lambda state, seat, seed, level=level: bots.Bot(game, level, seed).choose(state, seat)
            for level in (stronger, weaker)
        ]
        lead, played = 0.0, 0
        while BEHIND < lead < AHEAD and played < GAMES:
            lead += 8 * arena(game, players, 4, seed=7, first=played).share[0] - 4
            played += 4
        assert lead >= AHEAD, (stronger, weaker)


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels are too slow to solve a game")
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 1}, {"players": 2, "captain_start": 1}], ids=str)
def test_the_strongest_level_is_perfect_where_a_game_can_be_solved(options: dict[str, Any]) -> None:
    """At random positions it never gives away what perfect play would keep."""
    game, rng = icetable.load("squad", **options), np.random.default_rng(5)
    bots.load(game)
    bot = bots.Bot(game, "master", 1)
    bot.level = with_effort(bot.level, simulations=5, seconds=None)
    for _ in range(30):
        for state in game.random_game(rng).history():
            if not state.is_terminal:
                (seat,) = state.to_act
                assert bot.choose(state, seat) in best_acts(state)


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels are too slow to solve a game")
def test_a_bot_that_may_not_solve_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that takes too long to solve is searched, and a level that is not exact never asks."""
    game, asked = icetable.load("squad"), []

    def refuse(state: State, positions: int) -> None:
        asked.append(positions)
        raise icetable.GameError("more positions have to be searched")

    monkeypatch.setattr("icetable.extras.strength.best_acts", refuse)
    bots.load(game)
    for level in ("master", "skilled"):
        bot = bots.Bot(game, level, 1)
        bot.level = with_effort(bot.level, simulations=5)
        assert bot.choose(game.start(), 0) in game.start().legal_actions()
    assert asked == [MAX_POSITIONS]


def test_weaker_levels_forget_what_towers_hide() -> None:
    """Worlds that look alike are alike to a bot that remembers nothing; the stronger a level, the more it remembers."""
    game = icetable.load("highrise")
    memories = [level.effort.memory for level in bots.levels("highrise") if isinstance(level, SearchLevel)]
    finite = [memory for memory in memories if memory is not None]
    assert finite == sorted(set(finite))
    assert memories == [*finite, *[None] * (len(memories) - len(finite))]
    make = material("highrise").worlds
    worlds = make(game, np.random.default_rng(1)) if make else None
    assert worlds is not None
    compared = 0
    for pair in list(worlds)[:30]:
        if pair.one.to_act <= {CHANCE}:
            continue
        acts = set()
        for state in (pair.one, pair.other):
            bot = bots.Bot(game, "casual", 3)
            bot.level = with_effort(bot.level, memory=0, attention=1.0)
            acts.add(bot.choose(state, min(state.to_act)))
        assert len(acts) == 1
        compared += 1
    assert compared


def test_the_table_and_its_page_tell_what_levels_are() -> None:
    table = stored()
    assert merge(table, rows()) == table
    assert PAGE.read_text(encoding="utf-8") == page(table)


def test_a_level_that_plays_otherwise_is_a_new_version() -> None:
    (row, *_), table = rows(), stored()
    with pytest.raises(ValueError, match=f"{row['level']} of {row['game']} .* make it a new version"):
        merge(table, [row | {"attention": 0.123}])
    new = row | {"attention": 0.123, "level": f"{row['level']}9"}
    assert merge(table, [new]) == [*table, new]


def test_a_level_goes_by_its_version_too_and_by_no_other() -> None:
    game = icetable.load("icefrogs")
    for level in timeless_levels(game):
        assert level.fixed_name == f"{level.name}@{level.effort.version}"
        assert vars(player(game, level.fixed_name)) == vars(player(game, level.name))
        newer = dataclasses.replace(level, effort=dataclasses.replace(level.effort, version=7))
        with pytest.raises(GameError, match="no longer of version V"):
            player(game, newer.fixed_name)
    with pytest.raises(GameError, match="there is no player 'greedy@1'"):
        player(game, "greedy@1")


SQUAD = icetable.load("squad")


def test_levels() -> None:
    for info in icetable.list_games():
        for players in range(info.players[0], info.players[1] + 1):
            assert bots.levels(info.load(players=players)) == bots.levels(info.name, players)
        assert bots.levels(info.name) == bots.levels(info.load())
    assert bots.levels(SQUAD, 3) == bots.levels("squad", 3)


def test_bots() -> None:
    assert bots.Bot("squad", "casual").game == SQUAD
    start = SQUAD.start()
    assert bots.Bot("squad", "casual", 1).choose(start, 0) == bots.Bot(SQUAD, "casual", 1).choose(start, 0)


def test_bots_without_turns() -> None:
    assert bots.RealTimeBot("icehouse", "casual", 1).game == icetable.load("icehouse")


def test_plans() -> None:
    assert lab.Plan(SQUAD) == lab.Plan("squad")
    small = icetable.load("icefrogs", board="hexagon", players=3)
    assert lab.Plan(small) == lab.Plan("icefrogs", 3, {"board": "hexagon"})
    assert lab.Plan(small, 2, {"turn_limit": 40}).game == icetable.load("icefrogs", board="hexagon", turn_limit=40)


def test_puzzles() -> None:
    assert list(islice(analysis.puzzles("squad", 1), 1)) == list(islice(analysis.puzzles(SQUAD, 1), 1))


@pytest.mark.parametrize("ask", [bots.levels, lab.Plan, lambda name: bots.Bot(name, "casual"), games.info_of])
def test_no_game(ask: object) -> None:
    assert callable(ask)
    for name in ("go", None, 5):
        with pytest.raises(UnknownGame):
            ask(name)
