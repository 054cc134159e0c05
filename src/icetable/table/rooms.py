"""A table as its log tells it: who sits where, what has been played, who may see what. No input or output in here.

A room is the fold of its entries. An act of anybody, nature included, is an entry once it is judged; taking acts back
is an entry too, `undo 6`, so that nothing is ever deleted, and so is whatever happens to the seats.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import msgspec
from msgspec import UNSET, UnsetType

from icetable.core import record, solving
from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import CHANCE, Game, State
from icetable.core.options import shorten
from icetable.table import fair, wire
from icetable.table.seating import (
    Agree,
    BadTable,
    Change,
    Drop,
    Fill,
    HandOver,
    Leave,
    Lots,
    Propose,
    Return,
    Seat,
    Seating,
    Sit,
    Terms,
    change_in,
    checked_level,
    checked_name,
    lock_of,
    name_for_bot,
    text_of,
)

REFUSALS_KEPT = 64
ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12
CODE_BYTES = 16
HOST = -2
"""Whose entry it is where the host of a table acts as such."""


class Hidden(Exception):
    """What was asked for is not shown yet; the text says so, in one sentence."""


class Tampered(GameError):
    """The log of a table is not what was kept: an entry does not follow from the one before."""


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
    terms: Terms = Terms()


class Entry(msgspec.Struct, frozen=True):
    """One entry of a table's log: an act, an undo, or something about the seats.

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
    """Somebody at a table: the seats whose codes they hold. Without any they watch.

    `guest`: the open seats that they may take; `host`: they opened the table. `locks`: of all codes that they have.
    """

    seats: frozenset[int] = frozenset()
    guest: frozenset[int] = frozenset()
    host: bool = False
    locks: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    def eyes(self, state: State) -> int | None:
        """The seat with whose eyes a position is seen: of several the one that is to act."""
        return min(self.seats & state.to_act or self.seats, default=None)


def draw_up(
    request: wire.TableRequest, game: Game, levels: Collection[str], now: int
) -> tuple[Charter, wire.TableCreated]:
    """The charter of a new table of `game`, and the codes of its seats and its host. Raises BadTable."""
    if not game.info.turns:
        raise BadTable(f"{game.info.title} has no turns, and tables can't keep its time yet")
    if len(request.seats) != game.players:
        raise BadTable(f"{game.info.title} for {game.players} needs {game.players} seats, not {len(request.seats)}")
    seats: list[Seat] = []
    codes: dict[str, str] = {}
    invites: dict[str, str] = {}
    for number, one in enumerate(request.seats):
        code = None if one.kind == "bot" else secrets.token_hex(CODE_BYTES)
        if code is not None:
            (codes if one.kind == "person" else invites)[str(number)] = code
        lock = None if code is None else lock_of(code)
        name = "" if one.kind == "open" else checked_name(one.name)
        seats.append(Seat(one.kind, name, _checked_level(one, levels), game.info.colours[number], lock))
    host = secrets.token_hex(CODE_BYTES) if invites else None
    terms = Terms(
        None if host is None else lock_of(host),
        request.public is True,
        request.live is not False,
        request.lots is True,
    )
    secret = secrets.token_bytes(fair.SECRET_BYTES)
    charter = Charter(_new_id(), game.info.name, game.options, tuple(seats), secret, now, None, terms)
    return charter, wire.TableCreated(charter.id, codes, invites, host)


