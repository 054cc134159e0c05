"""Players of one's own in files, and ratings of several players."""

from __future__ import annotations

import math
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import icetable
from icetable import GameError, State
from icetable.cli import main
from icetable.kernels import jit
from icetable.lab import Plan, agent_of, elo, match, run
from icetable.lab.matches import ELO_PER_LOG_ODDS, Matches, elos_of, strengths_of
from icetable.lab.players import FileAgent
from icetable.workers import processes

pytestmark = pytest.mark.usefixtures("few_resamples")
FILE = """
import beside

def agent(state, seat):
    return state.legal_actions(seat)[beside.FIRST]

class Last:
    def __call__(self, state, seat):
        return state.legal_actions(seat)[-1]

class Broken:
    def __init__(self):
        raise ValueError("no weights")

number = 3
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with players, and a module beside it."""
    (tmp_path / "beside.py").write_text("FIRST = 0\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    return tmp_path / "mine.py"


def first(state: State, seat: int) -> str:
    return state.legal_actions(seat)[0]


def test_a_player_in_a_file_plays_as_the_function_does(mine: Path) -> None:
    before = list(sys.path)
    of_file = run(Plan("squad", seats=[agent_of(f"{mine}:agent"), "greedy"], blocks=4)).rows
    assert of_file == run(Plan("squad", seats=[first, "greedy"], blocks=4)).rows
    assert sys.path == before


def test_it_can_be_sent_to_workers_and_a_class_is_made_once(mine: Path) -> None:
    agent = agent_of(f"{mine}:Last")
    assert isinstance(agent, FileAgent)
    assert agent.choose is agent.choose
    sent = pickle.loads(pickle.dumps(agent))
    assert (sent, hash(sent), sent.__name__) == (agent, hash(agent), "mine.py:Last")
    plan = Plan("squad", seats=[agent, "random"], blocks=1)
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_agents_of_one_name_import_their_own_neighbours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At once, later and in workers; results tell them apart by their paths."""
    text = """
from helper import pick

def agent(state, seat):
    from late import PLACE
    return pick(state, PLACE)
"""
    for folder, place in (("v1", 0), ("v2", -1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(text, encoding="utf-8")
        (tmp_path / folder / "late.py").write_text(f"PLACE = {place}\n", encoding="utf-8")
        (tmp_path / folder / "helper.py").write_text(
            "import late\n\ndef pick(state, place):\n    assert place == late.PLACE\n"
            "    return state.legal_actions()[place]\n",
            encoding="utf-8",
        )
    one, other = (agent_of(f"{tmp_path}/{folder}/mine.py:agent") for folder in ("v1", "v2"))
    state = icetable.load("squad").start()
    assert [agent(state, 0) for agent in (one, other)] == [state.legal_actions()[place] for place in (0, -1)]  # type: ignore[operator]
    with processes(1) as pool:
        assert list(pool.map(FileAgent.__call__, (one, other), (state, state), (0, 0))) == [
            state.legal_actions()[place] for place in (0, -1)
        ]
    assert one != other
    plan = Plan("squad", seats=[one, other], blocks=3)
    assert plan.seats == ("v1/mine.py:agent", "v2/mine.py:agent")
    assert pickle.loads(pickle.dumps(plan)) == plan
    rated = elo("squad", [one, other, "random"], blocks=50).rated
    assert {row.player for row in rated} == {*plan.seats, "random"}
    paths = [f"{tmp_path}/{folder}/mine.py:agent" for folder in ("v1", "v2")]
    assert main(["lab", "match", "squad", *paths, "--blocks", "3"]) == 0
    assert "v1/mine.py:agent against v2/mine.py:agent" in capsys.readouterr().out
    with pytest.raises(GameError, match="named twice"):
        elo("squad", [one, one])


def test_other_texts_are_names(mine: Path) -> None:
    assert agent_of("casual@1") == "casual@1"
    assert agent_of("sims:10") == "sims:10"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "mine.py has no callable nobody; it has agent, Last, Broken"),
        ("number", "mine.py has no callable number"),
        ("Broken", "mine.py:Broken failed: ValueError: no weights"),
    ],
)
def test_a_name_that_is_no_player_is_refused(mine: Path, name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        agent_of(f"{mine}:{name}")


def test_a_file_that_is_not_there_or_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"there is no file 'none\.py' in "):
        agent_of(f"{tmp_path}/none.py:agent")
    (tmp_path / "wrong.py").write_text("import nothing_like_that\n", encoding="utf-8")
    with pytest.raises(GameError, match=r"wrong\.py failed: ModuleNotFoundError"):
        agent_of(f"{tmp_path}/wrong.py:agent")


def test_a_match_by_one_command(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "match", "squad", f"{mine}:agent", "casual@1", "--blocks", "3"]) == 0
    assert "mine.py:agent against casual@1" in capsys.readouterr().out


def test_a_table_of_ratings_by_one_command(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "elo", "squad", "random", "greedy", f"{mine}:Last", "--blocks", "50"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert len(table) == 3
    assert table[0].startswith("greedy")
    assert table[2].split()[:3] == ["random", "0", "Elo"]


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="a second is too little for searches that are not compiled")
def test_master_plays_too() -> None:
    played = run(Plan("squad", seats=["master", "random"], blocks=1, players=2, opening=12)).rows
    assert len(played) == 2
    with pytest.raises(GameError, match="solver, master; NAME/without"):
        Plan("squad", seats=["nobody"])


# Ratings


def shares_of(strengths: list[float], pairs: list[tuple[int, int]], blocks: int, seats: int) -> Matches:
    """Results that are just what strengths say."""
    powers = np.exp(strengths)
    expected = [powers[one] / (powers[one] + (seats - 1) * powers[other]) for one, other in pairs]
    return Matches(np.tile(expected, (blocks, 1)), pairs, len(strengths), seats)


@pytest.mark.parametrize("seats", [2, 4])
def test_ratings_are_the_strengths_that_results_come_from(seats: int) -> None:
    strengths = [0.0, 0.7, -1.1, 2.0]
    pairs = [(one, other) for one in range(4) for other in range(4) if one != other]
    told = elos_of(shares_of(strengths, pairs, 200, seats))
    assert [one.value for one in told] == pytest.approx([ELO_PER_LOG_ODDS * one for one in strengths], abs=3)
    assert told[1].low == pytest.approx(told[1].high)


def test_they_make_the_results_most_likely() -> None:
    """No other strengths nearby do better, where three players beat each other in a ring."""
    matches = Matches(np.array([[0.9, 0.2, 0.4]]), [(0, 1), (1, 2), (2, 0)], 3, 2)

    def likelihood(strengths: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
        total = 0.0
        for share, (one, other) in zip(matches.shares[0], matches.pairs, strict=True):
            expected = 1 / (1 + math.exp(strengths[other] - strengths[one]))
            total += 100 * (share * math.log(expected) + (1 - share) * math.log(1 - expected))
        return total

    found = strengths_of(matches.shares[0], 100, matches)
    rng = np.random.default_rng(1)
    assert all(likelihood(found) > likelihood(found + rng.normal(0, 0.1, 3)) for _ in range(50))


def test_intervals_cover_what_is_true() -> None:
    """Of 100 tables of three players about 95 intervals of a distance hold the true one, so of 10 at least 8."""
    rng, covered = np.random.default_rng(3), 0
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = shares_of([0.0, 0.5, 1.0], pairs, 1, 2).shares[0]
    for _ in range(10):
        told = elos_of(Matches((rng.random((100, 3)) < expected).astype(float), pairs, 3, 2))[2]
        covered += told.low <= ELO_PER_LOG_ODDS <= told.high
    assert covered >= 8


def test_the_winner_of_all_has_no_bound_and_too_few_blocks_tell_none() -> None:
    pairs = [(0, 1), (0, 2), (1, 2)]
    rng = np.random.default_rng(1)
    some = np.column_stack([np.zeros(60), rng.integers(2, size=60), np.ones(60)]).astype(float)
    told = elos_of(Matches(some, pairs, 3, 2))
    assert told[1].high == math.inf
    assert 0 < told[1].low < told[1].value
    assert told[2].low < 0 < told[2].high < math.inf
    assert elos_of(Matches(some[:10], pairs, 3, 2))[2].low == -math.inf


def test_a_table_of_two_is_a_match() -> None:
    found = elo("squad", ["random", "greedy"], blocks=60, seed=2)
    alone = match(Plan("squad", seats=["random", "greedy"], blocks=60, seed=2))
    assert [one.player for one in found.rated] == ["greedy", "random"]
    assert found.rated[0].elo.value == pytest.approx(-alone.step.elo.value, rel=0.02)
    assert found.rated[0].share.value == pytest.approx(1 - alone.step.share.value)
    assert found.rated[0].games == 120
    assert found.described()["ratings"][1]["elo"]["value"] == 0


def test_among_three_each_meets_two_of_each_other(tmp_path: Path) -> None:
    found = elo("squad", ["random", "greedy"], players=3, blocks=50, out=tmp_path)
    assert [(one.player, one.against) for one in found.meetings] == [("random", "greedy"), ("greedy", "random")]
    assert found.rated[0].player == "greedy"
    assert found.rated[0].games == 150
    assert {one.name for one in tmp_path.iterdir()} == {"0", "1"}


@pytest.mark.parametrize(
    ("agents", "options", "message"),
    [
        (["random"], {}, "at least two players"),
        (["random", "random"], {}, "random is named twice"),
        (["random", "nobody"], {}, "there is no player 'nobody'"),
        (["random", "greedy"], {"players": 1}, "a game for one player has no matches"),
    ],
)
def test_impossible_ratings_are_refused(agents: list[str], options: dict[str, int], message: str) -> None:
    with pytest.raises(GameError, match=message):
        elo("squad", agents, options=options)
