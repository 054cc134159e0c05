"""Studies, their sentences, and the box that they fill."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from icetable import GameError
from icetable.lab import plan as plans
from icetable.lab import studies
from icetable.lab.intervals import MIN_BLOCKS, Estimate, interval, percent
from icetable.lab.luck import Luck
from icetable.lab.matches import Ladder, Rung
from icetable.lab.plan import Plan
from icetable.lab.runs import Progress
from icetable.lab.studies import (
    BUDGETS_IN_PYTHON,
    CHANCE_WORDS,
    DATA_END,
    DATA_START,
    DEPTH_WORDS,
    Budget,
    Study,
    answers,
    depth,
    described,
    infobox,
    keep,
    on_luck,
    scale,
    study,
    summary,
    word_for,
)
from tests.lab.here import Here

TINY = Budget({"random": 4, "greedy": 3}, {"beginner": 2}, (3, 1), (0, 2))
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "two": ("march", {"players": 2}),
    "three": ("march", {"players": 3}),
    "alone": ("march", {"players": 1}),
    "chance": ("fate", {"options": {"heap": 5, "lots": 4, "first": 2}}),
    "in real time": ("icehouse", {"players": 2, "options": {"timer": 20.0}}),
}
each_game = pytest.mark.parametrize("name", GAMES)

BUDGETS = dict(studies.BUDGETS)
"""As they are before tests make them tiny."""


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch, few_resamples: None, page: None) -> None:
    monkeypatch.setitem(studies.BUDGETS, "quick", TINY)


@pytest.fixture
def found(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Study:
    """The study of a game: the kernels of those that are no toys are compiled."""
    game, asked = GAMES[name]
    if game != "icehouse":
        request.getfixturevalue("toys")
    return study(game, out=tmp_path, executor=Here(), **asked)


def test_studies_are_of_enough_blocks() -> None:
    """Intervals are told of what a study plays, but of how levels differ in a quick one."""
    for effort, budget in (*BUDGETS.items(), *BUDGETS_IN_PYTHON.items()):
        played = [*budget.in_turns.values(), *budget.in_real_time.values(), budget.luck[0], budget.ladder[1]]
        assert min(played if effort == "quick" else [*played, budget.levels]) >= MIN_BLOCKS


@each_game
def test_a_study(name: str, found: Study, tmp_path: Path) -> None:
    """Its results are in `estimates.json`, and the same in the page; the games are beside it."""
    keep(found, tmp_path)
    told = json.loads((tmp_path / "estimates.json").read_text(encoding="utf-8"))
    assert told == json.loads(json.dumps(described(found), allow_nan=False))
    written = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert json.loads(written.partition(DATA_START)[2].partition(DATA_END)[0]) == told
    assert told["answers"] == answers(found)
    for sample in found.records:
        assert (tmp_path / f"{sample.name.replace(' ', '-')}.record").read_text(encoding="utf-8") == sample.record
    in_turns, several = name != "in real time", name != "alone"
    assert list(found.strengths) == (["random", "greedy"] if in_turns else ["beginner"])
    assert (found.luck is not None) == (in_turns and several)
    assert (found.ladder is not None) == several
    folders = {path.name for path in tmp_path.iterdir() if path.is_dir()}
    assert folders == {*found.strengths, *(["ladder"] if found.ladder else [])}
    assert told["definitions"].keys() == found.best.keys()
    efforts = TINY.in_turns if in_turns else TINY.in_real_time
    assert {strength: sum(counts.values()) for strength, counts in found.lengths.items()} == efforts
    assert found.best is found.strengths[list(found.strengths)[-1]]
    assert all(0 <= p <= 1 for p in found.p_values.values())
    _check_sentences(name, found)
    _check_box(name, infobox(found), found)
    if name == "two":
        _check_going_on(found, tmp_path)


def _check_sentences(name: str, found: Study) -> None:
    said = answers(found)
    text = " ".join(said)
    assert all(re.fullmatch(r"[A-Z].*\.", sentence) for sentence in said)
    assert "nan" not in text
    assert "inf" not in text
    assert ("seat" in text) == (name != "alone")
    assert ("rungs of skill" in text) == (name != "alone" and found.is_believed)
    assert ("can't be believed" in text) == (not found.is_believed)
    assert ("Nothing is left to chance" in text) == (name in ("two", "three"))
    assert ("These games are too few to say how much of the result is luck" in text) == (name == "chance")
    assert ("The median score is 0" in text or "score is 1" in text) == (name == "alone")
    if name == "two":
        assert "A game takes 4 turns; nine of ten take 4 to 4." in said
        assert "A player chooses from 2 acts on average." in said


def _check_box(name: str, cells: list[Any], found: Study) -> None:
    named = {cell.name: cell for cell in cells}
    in_turns, several = name != "in real time", name != "alone"
    assert "Playing time" in named
    assert ("Length" in named) == ("legal acts on average" in named["Complexity"].text) == in_turns
    assert ("Seats" in named) == several
    assert named["Setup time"].text == ("0.8 minutes for 30 pyramids" if name == "in real time" else "none")
    assert named["Complexity"].text.startswith("high, 36 rules" if name == "in real time" else "low, 6 rules, ")
    assert ("Mechanics" in named) == (name == "in real time")
    said = summary(found)
    assert re.fullmatch(r"[A-Z].*\.", said)
    assert ("luck" in said.lower()) == ("Random chance" in named)
    assert ("No luck." in said) == (name in ("two", "three"))
    assert ("A bot alone takes about 4 turns. It gets " in said) == (name == "alone")
    assert ("Random chance" in named) == (name in ("two", "three"))  # of so few games more can't be told
    assert ("Strategy depth" in named) == several
    assert all(cell.text and "nan" not in cell.text for cell in cells)
    if name in ("two", "three"):
        assert named["Random chance"].text == "none"
        assert named["Players"].text == "1 to 4"
    if found.ladder is not None:
        assert named["Strategy depth"].text.endswith(
            "play to a search of 1 simulations" if in_turns else "rungs from beginner play to merciless play"
        )


def _check_going_on(found: Study, folder: Path) -> None:
    """The same study in the same folder plays nothing and finds the same."""
    written = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    again = study("march", 2, out=folder, executor=Here())
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")} == written
    assert described(again) == described(found)


@pytest.mark.usefixtures("toys")
def test_jobs_do_not_matter() -> None:
    """With processes to spare luck is split by threads."""
    one, other = (study("fate", options={"lots": 4, "heap": 3}, executor=Here(), jobs=jobs) for jobs in (1, 3))
    assert json.dumps(described(one)) == json.dumps(described(other))


@pytest.mark.usefixtures("toys")
def test_until_the_shares_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are played until they are enough, in a folder or none, at once or going on, and the command says so."""
    monkeypatch.setattr(plans, "MAX_BLOCKS_PER_BATCH", 50)  # it looks sooner
    monkeypatch.setitem(studies.BUDGETS, "quick", Budget({"random": 400}, {}, (2, 1), (0, 2)))
    found = study("fate", options={"lots": 5}, until=0.12, executor=Here())
    assert found.is_enough
    assert found.plan.blocks == 200
    shares = found.strengths["random"]["seat_share"]
    assert all(share.blocks == found.plan.blocks for share in shares.values())
    assert "Games were played until the share of every seat was known to plus or minus 12 points." in answers(found)
    assert "--effort quick --until 0.12 --seed" in described(found)["command"]
    kept = [study("fate", options={"lots": 5}, until=0.12, out=tmp_path, executor=Here()) for _ in range(2)]
    assert [described(one) for one in kept] == [described(found)] * 2
    less = study("fate", options={"lots": 5}, until=0.001, executor=Here())
    assert not less.is_enough
    assert less.plan.blocks == 400
    assert "All games were played before the share" in " ".join(answers(less))


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("players", "until", "words"),
    [
        (2, 0.5, "until is half the width of an interval, above 0 and below 0.5, not 0.5"),
        (2, 0, "until is half the width of an interval, above 0 and below 0.5, not 0"),
        (1, 0.1, "until needs two players or more"),
    ],
)
def test_bad_precisions(players: int, until: float, words: str) -> None:
    with pytest.raises(GameError, match=f"^{re.escape(words)}"):
        study("march", players, until=until, executor=Here())


