"""The server over real sockets."""

from __future__ import annotations

import gc
import json
import random
import re
import socket
import time
from collections import Counter
from hashlib import sha256
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from prometheus_client import REGISTRY
from websockets.exceptions import InvalidStatus

import icetable
from icetable import games
from icetable.core.game import GameInfo
from icetable.core.parts import Cell, Measured
from icetable.extras.rulebook import html as rules_in_html
from icetable.server.http import security, server, static, websocket
from icetable.server.http.addresses import CannotServe
from icetable.server.http.api import connection
from icetable.server.http.api import games as rulebook
from icetable.server.http.websocket import DirectWebSocket
from icetable.server.live.settings import Settings

from .fakes import PATIENCE, SlowDisk
from .serving import Client, Running, bot, create_table, person
from .toy import CARDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that most tests share: every test has tables of its own."""
    with Running(tmp_path_factory.mktemp("shared") / "tables.sqlite") as running:
        yield running.url


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MESSAGE_BURST", 10**9)


# Whole games


@pytest.mark.parametrize(
    ("seed", "options"),
    [(2, {}), (3, {"board": "hexagon", "turn_limit": 40})],
)
def test_a_whole_game_between_two_browsers(url: str, seed: int, options: dict[str, Any]) -> None:
    dice = random.Random(seed)
    table, codes = create_table(url, person("Ann"), person("Bob"), **options)
    with (
        Client(url, table, codes[:1]) as ann,
        Client(url, table, codes[1:]) as bob,
        Client(url, table) as eve,
        Client(url, table) as adam,
    ):
        everybody = (ann, bob, eve, adam)
        while not ann.frame["view"]["over"]:
            ann.play(dice)
            bob.wait_for(ann.frame["seq"])
            bob.play(dice)
            ann.wait_for(bob.frame["seq"])
        for client in everybody:
            client.wait_for(ann.frame["seq"])
            assert client.lines == ann.lines
            assert client.frame["legal"] == {}
        assert [client.frame["view"]["seat"] for client in everybody] == [0, 1, None, None]
        assert eve.heard == adam.heard
        assert ann.act(0, "pass")["fault"]["code"] == "game-over"
    record = httpx.get(f"{url}api/tables/{table}/record").text
    final = icetable.replay(record)
    assert final.is_terminal
    assert final.view(0) == ann.frame["view"]
    assert [state.act for state in final.history()][1:] == [line["text"] for line in ann.lines]


def test_a_whole_game_of_three_with_a_bot_and_a_shared_browser(url: str) -> None:
    dice = random.Random(5)
    table, codes = create_table(url, person("Ann"), bot(), person("Bob"), turn_limit=60)
    with Client(url, table, codes) as both:
        assert both.table["local"]
        while not both.frame["view"]["over"]:
            if both.frame["legal"]:
                assert both.frame["view"]["seat"] == min(map(int, both.frame["legal"]))
                both.play(dice)
            else:
                both.listen()
    assert [line["seat"] for line in both.lines] == [seq % 3 for seq in range(len(both.lines))]


@pytest.mark.usefixtures("toy_game")
def test_a_game_with_a_die_and_hidden_cards(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), game="toy", target=30)
    with Client(running.url, table, codes[:1]) as ann, Client(running.url, table, codes[1:]) as bob:
        while not ann.frame["view"]["over"]:
            before = ann.frame["seq"]
            for seat, client in enumerate((ann, bob)):
                if client.frame["legal"]:
                    assert client.act(seat, "take")["type"] == "ack"
            ann.wait_for(before + 2)
            bob.wait_for(before + 2)
        assert {line["seat"] for line in ann.lines[1::2]} == {-1}
        with Client(running.url, table) as eve:
            heard = [json.dumps([m for m in client.heard if not is_over(m)]) for client in (ann, bob)]
            assert [[card in text for card in CARDS[:2]] for text in heard] == [[True, False], [False, True]]
            assert eve.frame["view"]["cards"] == list(CARDS[:2])  # the game is over
            eve.say(type="look", seq=2)
            assert eve.hear("past")["frame"]["view"]["cards"] == [None, None]


def test_a_client_that_comes_back_is_sent_the_acts_that_it_missed(url: str) -> None:
    table, codes = create_table(url, person("Ann"), person("Bob"))
    with Client(url, table, codes) as both:
        with Client(url, table) as eve:
            assert both.act(0, "S@b1")["type"] == "ack"
            eve.wait_for(1)
            seen, known = {"seq": 1, "entry": eve.frame["entry"]}, eve.lines
        assert both.act(1, "S@h1")["type"] == "ack"
        with Client(url) as again:
            again.say(type="join", table=table, codes=[], seen=seen)
            missed = again.hear("resumed")
            assert [*known, *missed["lines"]] == both.lines
            with Client(url, table) as new:
                assert missed["frame"] == new.frame
            assert both.act(0, "S@b2")["type"] == "ack"
            assert again.hear("frame")["frame"]["seq"] == 3
        assert both.ask(type="undo", to=0)["type"] == "ack"
        with Client(url) as again:
            again.say(type="join", table=table, codes=[], seen=seen)
            assert again.hear("welcome")["lines"] == []


def test_a_held_piece_is_shown_to_the_others_once(url: str) -> None:
    table, codes = create_table(url, person("Ann"), person("Bob"))
    with Client(url, table, codes[:1]) as ann, Client(url, table, codes[1:]) as bob:
        for what in ("S", "S", "Z9", None, "M"):
            ann.say(type="hold", seat=0, what=what)
        bob.say(type="hold", seat=0, what=None)
        assert bob.hear("error")["message"] == "This browser does not hold that seat."
        for wrong in ("x" * 33, "", 5):
            ann.say(type="hold", seat=0, what=wrong)
            assert ann.hear("error")["message"].startswith("The message can't be read")
        assert ann.act(0, "M@b1")["type"] == "ack"
        bob.wait_for(1)
        assert [message["what"] for message in bob.heard if message["type"] == "held"] == ["S", None, "M"]
        assert all(message["type"] != "held" for message in ann.heard)


@pytest.mark.usefixtures("toy_game")
def test_a_hidden_history_comes_with_the_end(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), game="toy", secretive=True)
    address = f"{running.url}api/tables/{table}/record"
    with Client(running.url, table, codes) as both, Client(running.url, table) as eve:
        for seat in (0, 1, 0):
            assert both.act(seat, "take")["type"] == "ack"
        eve.say(type="look", seq=1)
        assert eve.hear("error")["message"] == "This game hides its history until it is over."
        refused = httpx.get(address)
        assert (refused.status_code, refused.json()) == (
            409,
            {"error": "This game hides its history until it is over."},
        )
        with Client(running.url, table) as adam:
            assert (adam.lines, adam.frame["line"]["text"]) == (None, "take")
        assert both.act(1, "stop")["type"] == "ack"
        over = eve.hear("over")
        assert [line["text"] for line in over["lines"]][:4] == ["take", "take", "take", "stop"]
        assert sha256(bytes.fromhex(over["ending"]["secret"])).hexdigest() == eve.table["commitment"]
        with Client(running.url, table) as adam:
            assert (adam.lines, adam.heard[0]["ending"]) == (over["lines"], over["ending"])
    assert icetable.replay(httpx.get(address).text).is_terminal


def is_over(message: dict[str, Any]) -> bool:
    return message["type"] == "frame" and bool(message["frame"]["view"]["over"])


@pytest.mark.usefixtures("toy_game")
def test_the_worth_of_acts_comes_over_the_socket(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), game="toy", terms={"explore": True})
    with Client(running.url, table, codes) as both:
        assert both.table["solvable"]
        both.say(type="solve", seq=0)
        assert both.hear("solved")["values"] == {"take": "loss", "stop": "win"}


@pytest.mark.usefixtures("toy_game")
def test_the_next_game_of_a_series(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"), game="toy", target=50)
    address = f"{running.url}api/tables/{table}/next"
    wanted = {"codes": codes, "rotate": True}
    early = httpx.post(address, json=wanted)
    assert (early.status_code, early.json()) == (422, {"error": "The next game begins when this one is over."})
    with Client(running.url, table, codes) as both:
        assert both.act(0, "take")["type"] == "ack"
        both.wait_for(2)
        assert both.act(1, "stop")["type"] == "ack"
        assert both.heard[-2]["type"] == "over"
        standing = both.heard[-2]["ending"]["standing"]
    assert (standing["games"], standing["leaders"]) == (1, [0])
    assert httpx.post(address, json={**wanted, "codes": []}).status_code == 422
    assert httpx.post(address, json={"codes": codes}).status_code == 422
    assert httpx.post(address, json=wanted, headers={"Origin": "http://elsewhere"}).status_code == 403
    assert httpx.post(f"{running.url}api/tables/nowhere/next", json=wanted).status_code == 404
    created = httpx.post(address, json=wanted)
    assert created.status_code == 201
    following = created.json()
    with Client(running.url, following["table"], list(following["codes"].values())) as both:
        assert both.table["standing"] == {**standing, "scores": standing["scores"][::-1], "leaders": [1]}
        assert [seat["name"] for seat in both.table["seats"]] == ["Bob", "Ann"]
        assert both.table["local"]


def cookie_of(url: str, page: str = "") -> str:
    return httpx.get(url + page).cookies["icetable"]


def seats_held(url: str, table: str, cookie: str, awaited: list[bool], **headers: str) -> list[bool]:
    """Whether a browser holds each seat; the awaited answer may take a moment until it is stored."""
    held: list[bool] = []
    for _ in range(100):
        with Client(url, table, [], Cookie=cookie, **headers) as again:
            held = [seat["mine"] for seat in again.table["seats"]]
        if held == awaited:
            break
    return held


def test_a_browsers_cookie_holds_the_seats_that_were_taken_with_it(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        answer = httpx.get(running.url + "table/whatever")
        parts = answer.headers["set-cookie"].lower().split("; ")
        assert {"httponly", "samesite=lax", "path=/"} <= set(parts)
        assert "set-cookie" not in httpx.get(running.url, cookies=answer.cookies).headers
        ann, bob = (f"icetable={cookie_of(running.url)}" for _ in range(2))
        assert ann != bob
        table, codes = create_table(running.url, person("Ann"), person("Bob"))
        for cookie, code in ((ann, codes[0]), (bob, codes[1])):
            with Client(running.url, table, [code], Cookie=cookie) as first:
                assert first.table["seats"][codes.index(code)]["mine"]
        for cookie, mine in ((ann, [True, False]), (bob, [False, True]), ("icetable=" + "0" * 32, [False, False])):
            assert seats_held(running.url, table, cookie, mine) == mine
        with Client(running.url, table, [codes[0]]) as elsewhere:
            elsewhere.say(type="hand-over", id="h", seat=0, code="ab" * 16)
            elsewhere.hear("ack")
        with Client(running.url, table, [], Cookie=ann) as gone:
            assert not any(seat["mine"] for seat in gone.table["seats"])
    assert ann.partition("=")[2].encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_behind_tls_the_cookie_is_sent_over_tls_alone_and_by_this_host_alone(tmp_path: Path) -> None:
    """A neighbour under the same domain can give a browser a cookie, but none of that name."""
    tls = {"X-Forwarded-Proto": "https"}
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        set_cookie = httpx.get(running.url, headers=tls).headers["set-cookie"]
        cookie, *rest = set_cookie.split("; ")
        assert cookie.startswith("__Host-icetable=")
        assert {"secure", "httponly", "path=/"} <= {part.lower() for part in rest}
        assert "domain" not in set_cookie.lower()
        assert "set-cookie" not in httpx.get(running.url, headers={**tls, "Cookie": cookie}).headers
        assert "secure" not in httpx.get(running.url).headers["set-cookie"].lower().split("; ")
        table, codes = create_table(running.url, person("Ann"), person("Bob"))
        planted = cookie.removeprefix("__Host-")
        for mine in (cookie, planted):
            with Client(running.url, table, codes[:1], Cookie=mine, **tls):
                pass
        assert seats_held(running.url, table, cookie, [True, False], **tls) == [True, False]
        with Client(running.url, table, [], Cookie=planted, **tls) as neighbour:
            assert not any(seat["mine"] for seat in neighbour.table["seats"])


def test_no_cache_on_the_way_may_give_one_browsers_cookie_to_another(url: str) -> None:
    for page in ("", "table/x", "rules/icefrogs"):
        assert "private" in httpx.get(url + page).headers["cache-control"]


def test_a_table_to_try_things_at(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"))
    address = f"{running.url}api/tables/{table}/copy"
    with Client(running.url, table, codes) as both:
        for seat, text in enumerate(["S@b1", "S@h1"]):
            assert both.act(seat, text)["type"] == "ack"
            both.wait_for(seat + 1)
    assert httpx.post(address, json={"codes": [], "seq": 3}).status_code == 409
    assert httpx.post(address, json={"codes": [], "seq": -1}).status_code == 422
    assert httpx.post(address, json={"codes": [], "seq": 1}, headers={"Origin": "http://else"}).status_code == 403
    copied = httpx.post(address, json={"codes": [], "seq": 1})
    assert copied.status_code == 201
    created = copied.json()
    with Client(running.url, created["table"], list(created["codes"].values())) as mine:
        assert mine.table["local"]
        assert [seat["name"] for seat in mine.table["seats"]] == ["Ann", "Bob"]
        assert mine.act(1, "M@h1")["type"] == "ack"
        mine.wait_for(1)
        record = httpx.get(f"{running.url}api/tables/{created['table']}/record").text
    state = icetable.load("icefrogs").replay(record)
    assert [str(one.act) for one in state.history()] == ["None", "M@h1"]
    with Client(running.url, table, codes) as both:
        assert [line["text"] for line in both.heard[0]["lines"]] == ["S@b1", "S@h1"]


# Lessons


def test_a_lesson_is_told_and_its_tables_say_when_a_step_is_done(url: str) -> None:
    lesson = httpx.get(f"{url}api/lessons/icefrogs").json()
    names = [step["name"] for step in lesson["steps"]]
    assert (lesson["title"], lesson["steps"][0]["seat"]) == ("IceFrogs", 0)
    jump = f"{url}api/lessons/icefrogs/{names[names.index('jump')]}"
    created = httpx.post(jump, timeout=PATIENCE)
    assert created.status_code == 201
    table, codes = created.json()["table"], created.json()["codes"]
    with Client(url, table, [codes["0"]]) as learner:
        assert [seat["name"] for seat in learner.table["seats"]] == ["Red (you)", "Blue"]
        assert learner.act(0, "S@b2")["type"] == "ack"
        assert httpx.get(f"{jump}/{table}").json() == {"done": False}
        other = httpx.post(jump).json()
    with Client(url, other["table"], [other["codes"]["0"]]) as learner:
        assert learner.act(0, "S@c3")["type"] == "ack"
        assert httpx.get(f"{jump}/{other['table']}").json() == {"done": True}
        assert httpx.get(f"{jump}/{table}").json() == {"done": False}


def test_lessons_tell_of_no_other_table(url: str) -> None:
    table, codes = create_table(url, person(), person())
    with Client(url, table, codes) as both:
        assert both.act(0, "S@b1")["type"] == "ack"
    for path in (f"icefrogs/jump/{table}", "icefrogs/jump/none", "icefrogs/swim/none", "chess", "chess/jump/none"):
        assert httpx.get(f"{url}api/lessons/{path}").status_code == 404
    assert httpx.post(f"{url}api/lessons/icefrogs/swim").status_code == 404
    assert httpx.post(f"{url}api/lessons/icefrogs/jump", headers={"Origin": "http://else"}).status_code == 403


# Coming back


def test_a_browser_that_comes_back_finds_its_seat_and_everything_as_it_was(url: str) -> None:
    dice = random.Random(6)
    table, codes = create_table(url, person(), person())
    with Client(url, table, codes) as first:
        for _ in range(12):
            first.play(dice)
    for _ in range(3):
        with Client(url, table, codes) as again:
            assert (again.frame, again.lines) == (first.frame, first.lines)
            assert [seat["mine"] for seat in again.table["seats"]] == [True, True]
            again.play(dice)
        first = again


def test_joining_again_on_the_same_socket_gives_the_whole_table(url: str) -> None:
    table, codes = create_table(url, person(), person())
    other, _ = create_table(url, person(), person())
    with Client(url, table) as client:
        client.say(type="join", table=table, codes=codes[:1])
        assert client.hear("welcome")["table"]["seats"][0]["mine"]
        assert client.act(0, "S@b1")["type"] == "ack"
        client.say(type="join", table="nowhere", codes=codes)
        assert client.hear("error")["message"] == "There is no such table."
        client.say(type="join", table=other, codes=codes)
        assert not client.hear("welcome")["table"]["seats"][0]["mine"]
        assert client.act(0, "S@b1")["fault"]["code"] == "not-your-seat"


def test_an_act_sent_twice_counts_once(url: str) -> None:
    table, codes = create_table(url, person(), person())
    with Client(url, table, codes) as client:
        act = {"type": "act", "id": "the same", "seat": 0, "text": "S@b1"}
        client.say(**act)
    with Client(url, table, codes) as client:
        assert client.ask(**act) == {"type": "ack", "id": "the same", "seq": 1}
        assert client.ask(**act) == {"type": "ack", "id": "the same", "seq": 1}
        assert client.frame["seq"] == 1


def test_a_position_comes_before_its_acknowledgement(url: str) -> None:
    table, codes = create_table(url, person(), person())
    with Client(url, table, codes) as client:
        client.act(0, "S@b1")
        client.ask(type="undo", to=0)
        assert [message["type"] for message in client.heard] == ["welcome", "frame", "ack", "rewound", "ack"]


def test_the_way_is_measured_and_credited(url: str) -> None:
    wanted = {"game": "icefrogs", "options": {"players": 2}, "seats": [person("Ann"), person("Bob")]}
    created = httpx.post(f"{url}api/tables", json={**wanted, "clock": {"per": "game", "seconds": 60, "increment": 0}})
    table, codes = created.json()["table"], list(created.json()["codes"].values())
    with Client(url, table, codes) as both:
        both.say(type="ping", number=7)
        assert both.listen() == {"type": "pong", "number": 7}
        assert both.ask(type="act", seat=0, text="S@b1", lag=10**9)["type"] == "ack"
        assert both.ask(type="act", seat=1, text="S@h1", lag=10**9)["type"] == "ack"
        # Half a second at the most is credited, and no time is won.
        assert both.frame["clocks"]["left"][1] <= 60_000
        assert both.frame["clocks"]["running"] == [0]


def test_a_game_goes_on_after_the_server_was_stopped(tmp_path: Path) -> None:
    dice = random.Random(7)
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as client:
            for _ in range(9):
                client.play(dice)
            running.stop()
            assert client.listen_to_the_end() == 1012
    with Running(tmp_path / "tables.sqlite") as running, Client(running.url, table, codes) as again:
        assert (again.frame, again.lines) == (client.frame, client.lines)
        again.play(dice)
        assert again.frame["seq"] == 10


# The past


def test_stepping_back_through_a_game(url: str) -> None:
    dice = random.Random(8)
    table, codes = create_table(url, person(), person())
    with Client(url, table, codes) as client, Client(url, table) as eve:
        frames = [client.frame]
        for _ in range(10):
            client.play(dice)
            frames.append(client.frame)
        eve.wait_for(10)
        for seq, frame in enumerate(frames):
            client.say(type="look", seq=seq)
            past = {name: value for name, value in frame.items() if name != "undo"}
            assert client.hear("past")["frame"] == {**past, "legal": {}}
            eve.say(type="look", seq=seq)
            past = eve.hear("past")["frame"]
            assert past["line"] == frame["line"]
            assert past["view"] == {**frame["view"], "seat": None}
        client.say(type="look", seq=11)
        assert client.hear("error")["message"] == "Only 10 moves have been made."


# Plain answers


def test_the_games_on_offer(url: str) -> None:
    response = httpx.get(f"{url}api/games")
    assert response.headers["content-type"] == "application/json"
    (game,) = [game for game in response.json() if game["name"] == "icefrogs"]
    assert game["title"] == "IceFrogs"
    assert (game["players"], game["default_players"], game["turns"]) == ([2, 6], 2, True)
    assert [level["name"] for level in game["levels"]] == ["easy", "hard"]
    assert len(set(game["colours"])) == 6
    board, turn_limit = game["options"]
    assert board == {
        "name": "board",
        "kind": "choice",
        "default": "star",
        "help": board["help"],
        "rule": "IF-1",
        "choices": ["star", "hexagon"],
        "recommended": "star",
    }
    assert (turn_limit["min"], turn_limit["max"], "choices" in turn_limit) == (0, 10**9, False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "There is no game 'chess'; there are "),
        ({"options": {"players": 9}}, "Players can't be 9; allowed: a whole number from 2 to 6."),
        ({"options": {"board": "moon"}}, "Board can't be 'moon'; allowed: 'star' or 'hexagon'."),
        ({"options": {"self": 1}}, "There is no option 'self'"),
        ({"options": {"players": 3}}, "IceFrogs for 3 needs 3 seats, not 2."),
        ({"seats": []}, "IceFrogs for 2 needs 2 seats, not 0."),
        ({"seats": [person(), person("\u200b")]}, "A player's name needs at least one visible character."),
        ({"seats": [person(), person("x" * 201)]}, "The request can't be read: "),
        ({"seats": [person(), bot("godlike")]}, "There is no level 'godlike'; allowed: 'easy', 'hard'."),
        ({"seats": [person(), {**person(), "code": "1"}]}, "unknown field"),
        ({"seats": "many"}, "The request can't be read: "),
        ({"admin": True}, "unknown field"),
        ({"options": None}, "The request can't be read: "),
    ],
)
def test_a_table_that_can_not_be_opened(url: str, change: dict[str, Any], message: str) -> None:
    wanted = {"game": "icefrogs", "options": {}, "seats": [person(), person()], **change}
    response = httpx.post(f"{url}api/tables", json=wanted)
    assert response.status_code == 422
    assert list(response.json()) == ["error"]
    assert message in response.json()["error"]
    assert len(response.json()["error"]) < 300


@pytest.mark.parametrize("body", [b"", b"{", b"null", b"[]", b"\xff\xfe", b"{}" * 3, b"[" * 4000])
def test_a_body_that_is_no_request(url: str, body: bytes) -> None:
    response = httpx.post(f"{url}api/tables", content=body)
    assert response.status_code == 422
    assert response.json()["error"].startswith("The request can't be read: ")


def test_a_body_that_is_too_long_is_not_read_to_its_end(url: str) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(1000):
            yield b" " * 1000

    response = httpx.post(f"{url}api/tables", content=endless())
    assert response.status_code == 413
    assert response.json() == {"error": "A request has at most 8192 bytes."}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "api/tables/nowhere/record", 404),
        ("GET", "api/rules/chess", 404),
        ("GET", "api/nothing", 404),
        ("GET", "api/", 404),
        ("DELETE", "api/tables", 405),
        ("DELETE", "api/games", 405),
        ("POST", "", 405),
        ("GET", "assets/missing-1234.js", 404),
        ("GET", "api/tables/..%2f..%2fetc/record", 404),
        ("GET", "api/tables/%00/record", 404),
        ("GET", "api/rules/%ff%fe", 404),
    ],
)
def test_a_path_without_content_is_an_error(url: str, method: str, path: str, status: int) -> None:
    response = httpx.request(method, url + path)
    assert response.status_code == status
    assert response.json()["error"]


def test_a_record_is_a_download(url: str) -> None:
    table, codes = create_table(url, person(), person(), board="hexagon")
    with Client(url, table, codes) as client:
        client.act(0, "S@b1")
    response = httpx.get(f"{url}api/tables/{table}/record")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.headers["content-disposition"] == f'attachment; filename="icefrogs-{table}.txt"'
    assert response.text.startswith('icetable record 1\ngame icefrogs\noption players 2\noption board "hexagon"\n')
    (act,) = [line for line in response.text.splitlines() if "S@b1" in line]
    assert re.fullmatch(r"0 @\d+\.\d{3} S@b1 # path a1 b1.*", act)


def test_the_rules_as_html(url: str) -> None:
    rules = httpx.get(f"{url}api/rules/icefrogs").json()
    assert rules["title"] == "IceFrogs"
    assert re.findall(r'id="([^"]+)"', rules["html"]) == [f"IF-{number}" for number in range(1, 19)]


@pytest.mark.parametrize("game", [info.name for info in games.list_games()])
def test_the_start_of_a_game_as_a_picture(url: str, game: str) -> None:
    drawn = httpx.get(f"{url}api/games/{game}/picture.svg")
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert drawn.text.startswith("<svg")
    assert httpx.get(f"{url}api/games/no{game}/picture.svg").status_code == 404


def test_the_games_have_their_measured_figures(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """In the lobby a sentence, with the rules a table: for each number of players that was studied."""
    cells = (Cell("Players", "2 to 6"), Cell("Strategy depth", "medium, 4 rungs", "low up to 2 rungs"))
    measured = {
        2: Measured("Games take 18 turns.", cells, "icetable lab study icefrogs"),
        3: Measured("Games take 20 turns.", cells[:1], ""),
    }
    monkeypatch.setattr(GameInfo, "measured", lambda info: measured if info.name == "icefrogs" else {})
    told = {game["name"]: game["measured"] for game in httpx.get(f"{url}api/games").json()}
    assert told["icefrogs"] == {"2": "Games take 18 turns.", "3": "Games take 20 turns."}
    assert told["squad"] == {}
    text = rulebook.measured_text(games.info("icefrogs"))
    assert (
        "\n| Measured | 2 players |\n|---|---|\n| **Players** | 2 to 6 |\n| **Strategy depth** | medium, 4 rungs |\n"
        in text
    )
    assert "\n- **3 players.** Games take 20 turns.\n" in text
    assert "\n- Strategy depth: low up to 2 rungs.\n" in text
    assert "`icetable lab study icefrogs`" in text
    assert "<td><strong>Players</strong></td>" in rules_in_html(text)
    assert rulebook.measured_text(games.info("squad")) == ""


# Safety


def test_no_code_lies_open_in_the_database(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as client:
            client.act(0, "S@b1")
            files = list(tmp_path.iterdir())
            assert len(files) == 5
            kept = b"".join(file.read_bytes() for file in files)
    assert table.encode() in kept
    assert not any(code.encode() in kept or bytes.fromhex(code) in kept for code in codes)


def test_every_answer_carries_the_security_headers(url: str) -> None:
    for path in ("", "table/x", "api/games", "api/nothing", "assets/x", "api/rules/icefrogs"):
        headers = httpx.get(url + path).headers
        for name, value in security.HEADERS.items():
            assert headers[name] == value
        assert "server" not in headers
    policy = security.HEADERS["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1", "null", "", "http://[", "file://", "https"]
)
def test_other_origins_are_rejected(url: str, origin: str) -> None:
    if origin == "https":
        origin = url[:-1].replace("http:", "https:")
    wanted = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
    response = httpx.post(f"{url}api/tables", json=wanted, headers={"Origin": origin})
    assert response.status_code == 403
    assert response.json()["error"]
    with pytest.raises(InvalidStatus) as refused:
        Client(url, Origin=origin)
    assert refused.value.response.status_code == 403


def test_the_servers_own_pages_are_let_in(url: str) -> None:
    wanted = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
    assert httpx.post(f"{url}api/tables", json=wanted, headers={"Origin": url[:-1]}).status_code == 201
    with Client(url, Origin=url[:-1]) as client:
        client.say(type="look", seq=0)
        assert client.hear("error")["message"] == "The first message joins a table."


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_behind_a_proxy_pages_are_the_servers_own_only_under_its_scheme(tmp_path: Path, scheme: str) -> None:
    wanted = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
    with Running(tmp_path / "tables.sqlite", behind_proxy=True) as running:
        host = {"Host": "icetable.example.org", "X-Forwarded-Proto": scheme}
        for origin in ("http", "https"):
            headers = {**host, "Origin": f"{origin}://icetable.example.org"}
            response = httpx.post(f"{running.url}api/tables", json=wanted, headers=headers)
            assert response.status_code == (201 if origin == scheme else 403)
            answer = ask_for_socket(running.url, headers)
            assert answer.startswith(b"HTTP/1.1 101 " if origin == scheme else b"HTTP/1.1 403 ")


@pytest.mark.parametrize(
    ("host", "is_its_own"),
    [
        ("127.0.0.1:8421", True),
        ("127.8.9.1", True),
        ("localhost:8421", True),
        ("[::1]:8421", True),
        ("rebound.example", False),
        ("rebound.example:8421", False),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
        ("192.0.2.1:8421", False),
    ],
)
def test_a_server_of_this_machine_alone_has_none_but_its_names(url: str, host: str, is_its_own: bool) -> None:
    """Another site's name that leads here of a sudden does not make its pages the server's own."""
    wanted = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
    headers = {"Host": host, "Origin": f"http://{host}"}
    posted = httpx.post(f"{url}api/tables", json=wanted, headers=headers)
    assert posted.status_code == (201 if is_its_own else 421)
    assert ask_for_socket(url, headers).startswith(b"HTTP/1.1 101 " if is_its_own else b"HTTP/1.1 403 ")
    for method in ("GET", "HEAD", "POST", "OPTIONS"):
        for path in ("", "api/tables", "api/nothing", "healthz", "readyz", "assets/x.js"):
            answer = httpx.request(method, url + path, headers={"Host": host})  # from no page
            assert (answer.status_code == 421) != is_its_own
            assert is_its_own or method == "HEAD" or answer.json() == {"error": security.FOREIGN_HOST_ERROR}


def test_a_request_without_a_host_is_answered(url: str) -> None:
    """Health checks of HTTP/1.0 name none; browsers always do."""
    with socket.create_connection(("127.0.0.1", httpx.URL(url).port or 0), PATIENCE) as raw:
        raw.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert raw.recv(12).endswith(b" 200")


def test_a_server_for_others_is_known_by_many_names(tmp_path: Path) -> None:
    wanted = {"game": "icefrogs", "options": {}, "seats": [person(), person()]}
    with Running(tmp_path / "tables.sqlite", host="0.0.0.0") as running:
        headers = {"Host": "games.example", "Origin": "http://games.example"}
        assert httpx.get(f"{running.url}api/tables", headers=headers).status_code == 200
        assert httpx.post(f"{running.url}api/tables", json=wanted, headers=headers).status_code == 201


def ask_for_socket(url: str, headers: dict[str, str]) -> bytes:
    """The beginning of the answer to a handshake."""
    lines = [*(f"{name}: {value}" for name, value in headers.items()), "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", ""]
    with socket.create_connection(("127.0.0.1", httpx.URL(url).port or 0), PATIENCE) as raw:
        raw.sendall("\r\n".join(["GET /ws HTTP/1.1", *lines]).encode())
        return raw.recv(13)


def rejected(reason: str) -> float:
    return REGISTRY.get_sample_value("icetable_rejected_total", {"reason": reason}) or 0.0


def test_a_socket_that_is_too_fast_is_told_so_and_can_go_on_later(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("icetable.server.rate_limits.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(connection, "MESSAGE_BURST", 100)
    table, codes = create_table(running.url, person(), person())
    with Client(running.url, table, codes) as client, Client(running.url, table, codes) as other:
        for _ in range(99):
            client.say(type="look", seq=0)
        refused = rejected("socket_messages")
        for _ in range(30):
            client.say(type="act", id="x", seat=0, text="S@b1")
        while rejected("socket_messages") < refused + 30:
            time.sleep(0.001)
        answers = [client.listen() for _ in range(99 + connection.WARNINGS_PER_SECOND)]
        assert Counter(answer["type"] for answer in answers) == {
            "past": 99,
            "error": connection.WARNINGS_PER_SECOND,
        }
        assert {answer["message"] for answer in answers if answer["type"] == "error"} == {connection.TOO_FAST.message}
        other.say(type="look", seq=0)
        assert other.hear("past")["frame"]["seq"] == 0  # nobody else is held up
        now[0] += 1
        assert client.act(0, "S@b1")["type"] == "ack"


def test_a_client_that_does_not_read_is_dropped_and_delays_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The buffers on the way are small, so that they are full soon. Plain ASGI fills the server's own one first."""
    monkeypatch.setattr(websocket, "MAX_UNSENT_BYTES", 20_000)
    with Running(tmp_path / "tables.sqlite", send_buffer=4096) as running:
        table, codes = create_table(running.url, person(), person(), turn_limit=0)
        address = ("127.0.0.1", httpx.URL(running.url).port or 0)
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(address)
        slow.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert slow.recv(12) == b"HTTP/1.1 101"
        join = json.dumps({"type": "join", "table": table, "codes": []}).encode()
        slow.sendall(bytes([0x81, 0x80 | len(join), 0, 0, 0, 0]) + join)
        dice = random.Random(10)
        with Client(running.url, table, codes) as client:
            clients = running.site.manager.tables.open[table].clients
            while len(clients) < 2:
                client.play(dice)
            while len(clients) > 1:
                client.play(dice)
                if client.frame["seq"] == 50:
                    assert client.ask(type="undo", to=0)["type"] == "ack"
        slow.close()


