"""A server in a process of its own, killed and started again while people play."""

from __future__ import annotations

import random
import re
import signal
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import icetable
from icetable.server.table import fairness

from .fakes import PATIENCE
from .processes import SERVER, Process
from .serving import Client, bot, create_table, person

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_is_lost_or_counted_twice_when_the_server_is_killed_in_mid_game(tmp_path: Path) -> None:
    dice = random.Random(11)
    acknowledged: dict[str, int] = {}
    with Process(tmp_path / "tables.sqlite") as server:
        table, codes = create_table(server.url, person(), person(), turn_limit=12)
        waiting = None
        over = False
        while not over:
            with Client(server.url, table, codes) as client:
                assert client.frame["seq"] >= len(acknowledged)
                for _ in range(dice.randrange(5, 9)):
                    if waiting is None and client.frame["legal"]:
                        seat, acts = next(iter(client.frame["legal"].items()))
                        name = f"act {client.frame['seq'] + 1}"
                        waiting = {"type": "act", "id": name, "seat": int(seat), "text": dice.choice(acts)}
                    if waiting is not None:
                        answer = client.ask(**waiting)
                        assert answer["type"] == "ack"
                        assert answer["seq"] == len(acknowledged) + 1
                        acknowledged[waiting["text"] + answer["id"]] = answer["seq"]
                        waiting = None
                over = client.frame["view"]["over"]
                if not over:  # one more act, which nobody waits for
                    seat, acts = next(iter(client.frame["legal"].items()))
                    name = f"act {client.frame['seq'] + 1}"
                    waiting = {"type": "act", "id": name, "seat": int(seat), "text": dice.choice(acts)}
                    client.say(**waiting)
                    if dice.random() < 0.5:
                        client.listen()
                server.end(signal.SIGKILL)
                assert client.listen_to_the_end() is None
            server.start()
        record = httpx.get(f"{server.url}api/tables/{table}/record").text
    played = [f"{state.act}act {number}" for number, state in enumerate(icetable.replay(record).history()) if number]
    assert played == list(acknowledged)


class FileServer(Process):
    """A server that keeps the games of files in processes of their own, as the program does."""

    program = f"""
from icetable import games
from icetable.server.apart.games import open_file

games.keep_files_apart(open_file)
{SERVER}"""


STEPPING = """
from icetable.workshop import Game, ring
from paces import PACES


class Stepping(Game):
    def board(self):
        return ring(8)

    def acts(self, table):
        return PACES

    def play(self, table, act):
        table.last = act
        table.end_turn()
"""


