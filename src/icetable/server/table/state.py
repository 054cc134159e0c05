"""A table as its log tells it: who sits where, what has been played, how time runs. No input or output in here.

A room is the fold of its entries. An act of anybody, nature included, is an entry once it is judged; taking acts back
is an entry too, `undo 6`, so that nothing is ever deleted, and so is whatever else happens at the table (`changes`).
What anybody sees of a room is the gate's affair (`gate`).
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

import msgspec
from msgspec import UNSET

from icetable.core import record
from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import CHANCE, Game, State
from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.table import clock, fairness
from icetable.server.table.events import (
    MARK,
    Agree,
    Drop,
    End,
    Event,
    Fill,
    HandOver,
    Leave,
    Lots,
    Pause,
    Propose,
    Resume,
    Return,
    Sit,
    Skip,
    read_event,
    write_event,
)
from icetable.server.table.positions import Positions, played
from icetable.server.table.seats import BadTable, Seating, checked_name, hash_code, name_for_bot
from icetable.server.table.setup import WIN, Series, TableSetup

REFUSALS_KEPT = 64
WORD = re.compile("[A-Za-z0-9]+")
HOST = -2
"""Whose entry it is where the host of a table acts as such."""


class Tampered(GameError):
    """The log of a table is not what was kept: an entry does not follow from the one before."""


class NothingToUndo(GameError):
    """So few acts were made that there is none to take back."""


class Entry(msgspec.Struct, frozen=True):
    """One entry of a table's log: an act, an undo, or another change of the table.

    `seq` counts the entries from 1, `at` is in milliseconds since the table was opened, pauses apart. `client_id` is
    the browser's own name of the request behind the number of the seat that it is for (`0:3f7a`), None where no browser
    asked. `link` chains it to the entry before (`fair.link`).
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