def test_an_act_is_stored_even_if_its_client_goes_away(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = SlowDisk(monkeypatch)
    table, codes = create_table(running.url, person(), person())
    with Client(running.url, table, codes[:1]) as ann, Client(running.url, table, codes[1:]) as bob:
        ann.say(type="act", id="last", seat=0, text="S@b1")
        assert disk.keeps.wait(PATIENCE)
        ann.socket.close_socket()
        while not any(one._socket._closed.is_set() for one in list(running.site.connections)):
            time.sleep(0.001)
        disk.may_keep.set()
        bob.wait_for(1)
        with Client(running.url, table, codes[:1]) as again:
            assert again.ask(type="act", id="last", seat=0, text="S@b1")["seq"] == 1


def test_sockets_that_are_closed_leave_no_cycles_of_ours(url: str) -> None:
    """So they are freed at once, without the garbage collector."""
    ours = (connection.Connection, DirectWebSocket)

    def are_gone() -> bool:
        return not any(type(one) in ours for one in gc.get_objects())

    table, codes = create_table(url, person(), person())
    gc.collect()
    gc.disable()
    try:
        with Client(url, table, codes) as client:
            client.act(0, "S@b1")
        with pytest.raises(InvalidStatus):
            Client(url, Origin="http://elsewhere")
        end = time.monotonic() + PATIENCE
        while not are_gone():
            assert time.monotonic() < end
            time.sleep(0.1)
    finally:
        gc.enable()


# Starting


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"^Port {port} of 127.0.0.1 is taken; please choose another"):
            server.serve(Settings(port=port, db=tmp_path / "tables.sqlite"), pytest.fail)


