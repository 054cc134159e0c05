"""The command `icetable lab`, in the process of the tests."""

from __future__ import annotations

import contextlib
import json
import math
import re
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import icetable
from icetable.cli import lab, main
from icetable.cli.lab import LinePrinter, lines
from icetable.lab import runs, studies
from icetable.lab.runs import Progress
from icetable.lab.studies import Budget
from tests.cli.test_commands import assert_refused, output_here, run_here
from tests.lab.conftest import few_resamples, page, toys  # noqa: F401 (fixtures)
from tests.lab.here import Here

LENGTH = ["lab", "compare", "march", "--a", "length=2", "--b", "length=3", "--seats", "random", "--blocks", "6"]
pytestmark = pytest.mark.usefixtures("_at_once", "toys", "few_resamples", "page")


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs start no process, studies are small, and none is so slow that its progress is told."""
    monkeypatch.setattr(lab, "LINE_SECONDS", math.inf)
    monkeypatch.setattr(runs, "Workers", lambda jobs: contextlib.nullcontext(SimpleNamespace(pool=Here())))
    tiny = Budget({"random": 3}, {"beginner": 2}, (2, 1), (0, 2))
    for effort in ("quick", "normal", "deep"):
        monkeypatch.setitem(studies.BUDGETS, effort, tiny)


def json_of(*words: str) -> Any:
    """The output of a command as JSON, which has no NaN."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(output_here(*words, "--json"), parse_constant=refuse)


def test_study(tmp_path: Path) -> None:
    words = ["lab", "study", "march", "--players", "3", "--out", str(tmp_path)]
    text = output_here(*words)
    assert text.startswith("Figures are for games between equal players (random), ")
    assert "A game takes 4 turns" in text
    assert "Equal players: random" in text
    assert json_of(*words) == json.loads((tmp_path / "estimates.json").read_text(encoding="utf-8"))


def test_infobox(tmp_path: Path) -> None:
    words = ["lab", "infobox", "march", "--option", "width=1", "--out", str(tmp_path)]
    text = output_here(*words)
    assert "Players:          1 to 4\n" in text
    assert "\n\nPlaying time: 10 to 20 s a turn.\n" in text
    assert "\nRandom chance: none up to 0%, " in text
    table = output_here(*words, "--markdown")
    assert table.startswith("| | |\n|---|---|\n| Players | 1 to 4 |\n| Length | 4 turns |\n")
    told = json_of(*words)
    assert told["said"].startswith("About 4 turns. ")
    assert told["command"].startswith("icetable lab study march --players ")
    cells = told["cells"]
    assert [cell["name"] for cell in cells][:2] == ["Players", "Length"]
    assert all(f"| {cell['name']} | {cell['text']} |" in table for cell in cells)


def test_a_study_that_was_stopped_before_enough_was_known(capsys: pytest.CaptureFixture[str]) -> None:
    for verb, *words in (["study", "--json"], ["infobox"]):
        assert main(["lab", verb, "march", "--players", "3", "--until", "0.001", *words]) == 3
    assert main(["lab", "study", "march", "--until", "0.5"]) == 2
    assert "until is half the width of an interval" in capsys.readouterr().err


