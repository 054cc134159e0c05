"""The states of tables, without a network, a database or a clock."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable import games
from icetable.server import messages
from icetable.server.table.judge import Judge
from icetable.server.table.log import Entry
from icetable.server.table.seats import Seat
from icetable.server.table.setup import TableSetup, create_setup
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import TableViews

from .toy import TOY

if TYPE_CHECKING:
    from icetable.core.game import Game

Who = int | Viewer | Collection[str]
ANYBODY = range(9)
"""Holds every seat."""


def drawn(table_state: TableState, now: int) -> Entry:
    """The entry that chance draws, which has to be due."""
    entry = table_state.draw_chance(now)
    assert entry is not None
    return entry


def views(table_state: TableState, now: int = 0) -> TableViews:
    return TableViews(table_state, lambda: now)


CHARTER = TableSetup(
    "k7m2",
    "icefrogs",
    {"players": 2, "board": "star", "turn_limit": 400},
    (Seat("person", "Ann", None, "red", "ab" * 32), Seat("bot", "Räuber", "expert", "blue", None)),
    bytes(range(32)),
    1_700_000_000_000,
).with_salts()

NOW = 1_000_000
"""When tables are opened."""
LEVELS = ("easy", "hard")
TERMS = {*messages.TableRequest.__struct_fields__} - {"game", "options", "seats"}


def person(name: str = "Ann") -> messages.SeatRequest:
    return messages.SeatRequest("person", name, None)


def bot(level: str | None = "easy", name: str = "Robot") -> messages.SeatRequest:
    return messages.SeatRequest("bot", name, level)


OPEN = messages.SeatRequest("open", "", None)


def request(game: str, *seats: messages.SeatRequest, **chosen: Any) -> messages.TableRequest:
    """A request for a table, with terms and options of the game."""
    options = {name: value for name, value in chosen.items() if name not in TERMS}
    terms = {name: value for name, value in chosen.items() if name in TERMS}
    return messages.TableRequest(game, messages.Options(options), list(seats), **terms)


class Table:
    """A table, the people at it, each at their own browser, and how many milliseconds it has been open.

    Without other seats they are Ann's and Bob's. People are meant by their seats, by codes, or as viewers. Each request
    gets what a server does with it: the fault, or None where it counts.
    """

    def __init__(self, game: str | Game, *seats: messages.SeatRequest, opened: int = NOW, **chosen: Any) -> None:
        seats = seats or (person("Ann"), person("Bob"))
        name = game if isinstance(game, str) else game.info.name
        wanted = request(name, *seats, **chosen)
        if isinstance(game, str):
            info = TOY if game == "toy" else games.info(game)
            game = info.load(None, **{"players": len(seats), **wanted.options})
        setup, self.created = create_setup(wanted, game, LEVELS, opened)
        self.state = TableState(setup, game)
        self.judge = Judge(self.state)
        self.time = 0
        self.requests = 0
        self.away: tuple[int, ...] = ()

    @property
    def now(self) -> int:
        return self.state.setup.created + self.time

    @property
    def host(self) -> list[str]:
        return [self.created.host or ""]

    def link(self, seat: int) -> list[str]:
        """The code of the first link to an open seat."""
        return [self.created.invites[str(seat)]]

    @property
    def views(self) -> TableViews:
        return TableViews(self.state, lambda: self.now)

    @property
    def everybody(self) -> Viewer:
        """Somebody who holds the seats of all people."""
        return self.state.viewer(self.created.codes.values())

    def viewer(self, who: Who) -> Viewer:
        if isinstance(who, Viewer):
            return who
        return self.state.viewer([self.created.codes[str(who)]] if isinstance(who, int) else who)

    def again(self) -> TableState:
        """The table as a server has it that was started anew."""
        return TableState(self.state.setup, self.state.game, self.state.log())

    def wait(self, milliseconds: int) -> None:
        """Time passes, and what is due comes at the end of it."""
        self.time += milliseconds
        due = self.state.overdue(self.now)
        if due is not None:
            self.state.append(due)

    def put(self, who: Who, request: messages.Request, known: int = 0, silence: int = 0) -> messages.Fault | None:
        """Ask; first comes what is due. What is known of the browser's connection is as for the judge."""
        self.wait(0)
        verdict = self.judge.judge(self.viewer(who), request, self.now, self.away, known=known, silence=silence)
        if isinstance(verdict, Entry):
            self.state.append(verdict)
            return None
        assert isinstance(verdict, messages.Refused), verdict
        return verdict.fault

    def new_id(self) -> str:
        self.requests += 1
        return f"r{self.requests}"

    def ask(self, who: Who, kind: type[Any], *fields: Any) -> messages.Fault | None:
        return self.put(who, kind(self.new_id(), *fields))

    def refused(self, who: Who, kind: type[Any], *fields: Any) -> str:
        """The sentence with which a request is refused."""
        return message_of(self.ask(who, kind, *fields))

    def sit(self, seat: int, name: str = "Bob", link: Collection[str] | None = None) -> list[str]:
        """Take a seat by its link, and hold it by a code of one's own."""
        mine = secrets.token_hex(16)
        assert self.ask(self.link(seat) if link is None else link, messages.Sit, seat, name, mine) is None
        return [mine]

    def act(self, seat: int, text: str, *lag: int) -> messages.Fault | None:
        return self.ask(seat, messages.Act, seat, text, *lag)

    def play(self, *acts: tuple[int, str]) -> None:
        for seat, text in acts:
            assert self.act(seat, text) is None, text

    def any_act(self) -> None:
        """Some legal act of the seat that is to act."""
        seat = min(self.state.to_act)
        self.play((seat, str(self.state.position.legal_actions(seat)[0])))

    def offer(self, seat: int, what: str) -> messages.Fault | None:
        return self.ask(seat, messages.Offer, what)

    def answer(self, who: Who, agree: bool) -> messages.Fault | None:
        assert self.state.seating.proposal is not None
        return self.ask(who, messages.Vote, self.state.seating.proposal.number, agree)

    def agreed(self, what: str) -> None:
        assert self.offer(0, what) is None
        assert self.answer(1, True) is None

    def clocks(self, who: Who = ()) -> messages.Clocks:
        clocks = self.views.frame(self.viewer(who)).clocks
        assert isinstance(clocks, messages.Clocks)
        return clocks


def message_of(fault: messages.Fault | None) -> str:
    assert fault is not None
    return fault.message


def founded(game: str, *seats: messages.SeatRequest, **chosen: Any) -> tuple[TableState, dict[str, str]]:
    table = Table(game, *seats, **chosen)
    return table.state, table.created.codes


def ask(
    table: TableState | Judge, viewer: Viewer, request: messages.Request, now: int = NOW
) -> messages.Ack | messages.Refused:
    """Judge a request as a server does, and apply its entry."""
    judge = table if isinstance(table, Judge) else Judge(table)
    verdict = judge.judge(viewer, request, now)
    if isinstance(verdict, Entry):
        judge.state.append(verdict)
        return ask(judge, viewer, request, now)
    return verdict


def long_game(acts: int, **options: Any) -> tuple[TableState, dict[str, str]]:
    """A game of IceFrogs after a number of random acts that did not end it, one every 10 ms."""
    table_state, codes = founded("icefrogs", person(), person(), turn_limit=0, **options)
    rng = np.random.default_rng(acts)
    while table_state.acts < acts:
        act = table_state.game.random_act(table_state.position, rng)
        if not table_state.position.apply(act).is_terminal:
            table_state.append(
                table_state.entry_for_act(ANYBODY, min(table_state.to_act), act, NOW + 10 * table_state.acts)
            )
    return table_state, codes
