"""The command `icetable`: in a process of its own where that is the point, else in the process of the tests."""

from __future__ import annotations

import contextlib
import io
import json
import os
import platform
import queue
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameInfo, games
from icetable.bots import compilation
from icetable.cli import engine, main
from icetable.cli.games import default_text, rules_page
from icetable.cli.output import counted_from_one, wipe
from icetable.cli.server import LOOPBACK_NOTICE
from icetable.games import info
from icetable.kernels import cache, jit
from icetable.server import messages
from icetable.server.http import server
from icetable.server.table.setup import create_setup
from icetable.server.table.state import TableState
from icetable.workshop import checking, files
from tests.server.table_states import ANYBODY, drawn, views
from tests.server.toy import TOY
from tests.workshop.conftest import few_games  # noqa: F401 (a fixture)

COMMAND = [sys.executable, "-m", "icetable"]
SECONDS = 300.0  # a limit for a command that hangs; the first one may have to compile kernels
PROMPT = "red> "

each_game = pytest.mark.parametrize("game", icetable.list_games(), ids=lambda game: game.name)
each_game_of_turns = pytest.mark.parametrize(
    "game", [game for game in icetable.list_games() if game.turns], ids=lambda game: game.name
)
unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Unix has it")


def environment(**changes: str) -> dict[str, str]:
    """The variables of the tests without those that change what is tested, and with some changes."""
    away = ("DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "PYTHONUNBUFFERED", "ICETABLE_JIT")
    kept = {name: value for name, value in os.environ.items() if name not in away}
    return {**kept, "PYTHONUTF8": "1", **changes}


def run(*words: str, say: str | bytes = "", **changes: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; `say` is its input."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=say.encode() if isinstance(say, str) else say,
        capture_output=True,
        timeout=SECONDS,
        env=environment(**changes),
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def output_of(*words: str, say: str | bytes = "", **changes: str) -> str:
    """The output of a command that succeeds."""
    done = run(*words, say=say, **changes)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def run_here(*words: str, say: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run a command in this process, to save the time of a start; `say` is its input."""
    output, errors = io.StringIO(), io.StringIO()
    spoken = io.BytesIO(say.encode() if isinstance(say, str) else say)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.setattr(sys, "stdin", io.TextIOWrapper(spoken, encoding="utf-8"))
        try:
            code = main(words)
        except SystemExit as ended:  # after help and wrong command lines
            code = int(ended.code or 0)
        finally:
            jit._plain_until_compiled.clear()  # which a game in the terminal makes its process do
    return subprocess.CompletedProcess(words, code, output.getvalue(), errors.getvalue())


def output_here(*words: str, say: str | bytes = "") -> str:
    """The output of a command that succeeds, run in this process."""
    done = run_here(*words, say=say)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def assert_refused(done: subprocess.CompletedProcess[str], *parts: str, code: int = 2) -> None:
    """The command has ended with one sentence that has these parts."""
    assert done.returncode == code
    assert re.fullmatch(r"icetable: [^\n]+\n", done.stderr), done.stderr
    assert all(part in done.stderr for part in parts), done.stderr


def obey_ctrl_c() -> None:
    """Ctrl-C ends what is started here, also where the tests run in the background of a shell, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Running:
    """A command that runs, and what it has printed so far."""

    def __init__(self, *words: str, command: Sequence[str] = COMMAND, **changes: str) -> None:
        self.process = subprocess.Popen(
            [*command, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(PYTHONUNBUFFERED="1", **changes),
            preexec_fn=None if sys.platform == "win32" else obey_ctrl_c,
        )
        self.printed = ""
        self._seen = 0
        self._news: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while piece := os.read(self.process.stdout.fileno(), 65536):
            self._news.put(piece.decode())
        self._news.put("")

    def wait_for(self, pattern: str) -> str:
        """The next output, up to where the pattern ends."""
        deadline = time.monotonic() + SECONDS
        while not (found := re.compile(pattern).search(self.printed, self._seen)):
            piece = self._news.get(timeout=max(0.0, deadline - time.monotonic()))
            assert piece, f"it ended without {pattern!r}:\n{self.printed}"
            self.printed += piece
        text = self.printed[self._seen : found.end()]
        self._seen = found.end()
        return text

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def wait_until_asleep(self) -> None:
        """Until it waits for input, where that can be seen."""
        state = Path(f"/proc/{self.process.pid}/stat")
        deadline = time.monotonic() + SECONDS
        while state.exists() and state.read_text().rpartition(") ")[2][0] != "S":
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def end(self, sign: int | None = None) -> tuple[int, str]:
        """The exit code and the errors, after a signal where one is given.

        A signal that comes just before Python waits for input is noticed at the next one only, so it is sent again.
        """
        if sign is not None:
            self.process.send_signal(sign)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(SECONDS / 4)
            if self.process.returncode is None:
                self.process.send_signal(sign)
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        while not self._news.empty():
            self.printed += self._news.get()
        assert self.process.stderr is not None
        return code, self.process.stderr.read().decode()


@contextmanager
def running(*words: str, command: Sequence[str] = COMMAND, **changes: str) -> Iterator[Running]:
    """A command that is killed at the end if it still runs."""
    started = Running(*words, command=command, **changes)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()
        for stream in (started.process.stdin, started.process.stdout, started.process.stderr):
            assert stream is not None
            stream.close()


# Help and the like


def test_help_names_every_command() -> None:
    text = output_of("--help")
    for command in ("play", "games", "rules", "env", "replay", "verify", "demo", "perft", "solve", "bench", "warmup"):
        assert re.search(rf"^    {command}  ", text, re.MULTILINE)
        assert output_here(command, "--help").startswith(f"usage: icetable {command} ")


def test_help_loads_nothing_heavy() -> None:
    names = "sorted({name.partition('.')[0] for name in sys.modules})"
    program = f"import sys, icetable.cli\ntry: icetable.cli.main(['--help'])\nfinally: print({names})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS, check=False)
    loaded = done.stdout.splitlines()[-1]
    assert "'icetable'" in loaded
    for heavy in ("numpy", "numba", "starlette", "uvicorn", "msgspec", "markdown_it", "asyncio", "sqlite3"):
        assert f"'{heavy}'" not in loaded


def test_version() -> None:
    assert output_of("--version") == f"icetable {icetable.__version__}\n"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["gamess"], "games"),
        (["lab", "Studdy", "squad"], "study"),
        (["lab", "study", "squad", "--effort=quik"], "quick"),
        (["perft", "squad", "--depth=1", "--option=formatoin=exact"], "formation"),
        (["perft", "squad", "--depth=1", "--option=formation=Exact"], "exact"),
        (["perft", "Squad", "--depth=1"], "squad"),
    ],
)
def test_a_mistyped_word_gets_a_suggestion(words: list[str], meant: str) -> None:
    done = run_here(*words)
    assert done.returncode == 2
    assert done.stderr.endswith(f"; did you mean '{meant}'?\n")


@pytest.mark.parametrize("words", [[], ["nope"], ["perft", "icefrogs"], ["perft", "icefrogs", "--depth", "deep"]])
def test_a_wrong_command_line_shows_the_usage(words: list[str]) -> None:
    done = run_here(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: icetable ")
    assert "Traceback" not in done.stderr


# Games and rules


@each_game
def test_games_lists_every_option_and_level(game: GameInfo) -> None:
    _, _, text = output_here("games").partition(f"{game.name}: {game.title}\n")
    text = " ".join(text.split())
    assert game.summary in text
    for option in (game.players_option, *game.options):
        assert f" {option.name}={default_text(option)} {option.help} ({option.rule}): {option.allowed}." in text
    assert re.search("levels of bots: beginner: .*[.] casual: ", text)


@each_game
def test_rules_prints_all_rules(game: GameInfo) -> None:
    text = output_here("rules", game.name)
    found = re.findall(rf"^({game.rule_prefix}-\d+[a-z]?) ", text, re.MULTILINE)
    assert found == re.findall(r"^\*\*(\S+)\*\*", game.rules(), re.MULTILINE)
    assert "**" not in text
    assert text.startswith(f"{game.title}\n{'=' * len(game.title)}\n")
    assert max(map(len, text.splitlines())) <= 80


@each_game
def test_rules_keeps_every_word(game: GameInfo) -> None:
    def words(text: str) -> list[str]:
        return re.findall(r"[\w@.+-]+", re.sub(r"\*|`(?!`)|^```\w*|^#+ |^[=.-]+$", "", text, flags=re.MULTILINE))

    assert words(rules_page(game)) == words(game.rules())


def test_rules_prints_one_rule_and_its_drawing() -> None:
    text = output_here("rules", "icefrogs", "if-13")
    assert text.startswith("IF-13 You may not end a move on your own start space.")
    assert "    Seat 0 moves from c3.\n" in text
    assert "IF-14" not in text
    assert "The end" not in output_here("rules", "icefrogs", "IF-15")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["nope"], ["'nope'", "icefrogs"]),
        (["icefrogs", "IF-19"], ["'IF-19'", "IF-1 to IF-18"]),
        (["icefrogs", ""], ["IF-1 to IF-18"]),
    ],
)
def test_rules_that_there_are_not(words: list[str], parts: list[str]) -> None:
    assert_refused(run_here("rules", *words), *parts)


