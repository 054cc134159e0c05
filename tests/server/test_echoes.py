"""However long what is sent: what is said of it is short."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import numpy as np
import pytest

import icetable
from icetable.core import record
from icetable.core.errors import GameError
from icetable.envs import Batch, pettingzoo
from icetable.server import messages
from icetable.server.table import fairness
from icetable.server.table.state import recorded_table

from .fakes import PATIENCE
from .serving import Client, Running, create_table, person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

each_game = pytest.mark.parametrize("name", [info.name for info in icetable.list_games()])
LONG = ["7" * 4000, "-" + "7" * 4000, "x" * 4000, '"' + "x" * 4000 + '"']
LONG_VALUES: list[Any] = [10**4000, -(10**4000), "x" * 4000, ["x" * 4000], [10**4000] * 3, {"x" * 4000: 1}]
PATHS = (
    "{0}",
    "rules/{0}",
    "lessons/squad/{0}/x",
    "lessons/{0}/{0}",
    "puzzles/squad/{0}/picture.svg",
    "tables/{0}",
    "tables/{0}/record?talk={0}",
    "summaries?tables={0}",
)
LONGEST_ECHO = 200
"""How much of a long word may be said, in characters."""


def check(said: str) -> None:
    assert not re.search(rf"(7|x|0){{{LONGEST_ECHO},}}", said), said[:1000]
    assert len(said) < 1000, said


def check_errors(do: Callable[[Any], object], given: Iterable[Any]) -> int:
    """The number of errors, all of them short."""
    errors = 0
    for one in given:
        try:
            do(one)
        except (GameError, fairness.Broken, messages.BadMessage) as error:
            check(str(error))
            errors += 1
    return errors


def spoiled(text: str, step: int = 1) -> Iterator[str]:
    """A text with one word in so many far too long, each in turn."""
    for word in list(re.finditer(r"[^\s,:;=\[\]{}]+", text))[::step]:
        for long in LONG:
            yield text[: word.start()] + long + text[word.end() :]


def some_way(game: icetable.Game) -> icetable.State:
    """A position of a game under way."""
    state = game.start()
    rng = np.random.default_rng(1)
    for _ in range(6 if game.info.turns else 0):
        state = state.apply(game.random_act(state, rng))
    return state


@each_game
def test_the_library_quotes_little(name: str) -> None:
    game = icetable.load(name)
    state = some_way(game)
    assert check_errors(icetable.replay, spoiled(state.record()))
    assert check_errors(game.from_json, spoiled(state.to_json(), 5))
    assert check_errors(state.apply, [*LONG, *(f"{one} {other}" for one in LONG for other in LONG)])
    assert check_errors(partial(icetable.load, name), LONG_VALUES)

    def load(options: dict[str, Any]) -> None:
        icetable.load(name, None, **options)

    assert check_errors(load, [{option: 1} for option in LONG])
    for option in game.info.options:
        assert check_errors(load, [{option.name: value} for value in LONG_VALUES])


def test_environments_quote_little() -> None:
    assert check_errors(lambda name: Batch(name, 1), LONG)
    assert check_errors(lambda value: Batch("squad", 1, board=value), LONG_VALUES)
    with pytest.raises(AttributeError) as refused:
        getattr(pettingzoo, LONG[2])
    check(str(refused.value))


def test_the_server_quotes_little_of_records(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person("Ann"), person("Bob"))
        with Client(running.url, table, codes) as client:
            client.act(0, "S@b1")
            assert client.ask(type="resign", seat=1)["type"] == "ack"
        text = httpx.get(f"{running.url}api/tables/{table}/record", timeout=PATIENCE).text
    texts = list(spoiled(text.partition("\n# ")[0]))  # comments say what they like
    assert check_errors(fairness.verify, texts)
    assert check_errors(lambda one: recorded_table(record.read_head(one), one, "x", 0), texts)


def test_the_server_quotes_little_of_requests(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running, httpx.Client(base_url=running.url, timeout=PATIENCE) as client:
        wanted = {"game": "icefrogs", "options": {"board": "star"}, "seats": [person(), person()]}
        body = httpx.Request("POST", "http://x", json=wanted).content.decode()
        answers = [client.post("api/tables", content=one) for one in spoiled(body)]
        paths = [path.format(long) for path in PATHS for long in LONG]
        answers += [client.get("api/" + quote(path, safe="/?=")) for path in paths]
    assert len([answer for answer in answers if answer.status_code >= 400]) > len(answers) / 2
    for answer in answers:
        assert answer.status_code < 500
        if answer.status_code >= 400:
            check(answer.text)


def test_the_server_quotes_little_of_messages(running: Running) -> None:
    table, codes = create_table(running.url, person("Ann"), person("Bob"))
    with Client(running.url, table, codes) as client:
        for one in spoiled('{"type": "act", "id": "a", "seat": 0, "text": "S@b1"}'):
            client.socket.send(one)
            check(str(client.hear("error")))
        for seat in range(2):
            check(str(client.act(seat, "x" * 200)["fault"]["message"]))
