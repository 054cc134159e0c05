"""Data sets of strong games: one command, and the hashes that the page of the baselines tells."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

import icetable
from icetable.cli import main
from icetable.lab import Plan, open_run, run
from icetable.lab.players import strongest_player
from icetable.lab.storage import POSITION_COLUMNS

PAGE = Path(__file__).parent.parent.parent / "docs" / "baselines.md"
ROW = re.compile(r"^\| `icetable (lab games .+)` \| `(\w{64})` \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("command", "told"), ROWS, ids=[command for command, _ in ROWS])
def test_the_hashes_on_the_page_are_those_of_the_games(
    command: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == told


def test_every_game_has_a_row() -> None:
    assert {command.split()[2] for command, _ in ROWS} == {
        one.name for one in icetable.list_games() if not one.is_plain
    }


def test_games_are_kept_and_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "games"
    assert main(["lab", "games", "squad", "--seats", "casual@1", "--blocks", "4", "--out", str(folder)]) == 0
    found = open_run(folder)
    said = f"4 games of Who's On The Squad? for 2 between casual@1: hash {found.hash}\n"
    assert capsys.readouterr().out == said
    assert found.hash == run(Plan("squad", seats=["casual@1"], blocks=4)).hash
    for row, state in zip(found.rows, found.states, strict=True):
        assert state.is_terminal
        assert [one.act for one in state.history()][1:] == row.log.split("\n")


@pytest.mark.parametrize(
    ("game", "options"), [("squad", []), ("wrecktangle", []), ("icehouse", ["--option", "timer=10.0"])]
)
def test_positions_are_stored_with_acts_and_values(
    game: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = "casual@2" if game == "icehouse" else "random"
    command = ["lab", "games", game, "--seats", seats, "--blocks", "2", *options, "--positions"]
    with_out = [*command, "--out", str(tmp_path), "--json"]
    hashes = []
    for _ in range(2):
        assert main(with_out) == 0
        hashes.append(json.loads(capsys.readouterr().out)["positions"])
    assert hashes[0] == hashes[1]
    found = open_run(tmp_path)
    stored = duckdb.read_parquet(f"{tmp_path}/positions/*.parquet").order("block, game, number")
    assert stored.columns == list(POSITION_COLUMNS)
    rows = [dict(zip(stored.columns, row, strict=True)) for row in stored.fetchall()]
    played = [(row, seat, act) for row in found.rows for seat, act in zip(row.seats, row.log.split("\n"), strict=True)]
    expected = [(row.block, seat, act, row.shares[seat]) for row, seat, act in played if seat >= 0]
    assert [(row["block"], row["seat"], row["act"], row["value"]) for row in rows] == expected
    for row in rows[:5]:
        state = found.plan.game.from_json(row["position"])
        assert state.fault(row["act"], row["seat"]) is None
        assert (row["action"] is None) == (game == "icehouse")
    assert main(command) == 2
    assert "--positions needs --out DIR" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "players", "level"),
    [("icefrogs", 2, "expert@1"), ("squad", 3, "expert@1"), ("icehouse", 4, "merciless@2")],
)
def test_the_strongest_level_without_a_clock_plays(game: str, players: int, level: str) -> None:
    assert strongest_player(icetable.load(game, players=players)) == level


def test_levels_in_real_time_have_versions() -> None:
    logs = [run(Plan("icehouse", None, {"timer": 10.0}, [one], 1)).rows[0].log for one in ("casual", "casual@2")]
    assert logs[0] == logs[1]
    with pytest.raises(icetable.GameError, match=r"merciless, or .*; LEVEL@V"):
        Plan("icehouse", seats=["casual@9"])
