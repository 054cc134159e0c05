"""A table as its log tells it: who sits where, what has been played, who may see what. No input or output in here.

A room is the fold of its entries. An act of anybody, nature included, is an entry once it is judged; taking acts back
is an entry too, `undo 6`, so that nothing is ever deleted.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import msgspec
from msgspec import UNSET, UnsetType

from icetable.core import record, solving
from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import CHANCE, Game, State
from icetable.core.options import shorten
from icetable.table import fair, wire

LONGEST_NAME = 40
REFUSALS_KEPT = 64
ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12
CODE_BYTES = 16
# They turn the direction of text round or break it into lines, so that one name could pass for another.
TRICKS = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


class BadTable(GameError):
    """A table that can't be opened as it was asked for."""


class Hidden(Exception):
    """What was asked for is not shown yet; the text says so, in one sentence."""


class Tampered(GameError):
    """The log of a table is not what was kept: an entry does not follow from the one before."""


class Seat(msgspec.Struct, frozen=True):
    """Who sits on a seat. `lock` is the SHA-256 of the code that holds a person's seat."""

    kind: wire.SeatKind
    name: str
    level: str | None
    colour: str
    lock: str | None


class Series(msgspec.Struct, frozen=True):
    """The games before that of a table: the table that it follows, and what the games add up to by seat of this one.

    `ties` decide between equal `scores`.
    """

    follows: str
    games: int
    scores: tuple[int, ...]
    ties: tuple[int, ...]


class Charter(msgspec.Struct, frozen=True):
    """What was settled when a table was opened.

    `options` are complete. `secret` is what nature draws from and leaves the server only when the game is over;
    `created` is in milliseconds since 1970.
    """

    id: str
    game: str
    options: Mapping[str, object]
    seats: tuple[Seat, ...]
    secret: bytes
    created: int
    series: Series | None = None


class Entry(msgspec.Struct, frozen=True):
    """One entry of a table's log: an act or an undo.

    `seq` counts the entries from 1, `at` is in milliseconds since the table was opened; `client_id` is the browser's
    own name of the request, None where no browser asked. `link` chains it to the entry before (`fair.link`).
    """

    seq: int
    seat: int
    at: int
    text: str
    client_id: str | None = None
    link: str = ""


@dataclass(frozen=True)
class Viewer:
    """Somebody at a table: the seats whose codes they hold. Without any they watch."""

    seats: frozenset[int] = frozenset()

    def eyes(self, state: State) -> int | None:
        """The seat with whose eyes a position is seen: of several the one that is to act."""
        return min(self.seats & state.to_act or self.seats, default=None)


def draw_up(
    request: wire.TableRequest, game: Game, levels: Collection[str], now: int
) -> tuple[Charter, dict[str, str]]:
    """The charter of a new table of `game`, and the code of each person's seat. Raises BadTable."""
    if not game.info.turns:
        raise BadTable(f"{game.info.title} has no turns, and tables can't keep its time yet")
    if len(request.seats) != game.players:
        raise BadTable(f"{game.info.title} for {game.players} needs {game.players} seats, not {len(request.seats)}")
    codes = {str(seat): secrets.token_hex(CODE_BYTES) for seat, one in enumerate(request.seats) if one.kind == "person"}
    seats = tuple(
        Seat(
            one.kind,
            _checked_name(one.name),
            _checked_level(one, levels),
            game.info.colours[seat],
            _lock(codes[str(seat)]) if str(seat) in codes else None,
        )
        for seat, one in enumerate(request.seats)
    )
    secret = secrets.token_bytes(fair.SECRET_BYTES)
    return Charter(_new_id(), game.info.name, game.options, seats, secret, now), codes