# Environments


def test_env_describes_a_game_with_options() -> None:
    lines = output_here("env", "squad", "--players=3", "--option=formation=up-to").splitlines()
    assert lines[0] == "# Who's On The Squad? as an environment"
    assert "Version 0: 144 actions, observations int8[6, 6, 32]." in lines
    assert "- 0 to 35: place a freshman on a square" in lines
    assert "- 7 own die, 0 to 4: the number that the captain shows" in lines


def test_env_describes_a_game_without_turns() -> None:
    lines = output_here("env", "icehouse", "--players=2").splitlines()
    assert lines[0] == "# Icehouse as an environment"
    assert "- 7 capture: capture a redundant attacker (IH-26); takes piece" in lines
    assert "- `entities` [30, 15]: the pieces on the field in order of placing" in lines


def test_env_refuses_what_there_is_not() -> None:
    assert_refused(run_here("env", "nope"), "'nope'", "icefrogs")
    assert_refused(run_here("env", "squad", "--option=hue=1"), "'hue'", "formation")


# Perft


@each_game_of_turns
def test_perft_counts_as_the_library_does(game: GameInfo) -> None:
    assert output_here("perft", game.name, "--depth", "3") == f"{icetable.perft(game.load().start(), 3)}\n"


def test_perft_takes_options() -> None:
    start = icetable.load("icefrogs", players=3, board="hexagon").start()
    words = ("perft", "icefrogs", "--depth=2", "--players=3", "--option", "board=hexagon", "--option=turn_limit=2")
    assert output_here(*words) == f"{icetable.perft(start, 2)}\n"


def test_perft_divides() -> None:
    start = icetable.load("icefrogs").start()
    *lines, total = output_here("perft", "icefrogs", "--depth=3", "--divide").splitlines()
    counts = dict(line.split() for line in lines)
    assert counts == {act: str(icetable.perft(start.apply(act), 2)) for act in start.legal_actions()}
    assert int(total) == icetable.perft(start, 3)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["nope", "--depth=1"], ["'nope'", "icefrogs"]),
        (["icefrogs", "--depth=-1"], ["-1"]),
        (["icefrogs", "--depth=99999999999999999999999"], ["depth"]),
        (["icefrogs", "--depth=0", "--divide"], ["--divide", "0"]),
        (["icefrogs", "--depth=1", "--players=7"], ["players", "2 to 6"]),
        (["icefrogs", "--depth=1", "--players=two"], ["players", "2 to 6"]),
        (["icefrogs", "--depth=1", "--option=board=ring"], ["'ring'", "'star' or 'hexagon'"]),
        (["icefrogs", "--depth=1", "--option=board"], ["''", "'star' or 'hexagon'"]),
        (["icefrogs", "--depth=1", "--option=self=1"], ["'self'", "players, board, turn_limit"]),
        (["icefrogs", "--depth=1", "--option="], ["''", "players, board, turn_limit"]),
        (["icefrogs", "--depth=1", "--preset=wild"], ["'wild'"]),
    ],
)
def test_perft_refuses(words: list[str], parts: list[str]) -> None:
    assert_refused(run_here("perft", *words), *parts)