def test_a_table_goes_on_by_the_rules_that_it_was_played_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is changed while the server is off, and the file that it imported is gone."""
    game, beside = tmp_path / "stepping.py", tmp_path / "paces.py"
    game.write_text(STEPPING, encoding="utf-8")
    beside.write_text('PACES = ["walk", "run"]\n', encoding="utf-8")
    monkeypatch.setenv("ICETABLE_GAMES", str(game))
    with FileServer(tmp_path / "tables.sqlite") as server:
        table, codes = create_table(server.url, person(), person(), game="stepping")
        with Client(server.url, table, codes) as client:
            assert client.act(0, "walk")["type"] == "ack"
        server.end(signal.SIGKILL)
        beside.unlink()
        game.write_text(STEPPING.replace("from paces import PACES", 'PACES = ["run"]'), encoding="utf-8")
        for acts in (1, 2):
            server.start()
            with Client(server.url, table, codes) as client:
                assert (client.frame["seq"], client.frame["legal"]) == (acts, {str(acts % 2): ["run", "walk"]})
                told = client.heard[-1]
                while not told.get("table", {}).get("rules"):
                    told = client.listen()
                assert "The new rules refuse move 1, “walk”" in told["table"]["rules"]["message"]
                assert client.ask(type="rules", choice="keep")["type"] == "ack"
                assert client.act(acts % 2, "walk")["type"] == "ack"
            server.end(signal.SIGKILL)


def test_acts_that_were_lost_with_a_file_are_told_at_the_start_and_their_table_goes_on_only_when_that_is_accepted(
    tmp_path: Path,
) -> None:
    """Where the write-ahead log is removed after a crash, the database is older than what was acknowledged."""
    with Process(tmp_path / "tables.sqlite") as server:
        (lost, codes), (whole, others) = [create_table(server.url, person(), person()) for _ in range(2)]
        with Client(server.url, lost, codes) as client, Client(server.url, whole, others) as other:
            client.act(0, "S@b1")
            other.act(0, "S@b1")
        assert server.end(signal.SIGTERM)[1] == ""
        server.start()
        with Client(server.url, lost, codes) as client:
            assert client.act(1, client.frame["legal"]["1"][0])["seq"] == 2
        server.end(signal.SIGKILL)
        (tmp_path / "tables.sqlite-wal").unlink()
        server.start()
        with Client(server.url) as client:
            client.say(type="join", table=lost, codes=codes)
            assert client.hear("error")["message"].startswith("This table has lost acknowledged acts")
        assert httpx.get(f"{server.url}api/tables/{lost}/record").status_code == 503
        with Client(server.url, whole, others) as client:
            assert client.act(1, client.frame["legal"]["1"][0])["seq"] == 2
        _, told = server.end(signal.SIGTERM)
        assert told.splitlines()[0] == "tables have lost acknowledged acts; see docs/running.md"
        assert lost not in told.splitlines()[0]
        (tmp_path / "tables.sqlite-last-entries").unlink()
        server.start()
        with Client(server.url, lost, codes) as client:
            assert client.frame["seq"] == 1
            assert client.act(1, client.frame["legal"]["1"][0])["seq"] == 2


def test_a_real_bot_plays_on_after_the_server_was_killed(tmp_path: Path) -> None:
    dice = random.Random(12)
    with Process(tmp_path / "tables.sqlite") as server:
        table, codes = create_table(server.url, person(), bot("beginner"))
        for lines in (2, 4):
            with Client(server.url, table, codes) as client:
                client.wait_for(lines - 2)
                client.play(dice)
                if lines == 2:
                    server.end(signal.SIGKILL)  # while it thinks, or just before or after
                    server.start()
                else:
                    client.wait_for(lines)
        with Client(server.url, table, codes) as client:
            client.wait_for(4)
            assert [line["seat"] for line in client.lines] == [0, 1, 0, 1]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_says_its_address_before_it_loads_what_is_heavy_and_ends_quietly(
    tmp_path: Path, how: signal.Signals
) -> None:
    with Process(tmp_path / "tables.sqlite") as server:
        assert server.first_line == f"http://127.0.0.1:{server.port}/\n"
        table, codes = create_table(server.url, person(), bot("beginner"))
        with Client(server.url, table, codes) as client:
            assert client.act(0, "S@b1")["type"] == "ack"
            out, err = server.end(how)
            assert client.listen_to_the_end() == (1001 if how == signal.SIGINT else 1012)
        assert err == ""
        assert (out, server.process.returncode) in [("ended\n", 0), ("", -how)]
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["tables.sqlite", "tables.sqlite-last-entries", "tables.sqlite-lock"]  # and no journal


# What time does, though nobody comes

LATER = "from icetable.server.table import clock\nclock.MONOTONIC_EPOCH_NS += 8 * 10**9\n"
"""Begins eight seconds later than it is."""

ICEHOUSE: dict[str, Any] = {"game": "icehouse", "timer_spread": 0, "call_pause": 0}


def log_of(server: Process, table: str) -> list[str]:
    """The table's log as its record quotes it; empty while the game is on. Asking for it opens no table."""
    return re.findall(r"\nlog (\d.*)", httpx.get(f"{server.url}api/tables/{table}/record").text)