def test_no_such_effort() -> None:
    with pytest.raises(GameError, match=r"^effort can't be 'some'; allowed: quick, normal, deep$"):
        study("squad", effort="some")


def estimate(value: float, low: float = math.nan, high: float = math.nan) -> Estimate:
    return Estimate(value, low, high, "bootstrap", 9)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (estimate(22.4, 21.2, 23.9), "22 (21 to 24)"),
        (estimate(22.4, -math.inf, math.inf), "22"),
        (estimate(9.6, 4.1, math.inf), "10 (4 or more)"),
        (estimate(22.4), "22"),
    ],
)
def test_interval(told: Estimate, words: str) -> None:
    assert interval(told) == words


def test_digits() -> None:
    assert interval(estimate(1.25, 1, 2), 1) == "1.2 (1.0 to 2.0)"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (estimate(0.571, 0.55, 0.592), "57% (55 to 59)"),
        (estimate(-0.01, -0.05, 1.02), "0% (0 to 100)"),
    ],
)
def test_percent(told: Estimate, words: str) -> None:
    assert percent(told) == words


def test_on_luck() -> None:
    """The sentence says between whom: another strength is meant than in the others."""
    parts = Luck(estimate(0.1, 0.05, 0.15), estimate(0.6, 0.5, 0.7), estimate(0.3, 0.2, 0.4), estimate(1, 0.9, 1.1))
    among = "etween greedy players who play a random act in a tenth of their turns, "
    assert on_luck(parts, True) == (
        f"B{among}30% (20 to 40) of the result comes from chance, 60% (50 to 70) from choices and 10% (5 to 15) "
        "from the seat."
    )
    assert on_luck(parts, False) == (
        f"Nothing is left to chance. B{among}10% (5 to 15) of the result comes from the seat."
    )