# Replay

RECORD = """\
icetable record 1
game icefrogs
option players 2
option board "star"
option turn_limit 3

0 L@b1 # path a1 b1 0L
1 S@h2 # path i1 h2 1S
0 S@b1 # path a1 b1 0S, covers b1 0L, draw IF-18
end IF-18 winners 0 1 scores 1 1
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(RECORD)
    return path


def test_replay_shows_the_last_position(record: Path) -> None:
    text = output_here("replay", str(record))
    assert text.startswith("0 S@b1 # path a1 b1 0S, covers b1 0L, draw IF-18\n\n")
    assert "[b1:0L0S]" in text
    assert "Turns played: 3 of 3" in text
    assert text.endswith("\nend IF-18 winners 0 1 scores 1 1\n")
    assert output_of("replay", "-", say=RECORD, ICETABLE_JIT="0") == text
    assert output_here("replay", str(record), "--at", "3") == text


def test_replay_shows_every_position(record: Path) -> None:
    positions = [output_here("replay", str(record), "--at", str(acts)).strip() for acts in range(4)]
    assert [re.findall(r"Turns played: (\d)", position) for position in positions] == [["0"], ["1"], ["2"], ["3"]]
    assert positions[1].startswith("0 L@b1 # path a1 b1 0L\n")
    assert output_here("replay", "--all", str(record)).strip() == "\n\n".join(positions)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["icetable record 1"]),
        ("rubbish\n", ["icetable record 1"]),
        (RECORD.replace("icefrogs", "nope"), ["'nope'", "icefrogs"]),
        (RECORD.replace("star", "ring"), ["'ring'", "'hexagon'"]),
        (RECORD.replace("L@b1", "L@a1"), ["line 7", "IF-13"]),
        (RECORD.replace("1 S@h2", "1 nonsense"), ["line 8", "'nonsense'"]),
        (RECORD.replace("winners 0 1", "winners 0"), ["line 10"]),
        (b"\xff\xfe\x00\x01" * 99, ["not text"]),
        (b" " * 10_000_001, ["too long"]),
    ],
    ids=lambda value: None,
)
def test_replay_refuses_what_is_no_record(text: str | bytes, parts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "record"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    assert_refused(run_here("replay", str(path)), *parts)
    assert_refused(run_here("replay", "-", say=text), *parts)


def test_records_are_read_as_programs_save_them(tmp_path: Path) -> None:
    """PowerShell's `>`, a mail, a page: one reader for all commands that take a record."""
    shown = output_here("replay", "-", say=RECORD)
    path = tmp_path / "record"
    for content in (
        b"\xff\xfe" + RECORD.replace("\n", "\r\n").encode("utf-16-le"),
        RECORD.encode("utf-16-be"),
        f"\n\n```text\n{RECORD}```\n".encode("utf-8-sig"),
        "".join(f"> {line}\r" for line in RECORD.splitlines()).encode(),
    ):
        path.write_bytes(content)
        assert output_here("replay", str(path)) == shown
        assert output_here("replay", "-", say=content) == shown


def test_one_of_several_records_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_text(f"{RECORD}\n{RECORD.replace('winners 0 1', 'winners 0')}", encoding="utf-8")
    for command in ("replay", "verify", "analyse", "review"):
        assert_refused(run_here(command, str(path)), "there are 2 records, at lines 1, 12; choose one with --number")
    assert output_here("replay", str(path), "--number", "1") == output_here("replay", "-", say=RECORD)
    assert_refused(run_here("replay", str(path), "--number", "2"), "line 21: ")
    assert_refused(run_here("replay", str(path), "--number", "3"), "there is no record 3")


def test_replay_refuses_what_is_no_file(tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "nothing", tmp_path / "not\na name"):
        assert_refused(run_here("replay", str(name)), str(name.name).split("\n")[0], "can't be read")


@pytest.mark.parametrize("acts", ["-1", "4"])
def test_replay_refuses_an_act_that_is_not_there(acts: str, record: Path) -> None:
    assert_refused(run_here("replay", str(record), "--at", acts), "0 to 3", acts)


