"""`--json`: what commands find, for programs; and the scripts by which shells complete commands."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import icetable
from icetable.cli import games as games_command
from icetable.cli import parser
from icetable.envs import space
from icetable.kernels import jit
from icetable.server.store import open_store
from tests.cli.test_commands import (
    assert_refused,
    each_game,
    environment,
    output_here,
    played,  # noqa: F401 (a fixture)
    run,
    run_here,
)

SILENT = {"completion", "new", "play", "serve"}
"""Commands that tell nothing: what they give is tables, a script or a file."""


def found(*words: str, say: str | bytes = "") -> Any:
    """The output of a command as JSON."""
    return json.loads(output_here(*words, "--json", say=say))


def lines(*words: str, say: str | bytes = "") -> list[Any]:
    """The output of a command as lines of JSON."""
    return [json.loads(line) for line in output_here(*words, "--json", say=say).splitlines()]


def test_every_command_that_tells_something_has_it() -> None:
    for command in parser.COMMANDS.keys() - SILENT - {"lab"}:
        assert " [--json] " in output_here(command, "--help").replace("\n", " "), command


@each_game
def test_games(game: icetable.GameInfo) -> None:
    (one,) = found("games", game.name)
    assert one in found("games")
    assert (one["name"], one["title"], one["turns"]) == (game.name, game.title, game.turns)
    options = {option["name"]: option for option in one["options"]}
    assert list(options) == ["players", *(option.name for option in game.options)]
    assert (options["players"]["least"], options["players"]["most"]) == game.players
    assert one["presets"] == game.presets
    text = output_here("games", game.name)
    assert text.startswith(f"{game.name}: {game.title}\n")
    assert text.strip() in output_here("games")


def test_games_that_there_are_not() -> None:
    assert_refused(run_here("games", "squid"), "'squid'", "squad")
    assert games_command.game_to_dict(icetable.list_games()[0])["name"] == "highrise"


def test_rules() -> None:
    blocks = found("rules", "squad")
    assert blocks[0] == {"kind": "h1", "text": "Who's On The Squad?", "rule": ""}
    assert next(block["rule"] for block in blocks if block["rule"]) == "SQ-1"
    (rule, *_) = found("rules", "squad", "sq-4")
    assert rule["rule"] == "SQ-4"
    assert rule in blocks


def test_env() -> None:
    numbers, encoding = found("env", "squad", "--players=3"), space("squad", players=3).encoding
    assert numbers["count"] == encoding.actions
    assert numbers["shape"] == list(encoding.shape)
    assert numbers["actions"] == [list(block) for block in encoding.numbering]
    assert [plane["name"] for plane in numbers["planes"]] == [plane.name for plane in encoding.planes]
    assert numbers["options"]["players"] == 3
    assert "capture" in [verb["name"] for verb in found("env", "icehouse", "--players=2")["verbs"]]


def test_perft() -> None:
    counted = found("perft", "icefrogs", "--depth=3", "--option=board=hexagon")
    start = icetable.load("icefrogs", board="hexagon").start()
    assert counted["count"] == icetable.perft(start, 3)
    assert counted["options"]["board"] == "hexagon"
    divided = found("perft", "icefrogs", "--depth=3", "--option=board=hexagon", "--divide")
    assert divided.pop("divided").keys() == set(start.legal_actions())
    assert divided == counted


def test_replay_and_demo() -> None:
    record = output_here("demo", "squad", "--seed=1", "--record=-")
    states = list(icetable.replay(record).history())
    positions = lines("replay", "-", "--all", say=record)
    assert [one["view"] for one in positions] == [json.loads(json.dumps(state.view())) for state in states]
    assert [(one["act"], one["seat"]) for one in positions] == [(state.act, state.seat) for state in states]
    assert [len(one["effects"]) for one in positions] == [len(state.effects) for state in states]
    assert found("replay", "-", "--at=3", say=record) == positions[3]
    assert found("demo", "squad", "--seed=1") == found("replay", "-", say=record) == positions[-1]


def test_verify(played: Path) -> None:  # noqa: F811
    checked = found("verify", str(played))
    assert checked["drawn"] == 5
    assert checked["last_hash"] == played.read_text().split()[-1]


def test_solve() -> None:
    solved = lines("solve", "squad")
    assert [one["worth"] for one in solved] == [12, 1, "loss"]
    first = solved[-1]["line"][0]
    assert (first["seat"], first["act"], first["worths"]["C@d4"]) == (0, "C@a1", "loss")


def test_warmup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "is_cached", lambda _: True)
    was, where, *removed = lines("warmup", "squad")
    assert was == {"game": "squad", "seconds": 0}
    assert where == {"folder": str(jit.cache_folder())}
    assert all(one.keys() == {"removed", "bytes"} for one in removed)


def test_train(tmp_path: Path) -> None:
    out = tmp_path / "weights.npz"
    *steps, last = lines("train", "icefrogs", "--games=4", "--simulations=10", f"--out={out}")
    assert [step["games"] for step in steps] == [4]
    assert all(step["loss"] > 0 for step in steps)
    assert last == {"setting": icetable.load("icefrogs").setting, "out": str(out)}  # type: ignore[attr-defined]


def test_backup(tmp_path: Path) -> None:
    open_store(str(tmp_path / "tables.sqlite")).close()
    copy = tmp_path / "copy.sqlite"
    assert found("backup", "--db", str(tmp_path / "tables.sqlite"), str(copy)) == {"copy": str(copy), "tables": 0}


def test_copy(tmp_path: Path) -> None:
    open_store(str(tmp_path / "tables.sqlite")).close()
    told = found("copy", str(tmp_path / "tables.sqlite"), str(tmp_path / "copy.sqlite"))
    assert told == {"tables": 0, "entries": 0, "rows": 0}


def test_admin(tmp_path: Path) -> None:
    open_store(str(tmp_path / "tables.sqlite")).close()
    assert found("admin", f"--db={tmp_path / 'tables.sqlite'}", "tables") == {"tables": []}


# Completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell_names_commands_options_and_games(shell: str) -> None:
    script = output_here("completion", shell)
    for word in ("wrecktangle", "warmup", "simulations", "ladder"):
        assert word in script


NOISY = """
import os, sys
from icetable.workshop.examples.divers import Divers

