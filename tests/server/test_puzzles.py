"""Puzzles over HTTP: what is told of them before they are tried, and what after."""

from __future__ import annotations

import functools
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from icetable import games
from icetable.extras import exercises
from icetable.server.store import open_store

from .fakes import PATIENCE
from .serving import Client, Running, create_table, person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INFO = games.info("squad")
PUZZLE = next(puzzle for puzzle in exercises.collection(INFO) if any(reply.line for reply in puzzle.replies.values()))
WRONG, REPLY = next((act, reply) for act, reply in PUZZLE.replies.items() if reply.line)
OTHER = next(puzzle for puzzle in exercises.collection(INFO) if puzzle is not PUZZLE)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Running(tmp_path_factory.mktemp("puzzles") / "tables.sqlite") as running:
        yield running.url


def address(url: str, puzzle: exercises.Puzzle) -> str:
    return f"{url}api/puzzles/{puzzle.info.name}/{puzzle.name}"


def begin(url: str, puzzle: exercises.Puzzle = PUZZLE) -> tuple[str, list[str]]:
    """A new table for a puzzle: its id and the codes that came with it."""
    created = httpx.post(address(url, puzzle), timeout=PATIENCE)
    assert created.status_code == 201, created.text
    assert (created.json()["invites"], created.json()["host"]) == ({}, None)
    return created.json()["table"], list(created.json()["codes"].values())


