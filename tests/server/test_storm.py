"""A storm of random messages on tables of every game at once: nothing breaks, nothing changes, nothing is betrayed.

The variable ICETABLE_MESSAGES says how many (a hundred thousand take some minutes).
"""

from __future__ import annotations

import json
import os
import random
import signal
import string
import typing
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.table import clock
from icetable.server.table.log import Entry
from icetable.server.table.state import TableState

from .fuzzing import ODD_VALUES, junk, mutated
from .processes import Process
from .serving import Client, copy_of, person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MESSAGES = int(os.environ.get("ICETABLE_MESSAGES", "1200"))
KNOWN = 6
GRANTED = [f"known {number}" for number in range(KNOWN)]
"""The requests of each table that were granted before."""
KINDS = {kind.__struct_config__.tag: kind for kind in typing.get_args(messages.ClientMessage)}
ICEHOUSE_ACTS = [
    (0, "ready"),
    (1, "ready"),
    (0, "lift L"),
    (1, "lift S"),
    (0, "place 5000,5000 stand 0.0"),
    (0, "lift M"),
]
ACTS = [
    *("bell", "ready", "lift L", "return", "icehouse", "meltdown red", "capture p1", "give S green"),
    *("place 9000,9000 stand 0.0", "place 1,1 point 359.9", "place 5000,5000 stand 0.0", "place 99999999,0 stand 1.0"),
    *("S@b1", "L@c3-c4", "pass", "die:6", "die:swap", "deal:111111111", "take", "stop", "undo 0", "a1-a2", "nonsense"),
    *('/{"type":"end","reason":"draw","winners":[0]}', '/{"type":"pause","now":0}', '/{"type":"lots","order":[1,0]}'),
]


@dataclass
class Target:
    """A table under way that nothing may change."""

    id: str
    codes: list[str]
    table_state: TableState
    """As its log tells it."""
    before: list[Entry]


@dataclass
class Stranger:
    """A client at a table that means harm. `seats`: the seats that it holds there."""

    client: Client
    target: Target
    codes: list[str]
    seats: tuple[int, ...] = ()


@dataclass
class World:
    url: str
    database: Path
    targets: list[Target]
    foreign: list[str]
    """Good codes, of a table that is no target."""
    secrets: list[str]

    def check(self, answer: str) -> None:
        """Assert that an answer gives nothing away."""
        assert not any(secret in answer for secret in self.secrets), answer
        assert "Traceback" not in answer
        assert 'File "' not in answer

    def check_nothing_changed(self) -> None:
        with copy_of(self.database) as log:
            for target in self.targets:
                assert log.logs.entries(target.id) == target.before
        assert httpx.get(f"{self.url}healthz").text == "ok\n"
        assert httpx.get(f"{self.url}readyz").text == "ready\n"


def create_table(url: str, game: str, live: bool, waiting: bool) -> dict[str, Any]:
    other = {"kind": "open", "name": "", "level": None} if waiting else person("Bob")
    options = {"players": 2, **({"timer": 9000} if game == "icehouse" else {})}
    wanted = {"game": game, "options": options, "seats": [person("Ann"), other], "live": live}
    response = httpx.post(f"{url}api/tables", json=wanted)
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