print("the file is read")

class Noisy(Divers):
    \"\"\"Divers, out loud.\"\"\"

    def over(self, table):
        print("over?")
        sys.__stdout__.write("raw\\n")
        os.write(1, b"written\\n")
        sys.stdout.buffer.write(b"bytes\\n")
        return super().over(table)
"""
SAID = ("the file is read", "over?", "raw", "written", "bytes")


@pytest.mark.parametrize(
    "words", [["demo"], ["check"], ["lab", "ask", "--seconds", "1", "--jobs", "2"]], ids=lambda words: words[0]
)
def test_output_of_a_game_is_no_part_of_the_answer(words: list[str], tmp_path: Path) -> None:
    """Also in workers, and past `sys.stdout`; it is seen as an error is."""
    file = tmp_path / "noisy.py"
    file.write_text(NOISY, encoding="utf-8")
    name, *rest = words if words[0] != "lab" else ["lab ask", *words[2:]]
    done = run(*name.split(), str(file), "--json", *rest)
    assert done.returncode == 0
    assert all(json.loads(part) for part in ([done.stdout] if name != "demo" else done.stdout.splitlines()))
    assert all(said in done.stderr for said in SAID)


def test_an_unknown_shell_is_refused() -> None:
    assert "not 'bush'; allowed: bash, zsh, fish; did you mean 'bash'?" in run_here("completion", "bush").stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="it is bash that completes")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ver"], ["verify"]),
        (["rules", "ice"], ["icefrogs", "icehouse"]),
        (["lab", "lad"], ["ladder"]),
        (["solve", "--opt"], ["--option"]),
    ],
)
def test_bash_completes(words: list[str], expected: list[str]) -> None:
    program = """
eval "$(cat)"
COMP_WORDS=(icetable "$@"); COMP_CWORD=$#; COMP_LINE="icetable $*"; COMP_POINT=${#COMP_LINE}
$(complete -p icetable | sed 's/.*-F \\(\\S*\\).*/\\1/') icetable "${!#}" "${COMP_WORDS[COMP_CWORD-1]}"
echo "${COMPREPLY[@]}"
"""
    script = output_here("completion", "bash")
    done = subprocess.run(
        ["bash", "-c", program, sys.argv[0], *words],
        input=script,
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert done.stdout.split() == expected