@pytest.mark.parametrize(("high", "is_told"), [(0.7, True), (0.9, False)])
def test_luck_that_is_hardly_known_is_left_out(high: float, is_told: bool) -> None:
    """Half of the range is too wide an interval to be told."""
    sure = estimate(0.2, 0.1, 0.3)
    luck = Luck(sure, sure, estimate(0.6, 0.3, high), estimate(1, 0.9, 1.1))
    figures = {name: estimate(10, 9, 11) for name in ("mean", "5 %", "50 %", "95 %")}
    measures = {"greedy": {"turns": figures, "minutes": {"at 10 s": figures["mean"], "at 20 s": figures["mean"]}}}
    found = Study(Plan("wrecktangle", 2), "quick", measures, {}, {"greedy": 1.0}, luck, None, [])
    assert ("Random chance" in [cell.name for cell in infobox(found)]) == is_told
    assert ("Luck is 60% (30 to 70) of the result." in summary(found)) == is_told
    assert ("games are too few to say" in " ".join(answers(found))) == (not is_told)


@pytest.mark.parametrize(
    ("few", "median", "most", "said"),
    [
        (9, 20, 41, "A game takes 20 (19 to 21) turns; nine of ten take 9 to 41."),
        (9, 20, math.inf, "A game takes 20 (19 to 21) turns; 95 of 100 take 9 or more."),
        (9, math.inf, math.inf, "More than half of the games reach the limit of 100 turns; 95 of 100 take 9 or more."),
        (math.inf, math.inf, math.inf, "More than 95 of 100 games reach the limit of 100 turns."),
    ],
)
def test_the_length_is_told_in_words(few: float, median: float, most: float, said: str) -> None:
    values = {"5 %": few, "50 %": median, "95 %": most, "mean": 30.0}
    turns = {name: estimate(value, value - 1, value + 1) for name, value in values.items()}
    minutes = {name: estimate(median, median, median) for name in ("at 10 s a turn", "at 20 s a turn")}
    plan = Plan("wrecktangle", 2, {"turn_limit": 100})
    found = Study(plan, "quick", {"greedy": {"turns": turns, "minutes": minutes}}, {}, {"greedy": 1.0}, None, None, [])
    assert said in answers(found)
    told = f"{infobox(found)} {summary(found)}"
    assert "inf" not in told
    assert "unknown" not in told


HALF = "with 57% (52 to 62) of the game instead of 50%."
REVERSED = (
    "Between random players, no seat is clearly better. Between greedy players, it is seat 1, with 60% (55 to 65)."
)
NONE = "No seat is clearly better than another in these games."