def follow(room: Room, viewer: Viewer, rotate: bool, now: int) -> tuple[Charter, wire.TableCreated]:
    """The charter of the next game of a series, and the code of each person's seat. Raises BadTable.

    With `rotate` everybody sits one seat further on, and the second seat begins. Where several people play, the codes
    of this table hold their seats there, and there is only one next game, whoever asks for it.
    """
    if not viewer.seats:
        raise BadTable("the next game is opened by who holds a seat")
    if not room.state.is_terminal:
        raise BadTable("the next game begins when this one is over")
    local = room.is_local(viewer)
    before = room.series()
    order = [(seat + rotate) % room.game.players for seat in range(room.game.players)]
    sitting = [room.seating.seats[seat] for seat in order]
    codes = {
        str(seat): secrets.token_hex(CODE_BYTES) for seat, one in enumerate(sitting) if local and one.kind == "person"
    }
    charter = msgspec.structs.replace(
        room.charter,
        id=_new_id() if local else _id_after(room.charter),
        seats=tuple(
            msgspec.structs.replace(
                one,
                colour=room.game.info.colours[seat],
                lock=lock_of(codes[str(seat)]) if str(seat) in codes else one.lock,
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
        terms=msgspec.structs.replace(room.charter.terms, lots=False),
    )
    return charter, wire.TableCreated(charter.id, codes, {}, None)


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def _id_after(charter: Charter) -> str:
    """The id of the one game that follows, the same for all who ask for it."""
    digest = hmac.digest(charter.secret, b"next", "sha256")
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:ID_LENGTH])


def _checked_level(seat: wire.SeatRequest, levels: Collection[str]) -> str | None:
    if seat.kind == "bot":
        return checked_level(seat.level, levels)
    if seat.level is not None:
        raise BadTable(f"a person has no level, so it is null, not {shorten(seat.level)}")
    return None


