"""The commands `icetable analyse` and `icetable review`, in the process of the tests."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import icetable
from icetable.analysis import analyse, positions, review, reviews
from icetable.cli import parser
from icetable.core.realtime import RealTimeGame
from tests.analysis.material import end_of_a_game, toy
from tests.cli.test_commands import assert_refused, output_here, run_here
from tests.lab.conftest import toys  # noqa: F401 (a fixture)

FEW = "--simulations=3"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a game with dice."""
    path = tmp_path / "game.txt"
    path.write_text(end_of_a_game("wrecktangle", 2, 5).record(), encoding="utf-8")
    return path


def test_analyse_tells_the_last_position_that_is_not_over(record: Path) -> None:
    text = output_here("analyse", str(record), FEW)
    assert text.startswith(output_here("replay", str(record), "--at", "8"))
    assert "\nValue to each seat" in text
    told = json.loads(output_here("analyse", str(record), FEW, "--json"))
    state = list(icetable.replay(record.read_text(encoding="utf-8")).history())[8]
    assert told == {"at": 8, **json.loads(msgspec.json.encode(analyse(state, 3)))}


def test_analyse_at(record: Path) -> None:
    for at, state in enumerate(icetable.replay(record.read_text(encoding="utf-8")).history()):
        found = analyse(state, 3)
        text = output_here("analyse", str(record), FEW, f"--at={at}")
        assert ("Chance is to act:" in text) == bool(found.outcomes)
        assert (f"Seat {found.seat} is to act." in text) == bool(found.candidates)
        assert (f"and {len(found.candidates) - 12} more" in text) == (len(found.candidates) > 12)


@pytest.mark.usefixtures("toys")
def test_analyse_prints(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(toy("fate", heap=30).record(), encoding="utf-8")
    text = output_here("analyse", str(path), "--simulations=20")
    assert "\nValue to each seat: 1.000 0.000\nSeat 0 is to act. The best acts, by " in text
    assert "\n  1.000 0.000  do:2 " in text
    path.write_text(toy("fate", heap=3).record(), encoding="utf-8")
    text = output_here("analyse", str(path))
    assert "\nValue to each seat, solved: 1.000 0.000\n" in text
    assert "\n  1.000 0.000  do:3  (" in text
    assert " visits, solved)\n" in text


@pytest.mark.usefixtures("toys")
def test_review_prints(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(toy("fate", "lot:15", "do:2", "do:1", "do:2", heap=5, lots=4, first=1).record(), encoding="utf-8")
    assert output_here("review", str(path), "--simulations=1") == (
        "Fate: 4 acts, 1 simulations per search.\n"
        "Share = start + luck + gifts - regret + drift + end; all but the last three in shares of the game.\n"
        "\n"
        "seat   share   start    luck   gifts  regret   drift     end  without luck  error rate  unforced  accuracy\n"
        "   0   1.000   0.700   0.300   1.000   1.000   0.000   0.000         0.700       500.0         2         -\n"
        "   1   0.000   0.300  -0.300   1.000   1.000   0.000   0.000         0.300      1000.0         1         -\n"
        "\n"
        "The costliest acts of seat 0:\n"
        "  act 2: do:2 costs 1.000, blunder; better do:1\n"
        "\n"
        "The costliest acts of seat 1:\n"
        "  act 3: do:1 costs 1.000, blunder; better do:3\n"
    )
    path.write_text(toy("march", *["do:1"] * 4, width=1).record(), encoding="utf-8")
    assert "\nSeat 0 made no costly act.\n" in output_here("review", str(path))


def test_review_as_json(record: Path) -> None:
    for words in (["--jobs=2"], []):
        told = json.loads(output_here("review", str(record), FEW, "--seed=4", "--json", *words))
        found = json.loads(msgspec.json.encode(review(record.read_text(encoding="utf-8"), 3, 4)))
        assert told == {"game": "wrecktangle", "options": told["options"], **found}
    assert output_here("review", str(record), FEW).startswith("WreckTangle: 9 acts, 3 simulations per search.\n")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["analyse", FEW, "--at=10"], ["--at", "0 to 9", "10"]),
        (["analyse", FEW, "--at=-1"], ["--at", "0 to 9", "-1"]),
        (["analyse", "--simulations=0"], ["simulations", "from 1 up"]),
        (["review", "--simulations=0"], ["simulations", "from 1 up"]),
        (["review", "--seed=-1"], ["seed", "from 0 up"]),
        (["review", "--jobs=0"], ["jobs", "from 1 up"]),
        (["review", "--cluster=nowhere"], ["no Dask scheduler", "nowhere"]),
    ],
    ids=lambda value: None,
)
def test_bad_numbers(words: list[str], parts: list[str], record: Path) -> None:
    assert_refused(run_here(*words, str(record)), *parts)


@pytest.mark.parametrize("command", ["analyse", "review"])
def test_bad_records_are_refused(command: str, tmp_path: Path) -> None:
    assert_refused(run_here(command, "-", say="rubbish\n"), "icetable record 1")
    assert_refused(run_here(command, str(tmp_path / "nothing")), "can't be read")
    refusal = {"analyse": "games of turns", "review": "when it is over"}[command]
    assert_refused(run_here(command, "-", say=icetable.load("icehouse").start().record()), refusal)
    assert_refused(run_here(command, "-", say=icetable.load("squad", players=1).start().record()), "two players")


def test_review_of_a_game_that_is_not_over() -> None:
    assert_refused(run_here("review", "-", say=icetable.load("squad").start().record()), "not over")


def test_the_parser_knows_the_usual_numbers_of_simulations() -> None:
    for command, usual in (("analyse", positions.DEFAULT_SIMULATIONS), ("review", reviews.DEFAULT_SIMULATIONS)):
        assert parser.build().parse_args([command, "-"]).simulations == usual


def test_a_game_without_turns_is_reviewed_by_its_rules() -> None:
    """No search is asked, so nothing is told of worth: the game says what its record shows."""
    path = Path(__file__).parents[1] / "games" / "icehouse" / "bots.record"
    state = icetable.replay(path.read_text(encoding="utf-8"))
    assert isinstance(state.game, RealTimeGame)
    told = state.game.review(state)
    assert output_here("review", str(path)) == "\n".join(state.game.review_lines(told)) + "\n"
    assert json.loads(output_here("review", str(path), "--json")) == json.loads(json.dumps(told))
