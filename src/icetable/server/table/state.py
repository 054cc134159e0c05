"""The state of a table: the fold of its log. It tells who sits where, what was played, and how the time runs.

Every act is an entry once it is judged, those of chance included. Taking acts back is an entry too, `undo 6`, so
nothing is ever deleted, and so is every other event at the table (`events`). What a viewer may see of the state is
decided in `views`, which requests players may make in `judge`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from icetable.core.errors import Fault, GameError, IllegalAction
from icetable.core.game import CHANCE, Game, State
from icetable.core.options import short_repr
from icetable.core.realtime import RealTimeGame
from icetable.server import messages
from icetable.server.pauses import pause
from icetable.server.table import clock, fairness, viewers
from icetable.server.table.errors import BadTable, Tampered
from icetable.server.table.events import End, Event, Lots, Pause, Skip, write_event
from icetable.server.table.log import HOST, UNDO, Entry, remaining_acts
from icetable.server.table.positions import Positions, replayed
from icetable.server.table.salted_names import SaltedName, apart
from icetable.server.table.seats import Seating, hash_code
from icetable.server.table.setup import Series, TableSetup, setup_of_next
from icetable.server.table.viewers import Viewer

WORD = re.compile("[A-Za-z0-9]+")


class TableState:
    """A table. `entry_for_act`, `draw_chance` and others return the next entry, changing nothing; `append` folds it."""

    def __init__(self, setup: TableSetup, game: Game, entries: Iterable[Entry] = ()) -> None:
        """Raises GameError where the entries break the rules."""
        self.setup = setup
        self.game = game
        self._log: list[Entry] = []
        self.seating = Seating(setup.seats, setup.terms.lots).begun()
        self.timing = clock.start_of(setup.terms.clock, game.players)
        self.end: End | None = None
        """How the game was broken off."""
        self._bell_at: int | None = None
        """When chance ends a game without turns, in milliseconds of the table's time. It is secret."""
        self._paused_by = HOST
        """Whose entry the last pause is."""
        self.positions = Positions(game.start() if setup.start is None else game.from_json(setup.start))
        self._show(self.position)
        self._root = setup.chain_root(self.position)
        self._ended_at = 0
        """The number of the entry that ended the game; 0 while it is played."""
        self._last_acts: dict[int, int] = {}
        """The number of each seat's newest act, as far as it is known since acts were last taken back."""
        self._proposed: Entry | None = None
        """The entry made last by `next_entry`, whose link need not be checked when it is appended."""
        self._answered: dict[str, int] = {}
        """By the ids of requests: how many acts there were after the entry that each became."""
        self._append_all(entries)

    def _append_all(self, entries: Iterable[Entry]) -> None:
        """Raises GameError.

        The file of a game may have changed since acts were made that were then taken back for it (`fitting`).
        """
        refused: GameError | None = None
        for entry in entries:
            pause()
            try:
                self.append(entry)
            except GameError as error:
                if not self.game.info.is_plain or isinstance(error, Tampered):
                    raise
                refused = refused or error
                self.positions.pass_over()
                self.append(entry)
        if refused and not self.positions.is_known:
            raise refused

    # The game

    @property
    def position(self) -> State:
        """The newest position."""
        return self.positions.newest

    def after(self, acts: int) -> State:
        """The position after this number of acts."""
        return self.positions.after(acts)

    def made_by(self, acts: int) -> int:
        """The number of the entry of act number `acts`; 0 for the start."""
        return self.positions.acts[acts - 1].seq if acts else 0

    def last_act_of(self, seat: int) -> int:
        """The number of the newest act of a seat; 0 where it made none."""
        if seat not in self._last_acts:
            acts = self.positions.acts
            mine = (number for number in range(len(acts), 0, -1) if acts[number - 1].seat == seat)
            self._last_acts[seat] = next(mine, 0)
        return self._last_acts[seat]

    def replay(self, log: Iterable[Entry]) -> Iterator[State]:
        """The start and the position after each act of `log` that was not taken back, one at a time.

        `log` is a copy of this table's. Any thread may call this; a position refers to the one before alone.
        """
        start = self.positions.after(0)
        yield start
        yield from replayed(start, remaining_acts(log))

    def fitting(self, game: Game) -> int:
        """How many of the acts other rules allow, one after another. Raises GameError where they don't begin so."""
        start = game.start() if self.setup.start is None else game.from_json(self.setup.start)
        fitting = 0
        with contextlib.suppress(GameError):
            for _ in replayed(start, self.positions.acts):
                fitting += 1
        return fitting

    @property
    def acts(self) -> int:
        """The number of acts that led to the newest position; those taken back don't count."""
        return len(self.positions.acts)

    @property
    def bots(self) -> Mapping[int, str]:
        """The levels of the seats that bots play."""
        return self.seating.levels

    def _show(self, state: State) -> None:
        """Which seats may act follows from the position that is shown."""
        runs = self.seating.started and self.timing.paused is None and self.end is None
        self.is_over = self.position.is_terminal or self.end is not None
        """Whether the game is over, by the rules or broken off."""
        self.shown = state
        """The newest position as time has changed it since (`age`)."""
        self.to_act = state.to_act if runs else frozenset[int]()
        """The seats that may act now: none before every seat is taken, in a pause, and when the game is over."""

    def may_hold(self, seat: int, what: str) -> bool:
        """Whether `what` is a word of an act that a seat may make now, in its turn."""
        if not self.game.info.turns or seat not in self.to_act:
            return False
        return any(what in WORD.findall(act) for act in self.shown.legal_actions(seat))

    @property
    def thinking(self) -> frozenset[int]:
        """The seats of players who are to act, also in a pause and while a seat is being handed over; no bots."""
        runs = self.seating.started and self.end is None
        return self.shown.to_act - self.bots.keys() - {CHANCE} if runs else frozenset()

    @property
    def chance_to_act(self) -> bool:
        """Whether it is the turn of chance. (A game without turns has the bell instead: `due`.)"""
        return self.game.info.turns and CHANCE in self.to_act

    # The series

    def series(self) -> Series:
        """The series with the game of this table, which is over. One that was broken off counts as it stood."""
        nothing = (0,) * self.game.players
        before = self.setup.series or Series("", 0, nothing, nothing, nothing)
        scores, ties = self.position.scores, self.game.tie_points(self.position)
        winners = self.position.winners if self.end is None else frozenset(self.end.winners)
        won = tuple(int(seat in winners) for seat in range(self.game.players))
        if self.end is not None and not any(scores):
            scores = won
        return before.with_game(self.setup.id, scores, ties, won)

    def next_setup(self, viewer: Viewer, rotate: bool, now: int) -> tuple[TableSetup, messages.TableCreated]:
        """The setup of the next game of the series, and new codes of its seats. Raises BadTable.

        With `rotate`, and in a pair of games and in a match always, every player moves one seat on, and the second seat
        begins. After a match that is decided another one begins.
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
        return setup_of_next(self.setup, seats, self.game.info.colours, series, self.is_local(viewer), now)

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

    def sees(self, viewer: Viewer) -> bool:
        """Whether a viewer may see the game now."""
        return bool(viewer.seats) or self.setup.terms.live or self.is_over

    # The next entry

    def next_entry(
        self, seat: int, text: str, at: int, client_id: str | None = None, name: SaltedName | None = None
    ) -> Entry:
        """An entry that would be the next one, at the table's time `at` or that of the last entry, if later."""
        last = self._log[-1].at if self._log else 0
        self._proposed = self.chained(Entry(len(self._log) + 1, seat, max(last, at), text, client_id, "", name))
        return self._proposed

    def next_event(self, seat: int, event: Event, now: int, client_id: str | None = None) -> Entry:
        """The entry of an event. Raises GameError where it does not fit."""
        logged, name = apart(event, self.setup.form)
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
        """The entry of an act by a player who holds the seats `holder`; it took `lag` milliseconds to the server.

        Where a clock runs that time does not count, up to clock.MAX_LAG_MS. `unseen`: the newest positions, which the
        player had not seen: an act that they alone make fail is refused, whatever the rules would make of it. Raises
        BadNotation, IllegalAction or BadTable.
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
        usual = self.positions.try_act(entry)
        if usual != text:  # one act has one text in the log, however it was written
            entry = self.next_entry(seat, usual, entry.at, client_id)
            self.positions.try_act(entry)
        return entry

    def unseen(self, seen: int, now: int, within: int) -> list[State]:
        """The positions after entry number `seen` that were made less than `within` milliseconds before `now`."""
        since = self.time(now) - within
        acts = self.positions.acts
        known = len(acts)
        while known and acts[known - 1].seq > seen and acts[known - 1].at > since:
            known -= 1
        return [self.after(number) for number in range(known + 1, len(acts) + 1)]

    def _check_overtaken(self, entry: Entry, unseen: Sequence[State]) -> None:
        """Raise IllegalAction where only what another player did in one of these positions makes an act fail."""
        if not unseen or not isinstance(self.game, RealTimeGame):
            return
        overtaken = self.game.overtaken(self.position, entry.text, entry.seat, unseen)
        if overtaken is None:
            return
        by = overtaken.by
        assert by.seat is not None
        assert by.at is not None
        name, seconds = self.seating.seats[by.seat].shown_name, max(1, entry.at - by.at) / clock.SECOND
        message = f"{name} was first by {seconds:.1g} s, so nothing is lost."
        raise IllegalAction(Fault("was-first", message, overtaken.rule, overtaken.where))

    def draw_chance(self, now: int) -> Entry | None:
        """The entry of what chance draws now: the lots for the seats, or its act. None where it is not to act.

        The draw follows from the table's secret, its id and the number of acts. So a server that is started again draws
        the same, and so does one that took the act back.
        """
        if self.seating.lots_due:
            order = fairness.lots(self.setup.secret, self.setup.id, self.game.players)
            return self.next_event(CHANCE, Lots(order), now)
        if not self.chance_to_act:  # in a pause, or the game was ended by agreement just now
            return None
        act = fairness.draw(self.setup.secret, self.setup.id, self.acts + 1, self.position)
        return self.next_entry(CHANCE, act, self.time(now))

    # Time

    @property
    def bell_is_to_ring(self) -> bool:
        """Whether the bell will end the game unless players do before, and time runs now."""
        return self._bell_at is not None and bool(self.to_act)

    @property
    def rests_unattended(self) -> bool:
        """Whether the game is paused because all had left."""
        return self.timing.paused is not None and self._paused_by == HOST

    @property
    def waits_for_watchers(self) -> bool:
        """Whether a game is paused that nobody can resume, since bots alone play it."""
        return self.timing.paused is not None and not self.is_over and len(self.bots) == self.game.players

    @property
    def due(self) -> int | None:
        """When the bell or a clock ends the game if no player acts before, in milliseconds of the table's time.

        Only the server may know it.
        """
        if not self.to_act:
            return None
        moments = [] if self._bell_at is None else [self._bell_at]
        if self.timing.clock is not None:
            deadlines = map(self.timing.deadline, self.to_act & self.thinking)
            moments += [deadline + clock.MAX_LAG_MS + 1 for deadline in deadlines if deadline is not None]
        return min(moments, default=None)

    def overdue(self, now: int) -> Entry | None:
        """The entry of the end that is due; None before its time."""
        due = self.due
        if due is None or self.time(now) < due:
            return None
        if self._bell_at is not None:
            return self.next_entry(CHANCE, "bell", self._bell_at)
        others = tuple(seat for seat in range(self.game.players) if seat not in self.thinking)
        return self.next_event(CHANCE, End("time", others), now)

    @property
    def next_change(self) -> int | None:
        """When something changes without an act: what is `due`, or what time alone does to the position."""
        changes = (self.due, self.shown.next_change if self.to_act else None)
        return min((moment for moment in changes if moment is not None), default=None)

    def skip(self, now: int, since: int) -> Entry | None:
        """The entry by which time goes on from where an earlier process left it. `since`: when this process began.

        None where no time runs, or nothing is to be skipped. While no server runs no player can act, and the system's
        clock may have been set meanwhile: so a restart takes at most MAX_LOST of a player's time, but not of days.
        """
        if self.next_change is None or not self._log:
            return None
        last = self._log[-1].at
        gone = self.timing.at(now, self.setup.created) - last
        if gone < -clock.JITTER_MS:
            lost = gone
        elif not self.timing.in_days and now - gone < since and gone > clock.MAX_LOST_MS:
            lost = gone - clock.MAX_LOST_MS
        else:
            return None
        return self.next_entry(HOST, write_event(Skip(lost)), last + gone - lost)

    def age(self, now: int) -> bool:
        """Update the shown position by the time alone; whether that changed it."""
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
        """When the last entry was made, in milliseconds since 1970; at a table that is paused, when that began.

        A record counts from when it was opened.
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
        """All entries, those that were taken back included."""
        return list(self._log)

    def log_of_game(self) -> list[Entry]:
        """The entries that a record quotes: up to the one that ended the game; all while it goes on, and in form 1."""
        return self._log[: self._ended_at or None] if self.setup.form > 1 else self.log()

    @property
    def link(self) -> str:
        """The last link of the log, which depends on every entry before."""
        return self._log[-1].link if self._log else self._root

    @property
    def closing(self) -> str:
        """What the chain of a game that is over ends with."""
        return self.setup.chain_end(self.log_of_game(), self.position)

    def ack(self, client_id: str) -> messages.Ack | None:
        """The answer to a request whose entry is in the log."""
        acts = self._answered.get(client_id)
        return None if acts is None else messages.Ack(client_id.partition(":")[2], acts)

    def chained(self, entry: Entry) -> Entry:
        """An entry with the link that it has as the next one of this log."""
        link = fairness.link(self.link, self.setup.id, entry.seq, entry.seat, entry.at, entry.text)
        return Entry(entry.seq, entry.seat, entry.at, entry.text, entry.client_id, link, entry.name)

    def erase(self, names: Collection[str]) -> None:
        """Know these names no more, if the form of the chain allows that."""
        self.setup = self.setup.without_names(names)
        if self.setup.names:
            self.seating = self.seating.without_names(names)
            self._log = [entry.without_name(names) for entry in self._log]

    def append(self, entry: Entry) -> Literal["act", "undo", "event"]:
        """Fold an entry that was judged and stored; returns what it was.

        Raises GameError (Tampered where it is not what was judged then), and changes nothing.
        """
        if entry.seq == self.entries + 1 and entry is not self._proposed and entry.link != self.chained(entry).link:
            raise Tampered(f"entry {entry.seq} of this table's log, {short_repr(entry.text)}, is not what was kept")
        undo, event = UNDO.fullmatch(entry.text), entry.event(self.setup.form)
        if entry.seq != self.entries + 1 or (undo and int(undo[1]) >= self.acts):
            raise GameError(f"entry {short_repr(entry.seq)} of this table's log does not fit the one before")
        if event is not None:
            self._apply_event(event, entry)
        elif undo:
            self.positions.go_back(int(undo[1]))
            self._last_acts.clear()
            self.seating = self.seating.settled()
            self.timing = self.timing.acted(CHANCE, entry.at)
        else:
            self._apply_act(entry)
        self._show(self.position.as_of(entry.at))
        self._log.append(entry)
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
            self.seating = self.seating.settled()
        is_bot = entry.seat != CHANCE and self.seating.seats[entry.seat].level is not None
        self.timing = self.timing.acted(CHANCE if is_bot else entry.seat, entry.at)
        if not self.game.info.turns and CHANCE in after.to_act - before.to_act:
            bell = fairness.bell(self.setup.secret, self.setup.id, self.game)
            self._bell_at = None if bell is None else entry.at + bell

    def _apply_event(self, event: Event, entry: Entry) -> None:
        self.seating = self.seating.after(event, entry.seq, entry.seat)
        self.timing = self.timing.after(event)
        if isinstance(event, Pause):
            self._paused_by = entry.seat
        if isinstance(event, End):
            self.timing = self.timing.ended(self.thinking, entry.at)
            self.end = event