def test_match(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lab", "match", "fate", "greedy", "random", "--blocks", "50"]
    text = output_here(*words)
    assert re.match(r"greedy against random: \d+% \(\d+ to \d+\) in 100 games, 50% for an equal\.\n", text)
    assert re.search(r"\nThat is -?\d+ .* Elo\. \d+% of the games differ from all before them\.\n", text)
    assert re.search(
        r"\nPlaying each opening in every seat leaves \d+% of the variance of as many unpaired games\.\n$", text
    )
    told = json_of(*words)
    assert (told["player"], told["against"], told["plan"]["blocks"]) == ("greedy", "random", 50)
    assert "Valid at any stopping time: " in output_here(*words, "--until", "0.4")
    assert re.search(r"\nAdjusted for luck: \d+% \(\d+ to \d+\)\.\n", output_here(*words, "--without-luck", "1"))
    assert main([*words, "--until", "0.01"]) == 3
    assert main(["lab", "match", "fate", "nobody", "random"]) == 2
    assert "there is no player 'nobody'; allowed: random, greedy, " in capsys.readouterr().err


def test_compare(tmp_path: Path) -> None:
    """Without players or a number of games all questions are asked."""
    words = ["lab", "compare", "march", "--a", "length=2", "--b", "length=3", "--seconds", "0", "--out", str(tmp_path)]
    first, *_ = output_here(*words).splitlines()
    assert first.startswith("Between random players, do more or fewer games never end? Can't tell yet (nobody ")
    content = json.loads((tmp_path / "answers.json").read_text(encoding="utf-8"))
    assert content["title"] == "March length=2 and March length=3"
    assert "Between random players, are games longer" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert json_of(*words)["verdicts"] == content["verdicts"]


def test_compare_by_a_plan(tmp_path: Path) -> None:
    words = [*LENGTH, "--measure", "length,choice", "--out", str(tmp_path)]
    length, choice = output_here(*words).splitlines()
    assert length == "length: 2 and 3, +1.000 (interval unknown): no clear difference (p 0.062)"
    assert choice == "choice: 2 and 2, +0.000 (interval unknown): no clear difference (p 1)"
    assert [one["measure"] for one in json_of(*words)] == ["length", "choice"]


def test_a_list_is_one_value() -> None:
    told = json_of("lab", "compare", "march", "--a", "names=[]", "--b", 'names=["ann","bob"]', "--blocks", "3")
    assert [one["difference"]["value"] for one in told] == [0] * len(told)


def test_a_run_goes_on(tmp_path: Path) -> None:
    """Stored games are not played again, more are added, and another plan is refused."""
    words = [*LENGTH, "--out", str(tmp_path)]
    first = output_here(*words)
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert len(written) == 2
    assert output_here(*words) == first
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == written
    assert json_of(*words, "--blocks", "9")[0]["difference"]["blocks"] == 9
    assert_refused(run_here(*words, "--seed", "1"), "holds another plan: its seed is 0, not 1")


def test_sweep(tmp_path: Path) -> None:
    words = ["lab", "sweep", "march", "--over", "length=2,3", "--over", "width=1,2", "--seats", "random"]
    words += ["--blocks", "3", "--out", str(tmp_path)]
    told = json_of(*words)
    assert [(one["options"], one["length"]["value"], one["choice"]["value"]) for one in told] == [
        ({"length": length, "width": width}, length, width) for length in (2, 3) for width in (1, 2)
    ]
    table = output_here(*words)
    assert "length=3, width=2" in table
    assert "first-seat" in table


def test_sweep_over_players() -> None:
    words = ["--over", "players=2,3", "--seats", "random", "--blocks", "2"]
    assert [one["options"] for one in json_of("lab", "sweep", "march", *words)] == [{"players": 2}, {"players": 3}]


def test_rules() -> None:
    words = ["lab", "rules", "march", "--seats", "random", "--blocks", "50", "--option", "length=3"]
    text = output_here(*words)
    loud = "TY-5 loud=True instead of False: changes the result of 0% (0 to 7) of games, while "
    assert re.search(re.escape(loud) + r"\d+% \(.*\) of unrelated ones differ; nothing else is clear\n", text)
    assert "TY-3 length=2 instead of 3: " in text
    assert "Not tried: names: no value to try beside ().\n" in text
    assert {one["option"] for one in json_of(*words)} == {"length", "width", "loud"}


def test_ladder() -> None:
    words = ["lab", "ladder", "march", "--doublings", "1", "--blocks", "4"]
    lines = output_here(*words).splitlines()
    assert lines[0].startswith("    sims:1 against random ")
    assert lines[-1].startswith("In total ")
    assert lines[-1].endswith(" rungs.")
    assert [step["player"] for step in json_of(*words)["steps"]] == ["sims:1", "sims:2"]


def test_report(tmp_path: Path) -> None:
    """The page is written anew from what the study has kept."""
    output_here("lab", "study", "march", "--out", str(tmp_path))
    report = tmp_path / "report.html"
    first = report.read_text(encoding="utf-8")
    report.unlink()
    assert output_here("lab", "report", str(tmp_path)) == f"{report}\n"
    assert report.read_text(encoding="utf-8") == first
    (tmp_path / "estimates.json").write_text("{", encoding="utf-8")
    assert_refused(run_here("lab", "report", str(tmp_path)), "estimates.json can't be read")
    (tmp_path / "estimates.json").unlink()
    assert_refused(run_here("lab", "report", str(tmp_path)), "there is no study in ", "lab study GAME --out DIR")


def test_replay(tmp_path: Path) -> None:
    """A game of a run is a record that any game can be replayed from."""
    output_here(*LENGTH, "--out", str(tmp_path))
    folder = str(tmp_path / "b")
    record = output_here("lab", "replay", folder, "2.0")
    assert icetable.replay(record).record() == record
    assert output_here("lab", "replay", folder, "2") == record
    assert_refused(run_here("lab", "replay", folder, "99.0"), "there is no game 99.0 in ")
    assert_refused(run_here("lab", "replay", folder, "2.x"), "by its block and number, such as 12.0, not '2.x'")
    assert_refused(run_here("lab", "replay", str(tmp_path), "0.0"), "there is no run in ")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["study", "chess"], ["there is no game 'chess'; there are "]),
        (["study", "march", "--players", "9"], ["players can't be 9; allowed: a whole number from 1 to 4"]),
        (["study", "march", "--option", "size=3"], ["there is no option 'size'; allowed: players, length, width"]),
        (["study", "march", "--seed", "-1"], ["seed is a whole number from 0 up"]),
        (["study", "march", "--jobs", "0"], ["jobs is a whole number from 1 up"]),
        (["ladder", "march", "--doublings", "-1"], ["doublings is a whole number from 0 up"]),
        (["ladder", "march", "--blocks", "0"], ["blocks is a whole number from 1 up"]),
        (["compare", "march", "--seats", "strong"], ["there is no player 'strong'; allowed: random, greedy, "]),
        (["compare", "march", "--seats", "random,greedy,random"], ["seats is one player or 2 of them"]),
        (["compare", "march", "--measure", "luck"], ["'luck' to compare; allowed: first-seat, draws, length, choice"]),
        (["compare", "march", "--a", "length=2,3"], ["'length=2,3' gives more than one value; sweep tries several"]),
        (["compare", "march", "--b", "size=3"], ["there is no option 'size'; allowed: players, length, width"]),
        (["compare", "march", "--b", "players=3"], ["may differ only in their games, not in "]),
        (["sweep", "march", "--over", "length=2,none"], ["length can't be 'none'; allowed: a whole number"]),
        (["sweep", "march", "--over", "length=7"], ["length can't be 7 with 2 ways to step"]),
        (["rules", "march", "--blocks", "none"], []),
        (["study", "march", "--effort", "some"], []),
        (["sweep", "march"], []),
        (["study"], []),
        (["luck", "march"], []),
        ([], []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_refused(words: list[str], parts: list[str]) -> None:
    """In a sentence that names what is allowed, or as `argparse` refuses."""
    done = run_here("lab", *words)
    assert done.stdout == ""
    if parts:
        assert_refused(done, *parts)
    else:
        assert done.returncode == 2
        assert "usage: icetable lab" in done.stderr


def test_ask_needs_no_further_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("duckdb", "rich", "scipy"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(lab, "processes", lambda _: contextlib.nullcontext(Here()))
    assert json_of("lab", "ask", "march", "--seconds", "0")["verdicts"]
    assert_refused(run_here("lab", "study", "march"), "the lab needs duckdb: pip install 'icetable[lab]'")


def test_progress_without_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A line now and then, also while nothing new is told, and none of what is done at once."""
    now = 0.0
    monkeypatch.setattr(lab, "LINE_SECONDS", 10)
    printer = LinePrinter(lambda: now)
    printer.repeat()
    for done, time in enumerate((9.9, 10.0, 10.1), 1):
        now = time
        printer.update(Progress(done, 8, 4.6, "stage 1 of 2, random players"))
    now = 30.0
    printer.repeat()
    printer.update(Progress(0, 0, None, "stage 2 of 2, how much is luck"))
    now = 41.0
    printer.repeat()
    printer.repeat()
    printed = [
        "stage 1 of 2, random players: 2 of 8 blocks, about 5 s left, 0 s so far",
        "stage 1 of 2, random players: 3 of 8 blocks, about 5 s left, 20 s so far",
        "stage 2 of 2, how much is luck, 11 s so far",
    ]
    assert capsys.readouterr() == ("", "".join(f"{line}\n" for line in printed))


def test_progress_is_repeated_while_a_game_is_slow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "LINE_SECONDS", 0.01)
    repeated = threading.Event()
    monkeypatch.setattr(LinePrinter, "repeat", lambda _: repeated.set())
    with lines():
        assert repeated.wait(60)
