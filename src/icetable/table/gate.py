"""The gate: everything that anybody sees of a table comes from here, built from named fields."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from msgspec import UNSET, UnsetType

from icetable.core import record, solving
from icetable.core.errors import GameError
from icetable.table import fair, wire
from icetable.table.changes import End, change_in
from icetable.table.charter import WIN
from icetable.table.rooms import Room, Viewer, closing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from icetable.core.game import GameInfo, State
    from icetable.table.charter import Charter, Series
    from icetable.table.seating import Seating


class Hidden(Exception):
    """What was asked for is not shown yet; the text says so, in one sentence."""


def seats_shown(seating: Seating, mine: Collection[int] = ()) -> list[wire.Seat]:
    """Who sits where, for somebody who holds the seats `mine`."""
    return [
        wire.Seat(number, seat.kind, seat.name, seat.level, seat.colour, number in mine, number in seating.gone)
        for number, seat in enumerate(seating.seats)
    ]


def listing(charter: Charter, info: GameInfo, seating: Seating) -> wire.Listing:
    """What the lobby tells of a table."""
    seats, started = seats_shown(seating), seating.started
    return wire.Listing(charter.id, info.name, info.title, charter.created, seats, started, charter.terms.live)


class Gate:
    """What a viewer may see of a room. `now` tells the time, in milliseconds since 1970."""

    def __init__(self, room: Room, now: Callable[[], int]) -> None:
        self.room = room
        self._now = now
        self._watched: tuple[State, dict[str, Any]] | None = None
        self._told: tuple[State, bool, wire.Line] | None = None

    @cached_property
    def _layout(self) -> wire.Layout:
        return wire.Layout(self.room.game.layout())

    @property
    def ending(self) -> wire.Ending | None:
        """What is told of a table when its game is over."""
        room = self.room
        if not room.is_over:
            return None
        reason = None if room.end is None else room.end.reason
        return wire.Ending(room.charter.secret.hex(), self._standing(room.series()), reason, room.closing)

    def table(self, viewer: Viewer) -> wire.TableInfo:
        """The table without its game."""
        room, charter, info = self.room, self.room.charter, self.room.game.info
        return wire.TableInfo(
            charter.id,
            info.name,
            info.title,
            wire.Options(cast("dict[str, wire.Value]", dict(room.game.options))),
            self._layout,
            info.turns,
            seats_shown(room.seating, viewer.seats),
            room.is_local(viewer),
            fair.commitment(charter.secret),
            solving.can_solve(room.game),
            None if charter.series is None else self._standing(charter.series),
            room.seating.started,
            charter.terms.public,
            viewer.host,
            sorted(viewer.guest),
            not room.sees(viewer),
            charter.terms.clock,
            room.timing.paused is not None,
            self._proposal(viewer),
        )

    def _proposal(self, viewer: Viewer) -> wire.Proposal | None:
        proposal = self.room.seating.proposal
        if proposal is None or not self.room.sees(viewer):  # it tells how far the game is
            return None
        return wire.Proposal(proposal.number, proposal.by, proposal.what, proposal.target, sorted(proposal.waiting))

    def _standing(self, series: Series) -> wire.Standing:
        ranks = list(zip(series.scores, series.ties, strict=True))
        leaders = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
        wins = [Fraction(parts, WIN) for parts in series.wins]
        rated = [self.room.game.rating(score, won) for score, won in zip(series.scores, wins, strict=True)]
        ratings = [float(rating) for rating in rated if rating is not None]
        return wire.Standing(series.games, list(series.scores), leaders, ratings or None)

    def listing(self) -> wire.Listing:
        """What the lobby tells of the table."""
        return listing(self.room.charter, self.room.game.info, self.room.seating)

    def welcome(self, viewer: Viewer) -> wire.Welcome:
        """The whole table."""
        return wire.Welcome(self.table(viewer), self.lines(viewer), self.frame(viewer), self.ending)

    def resumed(self, viewer: Viewer, seen: wire.Seen) -> wire.Resumed | None:
        """What somebody has missed who knows the acts up to `seen`; None where the whole table is to be shown.

        That is so where an act that they know was taken back, where they have missed more than a page, and where the
        acts as they know them are not all that is told of them: before a game shows its history, and when it is over.
        """
        room = self.room
        if room.is_over or not 0 <= room.acts - seen.seq <= wire.PAGE or room.made_by(seen.seq) != seen.entry:
            return None
        lines = self.lines(viewer, seen.seq)
        return None if lines is None else wire.Resumed(self.table(viewer), lines, self.frame(viewer))

    def lines(self, viewer: Viewer, after: int = 0) -> list[wire.Line] | None:
        """The last acts that led to the newest position, behind number `after`; None where they are not shown yet."""
        if not (self.room.sees(viewer) and self._shows_history):
            return None
        return self._lines(after, self.room.acts)

    def history(self, viewer: Viewer, before: int) -> list[wire.Line]:
        """The last acts before number `before`. Raises Hidden."""
        self._check_history(viewer)
        return self._lines(0, min(before - 1, self.room.acts))

    def _lines(self, after: int, last: int) -> list[wire.Line]:
        """The acts behind number `after` up to number `last`; of more than a page the last ones."""
        return [self._line(number) for number in range(max(after, last - wire.PAGE) + 1, last + 1)]

    @property
    def _shows_history(self) -> bool:
        return self.room.is_over or self.room.game.shows_history(self.room.state)

    def frame(self, viewer: Viewer) -> wire.Frame:
        """The newest position with the act that led to it, and the legal acts of the viewer's seats.

        Who may not see it yet is shown the start.
        """
        if not self.room.sees(viewer):
            return self._frame(viewer, 0, {})
        acting = sorted(viewer.seats & self.room.to_act)
        legal = {str(seat): [str(act) for act in self.room.shown.legal_actions(seat)] for seat in acting}
        return self._frame(viewer, self.room.acts, legal, self._undo_target(viewer))

    def seen(self, seat: int) -> dict[str, Any]:
        """What a seat sees of the newest position."""
        return self._view(self.room.shown, seat)

    def _undo_target(self, viewer: Viewer) -> int | UnsetType:
        """The position before the last act that this viewer made, where they may go back there or propose it."""
        if not viewer.seats or self.room.is_over or not self.room.game.info.turns:
            return UNSET
        last = max(map(self.room.last_act_of, viewer.seats))
        return last - 1 if last else UNSET

    def past(self, viewer: Viewer, number: int) -> wire.Frame | None:
        """The position after `number` acts, if there is one. Raises Hidden."""
        self._check_history(viewer)
        return self._frame(viewer, number, {}) if 0 <= number <= self.room.acts else None

    def position(self, viewer: Viewer, number: int) -> State:
        """The position after `number` acts, for who wants to know what its acts are worth.

        Raises Hidden, and GameError where nobody can know.
        """
        if not solving.can_solve(self.room.game):
            raise GameError("what acts are worth is not known in this game")
        if not (self.room.is_local(viewer) or self.room.is_over):
            raise Hidden("What acts are worth is told when the game is over.")
        if number != self.room.acts:
            self._check_history(viewer)
        return self._after(number)

    def copy(self, viewer: Viewer, number: int) -> State:
        """The position after `number` acts, for who wants to try things there with every seat. Raises Hidden."""
        self._check_history(viewer)
        if not (self.room.game.sees_alike or self.room.is_over):
            raise Hidden("This game hides something until it is over.")
        return self._after(number)

    def _after(self, number: int) -> State:
        if number > self.room.acts:
            raise Hidden(f"Only {self.room.acts} acts have been made.")
        return self.room.after(number)

    def record(self) -> str:
        """The public game record. Any thread may write it while the table goes on. Raises Hidden."""
        charter, log = self.room.charter, self.room.log_of_game()
        self._check_history(Viewer())
        states = self.room.replay(log)
        first = last = next(states)
        acts = list[str]()
        for last in states:
            acts.append(record.act_line(last))
        over = last.is_terminal or any(isinstance(change_in(entry.text), End) for entry in log)
        terms = charter.terms_told()
        quoted = (f"{entry.seq} {entry.seat} {entry.at} {entry.link} {entry.text}" for entry in log if over)
        proven = fair.what_is_proven(terms, closing_of(charter, log, last)) if over else ()
        told = record.Told(fair.pledge(charter.secret, charter.id, over), terms, quoted, proven)
        return record.written(first, acts, last, told)

    def _check_history(self, viewer: Viewer) -> None:
        if not self.room.sees(viewer):
            raise Hidden("This table shows its game to those who watch when it is over.")
        if not self._shows_history:
            raise Hidden("This game hides its history until it is over.")

    def _frame(
        self, viewer: Viewer, number: int, legal: dict[str, list[str]], undo: int | UnsetType = UNSET
    ) -> wire.Frame:
        newest = number == self.room.acts and self.room.sees(viewer)
        state = self.room.shown if newest else self.room.after(number)
        view = self._view(state, viewer.eyes(state))
        if newest and self.room.end is not None:
            view |= {"over": True, "to_act": [], "winners": list(self.room.end.winners)}
        line = self._line(number) if number else None
        clocks = self._clocks() if newest and self.room.timing.clock is not None else UNSET
        entry = self.room.made_by(number) or UNSET
        return wire.Frame(number, line, cast("wire.View", view), legal, undo, clocks, entry)

    def _clocks(self) -> wire.Clocks:
        """What every seat has left at this moment."""
        room, timing = self.room, self.room.timing
        running = room.thinking if timing.since is not None and timing.paused is None else ()
        left = timing.ended(room.thinking, room.time(self._now())).left
        return wire.Clocks(list(left), sorted(running))

    def _view(self, state: State, seat: int | None) -> dict[str, Any]:
        """What a seat sees; a view that is the same for all is made once for all who are shown it."""
        if not self.room.game.sees_alike:
            return state.view(seat)
        if self._watched is None or self._watched[0] is not state:
            self._watched = state, state.view(None)
        return {**self._watched[1], "seat": seat}

    def _line(self, number: int) -> wire.Line:
        """An act as everybody is told of it, made once for all who are told at the same time."""
        state, over = self.room.after(number), self.room.is_over
        if self._told is None or self._told[0] is not state or self._told[1] is not over:
            assert state.seat is not None
            assert state.act is not None
            effects = [wire.Effect(effect.kind, list(effect.spaces), effect.value) for effect in state.effects]
            at = state.at if over and state.at is not None else UNSET
            self._told = state, over, wire.Line(number, state.seat, str(state.act), effects, at)
        return self._told[2]
