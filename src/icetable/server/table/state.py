"""The state of a table, as the fold of its log: the seats, the game, and the time.

Every accepted act becomes an entry, random acts included. An undo is an entry too, `undo 6`, so nothing is ever
deleted, and so is every other event at the table (`events`). `views` decides what viewers may see of the state, `judge`
which requests players may make.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from icetable import games
from icetable.core import record
from icetable.core.errors import BadRecord, Fault, GameError, IllegalAction
from icetable.core.game import CHANCE, Game, State
from icetable.core.options import short_repr
from icetable.core.realtime import RealTimeGame
from icetable.server import messages
from icetable.server.errors import BadTable, Tampered
from icetable.server.gil import yield_gil
from icetable.server.table import clock, fairness, viewers
from icetable.server.table.clock import MS_PER_SECOND
from icetable.server.table.log import (
    HOST,
    UNDO,
    DrawSeats,
    End,
    Entry,
    Event,
    Fill,
    HandOver,
    NewRules,
    Pause,
    SaltedName,
    Sit,
    Skip,
    read_event,
    read_name_lines,
    remaining_acts,
    split_name,
    write_event,
)
from icetable.server.table.positions import Positions, replayed
from icetable.server.table.seats import Seat, Seating, checked_name, hash_code
from icetable.server.table.setup import Series, TableSetup, setup_of_next
from icetable.server.table.viewers import Viewer
from icetable.workshop.guard import DesignError

WORD = re.compile("[A-Za-z0-9]+")
MAX_RECORDED_ACTS = 3000
"""Maximum number of acts in a record."""


class TableState:
    """A table. Methods like `entry_for_act` and `draw_chance` return the next entry, and `append` folds it."""

    def __init__(self, setup: TableSetup, game: Game, entries: Iterable[Entry] = ()) -> None:
        """Raises GameError if the entries break the rules."""
        self.setup = setup
        self.game = game
        self._log: list[Entry] = []
        self.seating = Seating(setup.seats, setup.terms.random_seats).started_if_ready()
        self.timing = clock.new_clock(setup.terms.clock, game.players)
        self.end: End | None = None
        """How the game was broken off."""
        self.source = setup.terms.source
        """The hash of the file that the rules are those of, if the log binds it."""
        self.took_back: Entry | None = None
        """The undo of what changed rules refuse, if no act or undo has followed."""
        self._bell_at: int | None = None
        """When the bell ends a game without turns, in milliseconds of the table's time. It is secret."""
        self._began_at: int | None = None
        """When play with a bell began, in milliseconds of the table's time."""
        self._paused_by = HOST
        """The seat that paused the game last."""
        self.positions = Positions(game.start() if setup.start is None else game.from_json(setup.start))
        self._show(self.position)
        self._root = setup.chain_root(self.position)
        self._ended_at = 0
        """The number of the entry that ended the game; 0 while it is played."""
        self._last_acts: dict[int, int] = {}
        """Cache of each seat's newest act, cleared by an undo."""
        self._proposed: Entry | None = None
        """The last result of `next_entry`, whose link need not be checked when it is appended."""
        self._answered: dict[str, int] = {}
        """The number of acts after the entry of each request, by the request's id."""
        self._append_all(entries)

    def _append_all(self, entries: Iterable[Entry]) -> None:
        """Raises GameError.

        The rules may refuse acts that were later undone because the game's file had changed (`count_legal_acts`).
        """
        refused: GameError | None = None
        for entry in entries:
            yield_gil()
            try:
                self.append(entry)
            except GameError as error:
                if not self.game.info.is_plain or isinstance(error, Tampered):
                    raise
                refused = refused or error
                self.positions.suspend_rules()
                self.append(entry)
        if refused and not self.positions.is_valid:
            raise refused

    # The game

    @property
    def position(self) -> State:
        """The newest position."""
        return self.positions.newest

    def after(self, acts: int) -> State:
        """The position after `acts` acts."""
        return self.positions.after(acts)

    def entry_of_act(self, acts: int) -> int:
        """The number of the entry of act number `acts`; 0 for the start."""
        return self.positions.acts[acts - 1].seq if acts else 0

    def last_act_of(self, seat: int) -> int:
        """The number of a seat's newest act; 0 if it made none."""
        if seat not in self._last_acts:
            acts = self.positions.acts
            by_seat = (number for number in range(len(acts), 0, -1) if acts[number - 1].seat == seat)
            self._last_acts[seat] = next(by_seat, 0)
        return self._last_acts[seat]

    def replay(self, log: Iterable[Entry]) -> Iterator[State]:
        """Yield the start and the position after each act of `log` that was not undone.

        `log` is a copy of this table's. Thread-safe. A position refers only to the previous one.
        """
        start = self.positions.after(0)
        yield start
        yield from replayed(start, remaining_acts(log))

    def count_legal_acts(self, game: Game) -> tuple[int, GameError | None]:
        """The number of acts until the first one that other rules refuse, and why they do.

        Raises GameError if they refuse the start, and DesignError if the game's file fails.
        """
        start = game.start() if self.setup.start is None else game.from_json(self.setup.start)
        legal = 0
        try:
            for _ in replayed(start, self.positions.acts):
                legal += 1
        except DesignError:
            raise
        except GameError as error:
            return legal, error
        return legal, None

    def taken_back(self) -> list[Entry]:
        """The acts that were taken back because changed rules refuse the first of them, if nothing was played since."""
        if self.took_back is None:
            return []
        undo = UNDO.fullmatch(self.took_back.text)
        assert undo is not None
        return remaining_acts(self._log[: self.took_back.seq - 1])[int(undo[1]) :]

    @property
    def acts(self) -> int:
        """The number of acts that led to the newest position, excluding undone ones."""
        return len(self.positions.acts)

    @property
    def bots(self) -> Mapping[int, str]:
        """The levels of the bots, by seat."""
        return self.seating.levels

    def _show(self, state: State) -> None:
        runs = self.seating.started and self.timing.paused is None and self.end is None
        self.is_over = self.position.is_terminal or self.end is not None
        """Whether the game is over, by the rules or broken off."""
        self.shown = state
        """The newest position, as changed by time since (`advance_time`)."""
        self.to_act = state.to_act if runs else frozenset[int]()
        """The seats that may act now: none before every seat is taken, in a pause, or after the game."""

    def may_hold(self, seat: int, what: str) -> bool:
        """Whether `what` is part of the notation of an act that a seat may make now, in its turn."""
        if not self.game.info.turns or seat not in self.to_act:
            return False
        return any(what in WORD.findall(act) for act in self.shown.legal_actions(seat))

    @property
    def thinking(self) -> frozenset[int]:
        """The seats of people to act, also in a pause and while a seat is being handed over."""
        runs = self.seating.started and self.end is None
        return self.shown.to_act - self.bots.keys() - {CHANCE} if runs else frozenset()

    @property
    def chance_to_act(self) -> bool:
        """Whether it is the turn of chance. (In a game without turns chance has only the bell: `due`.)"""
        return self.game.info.turns and CHANCE in self.to_act

    # The series

    def series(self) -> Series:
        """The series including this table's game, which is over.

        In one that was broken off, the others keep their points, and each of the winners counts the most points that
        anybody had, or one more if a loser had them. A game without a winner counts no points.
        """
        nothing = (0,) * self.game.players
        before = self.setup.series or Series("", 0, nothing, nothing, nothing)
        scores: Sequence[int] = self.position.scores
        ties: Sequence[int] = self.game.tie_points(self.position)
        winners = self.position.winners if self.end is None else frozenset(self.end.winners)
        won = tuple(int(seat in winners) for seat in range(self.game.players))
        if self.end is not None:
            lost = [score for score, part in zip(scores, won, strict=True) if not part and any(won)]
            best = max(*scores, 1, *(score + 1 for score in lost))
            scores = [best if part else score * any(won) for score, part in zip(scores, won, strict=True)]
            ties = [max(*ties, 0) * part for part in won]
        return before.with_game(self.setup.id, scores, ties, won)

    def next_setup(self, viewer: Viewer, rotate: bool, now: int) -> tuple[TableSetup, messages.TableCreated]:
        """Create the setup of the series' next game, and new codes of its seats. Raises BadTable.

        With `rotate`, and always in a pair of games or a match, every player moves by one seat, and the second seat
        begins. After a decided match a new one begins.
        """
        if not viewer.seats:
            raise BadTable("only players at this table can start the next game")
        if not self.is_over:
            raise BadTable("the next game begins when this one is over")
        players, terms = self.game.players, self.setup.terms
        step = int(rotate or terms.pair or terms.match is not None)
        order = [(seat + step) % players for seat in range(players)]
        seats = [self.seating.seats[seat] for seat in order]
        series = None if self.series().winners_of(terms.match) else self.series().reordered(order)
        return setup_of_next(self.setup, seats, self.game.info, series, self.is_local(viewer), now)

    # Viewers

    def viewer(self, codes: Iterable[str]) -> Viewer:
        """The viewer who holds these codes."""
        return self.viewer_with(frozenset(map(hash_code, codes)))

    def viewer_with(self, code_hashes: frozenset[str]) -> Viewer:
        """The viewer whose codes have these hashes."""
        return viewers.identify(self.setup.terms, self.seating, code_hashes)

    def is_local(self, viewer: Viewer) -> bool:
        """Whether a viewer holds the seats of all people."""
        people = self.seating.of_kind("person") | self.seating.of_kind("open")
        return bool(people) and people <= viewer.seats

    def can_see(self, viewer: Viewer) -> bool:
        """Whether a viewer may see the game now."""
        return bool(viewer.seats) or self.setup.terms.live or self.is_over

    # The next entry

    def next_entry(
        self, seat: int, text: str, at: int, client_id: str | None = None, name: SaltedName | None = None
    ) -> Entry:
        """The next entry, at the table's time `at` or at that of the last entry, whichever is later."""
        last = self._log[-1].at if self._log else 0
        self._proposed = self.chained(Entry(len(self._log) + 1, seat, max(last, at), text, client_id, "", name))
        return self._proposed

    def next_event(self, seat: int, event: Event, now: int, client_id: str | None = None) -> Entry:
        """The entry of an event. Raises GameError if the event is invalid."""
        logged, name = split_name(event)
        entry = self.next_entry(seat, write_event(logged), self.time(now), client_id, name)
        self.seating.after(event, entry.seq, seat)
        return entry

    def entry_for_bot(self, seat: int, text: str, now: int) -> Entry:
        """The entry of a bot's act. Raises as `entry_for_act` does."""
        return self.entry_for_act(self.bots, seat, text, now)

    def entry_for_act(
        self,
        holder: Collection[int],
        seat: int,
        text: str,
        now: int,
        client_id: str | None = None,
        lag: int = 0,
        unseen: Sequence[State] = (),
    ) -> Entry:
        """The entry of an act by a player who holds the seats `holder`.

        `lag`: the network delay in milliseconds, credited to the player's clock up to clock.MAX_LAG_MS. `unseen`: the
        newest positions, which the player had not seen; an act that fails only because of them is refused without a
        penalty. Raises BadNotation, IllegalAction or BadTable.
        """
        if seat not in holder:
            raise BadTable("that seat is another player's")
        if not self.seating.started:
            raise BadTable("the game begins when every seat is taken")
        if self.timing.paused is not None:
            raise BadTable("the game is paused")
        if self.end is not None:
            raise BadTable("the game was broken off")
        entry = self.next_entry(seat, text, self.time(now) - self._credit(lag), client_id)
        deadline = self.timing.deadline(seat) if self.timing.clock and seat in self.to_act & self.thinking else None
        if deadline is not None and entry.at > deadline:
            raise BadTable("your time is up")
        if self._bell_at is not None and self._bell_at <= entry.at and self.to_act:
            raise BadTable("the bell has rung")
        self._check_overtaken(entry, unseen)
        canonical = self.positions.try_act(entry)
        if canonical != text:
            entry = self.next_entry(seat, canonical, entry.at, client_id)
            self.positions.try_act(entry)
        return entry

    def unseen(self, seen: int, now: int, within: int) -> list[State]:
        """The positions after entry number `seen` and less than `within` milliseconds before `now`."""
        since = self.time(now) - within
        acts = self.positions.acts
        first = len(acts)
        while first and acts[first - 1].seq > seen and acts[first - 1].at > since:
            first -= 1
        return [self.after(number) for number in range(first + 1, len(acts) + 1)]

    def _check_overtaken(self, entry: Entry, unseen: Sequence[State]) -> None:
        """Raise IllegalAction if an act fails only because of another player's act in one of these positions."""
        if not unseen or not isinstance(self.game, RealTimeGame):
            return
        overtaken = self.game.overtaken(self.position, entry.text, entry.seat, unseen)
        if overtaken is None:
            return
        by = overtaken.by
        assert by.seat is not None
        assert by.at is not None
        name, seconds = self.seating.seats[by.seat].shown_name, max(1, entry.at - by.at) / clock.MS_PER_SECOND
        message = f"{name} acted {seconds:.1g} s before you, so this was no longer possible. Nothing is lost."
        raise IllegalAction(Fault("was-first", message, overtaken.rule, overtaken.where))

    def draw_chance(self, now: int) -> Entry | None:
        """The entry of the random draw that is due: the order of seats, or an act. None if none is due.

        The draw is determined by the table's secret, its id and the number of acts, so it is the same after a restart
        or an undo.
        """
        if self.seating.draw_due:
            order = fairness.draw_seats(self.setup.secret, self.setup.id, self.game.players)
            return self.next_event(CHANCE, DrawSeats(order), now)
        if not self.chance_to_act:  # the game was just paused or ended by agreement
            return None
        act = fairness.draw(self.setup.secret, self.setup.id, self.acts + 1, self.position)
        return self.next_entry(CHANCE, act, self.time(now))

    # Time

    @property
    def bell_is_pending(self) -> bool:
        """Whether time is running until the bell."""
        return self._bell_at is not None and bool(self.to_act)

    def played(self, now: int) -> int | None:
        """How long play with a bell has lasted, in milliseconds; None before, after and without."""
        return None if self._began_at is None or self.is_over else self.time(now) - self._began_at

    @property
    def is_unattended(self) -> bool:
        """Whether the game is paused because everybody had left."""
        return self.timing.paused is not None and self._paused_by == HOST

    @property
    def waits_for_watchers(self) -> bool:
        """Whether a game between bots is paused, which no player can resume."""
        return self.timing.paused is not None and not self.is_over and len(self.bots) == self.game.players

    @property
    def due(self) -> int | None:
        """When the bell or a clock ends the game unless a player acts first, in milliseconds of the table's time.

        It is secret.
        """
        if not self.to_act:
            return None
        moments = [] if self._bell_at is None else [self._bell_at]
        if self.timing.clock is not None:
            deadlines = map(self.timing.deadline, self.to_act & self.thinking)
            moments += [deadline + clock.MAX_LAG_MS + 1 for deadline in deadlines if deadline is not None]
        return min(moments, default=None)

    def overdue(self, now: int) -> Entry | None:
        """The entry of the end that is due; None if none is."""
        due = self.due
        if due is None or self.time(now) < due:
            return None
        if self._bell_at is not None:
            return self.next_entry(CHANCE, "bell", self._bell_at)
        others = tuple(seat for seat in range(self.game.players) if seat not in self.thinking)
        return self.next_event(CHANCE, End("time", others), now)

    @property
    def next_change(self) -> int | None:
        """When something next changes without an act: an end (`due`), or the position."""
        changes = (self.due, self.shown.next_change if self.to_act else None)
        return min((moment for moment in changes if moment is not None), default=None)

    def skip(self, now: int, since: int) -> Entry | None:
        """The entry that skips time in which no server was running. `since`: when this process started.

        None if no time is running or nothing is to be skipped. Players can't act while no server is running, and the
        system's clock may have been changed: so a restart costs a player at most clock.MAX_LOST_MS, except at a
        correspondence clock.
        """
        if self.next_change is None or not self._log:
            return None
        last = self._log[-1].at
        elapsed = self.timing.at(now, self.setup.created) - last
        if elapsed < -clock.MAX_SKEW_MS:
            skipped = elapsed
        elif not self.timing.in_days and now - elapsed < since and elapsed > clock.MAX_LOST_MS:
            skipped = elapsed - clock.MAX_LOST_MS
        else:
            return None
        return self.next_entry(HOST, write_event(Skip(skipped)), last + elapsed - skipped)

    def change_of_rules(self, game: Game, now: int) -> Entry | None:
        """The entry which says that the rules are those of another version of the file; None if they are not."""
        if self.source is None or game.info.source == self.source or self.is_over:
            return None
        return self.next_event(HOST, NewRules(game.info.source), now)

    def advance_time(self, now: int) -> bool:
        """Update the shown position by time alone; return whether it changed."""
        before = self.shown
        if self.to_act:
            self._show(self.position.as_of(self.time(now)))
        return self.shown is not before

    def time(self, now: int) -> int:
        """The table's time at `now`. It never runs back."""
        last = self._log[-1].at if self._log else 0
        return max(last, self.timing.at(now, self.setup.created))

    @property
    def last_change(self) -> int:
        """When the table last changed, in milliseconds since 1970: the start of a pause, or the last entry.

        For a record it is when it was opened.
        """
        if self.setup.record is not None:
            return self.setup.created
        last = self._log[-1].at if self._log else 0
        return self.timing.paused or self.setup.created + self.timing.skipped + last

    def _credit(self, lag: int) -> int:
        return 0 if self.timing.clock is None else min(lag, clock.MAX_LAG_MS)

    # The log

    @property
    def entries(self) -> int:
        """The number of entries in the log."""
        return len(self._log)

    def log(self) -> list[Entry]:
        """All entries, undone acts included."""
        return list(self._log)

    def log_of_game(self) -> list[Entry]:
        """The entries quoted in a record: up to the end of the game; all before the end."""
        return self._log[: self._ended_at or None]

    @property
    def link(self) -> str:
        """The last link of the log, which depends on all entries."""
        return self._log[-1].link if self._log else self._root

    @property
    def closing(self) -> str:
        """The end of a finished game's chain."""
        return self.setup.chain_end(self.log_of_game(), self.position)

    def ack(self, client_id: str) -> messages.Ack | None:
        """The answer to a request, if its entry is in the log."""
        acts = self._answered.get(client_id)
        return None if acts is None else messages.Ack(client_id.partition(":")[2], acts)

    def chained(self, entry: Entry) -> Entry:
        """Add the link to the next entry of this log."""
        link = fairness.link(self.link, self.setup.id, entry.seq, entry.seat, entry.at, entry.text)
        return Entry(entry.seq, entry.seat, entry.at, entry.text, entry.client_id, link, entry.name)

    def erase(self, names: Collection[str]) -> None:
        """Erase names."""
        self.setup = self.setup.without_names(names)
        self.seating = self.seating.without_names(names)
        self._log = [entry.without_name(names) for entry in self._log]

    def prepare(self, entry: Entry) -> None:
        """Ask the rules all that `append` needs of them, and what clients are shown then. Raises GameError if they
        refuse the entry.
        """
        undo = UNDO.fullmatch(entry.text)
        if self.positions.is_valid and undo is None and entry.event() is None:
            self.positions.try_act(entry)
        last = min(int(undo[1]), self.acts) if undo else self.acts
        self.positions.pin(last - messages.LINES_PER_PAGE + 1, last)

    def append(self, entry: Entry) -> Literal["act", "undo", "event"]:
        """Fold a stored entry and return its kind. Raises GameError (Tampered for a wrong link), changing nothing."""
        if entry.seq == self.entries + 1 and entry is not self._proposed and entry.link != self.chained(entry).link:
            raise Tampered(f"entry {entry.seq} of this table's log, {short_repr(entry.text)}, is not what was stored")
        undo, event = UNDO.fullmatch(entry.text), entry.event()
        if entry.seq != self.entries + 1 or (undo and int(undo[1]) >= self.acts):
            raise GameError(f"entry {short_repr(entry.seq)} of this table's log does not fit the one before")
        if event is not None:
            self._apply_event(event, entry)
        elif undo:
            self.positions.undo(int(undo[1]))
            self._last_acts.clear()
            self.seating = self.seating.without_proposal()
            self.timing = self.timing.acted(CHANCE, entry.at)
        else:
            self._apply_act(entry)
        self._show(self.position.as_of(entry.at))
        self._log.append(entry)
        if event is None:
            self.took_back = entry if undo and entry.seat == HOST else None
        if self.is_over != bool(self._ended_at):
            self._ended_at = entry.seq if self.is_over else 0
        if entry.client_id is not None:
            self._answered[entry.client_id] = self.acts
        return "event" if event is not None else "undo" if undo else "act"

    def _apply_act(self, entry: Entry) -> None:
        before = self.position
        self.positions.play(entry)
        after = self.position
        self._last_acts[entry.seat] = self.acts
        self.seating = self.seating.acted(entry.seat)
        if after.is_terminal:
            self.seating = self.seating.without_proposal()
        is_bot = entry.seat != CHANCE and self.seating.seats[entry.seat].level is not None
        others = before.to_act - self.bots.keys() - {entry.seat} if self.game.info.turns else ()
        self.timing = self.timing.acted(CHANCE if is_bot else entry.seat, entry.at, others)
        if not self.game.info.turns and CHANCE in after.to_act - before.to_act:
            bell = fairness.bell(self.setup.secret, self.setup.id, self.game)
            self._bell_at = None if bell is None else entry.at + bell
            self._began_at = None if bell is None else entry.at

    def _apply_event(self, event: Event, entry: Entry) -> None:
        self.seating = self.seating.after(event, entry.seq, entry.seat)
        self.timing = self.timing.after(event)
        if isinstance(event, Pause):
            self._paused_by = entry.seat
        if isinstance(event, NewRules):
            self.source = event.source
        if isinstance(event, End):
            self.timing = self.timing.ended(self.thinking, entry.at)
            self.end = event