def wait_for_the_end(server: Process, table: str) -> list[str]:
    deadline = time.monotonic() + PATIENCE
    while not (log := log_of(server, table)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return log


def ready_for_the_bell(server: Process) -> str:
    """A table whose bell rings in two seconds."""
    table, codes = create_table(server.url, person(), person(), timer=2, **ICEHOUSE)
    with Client(server.url, table, codes) as client:
        for seat in (0, 1):
            assert client.act(seat, "ready")["type"] == "ack"
    return table


def assert_the_bell_rang(server: Process, table: str) -> None:
    """At its own time, whenever somebody was there to ring it."""
    ready, bell = wait_for_the_end(server, table)[1:]
    record = httpx.get(f"{server.url}api/tables/{table}/record").text
    assert fairness.verify(record).drawn == 1
    assert bell.split()[1] == "-1"
    assert int(bell.split()[2]) == int(ready.split()[2]) + 2000
    with Client(server.url, table) as client:
        assert (client.frame["seq"], client.frame["line"]["text"]) == (3, "bell")
        assert client.heard[0]["ending"] is not None


def test_the_bell_and_a_debt_come_at_their_moments_though_the_server_was_killed(tmp_path: Path) -> None:
    with Process(tmp_path / "tables.sqlite") as server:
        ringing = ready_for_the_bell(server)
        table, codes = create_table(server.url, person(), person(), timer=0, gift_time=3, **ICEHOUSE)
        with Client(server.url, table, codes) as client:
            for seat, text in ((0, "ready"), (1, "ready"), (0, "icehouse")):
                assert client.act(seat, text)["type"] == "ack"
            assert client.frame["view"]["owed"] == {"0": None}
            server.end(signal.SIGKILL)
        server.start()
        with Client(server.url, table, codes) as client:
            while client.frame["view"]["owed"]:
                client.listen()
            assert client.frame["seq"] == 3
            assert client.frame["view"]["pads"][1]["red"] == {"S": 1}
            shown = client.frame["view"]
            assert client.act(1, "lift L")["type"] == "ack"
            assert client.frame["view"]["pads"][0] == shown["pads"][0]
            assert [effect["kind"] for effect in client.frame["line"]["effects"]] == ["settles"]
        server.end(signal.SIGKILL)
        server.start()
        with Client(server.url, table, codes) as client:
            assert client.frame["view"]["owed"] == {}
        assert_the_bell_rang(server, ringing)


def test_acts_that_fell_due_while_the_server_was_down_come_at_its_start_and_a_pause_outlasts_it(tmp_path: Path) -> None:
    with Process(tmp_path / "tables.sqlite") as server:
        ringing = ready_for_the_bell(server)
        seats, clock = [person("Ann"), person("Bob")], {"per": "act", "seconds": 5, "increment": 0}
        wanted = {"game": "icefrogs", "options": {}, "seats": seats, "clock": clock}
        timed = httpx.post(f"{server.url}api/tables", json=wanted, timeout=PATIENCE).json()
        with Client(server.url, timed["table"], list(timed["codes"].values())) as client:
            assert client.act(0, "S@b1")["type"] == "ack"
        table, codes = create_table(server.url, person(), person(), timer=6, **ICEHOUSE)
        with Client(server.url, table, codes) as client:
            for seat in (0, 1):
                assert client.act(seat, "ready")["type"] == "ack"
            assert client.ask(type="offer", what="pause")["type"] == "ack"
        server.end(signal.SIGKILL)
        server.program = LATER + SERVER
        server.start()
        assert_the_bell_rang(server, ringing)
        _, end = wait_for_the_end(server, timed["table"])
        assert end.split(" ", 4)[4] == '/{"type":"end","reason":"time","winners":[0]}'
        with Client(server.url, timed["table"]) as client:
            assert client.heard[0]["ending"]["reason"] == "time"
            assert client.frame["view"]["winners"] == [0]
        with Client(server.url, table, codes) as client:
            assert client.table["paused"]
            answer = client.act(0, "lift S")
            assert answer["type"] == "refused", answer
            assert answer["fault"]["message"] == "The game is paused."
            assert client.ask(type="offer", what="resume")["type"] == "ack"
        ready, _, _, bell = wait_for_the_end(server, table)[1:]
        assert int(bell.split()[2]) == int(ready.split()[2]) + 6000