def follow(room: Room, viewer: Viewer, rotate: bool, now: int) -> tuple[Charter, dict[str, str]]:
    """The charter of the next game of a series, and the code of each person's seat. Raises BadTable.

    With `rotate` everybody sits one seat further on, and the second seat begins.
    """
    if not room.is_local(viewer):
        raise BadTable("the next game is opened by who holds every person's seat")
    if not room.state.is_terminal:
        raise BadTable("the next game begins when this one is over")
    before = room.series()
    order = [(seat + rotate) % room.game.players for seat in range(room.game.players)]
    sitting = [room.charter.seats[seat] for seat in order]
    codes = {str(seat): secrets.token_hex(CODE_BYTES) for seat, one in enumerate(sitting) if one.kind == "person"}
    charter = msgspec.structs.replace(
        room.charter,
        id=_new_id(),
        seats=tuple(
            msgspec.structs.replace(
                one,
                colour=room.game.info.colours[seat],
                lock=_lock(codes[str(seat)]) if str(seat) in codes else None,
            )
            for seat, one in enumerate(sitting)
        ),
        secret=secrets.token_bytes(fair.SECRET_BYTES),
        created=now,
        series=msgspec.structs.replace(
            before,
            scores=tuple(before.scores[seat] for seat in order),
            ties=tuple(before.ties[seat] for seat in order),
        ),
    )
    return charter, codes


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def _checked_name(name: str) -> str:
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise BadTable(f"a player's name has 1 to {LONGEST_NAME} characters, not {len(name)}")
    if any(unicodedata.category(letter) == "Cc" or letter in TRICKS for letter in name):
        raise BadTable("a player's name has no control characters")
    return name


def _checked_level(seat: wire.SeatRequest, levels: Collection[str]) -> str | None:
    if seat.kind == "person":
        if seat.level is not None:
            raise BadTable(f"a person has no level, so it is null, not {shorten(seat.level)}")
    elif seat.level not in levels:
        known = ", ".join(repr(level) for level in levels) or "none; this game has no computer players"
        raise BadTable(f"there is no level {shorten(seat.level)}; allowed: {known}")
    return seat.level