@pytest.mark.parametrize(
    ("strengths", "sentences"),
    [
        ({"greedy": (0.05, (0.7, 0.3))}, NONE),
        ({"random": (0.01, (0.7, 0.3)), "greedy": (0.05, (0.7, 0.3))}, NONE),
        ({"greedy": (0.04, (0.43, 0.57))}, f"The best seat is seat 2, {HALF}"),
        (
            {"greedy": (0.04, (0.3, 0.5, 0.2))},
            "The best seat is seat 2, with 50% (45 to 55) of the game instead of 33%.",
        ),
        (
            {"random": (0.01, (0.3, 0.7)), "greedy": (0.04, (0.43, 0.57))},
            f"The best seat is seat 2, {HALF} This holds at every strength.",
        ),
        (
            {"random": (0.06, (0.3, 0.7)), "greedy": (0.04, (0.6, 0.4)), "sims:9": (0.04, (0.43, 0.57))},
            f"The best seat is seat 2, {HALF} {REVERSED}",
        ),
    ],
)
def test_on_seats(strengths: dict[str, tuple[float, tuple[float, ...]]], sentences: str) -> None:
    """The seat that has most between the strongest players, and whether weaker ones have it so too."""
    measures = {
        name: {
            "seat_share": {
                f"seat {n}": estimate(share, share - 0.05, share + 0.05) for n, share in enumerate(shares, 1)
            },
            "draws": {"": estimate(0, 0, 0.1)},
        }
        for name, (_, shares) in strengths.items()
    }
    p_values = {name: p for name, (p, _) in strengths.items()}
    found = Study(Plan("squad", 3), "quick", measures, {}, p_values, None, None, [])
    assert sentences in " ".join(answers(found))
    assert ("No seat has an advantage." in summary(found)) == (sentences == NONE)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (0, "none"),
        (1e-3, "some"),
        (0.1, "some"),
        (0.11, "medium"),
        (0.35, "medium"),
        (0.36, "high"),
        (0.66, "very high"),
        (0.91, "all"),
        (1.02, "all"),
    ],
)
def test_words_of_chance(value: float, word: str) -> None:
    assert word_for(value, CHANCE_WORDS) == word


@pytest.mark.parametrize(
    ("value", "word"),
    [(-1, "low"), (5, "low"), (5.01, "medium"), (12, "medium"), (20, "high"), (20.1, "very high"), (99, "very high")],
)
def test_words_of_depth(value: float, word: str) -> None:
    assert word_for(value, DEPTH_WORDS) == word


@pytest.mark.parametrize(
    ("top", "text"),
    [
        ("sims:64", "medium, 6.0 (5.0 to 7.0) rungs from random play to a search of 64 simulations"),
        ("sims:8", "6.0 (5.0 to 7.0) rungs from random play to a search of 8 simulations"),
        ("merciless", "6.0 (5.0 to 7.0) rungs from random play to merciless play"),
    ],
)
def test_the_word_for_depth_is_for_one_ladder(top: str, text: str) -> None:
    one = estimate(6, 5, 7)
    cell = depth(Ladder([Rung(top, "random", one, one, one)], one, one))
    assert (cell.text, cell.scale != "") == (text, top == "sims:64")


def test_scales() -> None:
    """Each word is explained."""
    assert scale(CHANCE_WORDS, 100, "%") == (
        "none up to 0%, some up to 10%, medium up to 35%, high up to 65%, very high up to 90%, all up to 100%"
    )
    assert (
        scale(DEPTH_WORDS, 1, " rungs")
        == "low up to 5 rungs, medium up to 12 rungs, high up to 20 rungs, very high above"
    )


@pytest.mark.usefixtures("toys")
def test_progress_is_told_by_stages() -> None:
    told: list[Progress] = []
    study("march", executor=Here(), on_progress=told.append)
    stages = list(dict.fromkeys(one.stage for one in told))
    names = "from weak to strong players", "random players", "greedy players", "how much is luck"
    assert stages == [f"stage {number} of 4, {name}" for number, name in enumerate(names, 1)]
    assert Progress(4, 4, 0, stages[1])[:2] in [one[:2] for one in told if one.stage == stages[1]]