def play_a_little(url: str, table: str, codes: list[str], game: str) -> None:
    with Client(url, table, codes) as client:
        while not client.frame["legal"]:
            client.listen()  # chance begins
        for number in range(KNOWN):
            if game == "icehouse":
                seat, text = ICEHOUSE_ACTS[number]
            else:
                seat = int(next(iter(client.frame["legal"])))
                text = client.frame["legal"][str(seat)][0]
            assert client.ask(type="act", id=GRANTED[number], seat=seat, text=text)["type"] == "ack"
            while not client.frame["legal"]:
                client.listen()  # chance acts


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Tables of every game, shown and not shown to watchers, and one with an open seat."""
    database = tmp_path_factory.mktemp("storm") / "tables.sqlite"
    with Process(database) as server, ExitStack() as visits:
        url = server.url
        targets, secrets = [], []
        plans = [(info.name, live, False) for info in games.list_games() for live in (True, False)]
        for game, live, waiting in [*plans, ("icefrogs", True, True)]:
            created = create_table(url, game, live, waiting)
            codes = list(created["codes"].values())
            if not waiting:
                play_a_little(url, created["table"], codes, game)
            visits.enter_context(Client(url, created["table"], codes))  # keeps it open
            with copy_of(database) as log:
                setup, entries = log.tables.setup(created["table"]), log.logs.entries(created["table"])
            assert setup is not None
            table_state = TableState(setup, games.info(game).load(**setup.options), entries)
            targets.append(Target(created["table"], codes, table_state, entries))
            secrets += [*codes, *created["invites"].values(), setup.secret.hex()]
            secrets += [str(seat.code_hash) for seat in setup.seats]
            secrets += [] if created["host"] is None else [created["host"], str(setup.terms.host)]
            if table_state.due is not None:
                secrets += [str(table_state.due), str(table_state.due / 1000), str(setup.created + table_state.due)]
        assert sum(target.table_state.due is not None for target in targets) == 2
        foreign = list(create_table(url, "icehouse", True, False)["codes"].values())
        yield World(url, database, targets, foreign, secrets)
        visits.close()
        assert server.end(signal.SIGTERM)[1] == ""  # nothing of all that is worth a line


def some_message(world: World, stranger: Stranger, dice: random.Random) -> dict[str, Any]:
    """A message of the right shape, of any kind that there is. It has no number that could be a bell's by chance."""
    other = dice.choice(world.targets)
    values: dict[str, list[Any]] = {
        "id": [dice.choice(GRANTED), "new " + "".join(dice.choices(string.ascii_lowercase, k=12)), other.id, "x"],
        "seat": [-2, -1, 0, 1, 2, 9],
        "text": [dice.choice(ACTS), dice.choice(ACTS) + dice.choice([" ", "#", "\n", "x"])],
        "lag": [0, 400, 10**9],
        "to": [0, 1, KNOWN, 10**9],
        "seq": [0, 1, KNOWN, KNOWN + 1, 10**9],
        "name": ["Eve", "", "x" * 41],
        "code": [dice.randbytes(16).hex(), "0" * 32],
        "codes": [stranger.codes, [dice.randbytes(16).hex()], [other.id], []],
        "level": ["easy", "master", ""],
        "what": ["draw", "pause", "resume", "undo"],
        "number": [0, 1, KNOWN, KNOWN + 1, 10**9],
        "agree": [True, False],
        "table": [target.id for target in world.targets],
    }
    tag = dice.choice([*KINDS, "act"])
    message = {"type": tag}
    for one in msgspec.structs.fields(KINDS[tag]):
        if one.required or dice.random() < 0.5:
            message[one.name] = dice.choice(values.get(one.name, ODD_VALUES))
    return message


def is_allowed(stranger: Stranger, text: str | bytes) -> bool:
    """Whether the client may ask for this with its seats, or has no answer to expect; the storm leaves that out."""
    try:
        request = messages.read_message(text if isinstance(text, str) else text.decode())
    except (messages.BadMessage, UnicodeDecodeError):
        return False
    if isinstance(request, messages.Pong):
        return True
    if not stranger.seats or isinstance(request, messages.Analyse):
        return request == messages.Analyse(None)
    table_state, mine = stranger.target.table_state, stranger.seats
    if isinstance(request, messages.Say):
        return True
    if f"{mine[0]}:{getattr(request, 'id', '')}" in {entry.client_id for entry in stranger.target.before}:
        return False  # the first answer, once more
    match request:
        case messages.Act(seat=seat, text=act) if seat in mine:
            try:
                return not table_state.position.fault(act, seat, table_state.time(clock.now()) / 1000)
            except GameError:
                return False
        case messages.Leave(seat=seat) | messages.Return(seat=seat) | messages.HandOver(seat=seat):
            return seat in mine
        case messages.Undo(to=to):
            return to < table_state.acts
        case messages.Look() | messages.Solve() | messages.Act() | messages.Sit() | messages.Fill() | messages.Vote():
            return False
    return True