def _lock(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


class Room:
    """A table. `judge`, `act`, `draw` say what an entry would be and change nothing of the game; `take` enters it."""

    def __init__(self, charter: Charter, game: Game, entries: Iterable[Entry] = ()) -> None:
        """Raises GameError where the entries break the rules."""
        self.charter = charter
        self.game = game
        self._log: list[Entry] = []
        self._states = [game.start()]
        self._done: dict[str, wire.Ack] = {}
        self._refusals: dict[str, wire.Refused] = {}
        for entry in entries:
            self.take(entry)

    @property
    def state(self) -> State:
        """The newest position."""
        return self._states[-1]

    @property
    def entries(self) -> int:
        """How many entries the log has."""
        return len(self._log)

    @property
    def acts(self) -> int:
        """How many acts led to the newest position; those taken back don't count."""
        return len(self._states) - 1

    @property
    def bots(self) -> dict[int, str]:
        """The levels of the seats that bots play."""
        return {number: seat.level for number, seat in enumerate(self.charter.seats) if seat.level is not None}

    def viewer(self, codes: Iterable[str]) -> Viewer:
        """Who holds these codes."""
        locks = [_lock(code) for code in codes]
        return Viewer(
            frozenset(
                number
                for number, seat in enumerate(self.charter.seats)
                for lock in locks
                if seat.lock is not None and hmac.compare_digest(seat.lock, lock)
            )
        )

    def is_local(self, viewer: Viewer) -> bool:
        """Whether all persons' seats are this viewer's."""
        persons = {number for number, seat in enumerate(self.charter.seats) if seat.kind == "person"}
        return bool(persons) and persons <= viewer.seats

    # Judging

    def judge(self, viewer: Viewer, request: wire.Act | wire.Undo, now: int) -> Entry | wire.Ack | wire.Refused:
        """What becomes of a request at the time `now` (milliseconds since 1970): an entry, or at once an answer.

        The first answer to an id is the answer for good. (Refusals are not in the log and are remembered for a while.)
        """
        if stranger := self._not_allowed(viewer, request):
            return wire.Refused(request.id, stranger)
        if known := self._done.get(request.id) or self._refusals.get(request.id):
            return known
        try:
            if isinstance(request, wire.Act):
                return self.act(request.seat, request.text, now, request.id)
            return self._undo(viewer, request, now)
        except IllegalAction as error:
            fault = error.fault
            return self._refuse(request.id, wire.Fault(fault.code, fault.message, fault.rule, list(fault.where)))
        except GameError as error:
            return self._refuse(request.id, wire.Fault("bad-notation", sentence(error), None, []))

    def _not_allowed(self, viewer: Viewer, request: wire.Act | wire.Undo) -> wire.Fault | None:
        if isinstance(request, wire.Act):
            if request.seat not in viewer.seats:
                return wire.Fault("not-your-seat", "This browser does not hold that seat.", None, [])
        elif not self.is_local(viewer):
            message = "Acts are taken back only where one browser holds every person's seat."
            return wire.Fault("not-local", message, None, [])
        return None

    def _refuse(self, request: str, fault: wire.Fault) -> wire.Refused:
        if len(self._refusals) == REFUSALS_KEPT:
            del self._refusals[next(iter(self._refusals))]
        refusal = self._refusals[request] = wire.Refused(request, fault)
        return refusal

    def act(self, seat: int, text: str, now: int, client_id: str | None = None) -> Entry:
        """The entry of an act. Raises BadNotation or IllegalAction."""
        entry = self._entry(seat, text, now, client_id)
        fault = self.state.fault(text, seat, entry.at / 1000)
        if fault is not None:
            raise IllegalAction(fault)
        return entry

    def draw(self, now: int) -> Entry:
        """The entry of nature's act, where nature is to act.

        What nature draws follows from the table's secret, its id and how many acts were made: a server that is
        started again draws the same, and so does one that took the act back.
        """
        act = fair.draw(self.charter.secret, self.charter.id, self.acts + 1, self.state)
        return self._entry(CHANCE, act, now, None)

    def _undo(self, viewer: Viewer, request: wire.Undo, now: int) -> Entry | wire.Refused:
        if request.to >= self.acts:
            message = f"There is nothing to take back after act {request.to}: {self.acts} were made."
            return self._refuse(request.id, wire.Fault("nothing-to-undo", message, None, []))
        return self._entry(min(viewer.seats), f"undo {request.to}", now, request.id)

    def _entry(self, seat: int, text: str, now: int, client_id: str | None) -> Entry:
        """The next entry. The clock of a table never runs back."""
        clock = self._log[-1].at if self._log else 0
        return self.chained(Entry(self.entries + 1, seat, max(clock, now - self.charter.created), text, client_id))

    def log(self) -> list[Entry]:
        """All entries, those that were taken back included."""
        return list(self._log)

    def chained(self, entry: Entry) -> Entry:
        """An entry with the link that it has as the next one of this log."""
        before = self._log[-1].link if self._log else fair.commitment(self.charter.secret)
        link = fair.link(before, self.charter.id, entry.seq, entry.seat, entry.at, entry.text)
        return msgspec.structs.replace(entry, link=link)

    # Folding

    def take(self, entry: Entry) -> bool:
        """Enter what was judged and kept; whether it was an act and no undo.

        Raises GameError (Tampered where it is not what was judged then), and changes nothing.
        """
        undo = fair.UNDO.fullmatch(entry.text)
        if entry.seq != self.entries + 1 or (undo and int(undo[1]) >= self.acts):
            raise GameError(f"entry {shorten(entry.seq)} of this table's log does not fit the one before")
        if entry.link != self.chained(entry).link:
            raise Tampered(f"entry {entry.seq} of this table's log, {shorten(entry.text)}, is not what was kept")
        if undo:
            del self._states[int(undo[1]) + 1 :]
        else:
            self._states.append(self.state.apply(entry.text, entry.seat, entry.at / 1000))
        self._log.append(entry)
        if entry.client_id is not None:
            self._done[entry.client_id] = wire.Ack(entry.client_id, self.acts)
        return not undo

    # The gate: everything that anybody sees of a room comes from here, built from named fields.

    @property
    def ending(self) -> wire.Ending | None:
        """What is told of a table when its game is over."""
        if not self.state.is_terminal:
            return None
        return wire.Ending(self.charter.secret.hex(), _standing(self.series()))

    def series(self) -> Series:
        """The series with the game of this table, which is over."""
        nothing = (0,) * self.game.players
        before = self.charter.series or Series("", 0, nothing, nothing)
        scores, ties = self.state.scores, self.game.tie_points(self.state)
        return Series(self.charter.id, before.games + 1, _added(before.scores, scores), _added(before.ties, ties))

    def welcome(self, viewer: Viewer) -> wire.Welcome:
        """The whole table."""
        info = self.game.info
        seats = [
            wire.Seat(number, seat.kind, seat.name, seat.level, seat.colour, number in viewer.seats)
            for number, seat in enumerate(self.charter.seats)
        ]
        table = wire.TableInfo(
            self.charter.id,
            info.name,
            info.title,
            wire.Options(cast("dict[str, wire.Value]", dict(self.game.options))),
            wire.Layout(self.game.layout()),
            seats,
            self.is_local(viewer),
            fair.commitment(self.charter.secret),
            solving.can_solve(self.game),
            None if self.charter.series is None else _standing(self.charter.series),
        )
        return wire.Welcome(table, self.lines(), self.frame(viewer), self.ending)

    def lines(self) -> list[wire.Line] | None:
        """All acts that led to the newest position; None where the game does not show them yet."""
        if not self.game.shows_history(self.state):
            return None
        return [self._line(number) for number in range(1, len(self._states))]

    def frame(self, viewer: Viewer) -> wire.Frame:
        """The newest position with the act that led to it, and the legal acts of the viewer's seats."""
        acting = sorted(viewer.seats & self.state.to_act)
        legal = {str(seat): [str(act) for act in self.state.legal_actions(seat)] for seat in acting}
        return self._frame(viewer, self.acts, legal, self._undo_target(viewer))

    def _undo_target(self, viewer: Viewer) -> int | UnsetType:
        """The position before the last act that a person made, where this viewer may go back there."""
        if not self.is_local(viewer):
            return UNSET
        persons = viewer.seats
        acts = range(self.acts, 0, -1)
        return next((number - 1 for number in acts if self._states[number].seat in persons), UNSET)

    def past(self, viewer: Viewer, number: int) -> wire.Frame | None:
        """The position after `number` acts, if there is one. Raises Hidden."""
        self._check_history()
        return self._frame(viewer, number, {}) if 0 <= number <= self.acts else None

    def position(self, viewer: Viewer, number: int) -> State:
        """The position after `number` acts, for who wants to know what its acts are worth.

        Raises Hidden, and GameError where nobody can know.
        """
        if not solving.can_solve(self.game):
            raise GameError("what acts are worth is not known in this game")
        if not (self.is_local(viewer) or self.state.is_terminal):
            raise Hidden("What acts are worth is told when the game is over.")
        if number != self.acts:
            self._check_history()
        if number > self.acts:
            raise Hidden(f"Only {self.acts} acts have been made.")
        return self._states[number]

    def record(self) -> str:
        """The game record, which anybody may see. Raises Hidden."""
        self._check_history()
        secret, table, over = self.charter.secret, self.charter.id, self.state.is_terminal
        log = [f"{entry.seq} {entry.seat} {entry.at} {entry.link} {entry.text}" for entry in self._log] if over else ()
        return record.write(self.state, fair.pledge(secret, table, over), log)

    def _check_history(self) -> None:
        if not self.game.shows_history(self.state):
            raise Hidden("This game hides its history until it is over.")

    def _frame(
        self, viewer: Viewer, number: int, legal: dict[str, list[str]], undo: int | UnsetType = UNSET
    ) -> wire.Frame:
        state = self._states[number]
        line = self._line(number) if number else None
        return wire.Frame(number, line, cast("wire.View", state.view(viewer.eyes(state))), legal, undo)

    def _line(self, number: int) -> wire.Line:
        state = self._states[number]
        assert state.seat is not None
        assert state.act is not None
        effects = [wire.Effect(effect.kind, list(effect.spaces), effect.value) for effect in state.effects]
        return wire.Line(number, state.seat, str(state.act), effects)


def _added(some: Iterable[int], others: Iterable[int]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(some, others, strict=True))


def _standing(series: Series) -> wire.Standing:
    ranks = list(zip(series.scores, series.ties, strict=True))
    leaders = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    return wire.Standing(series.games, list(series.scores), leaders)


def sentence(error: GameError) -> str:
    """An error as people read it."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
