"""How long people have thought, from the log of a table, and what `icetable lab pace` makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from icetable.cli import main
from icetable.core.errors import GameError
from icetable.lab.measures import Thoughts, pace, turns_of
from icetable.server.store import open_store
from icetable.server.table.log import HOST, DrawSeats, Entry, Fill, HandOver, Pause, Resume, Sit, write_event
from icetable.server.table.seats import Seat
from icetable.server.table.setup import TableSetup, Terms
from icetable.server.table.state import thinking_times

ANN = Seat("person", "Ann", None, "red", "a" * 64)
BOB = Seat("person", "Bob", None, "green", "b" * 64)
ROBOT = Seat("bot", "Robot", "casual", "green", None)
OPEN = Seat("open", "", None, "green", "c" * 64)


def setup(*seats: Seat, random_seats: bool = False, id_: str = "abc") -> TableSetup:
    return TableSetup(id_, "icefrogs", {}, seats, b"s" * 32, 0, terms=Terms(random_seats=random_seats)).with_salts()


def log(*told: tuple[int, int, str]) -> list[Entry]:
    """Entries of a seat, a time and a text."""
    return [Entry(number, *one) for number, one in enumerate(told, 1)]


def test_people_think_from_the_act_before() -> None:
    entries = log((0, 5000, "L@a1"), (1, 7000, "L@b1"), (1, 7500, "M@b2"), (-1, 7600, "die:up"), (0, 9600, "S@a2"))
    assert thinking_times(setup(ANN, BOB), entries) == [(1, 2.0), (1, 0.5), (0, 2.0)]


def test_bots_and_chance_do_not_think() -> None:
    entries = log((0, 0, "L@a1"), (1, 1000, "L@b1"), (0, 4000, "M@a1"), (-1, 9000, "die:up"))
    assert thinking_times(setup(ANN, ROBOT), entries) == [(0, 3.0)]


def test_time_for_acts_that_are_taken_back_counts() -> None:
    entries = log((0, 0, "L@a1"), (1, 2000, "L@b1"), (0, 5000, "undo 1"), (1, 6000, "L@b2"))
    assert thinking_times(setup(ANN, BOB), entries) == [(1, 2.0), (1, 1.0)]


def test_time_counts_for_a_person_at_the_seat_when_the_act_is_made() -> None:
    events = [
        (0, 0, "L@a1"),
        (0, 100, write_event(HandOver(1, "d" * 64))),
        (HOST, 200, write_event(Fill(1, "casual", "Robot"))),
        (1, 1000, "L@b1"),
        (0, 3000, "M@a2"),
    ]
    assert thinking_times(setup(ANN, BOB), log(*events)) == [(0, 2.0)]
    begun = [(1, 0, write_event(Sit(1, "Bob", "d" * 64))), (0, 500, "L@a1"), (1, 900, "L@b1")]
    assert thinking_times(setup(ANN, OPEN), log(*begun)) == [(1, 0.4)]
    drawn = [(-1, 0, write_event(DrawSeats((1, 0)))), (0, 500, "L@a1"), (1, 900, "L@b1"), (0, 1900, "M@a1")]
    assert thinking_times(setup(ANN, ROBOT, random_seats=True), log(*drawn)) == [(1, 0.4)]


def test_pauses_do_not_count() -> None:
    """The times of a table go on after a pause as if there had been none."""
    paused = [(0, 0, "L@a1"), (0, 100, write_event(Pause(10))), (0, 100, write_event(Resume(99_999))), (1, 700, "L@b1")]
    assert thinking_times(setup(ANN, BOB), log(*paused)) == [(1, 0.7)]


def test_a_log_that_cannot_be_is_refused() -> None:
    with pytest.raises(GameError):
        thinking_times(setup(ANN, BOB), log((1, 0, write_event(Sit(1, "Cem", "d" * 64)))))


def test_the_pace_of_tables() -> None:
    tables = [
        Thoughts("icefrogs", [(0, 1.0), (0, 2.0), (1, 9.0)]),
        Thoughts("squad", []),
        *(Thoughts("icefrogs", [(0, seconds)]) for seconds in (4.0, 6.0)),
    ]
    assert turns_of(tables[0]) == [3.0, 9.0]
    assert pace(tables).keys() == {"icefrogs"}
    figures = pace(tables)["icefrogs"]
    assert (figures["act"].value, figures["turn"].value) == ((2 + 4 + 6) / 3, (6 + 4 + 6) / 3)
    assert figures["act"].low < figures["act"].value < figures["act"].high
    assert figures["act"].blocks == 3


def kept(place: Path) -> None:
    """A database with a game that is over and one under way."""
    store = open_store(place)
    for id_, end in (("abc", 2000), ("xyz", 99_000)):
        store.tables.create(setup(ANN, BOB, id_=id_)).result()
        for entry in log((0, 0, "L@a1"), (1, end, "L@b1")):
            store.logs.append_soon(id_, entry).result()
    store.tables.set_over("abc", over=True).result()
    assert store.tables.finished() == ["abc"]
    store.close()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "tables.sqlite"
    kept(place)
    before = place.read_bytes()
    assert main(["lab", "pace", "--db", str(place)]) == 0
    takes = "2.0 (0.0 or more)"  # of one game nobody can tell how far it is from others
    assert capsys.readouterr().out == f"IceFrogs: an act takes {takes} seconds, a turn {takes}; 1 game.\n"
    assert main(["lab", "pace", "--db", str(place), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["icefrogs"]["act"]["value"] == 2
    assert place.read_bytes() == before


def test_while_a_server_uses_the_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "tables.sqlite"
    kept(place)
    store = open_store(place)
    assert main(["lab", "pace", "--db", str(place)]) == 0
    store.close()
    assert "IceFrogs: an act takes" in capsys.readouterr().out


def test_places_without_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "pace", "--db", str(tmp_path / "nowhere")]) == 1
    assert f"there is no file {tmp_path / 'nowhere'}" in capsys.readouterr().err
    (tmp_path / "empty.sqlite").touch()
    assert main(["lab", "pace", "--db", str(tmp_path / "empty.sqlite")]) == 1
    assert "is not a database of this icetable" in capsys.readouterr().err
    open_store(tmp_path / "new.sqlite").close()
    assert main(["lab", "pace", "--db", str(tmp_path / "new.sqlite")]) == 0
    assert capsys.readouterr().out == "No game is finished there.\n"