def strangers_at(world: World, target: Target, visits: ExitStack) -> list[Stranger]:
    """A watcher, a client with the codes of another table, a player, and a client that has joined no table."""

    def come(codes: list[str], *seats: int) -> Stranger:
        client = visits.enter_context(Client(world.url, target.id, codes))
        return Stranger(client, target, codes, seats)

    outside = Stranger(visits.enter_context(Client(world.url)), target, [])
    return [come([]), come(world.foreign), come(target.codes[-1:], len(target.codes) - 1), outside]


def test_a_storm_of_messages_breaks_changes_and_betrays_nothing(world: World) -> None:
    dice, answers, sent = random.Random(8), Counter[str](), Counter[str]()
    with ExitStack() as visits:
        strangers = [one for target in world.targets for one in strangers_at(world, target, visits)]
        for number in range(MESSAGES):
            stranger = dice.choice(strangers)
            message = some_message(world, stranger, dice)
            chance = dice.random()
            text = json.dumps(message) if chance < 0.5 else mutated(message, dice) if chance < 0.9 else junk(dice)
            if is_allowed(stranger, text):
                continue
            stranger.client.socket.send(text)
            answer = stranger.client.listen()
            stranger.client.heard.clear()
            sent[str(message["type"])] += 1
            answers[answer["type"]] += 1
            world.check(json.dumps(answer))
            check_answer(stranger, answer)
            if number % 10_000 == 0:
                world.check_nothing_changed()
    world.check_nothing_changed()
    assert set(sent) == set(KINDS)
    assert {"error", "refused", "past", "welcome", "ack", "unanalysed"} <= set(answers)
    assert sum(answers.values()) > 0.8 * MESSAGES


def check_answer(stranger: Stranger, answer: dict[str, Any]) -> None:
    match answer["type"]:
        case "ack":
            assert stranger.seats
            assert answer["id"] in GRANTED
        case "refused":
            assert 5 < len(answer["fault"]["message"]) < 400
        case "error":
            assert 5 < len(answer["message"]) < 400
        case "welcome":
            assert not stranger.seats
            assert answer["ending"] is None
            if answer["table"]["hidden"]:
                assert (answer["lines"], answer["frame"]["seq"], answer["frame"]["legal"]) == (None, 0, {})
        case "past":
            assert answer["frame"]["legal"] == {}
        case "unanalysed":
            assert 5 < len(answer["why"]) < 400
        case "listed":
            assert answer["whole"]
        case "history":
            assert all("at" not in line for line in answer["lines"])
        case kind:
            assert kind == "pong"


def test_a_storm_of_requests_breaks_changes_and_betrays_nothing(world: World) -> None:
    dice, seen = random.Random(9), Counter[int]()
    with httpx.Client(base_url=world.url) as browser:
        for _ in range(MESSAGES // 10):
            target = dice.choice(world.targets)
            path = f"/api/tables/{dice.choice([target.id, target.id[:-1], '%2e%2e', 'x' * 99])}/"
            path += dice.choice(["next", "copy", "record", "secret", ""])
            body = {"codes": [dice.randbytes(16).hex()], dice.choice(["rotate", "seq"]): dice.choice(ODD_VALUES)}
            response = browser.request(dice.choice(["GET", "POST", "PUT"]), path, content=mutated(body, dice))
            seen[response.status_code] += 1
            world.check(response.text)
            assert response.status_code < 500
    assert {200, 404, 405, 409, 422} <= set(seen)
    world.check_nothing_changed()


def test_the_tables_can_be_played_on_after_all_that(world: World) -> None:
    for target in world.targets:
        if target.before:
            with Client(world.url, target.id, target.codes) as client:
                seat, acts = next(iter(client.frame["legal"].items()))
                answer = client.act(int(seat), acts[0])
                assert (answer["type"], answer["seq"]) == ("ack", target.table_state.acts + 1)