@pytest.mark.parametrize(
    ("host", "port", "message"),
    [
        ("127.0.0.1", 65536, "A port is a number from 0 to 65535, not 65536."),
        ("127.0.0.1", -1, "A port is a number from 0 to 65535, not -1."),
        ("no.such.host.invalid", 0, "There is no address 'no.such.host.invalid' to listen at."),
        ("192.0.2.1", 0, "Port 0 of 192.0.2.1 can't be used: "),
    ],
)
def test_an_address_that_can_not_be_served_at(tmp_path: Path, host: str, port: int, message: str) -> None:
    with pytest.raises(CannotServe) as caught:
        server.serve(Settings(host, port, db=tmp_path / "tables.sqlite"), pytest.fail)
    assert str(caught.value).startswith(message)


def test_a_database_that_can_not_be_used(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_text("no database" * 1000)
    with pytest.raises(CannotServe) as caught:
        server.serve(Settings(port=0, db=path), pytest.fail)
    assert str(caught.value) == f"Tables can't be kept in {path}. The database is damaged, or not a database at all."


# The pages


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A front end of two files, in the place of the built one."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>the app</title>")
    (folder / "assets" / "app-1a2b.js").write_text("export {};")
    (tmp_path / "secret.txt").write_text("not to be served")
    monkeypatch.setattr(static, "STATIC", folder)
    return folder