def thinking_times(setup: TableSetup, log: Iterable[Entry]) -> list[tuple[int, float]]:
    """For each act of a person the seat, and the seconds since the previous act or undo.

    The first act is left out, since its time is unknown. Raises GameError for an invalid log.
    """
    seating = Seating(setup.seats, setup.terms.random_seats).started_if_ready()
    times: list[tuple[int, float]] = []
    before: int | None = None
    for entry in log:
        event = entry.event()
        if event is not None:
            seating = seating.after(event, entry.seq, entry.seat)
            continue
        is_act = not UNDO.fullmatch(entry.text)
        if is_act and before is not None and entry.seat in seating.of_kind("person"):
            times.append((entry.seat, (entry.at - before) / MS_PER_SECOND))
        before = entry.at
    return times


def recorded_table(head: record.Head, text: str, table: str, created: int) -> TableState:
    """The table that shows a record from a file, by its head and text. Raises GameError if it breaks the rules.

    Nobody holds a seat there, and the game counts as over, whatever the record says, so it can only be replayed and
    shared. It is not reviewed, no evaluations are shown, and its positions can't be tried out: the record may be of a
    game in progress elsewhere, with a made-up end.
    """
    if sum(1 for _ in head.acts()) > MAX_RECORDED_ACTS:
        raise BadRecord(f"only records of up to {MAX_RECORDED_ACTS} acts can be opened")
    game = games.game_of(head)
    seats = [
        Seat("person", name, None, game.info.colours[number], None)
        for number, name in enumerate(recorded_names(head, game.info.colours[: game.players]))
    ]
    names = tuple(SaltedName("", seat.name) for seat in seats)
    setup = TableSetup(
        table,
        game.info.name,
        game.options,
        tuple(seats),
        b"",
        created,
        start=head.setup,
        record=record.normalized(text),
        names=names,
        bound=tuple(name.commitment for name in names),
    )
    state = TableState(setup, game)
    for number, line in head.lines:
        yield_gil()
        after = record.replayed(state.position.without_history(), line, number)
        if after.act is not None:
            assert after.seat is not None
            state.append(state.next_entry(after.seat, after.act, after.at or 0))
    if state.is_over and not state.acts:
        raise BadRecord("this record starts from the end of its game, so it has no act to show")
    if not state.is_over:
        ended = head.ended(game.players) or record.Ended("record", (), 0)
        state.append(state.next_entry(CHANCE, write_event(End(ended.reason, ended.winners)), ended.at))  # type: ignore[arg-type]
    return state