# Verify


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The record of a game that was played at a table and had five rolls."""
    shipped = icetable.list_games()
    monkeypatch.setattr(games, "list_games", lambda: (*shipped, TOY))
    game = TOY.load(None, target=100)
    seats = [messages.SeatRequest("person", "Ann", None)] * 2
    table_state = TableState(
        create_setup(messages.TableRequest("toy", messages.Options({}), seats), game, (), 0)[0], game
    )
    for text in ["take"] * 5 + ["stop"]:
        table_state.append(table_state.entry_for_act(ANYBODY, min(table_state.position.to_act), text, 0))
        if not table_state.position.is_terminal:
            table_state.append(drawn(table_state, 0))
    path = tmp_path / "played.txt"
    path.write_text(views(table_state).record())
    return path


def test_verify_finds_a_record_sound(played: Path) -> None:
    printed = output_here("verify", str(played))
    assert "5 acts of chance follow from the committed secret" in printed
    last = played.read_text().split()[-1]
    assert f"entries of its log are one chain. The last hash is {last}." in printed
    assert "The chain covers the options, the seats, the draw for seats, the clock" in printed
    assert "Not proven: who held a seat." in printed
    without_log = re.sub(r"\nlog .*", "", played.read_text())
    played.write_text(without_log)
    assert_refused(run_here("verify", str(played)), "does not quote the table's log", code=1)
    played.write_text(re.sub(r"\nterms .*", "", without_log))
    assert_refused(run_here("verify", str(played)), "lacks the table's terms: another version of icetable wrote it")


def test_verify_names_what_is_wrong(played: Path) -> None:
    text = played.read_text()
    pips = text[text.index("die:") + 4]
    other = "1" if pips != "1" else "2"
    played.write_text(re.sub(r"die:. # rolled die:.", f"die:{other}", text, count=1))
    parts = ("not sound", "act 2", f"die:{other}", "the log says", f"die:{pips}'")
    assert_refused(run_here("verify", str(played)), *parts, code=1)


def test_verify_judges_a_game_that_a_bell_ended(tmp_path: Path) -> None:
    game = icetable.load("icehouse", players=2, timer=30)
    seats = [messages.SeatRequest("person", "Ann", None)] * 2
    table_state = TableState(
        create_setup(messages.TableRequest("icehouse", messages.Options({}), seats), game, (), 0)[0], game
    )
    for seat, text in [(0, "ready"), (1, "ready"), (1, "lift L")]:
        table_state.append(table_state.entry_for_act(ANYBODY, seat, text, 1000))
    bell = table_state.overdue(10**6)
    assert bell is not None
    table_state.append(bell)
    path, text = tmp_path / "bell.txt", views(table_state).record()
    path.write_text(text)
    assert "1 act of chance follows from the committed secret" in output_here("verify", str(path))
    rang = f"{bell.at / 1000:.3f}"
    for changed, parts in {
        text.replace("1 @1.000 lift L", "1 @1.000 lift M"): ("act 3", "lift M", "the log says '1 @1.000 lift L'"),
        text.replace(f"* @{rang}", "* @9.000"): ("act 4", "@9.000 bell", f"the log says '* @{rang} bell'"),
        re.sub(r"\n(\*|end) .*", "", text): ("act 4 of the game is nothing", f"the log says '* @{rang} bell'"),
    }.items():
        path.write_text(changed)
        assert_refused(run_here("verify", str(path)), "not sound", *parts, code=1)


def test_verify_refuses_what_no_table_wrote(record: Path) -> None:
    assert_refused(run_here("verify", str(record)), "nothing to verify")
    assert_refused(run_here("verify", str(record.parent / "nowhere")), "can't be read")


def test_replay_draws_a_file(tmp_path: Path) -> None:
    game = icetable.load("icehouse", players=3)
    states = list(game.random_game(np.random.default_rng(2)).history())
    record, drawing = tmp_path / "game.txt", tmp_path / "game.svg"
    record.write_text(states[-1].record())
    printed = output_here("replay", str(record), "--at=50", "--svg", str(drawing))
    assert drawing.read_text() == game.svg(states[50].view())
    assert printed == output_here("replay", str(record), "--at=50")
    assert_refused(run_here("replay", str(record), "--svg", str(drawing)), "already", drawing.name)
    assert_refused(run_here("replay", str(record), "--svg", str(record)), "already", record.name)
    assert drawing.read_text() == game.svg(states[50].view())
    assert record.read_text() == states[-1].record()
    other = tmp_path / "other.svg"
    assert_refused(run_here("replay", str(record), "--all", "--svg", str(other)), "--svg", "--all")
    assert_refused(run_here("replay", str(record), "--svg", str(other / "below")), "below", "can't be written")
    assert not other.exists()


# Demo


@each_game
def test_demo_shows_how_a_game_ends(game: GameInfo, tmp_path: Path) -> None:
    kept = tmp_path / "game.txt"
    text = output_here("demo", game.name, "--seed=1", f"--record={kept}")
    state = icetable.replay(kept.read_text())
    assert state.game == game.load()
    assert state.is_terminal
    assert text == output_here("replay", str(kept))
    assert output_here("demo", game.name, "--seed=1") == text
    assert output_here("demo", game.name, "--seed=2") != text


def test_demo_draws_a_file(tmp_path: Path) -> None:
    kept, drawing = tmp_path / "game.txt", tmp_path / "game.svg"
    words = ("demo", "icehouse", "--players=2", "--option=width=12", "--preset=friendly", "--seed=5")
    output_here(*words, f"--record={kept}", f"--svg={drawing}")
    state = icetable.replay(kept.read_text())
    assert state.game == icetable.load("icehouse", "friendly", players=2, width=12.0)
    assert drawing.read_text() == state.game.svg(state.view())


def test_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written alone, so that another program can read it."""
    monkeypatch.chdir(tmp_path)
    record = output_here("demo", "squad", "--seed=1", "--record=-")
    state = icetable.replay(record)
    assert output_here("replay", "-", say=record) == output_here("demo", "squad", "--seed=1")
    drawing = state.game.svg(state.view())
    assert output_here("demo", "squad", "--seed=1", "--svg=-") == drawing
    assert output_here("replay", "-", "--svg=-", say=record) == drawing
    assert output_here("demo", "squad", "--seed=1", "--record=-", f"--svg={tmp_path / 'end.svg'}") == record
    assert not (tmp_path / "-").exists()
    assert_refused(run_here("demo", "squad", "--record=-", "--svg=-"), "only one of --record and --svg")
    assert_refused(run_here("backup", "--db=tables.db", "-"), "standard output")


def test_the_record_of_a_game_in_the_terminal_on_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run_here("play", "squad", "--terminal", "--seed=1", "--record=-", say="C@a1\n")
    assert icetable.replay(said.stdout.partition("The record of the game:\n\n")[2]).parent is not None
    assert not (tmp_path / "-").exists()


def test_demo_refuses(tmp_path: Path) -> None:
    kept = tmp_path / "game.txt"
    assert_refused(run_here("demo", "nope"), "'nope'", "icefrogs")
    assert_refused(run_here("demo", "icefrogs", "--players=7"), "players", "2 to 6")
    assert_refused(run_here("demo", "icefrogs", "--seed=-1"), "--seed", "-1")
    assert_refused(run_here("demo", "icefrogs", f"--record={tmp_path}"), "already")
    assert not kept.exists()


# Games without turns


@pytest.mark.parametrize(
    "words",
    [
        ["play", "icehouse", "--terminal"],
        ["bench", "icehouse"],
        ["perft", "icehouse", "--depth=2"],
    ],
)
def test_commands_that_need_turns_refuse_icehouse(words: list[str]) -> None:
    assert_refused(run_here(*words), "Icehouse has no turns")


# Solve


def test_solve_finds_the_best_scores_alone_and_who_wins_for_two() -> None:
    printed = output_here("solve", "squad")
    found = re.findall(r"players=(\d), board=4, trios=(\d), .*\): (.*?)\.", printed)
    assert found == [("1", "3", "the best score is 12"), ("1", "2", "the best score is 1"), ("2", "2", "seat 1 wins")]
    assert "  seat 0  C@a1  (loss: C@a1 C@d1 C@a4 C@d4)\n  seat 1  C@d1  (win: C@d1 C@a4; draw: C@d4)\n" in printed
    assert re.findall(
        r"players=1, board=6.*: (.*?)\.", output_here("solve", "squad", "--players=1", "--option=board=6")
    )