def verdict(url: str, table: str, puzzle: exercises.Puzzle = PUZZLE, **query: str) -> dict[str, Any]:
    answer = httpx.get(f"{address(url, puzzle)}/{table}", params=query, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def acts(frames: list[dict[str, Any]]) -> list[str]:
    return [frame["line"]["text"] for frame in frames if frame["line"]]


def test_the_list_tells_no_answers(url: str) -> None:
    listed = httpx.get(f"{url}api/puzzles/squad", timeout=PATIENCE).json()
    assert (listed["game"], listed["title"]) == (INFO.name, INFO.title)
    assert [one["name"] for one in listed["puzzles"]] == [puzzle.name for puzzle in exercises.collection(INFO)]
    assert set(listed["puzzles"][0]) == {"name", "task", "seat", "options", "waits", "level", "themes"}
    assert [level["name"] for level in listed["levels"]] == ["easy", "hard"]


def test_nothing_is_told_before_the_act(url: str) -> None:
    table, codes = begin(url)
    assert len(codes) == 1, "with the others' codes the client could solve the position by the server"
    with Client(url, table, codes) as solver:
        assert solver.frame["seq"] == 0
        assert list(solver.frame["legal"]) == [str(PUZZLE.seat)]
        assert [seat["mine"] for seat in solver.table["seats"]].index(True) == PUZZLE.seat
        assert solver.ask(type="undo", to=0)["type"] == "refused"
        solver.say(type="solve", seq=0)
        assert "is not analysed" in solver.hear("error")["message"]
    told = verdict(url, table)
    assert told == {
        "is_right": None,
        "explanation": PUZZLE.task,
        "worth": None,
        "best": None,
        "reply": [],
        "answer": [],
    }


def test_the_picture_is_what_the_solver_sees_at_first(url: str) -> None:
    state = PUZZLE.state()
    drawn = httpx.get(f"{address(url, PUZZLE)}/picture.svg", timeout=PATIENCE)
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert drawn.text == state.game.thumbnail(state.view(PUZZLE.seat))
    again = httpx.get(f"{address(url, PUZZLE)}/picture.svg", headers={"If-None-Match": drawn.headers["etag"]})
    assert again.status_code == 304
    assert httpx.get(f"{url}api/puzzles/squad/none/picture.svg").status_code == 404


def test_the_right_act(url: str) -> None:
    table, codes = begin(url)
    with Client(url, table, codes) as solver:
        assert solver.act(PUZZLE.seat, PUZZLE.answer[0])["type"] == "ack"
        told = verdict(url, table)
        assert (told["is_right"], told["worth"], told["best"]) == (True, PUZZLE.worth, PUZZLE.worth)
        assert told["reply"] == []
        assert acts(told["answer"]) == list(PUZZLE.line)
        assert told["answer"][1]["view"] == solver.frame["view"]
        assert told["answer"][1]["line"] == solver.frame["line"]


def test_a_wrong_act_is_refuted_from_where_it_has_led(url: str) -> None:
    table, codes = begin(url)
    with Client(url, table, codes) as solver:
        assert solver.act(PUZZLE.seat, WRONG)["type"] == "ack"
        told = verdict(url, table)
        assert (told["is_right"], told["worth"], told["best"]) == (False, REPLY.worth, PUZZLE.worth)
        assert acts(told["reply"]) == list(REPLY.line)
        assert [frame["seq"] for frame in told["reply"]] == list(range(2, 2 + len(REPLY.line)))
        assert [frame["seq"] for frame in told["answer"]] == list(range(len(PUZZLE.line) + 1))
        assert {frame["view"]["seat"] for frame in (*told["reply"], *told["answer"])} == {PUZZLE.seat}
        assert verdict(url, table, waits="1") == told, "the first act counts"


def of_icehouse(goal: str, *, waits: bool = False) -> exercises.Puzzle:
    some = exercises.collection(games.info("icehouse"))
    return next(puzzle for puzzle in some if puzzle.goal == goal and waits == (not puzzle.answer))


def test_several_acts(url: str) -> None:
    puzzle = of_icehouse("ice")
    functools.reduce(lambda state, act: state.apply(act, puzzle.seat), puzzle.answer, puzzle.state())  # compiles it
    table, codes = begin(url, puzzle)
    with Client(url, table, codes) as solver:
        for act in puzzle.answer[:-1]:
            assert solver.act(puzzle.seat, act)["type"] == "ack"
            assert verdict(url, table, puzzle)["is_right"] is None
        assert solver.act(puzzle.seat, puzzle.answer[-1])["type"] == "ack"
        told = verdict(url, table, puzzle)
    assert (told["is_right"], told["worth"], told["best"], told["reply"]) == (True, None, None, [])
    assert acts(told["answer"]) == list(puzzle.line)


def test_it_may_be_right_to_wait(url: str) -> None:
    for puzzle, is_right in ((of_icehouse("call", waits=True), True), (of_icehouse("call"), False)):
        table, _ = begin(url, puzzle)
        assert verdict(url, table, puzzle)["is_right"] is None
        assert verdict(url, table, puzzle, waits="1")["is_right"] is is_right
    listed = httpx.get(f"{url}api/puzzles/icehouse", timeout=PATIENCE).json()["puzzles"]
    assert {one["waits"] for one in listed} == {True, False}


def test_puzzles_tell_of_no_other_table(url: str) -> None:
    table, codes = create_table(url, person(), person(), game="squad")
    with Client(url, table, codes) as both:
        assert both.act(0, both.frame["legal"]["0"][0])["type"] == "ack"
    mine, _ = begin(url)
    for path in (f"squad/{PUZZLE.name}/{table}", f"squad/{PUZZLE.name}/none", f"squad/{OTHER.name}/{mine}", "chess"):
        assert httpx.get(f"{url}api/puzzles/{path}").status_code == 404, path
    for path in (f"squad/none/{mine}", f"chess/{PUZZLE.name}/{mine}", f"icefrogs/{PUZZLE.name}/{mine}"):
        answer = httpx.get(f"{url}api/puzzles/{path}")
        assert (answer.status_code, answer.json()["error"][-1]) == (404, "."), path
    assert httpx.post(f"{url}api/puzzles/squad/none").json() == {"error": f"{INFO.title} has no puzzle 'none'."}
    assert httpx.post(address(url, PUZZLE), headers={"Origin": "http://else"}).status_code == 403
    answer = httpx.get(f"{address(url, PUZZLE)}/{mine}", params={"waits": "yes"})
    assert (answer.status_code, answer.json()["error"]) == (422, "The player waits (waits=1) or not (waits=0).")


def test_tables_of_puzzles_rest_and_open_as_seldom_as_others(tmp_path: Path) -> None:
    """Nothing happens there without the solver, so a server that starts does not look at them."""
    with Running(tmp_path / "tables.sqlite", sockets_per_address=2) as running:
        begin(running.url)
        assert httpx.get(f"{running.url}api/tables").json() == []
        refused = httpx.post(address(running.url, PUZZLE))
        assert (refused.status_code, int(refused.headers["Retry-After"]) > 0) == (429, True)
    with closing(open_store(tmp_path / "tables.sqlite")) as store:
        assert store.tables.running(0, 10) == []