class Room:
    """A table. `judge`, `act`, `draw` say what an entry would be and change nothing of the game; `take` enters it."""

    def __init__(self, charter: Charter, game: Game, entries: Iterable[Entry] = ()) -> None:
        """Raises GameError where the entries break the rules."""
        self.charter = charter
        self.game = game
        self._log: list[Entry] = []
        self.seating = Seating(charter.seats, charter.terms.lots).begun()
        self._states = [game.start()]
        self._watched: tuple[State, dict[str, Any]] | None = None
        self._told: tuple[State, wire.Line] | None = None
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
        return {number: seat.level for number, seat in enumerate(self.seating.seats) if seat.level is not None}

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now; nobody's before every seat is taken."""
        return self.state.to_act if self.seating.started else frozenset()

    def viewer(self, codes: Iterable[str]) -> Viewer:
        """Who holds these codes."""
        return self.viewer_with(frozenset(map(lock_of, codes)))

    def viewer_with(self, locks: frozenset[str]) -> Viewer:
        """Who holds the codes that fit these locks."""
        fitting = frozenset(
            number
            for number, seat in enumerate(self.seating.seats)
            if seat.lock is not None and _fits(seat.lock, locks)
        )
        terms, opens = self.charter.terms, self.seating.of_kind("open")
        anybodys = opens if terms.public and not self.seating.started else frozenset()
        host = terms.host is not None and _fits(terms.host, locks)
        return Viewer(fitting - opens, fitting & opens | anybodys, host, locks)

    def is_local(self, viewer: Viewer) -> bool:
        """Whether all persons' seats are this viewer's."""
        persons = self.seating.of_kind("person") | self.seating.of_kind("open")
        return bool(persons) and persons <= viewer.seats

    def sees(self, viewer: Viewer) -> bool:
        """Whether the game is shown to them while it is played."""
        return bool(viewer.seats) or self.charter.terms.live or self.state.is_terminal

    # Judging

    def judge(
        self, viewer: Viewer, request: wire.Request, now: int, away: Collection[int] = ()
    ) -> Entry | wire.Ack | wire.Refused:
        """What becomes of a request at the time `now` (milliseconds since 1970): an entry, or at once an answer.

        `away` are the seats whose people have not been at the table for long. The first answer to an id is the answer
        for good. (Refusals are not in the log and are remembered for a while.)
        """
        if stranger := self._not_allowed(viewer, request):
            return wire.Refused(request.id, stranger)
        if known := self._done.get(request.id) or self._refusals.get(request.id):
            return known
        try:
            return self._judge(viewer, request, now, self.seating.gone | set(away))
        except IllegalAction as error:
            fault = error.fault
            return self._refuse(request.id, wire.Fault(fault.code, fault.message, fault.rule, list(fault.where)))
        except BadTable as error:
            return self._refuse(request.id, wire.Fault("not-now", sentence(error), None, []))
        except GameError as error:
            return self._refuse(request.id, wire.Fault("bad-notation", sentence(error), None, []))

    def _not_allowed(self, viewer: Viewer, request: wire.Request) -> wire.Fault | None:
        """Why this viewer may not even ask. It tells nothing of the table that its visitors don't know."""
        match request:
            case wire.Sit(seat=seat) if seat in viewer.guest | viewer.seats:
                return None
            case wire.Sit():
                return wire.Fault("no-invitation", "That seat is not free for this browser.", None, [])
            case wire.HandOver(seat=seat) if seat in viewer.seats | viewer.guest or viewer.host:
                return None
            case wire.Act(seat=seat) | wire.Leave(seat=seat) | wire.Return(seat=seat) | wire.HandOver(seat=seat):
                if seat not in viewer.seats:
                    return wire.Fault("not-your-seat", "This browser does not hold that seat.", None, [])
                return None
            case wire.Fill() if viewer.host:
                return None
            case _ if not viewer.seats:
                return wire.Fault("no-seat", "Only who holds a seat at this table may do that.", None, [])
        return None

    def _judge(self, viewer: Viewer, request: wire.Request, now: int, away: frozenset[int]) -> Entry | wire.Refused:
        seating, change = self.seating, cast("Change | None", None)
        match request:
            case wire.Act(request_id, seat, text):
                if not seating.started:
                    raise BadTable("the game begins when every seat is taken")
                return self.act(seat, text, now, request_id)
            case wire.Undo():
                return self._undo(viewer, request, now)
            case wire.Vote():
                return self._vote(viewer, request, now)
            case wire.Fill():
                return self._fill(viewer, request, now, away)
            case wire.Sit(_, seat, name, code):
                if seat not in viewer.guest:
                    raise BadTable("that seat is yours already")
                change = Sit(seat, checked_name(name), lock_of(code))
            case wire.HandOver(_, seat, code):
                if seat not in viewer.seats and not (viewer.host and seat in seating.of_kind("open")):
                    raise BadTable("a seat is handed over by who holds it")
                change = HandOver(seat, lock_of(code))
            case wire.Leave(_, seat):
                change = Leave(seat)
            case wire.Return(_, seat):
                change = Return(seat)
        return self._changed(min(viewer.seats, default=HOST), change, now, request.id)

    def _changed(self, seat: int, change: Change, now: int, client_id: str | None) -> Entry:
        """The entry of a change of the seats. Raises GameError where it can't be."""
        entry = self._entry(seat, text_of(change), now, client_id)
        self.seating.after(change, entry.seq, seat)
        return entry

    def _fill(self, viewer: Viewer, request: wire.Fill, now: int, away: frozenset[int]) -> Entry:
        """A bot for an open seat at once, by the host; for one whose player is gone when the others agree."""
        seat, seating = request.seat, self.seating
        fill = Fill(seat, request.level, name_for_bot(seating.seats))
        if viewer.host and seat in seating.of_kind("open"):
            return self._changed(HOST, fill, now, request.id)
        if not viewer.seats or seat not in seating.of_kind("person") & away or seat in viewer.seats:
            raise BadTable("a bot may take an open seat, or that of a player who is gone")
        return self._propose(viewer, "fill", seat, request.level, away | {seat}, now, request.id) or self._changed(
            min(viewer.seats), fill, now, request.id
        )

    def _propose(
        self,
        viewer: Viewer,
        what: wire.ProposalKind,
        target: int,
        level: str | None,
        excused: Collection[int],
        now: int,
        client_id: str,
    ) -> Entry | None:
        """The entry of a proposal; None where nobody has to be asked."""
        voters = self.seating.of_kind("person") - viewer.seats - set(excused)
        if not voters:
            return None
        if self.seating.proposal is not None:
            raise BadTable("another proposal waits for its answer")
        proposal = Propose(what, target, level, tuple(sorted(voters)))
        return self._changed(min(viewer.seats), proposal, now, client_id)

    def _vote(self, viewer: Viewer, request: wire.Vote, now: int) -> Entry:
        proposal = self.seating.proposal
        if proposal is None or proposal.number != request.number:
            raise BadTable("that proposal does not stand any more")
        mine = proposal.waiting & viewer.seats
        if not request.agree and (mine or proposal.by in viewer.seats):
            return self._changed(min(viewer.seats), Drop(), now, request.id)
        if not mine:
            raise BadTable("you have agreed already")
        seat = min(mine)
        if proposal.waiting > mine:
            return self._changed(seat, Agree(tuple(sorted(mine))), now, request.id)
        if proposal.what == "undo":
            return self._entry(seat, f"undo {proposal.target}", now, request.id)
        fill = Fill(proposal.target, proposal.level or "", name_for_bot(self.seating.seats))
        return self._changed(seat, fill, now, request.id)

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

    def draw_lots(self, now: int) -> Entry:
        """The entry of the lots for the seats, where they are due."""
        order = fair.lots(self.charter.secret, self.charter.id, self.game.players)
        return self._changed(CHANCE, Lots(order), now, None)

    def _undo(self, viewer: Viewer, request: wire.Undo, now: int) -> Entry | wire.Refused:
        if request.to >= self.acts:
            message = f"There is nothing to take back after act {request.to}: {self.acts} were made."
            return self._refuse(request.id, wire.Fault("nothing-to-undo", message, None, []))
        if proposed := self._propose(viewer, "undo", request.to, None, (), now, request.id):
            return proposed
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

    def take(self, entry: Entry) -> Literal["act", "undo", "seats"]:
        """Enter what was judged and kept; what it was.

        Raises GameError (Tampered where it is not what was judged then), and changes nothing.
        """
        undo, change = fair.UNDO.fullmatch(entry.text), change_in(entry.text)
        if entry.seq != self.entries + 1 or (undo and int(undo[1]) >= self.acts):
            raise GameError(f"entry {shorten(entry.seq)} of this table's log does not fit the one before")
        if entry.link != self.chained(entry).link:
            raise Tampered(f"entry {entry.seq} of this table's log, {shorten(entry.text)}, is not what was kept")
        if change is not None:
            self.seating = self.seating.after(change, entry.seq, entry.seat)
        elif undo:
            del self._states[int(undo[1]) + 1 :]
            self.seating = self.seating.settled()
        else:
            self._states.append(self.state.apply(entry.text, entry.seat, entry.at / 1000))
            self.seating = self.seating.acted(entry.seat)
        self._log.append(entry)
        if entry.client_id is not None:
            self._done[entry.client_id] = wire.Ack(entry.client_id, self.acts)
        return "seats" if change is not None else "undo" if undo else "act"

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

    def table(self, viewer: Viewer) -> wire.TableInfo:
        """The table without its game."""
        info, seating, terms = self.game.info, self.seating, self.charter.terms
        proposal = seating.proposal if self.sees(viewer) else None  # it tells how far the game is
        return wire.TableInfo(
            self.charter.id,
            info.name,
            info.title,
            wire.Options(cast("dict[str, wire.Value]", dict(self.game.options))),
            wire.Layout(self.game.layout()),
            self._seats(viewer),
            self.is_local(viewer),
            fair.commitment(self.charter.secret),
            solving.can_solve(self.game),
            None if self.charter.series is None else _standing(self.charter.series),
            seating.started,
            terms.public,
            viewer.host,
            sorted(viewer.guest),
            not self.sees(viewer),
            None
            if proposal is None
            else wire.Proposal(proposal.number, proposal.by, proposal.what, proposal.target, sorted(proposal.waiting)),
        )

    def _seats(self, viewer: Viewer) -> list[wire.Seat]:
        return [
            wire.Seat(
                number,
                seat.kind,
                seat.name,
                seat.level,
                seat.colour,
                number in viewer.seats,
                number in self.seating.gone,
            )
            for number, seat in enumerate(self.seating.seats)
        ]

    def listing(self) -> wire.Listing:
        """What the lobby tells of the table."""
        info, charter, started = self.game.info, self.charter, self.seating.started
        seats = self._seats(Viewer())
        return wire.Listing(charter.id, info.name, info.title, charter.created, seats, started, charter.terms.live)

    def welcome(self, viewer: Viewer) -> wire.Welcome:
        """The whole table."""
        return wire.Welcome(self.table(viewer), self.lines(viewer), self.frame(viewer), self.ending)

    def lines(self, viewer: Viewer) -> list[wire.Line] | None:
        """All acts that led to the newest position; None where they are not shown yet."""
        if not (self.sees(viewer) and self.game.shows_history(self.state)):
            return None
        return [self._line(number) for number in range(1, len(self._states))]

    def frame(self, viewer: Viewer) -> wire.Frame:
        """The newest position with the act that led to it, and the legal acts of the viewer's seats.

        Who may not see it yet is shown the start.
        """
        if not self.sees(viewer):
            return self._frame(viewer, 0, {})
        acting = sorted(viewer.seats & self.to_act)
        legal = {str(seat): [str(act) for act in self.state.legal_actions(seat)] for seat in acting}
        return self._frame(viewer, self.acts, legal, self._undo_target(viewer))

    def _undo_target(self, viewer: Viewer) -> int | UnsetType:
        """The position before the last act that this viewer made, where they may go back there or propose it."""
        acts = range(self.acts, 0, -1)
        return next((number - 1 for number in acts if self._states[number].seat in viewer.seats), UNSET)

    def past(self, viewer: Viewer, number: int) -> wire.Frame | None:
        """The position after `number` acts, if there is one. Raises Hidden."""
        self._check_history(viewer)
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
            self._check_history(viewer)
        if number > self.acts:
            raise Hidden(f"Only {self.acts} acts have been made.")
        return self._states[number]

    def record(self) -> str:
        """The game record, which anybody may see. Raises Hidden."""
        self._check_history(Viewer())
        secret, table, over = self.charter.secret, self.charter.id, self.state.is_terminal
        log = [f"{entry.seq} {entry.seat} {entry.at} {entry.link} {entry.text}" for entry in self._log] if over else ()
        return record.write(self.state, fair.pledge(secret, table, over), log)

    def _check_history(self, viewer: Viewer) -> None:
        if not self.sees(viewer):
            raise Hidden("This table shows its game to those who watch when it is over.")
        if not self.game.shows_history(self.state):
            raise Hidden("This game hides its history until it is over.")

    def _frame(
        self, viewer: Viewer, number: int, legal: dict[str, list[str]], undo: int | UnsetType = UNSET
    ) -> wire.Frame:
        state = self._states[number]
        line = self._line(number) if number else None
        return wire.Frame(number, line, cast("wire.View", self._view(state, viewer.eyes(state))), legal, undo)

    def _view(self, state: State, seat: int | None) -> dict[str, Any]:
        """What a seat sees; a view that is the same for all is made once for all who are shown it."""
        if not self.game.sees_alike:
            return state.view(seat)
        if self._watched is None or self._watched[0] is not state:
            self._watched = state, state.view(None)
        return {**self._watched[1], "seat": seat}

    def _line(self, number: int) -> wire.Line:
        """An act as everybody is told of it, made once for all who are told at the same time."""
        state = self._states[number]
        if self._told is None or self._told[0] is not state:
            assert state.seat is not None
            assert state.act is not None
            effects = [wire.Effect(effect.kind, list(effect.spaces), effect.value) for effect in state.effects]
            self._told = state, wire.Line(number, state.seat, str(state.act), effects)
        return self._told[1]


def _fits(lock: str, others: Iterable[str]) -> bool:
    """Whether a lock is among others; how long that takes tells nothing of them."""
    fits = False
    for other in others:
        fits |= hmac.compare_digest(lock, other)
    return fits


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