class TableState:
    """A table. `judge`, `act`, `draw` and others say what an entry would be and change nothing; `take` enters it."""

    def __init__(self, setup: TableSetup, game: Game, entries: Iterable[Entry] = ()) -> None:
        """Raises GameError where the entries break the rules."""
        self.setup = setup
        self.game = game
        self._log: list[Entry] = []
        self.seating = Seating(setup.seats, setup.terms.lots).begun()
        self.timing = clock.start_of(setup.terms.clock, game.players)
        self.end: End | None = None
        """How the game was broken off."""
        self._bell: int | None = None
        self._positions = Positions(game.start() if setup.start is None else game.from_json(setup.start))
        self._show(self.position)
        self._root = self._root_of_chain()
        self._ended_at = 0
        """The number of the entry that ended the game; 0 while it is played."""
        self._last_acts: dict[int, int] = {}
        """The number of each seat's newest act, as far as it is known since acts were last taken back."""
        self._judged: Entry | None = None
        self._done: dict[str, messages.Ack] = {}
        self._refusals: dict[str, messages.Refused] = {}
        for entry in entries:
            self.take(entry)

    @property
    def position(self) -> State:
        """The newest position."""
        return self._positions.newest

    def after(self, acts: int) -> State:
        """The position after so many acts."""
        return self._positions.after(acts)

    def made_by(self, acts: int) -> int:
        """The number of the entry that made the last of so many acts; 0 for the start."""
        return self._positions.acts[acts - 1].seq if acts else 0

    def last_act_of(self, seat: int) -> int:
        """The number of the newest act that a seat made; 0 where it made none."""
        if seat not in self._last_acts:
            acts = self._positions.acts
            mine = (number for number in range(len(acts), 0, -1) if acts[number - 1].seat == seat)
            self._last_acts[seat] = next(mine, 0)
        return self._last_acts[seat]

    def replay(self, log: Iterable[Entry]) -> Iterator[State]:
        """The start and the state after each act of `log` that was not taken back, one at a time.

        `log` is a copy of this table's. Any thread may call this; a state holds at most STRIDE of those before it.
        """
        start = self._positions.after(0)
        yield start
        yield from played(start, standing(log))

    @property
    def entries(self) -> int:
        """How many entries the log has."""
        return len(self._log)

    @property
    def link(self) -> str:
        """The last link of the log: who knows it knows that nothing before was changed."""
        return self._log[-1].link if self._log else self._root

    def _root_of_chain(self) -> str:
        setup, first = self.setup, self.after(0)
        start = None if first == self.game.start() else first.to_json()
        committed = fairness.commitment(setup.secret)
        return fairness.root(committed, setup.id, setup.game, setup.options, start, setup.terms_told())

    @property
    def closing(self) -> str:
        """What the chain of a game that is over ends with."""
        return closing_of(self.setup, self.log_of_game(), self.position)

    def log_of_game(self) -> list[Entry]:
        """The entries that a record quotes: up to the one that ended the game; all while it goes on, and in form 1."""
        return self._log[: self._ended_at or None] if self.setup.form > 1 else self.log()

    @property
    def acts(self) -> int:
        """How many acts led to the newest position; those taken back don't count."""
        return len(self._positions.acts)

    @property
    def bots(self) -> dict[int, str]:
        """The levels of the seats that bots play."""
        return {number: seat.level for number, seat in enumerate(self.seating.seats) if seat.level is not None}

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by the rules or broken off."""
        return self.position.is_terminal or self.end is not None

    def _show(self, state: State) -> None:
        """Who may act now follows from what is shown."""
        runs = self.seating.started and self.timing.paused is None and self.end is None
        self.shown = state
        """The newest position as time has changed it since (`age`)."""
        self.to_act = state.to_act if runs else frozenset[int]()
        """The seats that may act now: none before every seat is taken, in a pause, and when all is over."""

    def may_hold(self, seat: int, what: str) -> bool:
        """Whether a seat may act now, in its turn, with this: a word of a legal act."""
        if not self.game.info.turns or seat not in self.to_act:
            return False
        return any(what in WORD.findall(act) for act in self.shown.legal_actions(seat))

    @property
    def thinking(self) -> frozenset[int]:
        """The people who are to act, in a pause too; a seat that is being handed over remains somebody's."""
        runs = self.seating.started and self.end is None
        return self.shown.to_act - self.bots.keys() - {CHANCE} if runs else frozenset()

    @property
    def draws(self) -> bool:
        """Whether it is nature's turn. (Without turns nature has its own time: `due`.)"""
        return self.game.info.turns and CHANCE in self.to_act

    def series(self) -> Series:
        """The series with the game of this table, which is over. One that was broken off counts as it stood."""
        nothing = (0,) * self.game.players
        before = self.setup.series or Series("", 0, nothing, nothing, nothing)
        scores, ties = self.position.scores, self.game.tie_points(self.position)
        winners = self.position.winners if self.end is None else frozenset(self.end.winners)
        won = tuple(int(seat in winners) for seat in range(self.game.players))
        if self.end is not None and not any(scores):
            scores = won
        return Series(
            self.setup.id,
            before.games + 1,
            _added(before.scores, scores),
            _added(before.ties, ties),
            _added(before.wins, (WIN // max(1, sum(won)) * part for part in won)),
        )

    def viewer(self, codes: Iterable[str]) -> Viewer:
        """Who holds these codes."""
        return self.viewer_with(frozenset(map(hash_code, codes)))

    def viewer_with(self, locks: frozenset[str]) -> Viewer:
        """Who holds the codes that fit these locks."""
        fitting = frozenset(
            number
            for number, seat in enumerate(self.seating.seats)
            if seat.lock is not None and _fits(seat.lock, locks)
        )
        terms, opens = self.setup.terms, self.seating.of_kind("open")
        anybodys = opens if terms.public and not self.seating.started else frozenset()
        host = terms.host is not None and _fits(terms.host, locks)
        return Viewer(fitting - opens, fitting & opens | anybodys, host, locks)

    def is_local(self, viewer: Viewer) -> bool:
        """Whether all persons' seats are this viewer's."""
        persons = self.seating.of_kind("person") | self.seating.of_kind("open")
        return bool(persons) and persons <= viewer.seats

    def sees(self, viewer: Viewer) -> bool:
        """Whether the game is shown to them while it is played."""
        return bool(viewer.seats) or self.setup.terms.live or self.is_over

    # Judging

    def judge(
        self, viewer: Viewer, request: messages.Request, now: int, away: Collection[int] = (), is_sure: bool = True
    ) -> Entry | messages.Ack | messages.Refused:
        """What becomes of a request at the time `now` (milliseconds since 1970): an entry, or at once an answer.

        `away` are the seats whose people have not been at the table for long. The first answer to an id is the answer
        for good. (Refusals are not in the log and are remembered for a while, if it `is_sure` that all is known.)
        """
        if stranger := self._not_allowed(viewer, request):
            return messages.Refused(request.id, stranger)
        key = f"{_asker(viewer, request)}:{request.id}"
        if known := self._done.get(key) or self._refusals.get(key):
            return known
        try:
            keyed = msgspec.structs.replace(request, id=key)
            return self._judge(viewer, keyed, now, self.seating.gone | set(away))
        except IllegalAction as error:
            fault = messages.Fault(error.fault.code, error.fault.message, error.fault.rule, list(error.fault.where))
        except NothingToUndo as error:
            fault = messages.Fault("nothing-to-undo", sentence(error), None, [])
        except BadTable as error:
            fault = messages.Fault("not-now", sentence(error), None, [])
        except GameError as error:
            fault = messages.Fault("bad-notation", sentence(error), None, [])
        refusal = messages.Refused(request.id, fault)
        if is_sure:
            self._remember(key, refusal)
        return refusal

    def _not_allowed(self, viewer: Viewer, request: messages.Request) -> messages.Fault | None:
        """Why this viewer may not even ask. It tells nothing of the table that its visitors don't know."""
        match request:
            case messages.Sit(seat=seat) if seat in viewer.guest | viewer.seats:
                return None
            case messages.Sit():
                return messages.Fault("no-invitation", "That seat is not free for this browser.", None, [])
            case messages.HandOver(seat=seat) if seat in viewer.seats | viewer.guest or viewer.host:
                return None
            case (
                messages.Act(seat=seat)
                | messages.Leave(seat=seat)
                | messages.Return(seat=seat)
                | messages.HandOver(seat=seat)
            ):
                if seat not in viewer.seats:
                    return messages.Fault("not-your-seat", "This browser does not hold that seat.", None, [])
                return None
            case messages.Fill() if viewer.host:
                return None
            case _ if not viewer.seats:
                return messages.Fault("no-seat", "Only who holds a seat at this table may do that.", None, [])
        return None

    def _judge(self, viewer: Viewer, request: messages.Request, now: int, away: frozenset[int]) -> Entry:
        seating, change = self.seating, cast("Event | None", None)
        match request:
            case messages.Act(request_id, seat, text, lag):
                return self.act(viewer.seats, seat, text, now, request_id, 0 if lag is UNSET else lag)
            case messages.Undo():
                return self._undo(viewer, request, now)
            case messages.Offer():
                return self._offer(viewer, request, now, away)
            case messages.Vote():
                return self._vote(viewer, request, now, away)
            case messages.Fill():
                return self._fill(viewer, request, now, away)
            case messages.Sit(_, seat, name, code):
                if seat not in viewer.guest:
                    raise BadTable("that seat is yours already")
                change = Sit(seat, checked_name(name, seating.seats), hash_code(code))
            case messages.HandOver(_, seat, code):
                if seat not in viewer.seats and not (viewer.host and seat in seating.of_kind("open")):
                    raise BadTable("a seat is handed over by who holds it")
                change = HandOver(seat, hash_code(code))
            case messages.Leave(_, seat):
                change = Leave(seat)
            case messages.Return(_, seat):
                change = Return(seat)
        return self._changed(min(viewer.seats, default=HOST), change, now, request.id)

    def _changed(self, seat: int, change: Event, now: int, client_id: str | None) -> Entry:
        """The entry of a change of the table. Raises GameError where it can't be."""
        entry = self._entry(seat, write_event(change), self.time(now), client_id)
        self.seating.after(change, entry.seq, seat)
        return entry

    def _fill(self, viewer: Viewer, request: messages.Fill, now: int, away: frozenset[int]) -> Entry:
        """A bot for an open seat at once, by the host; for one whose player is gone when the others agree."""
        seat, seating = request.seat, self.seating
        if viewer.host and seat in seating.of_kind("open"):
            return self._fulfil(HOST, "fill", seat, request.level, now, request.id)
        if not viewer.seats or seat not in seating.of_kind("person") & away or seat in viewer.seats:
            raise BadTable("a bot may take an open seat, or that of a player who is gone")
        excused = away | {seat} | seating.of_kind("open")
        return self._propose(viewer, "fill", seat, request.level, excused, now, request.id)

    def _offer(self, viewer: Viewer, request: messages.Offer, now: int, away: frozenset[int]) -> Entry:
        """Something about the whole game: whom nobody can ask now is not asked, but for a draw."""
        what, excused = request.what, away | self.seating.of_kind("open")
        if not self.seating.started or self.is_over:
            raise BadTable("there is no game under way")
        if what == "draw":
            excused = frozenset()
            if self.game.players == 1 or self.bots:
                raise BadTable("a draw is agreed upon among people, and computer players agree to none")
        elif (what == "pause") == (self.timing.paused is not None):
            raise BadTable("the game pauses already" if what == "pause" else "the game does not pause")
        return self._propose(viewer, what, 0, None, excused, now, request.id)

    def _propose(
        self,
        viewer: Viewer,
        what: messages.ProposalKind,
        target: int,
        level: str | None,
        excused: Collection[int],
        now: int,
        client_id: str,
    ) -> Entry:
        """The entry of a proposal, or, where nobody has to be asked, of what is proposed.

        For a seat that is being handed over whoever takes it is asked.
        """
        voters = set(range(self.game.players)) - self.bots.keys() - viewer.seats - set(excused)
        if not voters:
            return self._fulfil(min(viewer.seats), what, target, level, now, client_id)
        if self.seating.proposal is not None:
            raise BadTable("another proposal waits for its answer")
        proposal = Propose(what, target, level, tuple(sorted(voters)))
        return self._changed(min(viewer.seats), proposal, now, client_id)

    def _vote(self, viewer: Viewer, request: messages.Vote, now: int, away: frozenset[int]) -> Entry:
        proposal = self.seating.proposal
        if proposal is None or proposal.number != request.number:
            raise BadTable("that proposal does not stand any more")
        mine = proposal.waiting & viewer.seats
        if not request.agree and (mine or proposal.by in viewer.seats):
            return self._changed(min(viewer.seats), Drop(), now, request.id)
        if not mine:
            raise BadTable("you have agreed already")
        if proposal.what == "fill" and proposal.target not in away:
            raise BadTable("that player is here again")
        seat = min(mine)
        if proposal.waiting > mine:
            return self._changed(seat, Agree(tuple(sorted(mine))), now, request.id)
        return self._fulfil(seat, proposal.what, proposal.target, proposal.level, now, request.id)

    def _fulfil(
        self, seat: int, what: messages.ProposalKind, target: int, level: str | None, now: int, client_id: str
    ) -> Entry:
        """The entry of something that all have agreed to."""
        change: Event
        match what:
            case "undo":
                return self._entry(seat, f"undo {target}", self.time(now), client_id)
            case "fill":
                change = Fill(target, level or "", name_for_bot(self.seating.seats))
            case "draw":
                change = End("draw", tuple(range(self.game.players)))
            case "pause":
                change = Pause(now)
            case "resume":
                change = Resume(now)
        return self._changed(seat, change, now, client_id)

    def _remember(self, key: str, refusal: messages.Refused) -> None:
        if len(self._refusals) == REFUSALS_KEPT:
            del self._refusals[next(iter(self._refusals))]
        self._refusals[key] = refusal

    def act_for_bot(self, seat: int, text: str, now: int) -> Entry:
        """The entry of a bot's act. Raises as `act` does."""
        return self.act(self.bots, seat, text, now)

    def act(
        self, holder: Collection[int], seat: int, text: str, now: int, client_id: str | None = None, lag: int = 0
    ) -> Entry:
        """The entry of an act that was `lag` milliseconds under way, by a player who holds the seats `holder`.

        Where a clock runs the way to the server does not count, within a bound. Raises BadNotation, IllegalAction or
        BadTable.
        """
        if seat not in holder:
            raise BadTable("that seat is another player's")
        if not self.seating.started:
            raise BadTable("the game begins when every seat is taken")
        if self.timing.paused is not None:
            raise BadTable("the game pauses")
        if self.end is not None:
            raise BadTable("the game was broken off")
        entry = self._entry(seat, text, self.time(now) - self._credit(lag), client_id)
        deadline = self.timing.deadline(seat) if self.timing.clock and seat in self.to_act & self.thinking else None
        if deadline is not None and entry.at > deadline:
            raise BadTable("your time is up")
        if self._bell is not None and self._bell <= entry.at and self.to_act:
            raise BadTable("the bell has rung")
        fault = self.position.fault(text, seat, entry.at / 1000)
        if fault is not None:
            raise IllegalAction(fault)
        return entry

    def draw(self, now: int) -> Entry | None:
        """The entry of what nature draws now: the lots for the seats, or its act. None where it is not to act.

        What nature draws follows from the table's secret, its id and how many acts were made: a server that is
        started again draws the same, and so does one that took the act back.
        """
        if self.seating.lots_due:
            order = fairness.lots(self.setup.secret, self.setup.id, self.game.players)
            return self._changed(CHANCE, Lots(order), now, None)
        if not self.draws:  # in a pause, or the game was ended by agreement just now
            return None
        act = fairness.draw(self.setup.secret, self.setup.id, self.acts + 1, self.position)
        return self._entry(CHANCE, act, self.time(now), None)

    @property
    def due(self) -> int | None:
        """When nature or a clock ends the game whatever the people do, in milliseconds of the table's time.

        Only the server may know it.
        """
        if not self.to_act:
            return None
        moments = [] if self._bell is None else [self._bell]
        if self.timing.clock is not None:
            deadlines = map(self.timing.deadline, self.to_act & self.thinking)
            moments += [deadline + clock.LAG + 1 for deadline in deadlines if deadline is not None]
        return min(moments, default=None)

    def overdue(self, now: int) -> Entry | None:
        """The entry of the end that is due."""
        due = self.due
        if due is None or self.time(now) < due:
            return None
        if self._bell is not None:
            return self._entry(CHANCE, "bell", self._bell, None)
        others = tuple(seat for seat in range(self.game.players) if seat not in self.thinking)
        return self._changed(CHANCE, End("time", others), now, None)

    @property
    def next_change(self) -> int | None:
        """When something changes without anybody's act: what is `due`, or what time alone does to the position."""
        changes = (self.due, self.shown.next_change if self.to_act else None)
        return min((moment for moment in changes if moment is not None), default=None)

    def skip(self, now: int, since: int) -> Entry | None:
        """The entry by which time goes on where a process that is gone left it; None where time does not run, or goes
        on by itself. `since`: when this process began.

        The time of a table follows from the system's clock at each start, which may have been set, and while no server
        runs nobody can act: so no clock loses more than MOST_LOST by a restart.
        """
        if self.next_change is None or not self._log:
            return None
        last = self._log[-1].at
        gone = self.timing.at(now, self.setup.created) - last
        if gone < -clock.JITTER:
            lost = gone
        elif now - gone < since and gone > clock.MOST_LOST:
            lost = gone - clock.MOST_LOST
        else:
            return None
        return self._entry(HOST, write_event(Skip(lost)), last + gone - lost, None)

    def age(self, now: int) -> bool:
        """Let time alone work on the position that is shown; whether it has changed it."""
        before = self.shown
        if self.to_act:
            self._show(self.position.as_of(self.time(now)))
        return self.shown is not before

    def time(self, now: int) -> int:
        """The table's time at `now`. It never runs back."""
        last = self._log[-1].at if self._log else 0
        return max(last, self.timing.at(now, self.setup.created))

    def _credit(self, lag: int) -> int:
        return 0 if self.timing.clock is None else min(lag, clock.LAG)

    def _undo(self, viewer: Viewer, request: messages.Undo, now: int) -> Entry:
        if not self.game.info.turns:
            raise BadTable("where there are no turns nothing is taken back")
        if self.end is not None:
            raise BadTable("the game was broken off")
        if self.is_over:
            raise BadTable("the game is over and what chance drew from was shown, so nothing is taken back")
        if request.to >= self.acts:
            raise NothingToUndo(f"there is nothing to take back after act {request.to}: {self.acts} were made")
        return self._propose(viewer, "undo", request.to, None, (), now, request.id)

    def _entry(self, seat: int, text: str, at: int, client_id: str | None) -> Entry:
        """The next entry."""
        last = self._log[-1].at if self._log else 0
        self._judged = self.chained(Entry(self.entries + 1, seat, max(last, at), text, client_id))
        return self._judged

    def log(self) -> list[Entry]:
        """All entries, those that were taken back included."""
        return list(self._log)

    def chained(self, entry: Entry) -> Entry:
        """An entry with the link that it has as the next one of this log."""
        link = fairness.link(self.link, self.setup.id, entry.seq, entry.seat, entry.at, entry.text)
        return msgspec.structs.replace(entry, link=link)

    # Folding

    def take(self, entry: Entry) -> Literal["act", "undo", "change"]:
        """Enter what was judged and kept; what it was.

        Raises GameError (Tampered where it is not what was judged then), and changes nothing.
        """
        undo, change = fairness.UNDO.fullmatch(entry.text), read_event(entry.text)
        if entry.seq != self.entries + 1 or (undo and int(undo[1]) >= self.acts):
            raise GameError(f"entry {short_repr(entry.seq)} of this table's log does not fit the one before")
        if entry is not self._judged and entry.link != self.chained(entry).link:
            raise Tampered(f"entry {entry.seq} of this table's log, {short_repr(entry.text)}, is not what was kept")
        if change is not None:
            self._change(change, entry)
        elif undo:
            self._positions.go_back(int(undo[1]))
            self._last_acts.clear()
            self.seating = self.seating.settled()
            self.timing = self.timing.acted(CHANCE, entry.at)
        else:
            self._act(entry)
        self._show(self.position.as_of(entry.at))
        self._log.append(entry)
        if self.is_over != bool(self._ended_at):
            self._ended_at = entry.seq if self.is_over else 0
        if entry.client_id is not None:
            self._done[entry.client_id] = messages.Ack(entry.client_id.partition(":")[2], self.acts)
        return "change" if change is not None else "undo" if undo else "act"

    def _act(self, entry: Entry) -> None:
        before = self.position
        self._positions.play(entry)
        after = self.position
        self._last_acts[entry.seat] = self.acts
        self.seating = self.seating.acted(entry.seat)
        if after.is_terminal:
            self.seating = self.seating.settled()
        is_bot = entry.seat != CHANCE and self.seating.seats[entry.seat].level is not None
        self.timing = self.timing.acted(CHANCE if is_bot else entry.seat, entry.at)
        if not self.game.info.turns and CHANCE in after.to_act - before.to_act:
            bell = fairness.bell(self.setup.secret, self.setup.id, self.game)
            self._bell = None if bell is None else entry.at + bell

    def _change(self, change: Event, entry: Entry) -> None:
        self.seating = self.seating.after(change, entry.seq, entry.seat)
        self.timing = self.timing.after(change)
        if isinstance(change, End):
            self.timing = self.timing.ended(self.thinking, entry.at)
            self.end = change


def seated(setup: TableSetup, entries: Iterable[Entry]) -> Seating | None:
    """Who sits where after the entries of `Log.seating`; None where the game was broken off. Raises GameError."""
    seating = Seating(setup.seats, setup.terms.lots).begun()
    for entry in entries:
        change = read_event(entry.text)
        if isinstance(change, End):
            return None
        seating = seating.acted(entry.seat) if change is None else seating.after(change, entry.seq, entry.seat)
    return seating


def standing(log: Iterable[Entry]) -> list[Entry]:
    """The entries of the acts that were not taken back."""
    acts: list[Entry] = []
    for entry in log:
        if undo := fairness.UNDO.fullmatch(entry.text):
            del acts[int(undo[1]) :]
        elif not entry.text.startswith(MARK):
            acts.append(entry)
    return acts


def closing_of(setup: TableSetup, log: Sequence[Entry], last: State) -> str:
    """What the chain of a game that is over ends with, by its log up to the end. In form 1 it is the last link."""
    newest = log[-1]
    if setup.form == 1:
        return newest.link
    return fairness.closing(newest.link, record.end_line(last) if last.is_terminal else newest.text)


def _asker(viewer: Viewer, request: messages.Request) -> int:
    """The seat that a request's id belongs to, or HOST; the same when the request is sent again."""
    match request:
        case messages.Act(seat=seat) | messages.Leave(seat=seat) | messages.Return(seat=seat) | messages.Sit(seat=seat):
            return seat
        case messages.HandOver(seat=seat):
            return HOST if viewer.host else seat
        case messages.Fill() if viewer.host:
            return HOST
    return min(viewer.seats)


def _fits(lock: str, others: Iterable[str]) -> bool:
    """Whether a lock is among others; how long that takes tells nothing of them."""
    fits = False
    for other in others:
        fits |= hmac.compare_digest(lock, other)
    return fits


def _added(some: Iterable[int], others: Iterable[int]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(some, others, strict=True))


def sentence(error: GameError) -> str:
    """An error as people read it."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