def test_solve_refuses_what_it_can_not() -> None:
    assert_refused(run_here("solve", "icefrogs"), "IceFrogs can't be solved", "squad")
    assert_refused(run_here("solve", "squad", "--players=3"), "one or two players")


# Bench and warmup


def test_bench_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MIN_SECONDS", 0.001)
    figures = json.loads(output_here("bench", "highrise", "--json"))
    assert figures["game"] == "highrise"
    assert figures["options"] == dict(icetable.load("highrise").options)
    assert figures["acts_per_second"] > 0
    assert figures["acts_per_second_all_threads"] > 0
    assert figures["adapter_acts_per_second"] > 0
    assert "acts_per_second_cuda" not in figures


def test_warmup_compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And says what it did. (`./test` has it compile all games before; tests of the server compile Squad.)"""
    old = tmp_path / "icetable" / "kernels" / "old"
    (old / "installations").mkdir(parents=True)
    gone = {"computer": platform.node(), "package": "/gone/icetable", "compiler": "/gone/numba"}
    (old / "installations" / "gone.json").write_text(json.dumps(gone))
    monkeypatch.setattr(compilation, "COMPILER", "tests.cli.quick_compiler")
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "icetable")
    for name, value in (("XDG_CACHE_HOME", str(tmp_path)), ("PYTHONPATH", os.pathsep.join(sys.path))):
        monkeypatch.setenv(name, value)
    first, ready, where, removed = output_here("warmup", "squad").splitlines()
    assert first == "Compiling rules and bots, several games at a time …"
    assert re.fullmatch(r"Who's On The Squad\?: ready after \d+\.\d s", ready)
    assert where.startswith(f"The compiled kernels are in {tmp_path}")
    assert removed == "Removed 1 old folder of unused kernels, 0 MB."
    assert output_here("warmup", "squad").splitlines() == ["Who's On The Squad?: compiled already", where]
    assert output_of("warmup", ICETABLE_JIT="0") == "ICETABLE_JIT=0 is set, so nothing is compiled.\n"
    assert output_of("warmup", NUMBA_DISABLE_JIT="1") == "NUMBA_DISABLE_JIT=1 is set, so nothing is compiled.\n"


def test_warmup_says_where_there_is_no_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: None)
    done = run_here("warmup", "squad")
    assert (done.returncode, done.stdout) == (1, "")
    assert "this user has no home folder. The variable XDG_CACHE_HOME may name another folder" in done.stderr
    (tmp_path / "file").touch()
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "file")
    assert "can't be written. The variable XDG_CACHE_HOME" in run_here("warmup", "squad").stderr


@pytest.mark.parametrize("command", [["serve", "--metrics-port", "0"], ["play", "--no-browser"]])
def test_tables_need_a_folder_and_db_names_one(
    command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(server, "data_folder", lambda: None)
    done = run_here(*command, "--port", "0")
    assert done.returncode == 1
    assert "This user has no home folder to keep tables in. Name a file for them with --db." in done.stderr
    (tmp_path / "file").touch()
    monkeypatch.setattr(server, "data_folder", lambda: tmp_path / "file")
    done = run_here(*command, "--port", "0")
    assert done.returncode == 1
    assert done.stderr.endswith("Name another file with --db.\n")


def test_warmup_says_so_where_nothing_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "is_cached", lambda _: False)
    monkeypatch.setattr(compilation, "COMPILER", "keyword")  # a module that does nothing
    done = run_here("warmup", "squad")
    assert done.returncode == 1
    assert "Who's On The Squad? could not be compiled, or the result could not be stored" in done.stderr


@pytest.mark.parametrize("command", ["bench", "warmup"])
def test_unknown_games_are_refused(command: str) -> None:
    assert_refused(run_here(command, "nope"), "'nope'", "icefrogs")


# Streams


@unix_only
def test_a_closed_pipe_is_no_error() -> None:
    for words in (["rules", "icefrogs"], ["--help"], ["play", "icefrogs", "--terminal"]):
        read_end, write_end = os.pipe()
        os.close(read_end)
        done = subprocess.run(
            [*COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=write_end,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
            env=environment(ICETABLE_JIT="0"),
            check=False,
        )
        os.close(write_end)
        assert (done.returncode, done.stderr) == (141, b""), words


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "games"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False
        )
    assert done.returncode == 1
    assert re.fullmatch(r"icetable: [^\n]+\n", done.stderr)


@unix_only
@pytest.mark.parametrize(
    ("closed", "words"),
    [
        ("<&-", ["play", "icefrogs", "--terminal"]),
        (">&-", ["games"]),
        ("<&- >&- 2>&-", ["play", "icefrogs", "--terminal"]),
    ],
)
def test_closed_streams_are_empty_ones(closed: str, words: list[str]) -> None:
    command = ["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, *words]
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, env=environment(ICETABLE_JIT="0"), check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_letters_that_the_output_lacks_do_no_harm() -> None:
    assert "IceFrogs" in output_of("warmup", "icefrogs", PYTHONUTF8="0", PYTHONIOENCODING="ascii")


@unix_only
def test_words_that_are_no_utf_8_do_no_harm() -> None:
    command = [*(word.encode() for word in COMMAND), b"rules", b"\xff\xfe"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment(), check=False)
    assert_refused(done, "icefrogs")


@unix_only
def test_colours_only_for_terminals_that_want_them() -> None:
    assert "\x1b" not in output_here("rules", "icefrogs", "IF-1")
    assert "\x1b[1mIF-1\x1b[0m" in output_in_terminal("rules", "icefrogs", "IF-1", TERM="xterm")
    assert "\x1b" not in output_in_terminal("rules", "icefrogs", "IF-1", TERM="xterm", NO_COLOR="1")
    assert "\x1b" not in output_in_terminal("rules", "icefrogs", "IF-1", TERM="dumb")


def output_in_terminal(*words: str, **changes: str) -> str:
    """The output of a command to a terminal."""
    import pty

    ours, its = pty.openpty()
    process = subprocess.Popen([*COMMAND, *words], stdin=its, stdout=its, stderr=its, env=environment(**changes))
    os.close(its)
    printed = b""
    try:
        while piece := os.read(ours, 65536):
            printed += piece
    except OSError:  # how Linux says that the other side is closed
        pass
    finally:
        os.close(ours)
    assert process.wait(SECONDS) == 0
    return printed.decode()


# A game in the terminal


def game_in_terminal(*lines: str, options: tuple[str, ...] = ()) -> str:
    """The output of a game in which a person types these lines."""
    say = "".join(f"{line}\n" for line in lines)
    return output_here("play", "icefrogs", "--terminal", "--level=beginner", "--seed=1", *options, say=say)


def record_in(printed: str) -> icetable.State:
    """The game whose record stands at the end of what was printed."""
    return icetable.replay(printed[printed.index("icetable record 1") :])


def play_on(game: Running, prompt: str, rng: random.Random) -> None:
    """Make random legal acts until the game is over."""
    while game.wait_for(f"{prompt}|The record of ").endswith(prompt):
        game.say("?")
        acts = re.findall(r"\b(?:[SML]@\w\d|\w\d-\w\d|pass)\b", game.wait_for(prompt))
        game.say(rng.choice(acts))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_to_its_end(seed: int) -> None:
    with running("play", "icefrogs", "--terminal", "--level=beginner", f"--seed={seed}", ICETABLE_JIT="0") as game:
        play_on(game, PROMPT, random.Random(seed))
        assert game.end() == (0, "")
    state = record_in(game.printed)
    assert state.is_terminal
    (winner,) = state.winners
    name = "seat 1 (red, you)" if winner == 0 else "seat 2 (blue, bot, Beginner)"
    assert f"\nWon by {name} (IF-16).\n" in game.printed
    assert "> seat" not in game.printed[game.printed.rindex("i1") :]


def test_a_game_of_three_with_a_record_kept(tmp_path: Path) -> None:
    kept = tmp_path / "record.txt"
    options = ["--players=3", "--seat=3", "--option=board=hexagon", "--option=turn_limit=12", f"--record={kept}"]
    with running("play", "icefrogs", "--terminal", "--level=beginner", "--seed=3", *options, ICETABLE_JIT="0") as game:
        game.wait_for("yellow> ")
        assert [later.seat for later in icetable.replay(kept.read_text()).history()] == [None, 0, 1]
        game.say("")
        play_on(game, "yellow> ", random.Random(3))
        assert game.end() == (0, "")
    state = icetable.replay(kept.read_text())
    assert state.game == icetable.load("icefrogs", players=3, board="hexagon", turn_limit=12)
    assert state.ended_by in ("IF-16", "IF-18")
    assert f"({state.ended_by}).\nThe record of the game is in {kept}.\n" in game.printed


def test_the_same_seed_gives_the_same_game() -> None:
    one, other = (
        [line for line in game_in_terminal("L@b1", "S@b2").splitlines() if not line.startswith("Preparing the bots")]
        for _ in range(2)
    )
    assert one == other


def test_bad_acts_are_refused_with_the_rule() -> None:
    printed = game_in_terminal("L@a1", "pass", "c3-c4", "L@z9", "l@b1", "L@b1")
    assert "It starts at a1 and must move on: choose a marked space. (IF-13)\n" in printed
    assert "(IF-17)\n" in printed
    assert "Take a pyramid from your supply first. It comes in at a1. (IF-6)\n" in printed
    assert "The board has no space 'z9'. (IF-2)\n" in printed
    assert "Not a move: 'l@b1'. Type a move such as S@b1, or ? for all of them.\n" in printed
    assert [later.act for later in record_in(printed).history()][1] == "L@b1"


def test_question_mark_lists_the_legal_acts_and_their_numbers_make_them() -> None:
    acts = icetable.load("icefrogs").start().legal_actions()
    printed = game_in_terminal("?", "0", str(len(acts) + 1), "2")
    listed = "  ".join(f"{number}.{act}" for number, act in enumerate(acts, 1))
    assert f"red> ?\n{listed}\n" in printed
    assert printed.count("Not a move: ") == 2
    assert list(record_in(printed).history())[1].act == acts[1]


def test_acts_of_chance_are_not_suggested() -> None:
    printed = output_here("play", "highrise", "--terminal", "--level=beginner", "--seed=1", say="1x\n")
    assert "Not a move: '1x'. Type a move such as " in printed
    assert "deal:" not in printed[: printed.index("The record of")]


def test_undo_takes_back_the_last_own_act() -> None:
    printed = game_in_terminal("undo", "L@b1", "undo", "M@b2", "S@b1", "undo")
    assert "You have made no move yet." in printed
    acts = list(record_in(printed).history())
    assert [later.seat for later in acts] == [None, 0, 1]
    assert acts[1].act == "M@b2"


def test_help_and_rules_at_the_table() -> None:
    printed = game_in_terminal("help", "rules IF-13", "rules IF-99")
    assert "undo " in printed
    assert rules_page(info("icefrogs"), "IF-13") in printed
    assert "IceFrogs has no rule 'IF-99'; its rules are IF-1 to IF-18.\n" in printed
    assert rules_page(info("icefrogs")) in game_in_terminal("rules")


def test_an_empty_line_shows_the_board_again() -> None:
    assert game_in_terminal("").count("Turns played: 0") == 2


def test_leaving_keeps_what_was_played() -> None:
    for goodbye in ((), ("quit", "S@b2")):
        state = record_in(game_in_terminal("L@b1", *goodbye))
        assert [later.seat for later in state.history()] == [None, 0, 1]


def test_a_hidden_history_is_kept_only_behind_the_end(tmp_path: Path) -> None:
    kept = tmp_path / "record.txt"
    program = (
        "import sys\n"
        "from icetable.cli import main\n"
        "from icetable.games.icefrogs.compiled import CompiledIceFrogs\n"
        "CompiledIceFrogs.shows_history = lambda _, state: state.is_terminal\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    words = ("play", "icefrogs", "--terminal", "--level=beginner", f"--record={kept}")
    with running("-c", program, *words, command=[sys.executable], ICETABLE_JIT="0") as game:
        game.wait_for(PROMPT)
        game.say("L@b1")
        game.wait_for(PROMPT)
        assert kept.read_text() == ""
        game.say("quit")
        assert game.end() == (0, "")
    assert [later.seat for later in icetable.replay(kept.read_text()).history()] == [None, 0, 1]


def test_only_a_terminal_is_wiped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    wipe()
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    wipe()
    assert capsys.readouterr().out == "\x1b[H\x1b[2J\x1b[3J"


@pytest.mark.parametrize("word", ["quit", "exit", "q"])
def test_leaving_at_once_leaves_nothing_behind(word: str) -> None:
    assert game_in_terminal(word, "L@b1").endswith(f"red> {word}\n")


def test_noise_from_the_input_does_no_harm() -> None:
    noise = random.Random(5).randbytes(4000)
    printed = output_here("play", "icefrogs", "--terminal", say=noise)
    assert printed.count("Not a move: ") > 5
    assert "Turns played: 1" not in printed


def test_a_record_is_never_overwritten(record: Path) -> None:
    words = ("play", "icefrogs", "--terminal")
    assert_refused(run_here(*words, "--record", str(record)), "already", record.name)
    assert record.read_text() == RECORD
    assert_refused(run_here(*words, "--record", str(record / "below")), "below")
    assert_refused(run_here(*words, "--record", str(record.parent)), "already")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--terminal"], ["icetable games"]),
        (["nope", "--terminal"], ["'nope'", "icefrogs"]),
        (["nope"], ["'nope'", "icefrogs"]),
        (["icefrogs", "--terminal", "--level=god"], ["'god'", "beginner, "]),
        (["icefrogs", "--terminal", "--seat=3"], ["--seat", "1 to 2", "3"]),
        (["icefrogs", "--terminal", "--seat=0"], ["--seat", "1 to 2", "0"]),
        (["icefrogs", "--terminal", "--seed=-1"], ["--seed", "-1"]),
        (["icefrogs", "--terminal", "--players=9"], ["players", "2 to 6"]),
        (["icefrogs", "--terminal", "--option=board=ring"], ["'ring'"]),
        (["icefrogs", "--terminal", "--port=0"], ["--port", "--terminal"]),
        (["icefrogs", "--terminal", "--no-browser"], ["--no-browser", "--terminal"]),
        (["--level=expert"], ["--level", "--terminal"]),
        (["--seat=1"], ["--seat", "--terminal"]),
        (["--port=-1"], ["--port", "0 to 65535", "-1"]),
        (["--port=65536"], ["--port", "0 to 65535"]),
    ],
)
def test_play_refuses(words: list[str], parts: list[str]) -> None:
    assert_refused(run_here("play", *words), *parts)


# Ctrl-C


@unix_only
def test_ctrl_c_leaves_a_game_with_its_record() -> None:
    with running("play", "icefrogs", "--terminal", "--level=master") as game:
        game.wait_for(PROMPT)
        game.say("L@b1")
        game.wait_for(r"L@b1 \(path a1 b1 1L\)\n")
        assert game.end(signal.SIGINT) == (130, "")
    assert [later.act for later in record_in(game.printed).history()][:2] == [None, "L@b1"]


INTERRUPTED_AT = """
import sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from icetable.cli import main
sys.exit(main({words!r}))
"""


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("icetable.core.errors", ["--version"]),
        ("icetable.core.game", ["perft", "icefrogs", "--depth=2"]),
        ("icetable.cli.parser", ["--version"]),
        ("icetable.cli.server", ["play"]),
        ("icetable.games", ["games"]),
        ("numpy", ["perft", "icefrogs", "--depth=2"]),
        ("starlette", ["play"]),
    ],
)
def test_ctrl_c_while_modules_are_imported(module: str, words: list[str]) -> None:
    program = INTERRUPTED_AT.format(module=module, words=words)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_command_begins_before_it_imports_anything() -> None:
    program = "import sys, icetable.cli\nprint(sorted(name for name in sys.modules if name.startswith('icetable')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS, check=True)
    assert done.stdout == "['icetable', 'icetable.cli']\n"


@unix_only
def test_ctrl_c_at_the_prompt() -> None:
    with running("play", "icefrogs", "--terminal", ICETABLE_JIT="0") as game:
        game.wait_for(PROMPT)
        game.wait_until_asleep()
        assert game.end(signal.SIGINT) == (130, "")


@unix_only
def test_ctrl_c_reaches_compiled_code() -> None:
    program = (
        "import sys, icetable, icetable.cli\n"
        "icetable.perft(icetable.load('icefrogs').start(), 2)\n"
        "print('awake', flush=True)\n"
        "sys.exit(icetable.cli.main(['perft', 'icefrogs', '--depth=30']))"
    )
    with running("-c", program, command=[sys.executable]) as counting:
        counting.wait_for("awake")
        time.sleep(0.2)  # until it counts; sooner would be no harm
        assert counting.end(signal.SIGINT) == (130, "")


# A table in the browser


@contextmanager
def table(tmp_path: Path, *words: str, **changes: str) -> Iterator[tuple[Running, str]]:
    """A server, and its address."""
    with running("play", f"--db={tmp_path / 'tables.sqlite'}", *words, **changes) as server:
        line = server.wait_for("\n")
        found = re.fullmatch(r"Icetable is open at (http://127\.0\.0\.1:\d+/)(\?game=\w+)?\n", line)
        assert found is not None, line
        assert found[2] == (f"?game={words[0]}" if words and not words[0].startswith("-") else None)
        yield server, found[1]


def port_of(address: str) -> int:
    return int(re.findall(r"\d+", address)[-1])


def listed(address: str) -> list[dict[str, Any]]:
    """The games that a server offers."""
    with urllib.request.urlopen(f"{address}api/games", timeout=SECONDS) as answer:
        return list(json.load(answer))


@unix_only
def test_play_opens_a_table(tmp_path: Path) -> None:
    with table(tmp_path, "--port=0", ICETABLE_JIT="0") as (server, address):  # which has nothing to compile or tell
        assert [game["name"] for game in listed(address)] == [game.name for game in icetable.list_games()]
        assert server.end(signal.SIGINT) == (0, "")
        assert server.printed.splitlines()[1:] == [LOOPBACK_NOTICE]
    assert (tmp_path / "tables.sqlite").exists()


def test_a_port_that_is_asked_for_and_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run_here("play", "--no-browser", "--port", port, f"--db={tmp_path / 'tables.sqlite'}")
    assert_refused(done, port, code=1)


def test_another_port_where_the_usual_one_is_taken(tmp_path: Path) -> None:
    try:
        usual = socket.create_server(("127.0.0.1", 8421))
    except OSError:  # somebody else has it, which is as good
        usual = socket.socket()
    with usual, table(tmp_path, "icefrogs", ICETABLE_JIT="0") as (_, address):
        assert port_of(address) != 8421
        assert listed(address)


def test_where_tables_can_not_be_kept(tmp_path: Path) -> None:
    assert_refused(run_here("play", "--port=0", f"--db={tmp_path}"), tmp_path.name, code=1)
    assert_refused(run_here("play", f"--db={tmp_path}"), tmp_path.name, code=1)
    assert_refused(run_here("play", "--host=nowhere.invalid"), "nowhere.invalid", code=1)


# A server for others


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@unix_only
def test_serve_serves_and_shows_its_metrics_and_writes_lines_of_json(tmp_path: Path) -> None:
    port = free_port()
    words = (f"--db={tmp_path / 'tables.sqlite'}", "--port=0", f"--metrics-port={port}")
    with running("serve", *words, DISPLAY=":99", BROWSER="false", ICETABLE_JIT="0") as server:
        found = re.fullmatch(r"Icetable is open at (http://127\.0\.0\.1:\d+/)\n", server.wait_for("\n"))
        assert found is not None
        assert [game["name"] for game in listed(found[1])] == [game.name for game in icetable.list_games()]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS) as answer:
            assert b"\nicetable_sockets 0.0\n" in answer.read()
        code, errors = server.end(signal.SIGTERM)
    assert code == 0
    assert [json.loads(line)["event"] for line in errors.splitlines()] == ["serving", "ended"]


def test_bad_options_of_serve_are_refused(tmp_path: Path) -> None:
    database = f"--db={tmp_path / 'tables.sqlite'}"
    assert_refused(run_here("serve", database, "--port=-1"), "--port")
    assert_refused(run_here("serve", database, "--metrics-port=65536"), "--metrics-port")
    assert_refused(run_here("serve", database, "--sockets-per-address=0"), "--sockets-per-address")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert_refused(run_here("serve", database, f"--port={port}", "--metrics-port=0"), f"{port}", code=1)
        assert_refused(run_here("serve", database, "--port=0", f"--metrics-port={port}"), f"{port}", code=1)


@pytest.mark.skipif(sys.platform != "linux", reason="where there is a screen, a browser would open")
def test_a_browser_opens_where_there_is_a_screen(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho noise\necho noise >&2\necho "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    browser.chmod(0o755)
    with table(tmp_path, "--port=0", BROWSER=str(browser), DISPLAY=":99", ICETABLE_JIT="0") as (server, address):
        deadline = time.monotonic() + SECONDS
        while not opened.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert opened.read_text() == f"{address}\n"
        assert server.end(signal.SIGINT) == (0, "")
        assert server.printed.splitlines()[1:] == [LOOPBACK_NOTICE]


@pytest.mark.parametrize(
    ("words", "display", "opens"), [([], ":99", True), ([], "", False), (["--no-browser"], ":99", False)]
)
def test_no_browser_opens_without_a_screen_or_where_nobody_wants_it(
    words: list[str], display: str, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(_: object, on_ready: Callable[[str], None], *__: object) -> None:
        on_ready("http://127.0.0.1:1/")

    started: list[str] = []
    monkeypatch.setattr(server, "serve", serve)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: started.append(command[-1]))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    output_here("play", *words)
    assert started == ["http://127.0.0.1:1/"] * opens


# Games of the workshop


@pytest.mark.usefixtures("few_games")
def test_a_new_game_runs_and_is_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "REGISTERED", {})
    assert "tarn.py is a small game that runs" in output_here("new", "Tarn")
    assert "Tarn is sound." in output_here("check", "tarn.py")
    assert json.loads(output_here("check", "tarn.py", "--json"))["findings"] == []
    assert "TA-3" in output_here("rules", "tarn.py")
    assert "tarn" in output_here("games")
    assert_refused(run_here("new", "Tarn"), "tarn.py already exists")
    assert_refused(run_here("new", "my game"), "a game's name is a word of letters and digits")


@pytest.mark.usefixtures("few_games")
def test_a_check_tells_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MAX_ACTS", 200)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "REGISTERED", {})
    output_here("new", "Tarn")
    source = Path("tarn.py").read_text(encoding="utf-8")
    Path("tarn.py").write_text(source.replace('table.put(Pyramid("S", table.seat), act)', "table.take(act)"))
    done = run_here("check", "tarn.py")
    assert done.returncode == 1
    assert "a game of random acts has no end after 200 acts" in done.stdout
    assert_refused(run_here("check", "icehouse"), "'icehouse' is not a game of turns")
    Path("tarn.py").write_text("class Tarn(:\n")
    assert "tarn.py" in run_here("check", "tarn.py").stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Coin: heads. Seat 0 is to roll.", "Coin: heads. Seat 1 is to roll."),
        ("> seat 1  supply 5 S  5 M  5 L", "> seat 2  supply 5 S  5 M  5 L"),
        ("\x1b[91m0P\x1b[0m [\x1b[94m1C3\x1b[0m]  .", "\x1b[91m1P\x1b[0m [\x1b[94m2C3\x1b[0m]  ."),
        ("swaps a1 b2 0Q 1P, turn 1", "swaps a1 b2 1Q 2P, turn 2"),
        ("out 2, wins 0, controls a1 1, scores a1 7", "out 3, wins 1, controls a1 2, scores a1 7"),
        ("Turns played: 0 of 400", "Turns played: 0 of 400"),
    ],
)
def test_seats_are_counted_from_one_for_people(text: str, told: str) -> None:
    assert counted_from_one(text) == told