def recorded_names(head: record.Head, colours: tuple[str, ...]) -> list[str]:
    """The names of the seats at the end of a record, as far as it has them; otherwise the names of the colours."""
    names = [colour.title() for colour in colours]
    with contextlib.suppress(GameError, msgspec.DecodeError, RecursionError):
        terms = fairness.read_terms(head.terms or "")
        recorded = read_name_lines(head.names())
        seats = [
            Seat(seat.kind, _name(recorded.get((0, number))), seat.level, "", None)
            for number, seat in enumerate(terms.seats)
        ]
        seating = Seating(tuple(seats), terms.random_seats).started_if_ready()
        for number, line in enumerate(head.log(), 1):
            parts = fairness.ENTRY.fullmatch(line)
            event = read_event(parts[5]) if parts else None
            if isinstance(event, Sit):
                event = Sit(event.seat, _name(recorded.get((number, event.seat))), event.code_hash)
            if parts and isinstance(event, Sit | Fill | HandOver | DrawSeats):
                seating = seating.after(event, number, int(parts[2]))
        if len(seating.seats) == len(names):
            names = _cleaned(seating, names)
    return names


def _name(name: SaltedName | None) -> str:
    return "" if name is None else name.name


def _cleaned(seating: Seating, fallbacks: list[str]) -> list[str]:
    """Distinct names for the seats; an invalid one is replaced by its fallback."""
    seats: list[Seat] = []
    for seat, fallback in zip(seating.seats, fallbacks, strict=True):
        name = fallback
        with contextlib.suppress(GameError):
            name = checked_name(seat.name, seats)
        seats.append(msgspec.structs.replace(seat, name=name))
    return [seat.name for seat in seats]