def test_every_page_is_the_app_and_always_asked_for_anew(pages: Path, running: Running) -> None:
    for path in ("", "table/k7m2", "rules/icefrogs", "no/such/page", "index.html", "..%2fsecret", "%00"):
        response = httpx.get(running.url + path)
        assert response.status_code == 200
        assert "the app" in response.text
        assert response.headers["cache-control"].endswith("no-cache")
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        seen = {"If-None-Match": response.headers["etag"]}
        assert httpx.get(running.url + path, headers=seen).status_code == 304


def test_files_with_a_hash_in_their_name_are_kept_for_good(pages: Path, running: Running) -> None:
    response = httpx.get(f"{running.url}assets/app-1a2b.js")
    assert response.text == "export {};"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in response.headers["content-type"]
    missing = httpx.get(f"{running.url}assets/app-0000.js")
    assert missing.status_code == 404
    assert "immutable" not in missing.headers.get("cache-control", "")


def test_pages_that_are_not_built_say_so(pages: Path, running: Running) -> None:
    (pages / "index.html").unlink()
    for path in ("", "table/k7m2"):
        response = httpx.get(running.url + path)
        assert response.status_code == 503
        assert response.text == "The pages of icetable are not built yet: ./play builds them.\n"
    assert httpx.get(f"{running.url}api/games").status_code == 200
    (pages / "index.html").write_text("now they are")
    assert httpx.get(running.url).text == "now they are"


def test_rules_get_their_ids_and_lead_to_one_another() -> None:
    html = rules_in_html(
        "# Title\n\n**AB-1** One, see AB-2.\n\n- **AB-2** Two.\n- Not **AB-3** at the start.\n\n"
        "1. **AB-3b** Loose; `AB-1` is code.\n\n2. See [AB-1](#AB-1), **AB-2** and AB-99.\n\n"
        "**AB-1** Again. <script>alert(1)</script>\n\n**AB-4 and more** no id.\n"
    )
    assert re.findall(r'<(\w+) id="([^"]+)"', html) == [("p", "AB-1"), ("li", "AB-2"), ("p", "AB-3b")]
    assert re.findall(r'<a href="([^"]+)">([^<]+)</a>', html) == [("#AB-2", "AB-2"), ("#AB-1", "AB-1")]
    assert "<code>AB-1</code>" in html
    assert "<script" not in html
