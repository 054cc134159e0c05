"""What a viewer may see of a table. Everything that a client gets of it is built here, from named fields."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from msgspec import UNSET, UnsetType

from icetable.core import record
from icetable.core.errors import GameError
from icetable.extras import solving
from icetable.server import messages
from icetable.server.table import fairness, insight
from icetable.server.table.errors import Hidden
from icetable.server.table.events import Drop, End, read_event
from icetable.server.table.salted_names import FIRST_FORM
from icetable.server.table.setup import WIN
from icetable.server.table.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from icetable.core.game import GameInfo, State
    from icetable.server.table.log import Entry
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import Series, TableSetup
    from icetable.server.table.state import TableState


MAX_REVIEWED = 1500
"""The acts of the longest game that is reviewed."""


class NoReview(Exception):
    """There is no review of this game, or not yet; the text says why, in one sentence."""


def seats_shown(seating: Seating, mine: Collection[int] = ()) -> list[messages.Seat]:
    """Who sits where, for a viewer who holds the seats `mine`."""
    return [
        messages.Seat(
            seat=number,
            kind=seat.kind,
            name=seat.shown_name,
            level=seat.level,
            colour=seat.colour,
            mine=number in mine,
            gone=number in seating.gone,
        )
        for number, seat in enumerate(seating.seats)
    ]


def listing(setup: TableSetup, info: GameInfo, seating: Seating, usual: Mapping[str, object]) -> messages.Listing:
    """The lobby's entry for a table. `usual`: the options that pages suggest for its number of players."""
    seats, started = seats_shown(seating), seating.started
    return messages.Listing(
        id=setup.id,
        game=info.name,
        title=info.title,
        created=setup.created,
        seats=seats,
        started=started,
        live=setup.terms.live,
        options=unusual(setup.options, usual),
        clock=setup.terms.clock,
        pair=setup.terms.pair,
        match=setup.terms.match,
        plays_like=None if started else setup.terms.plays_like,
    )


def unusual(options: Mapping[str, object], usual: Mapping[str, object]) -> messages.Options:
    """The options that differ from the usual ones, but for those that have become unknown."""
    changed = {name: value for name, value in options.items() if name in usual and not _same(value, usual[name])}
    return messages.Options(cast("dict[str, messages.Value]", changed))


def _same(kept: object, value: object) -> bool:
    """Whether an option as it was kept, where a tuple is a list, has this value."""
    return (list(kept) if isinstance(kept, tuple) else kept) == (list(value) if isinstance(value, tuple) else value)


def line_of(state: State, number: int, timed: bool = False) -> messages.Line:
    """The last act of a state as all viewers see it, as act number `number`.

    It has its time where the game is over, if it is `timed`, and shows what was secret.
    """
    assert state.seat is not None
    assert state.act is not None
    effects = [messages.Effect(effect.kind, list(effect.spaces), effect.value) for effect in state.effects]
    at = state.at if timed and state.at is not None else UNSET
    act = str(state.act) if timed else state.game.shown_act(state)
    return messages.Line(number, state.seat, act, effects, at)


def played(state: State, acts: Iterable[str], seat: int) -> Iterator[State]:
    """The states that acts lead to: those of the seat to act, and where all act at once those of `seat`."""
    for act in acts:
        state = state.apply(act, seat if len(state.to_act) > 1 else None)
        yield state


def frames(states: Iterable[State], seat: int, first: int) -> list[messages.Frame]:
    """Positions that follow each other as a seat sees them, none of which is at a table; `first`: the first number."""
    return [
        messages.Frame(
            seq=number,
            line=line_of(state, number) if number else None,
            view=cast("messages.View", state.view(seat)),
            legal={},
        )
        for number, state in enumerate(states, first)
    ]


class TableViews:
    """What a viewer may see of a table. `now` returns the time, in milliseconds since 1970."""

    def __init__(self, table_state: TableState, now: Callable[[], int]) -> None:
        self.state = table_state
        self._now = now
        self._common_view: tuple[State, dict[str, Any]] | None = None
        """The view made last that is the same for all viewers, and its position."""
        self._last_line: tuple[State, bool, messages.Line] | None = None
        """The line made last, its position, and whether the game was over."""
        self._last_page: tuple[State, bool, list[messages.Line]] | None = None
        """The last acts that were shown last, their newest position, and whether the game was over."""

    @cached_property
    def _layout(self) -> messages.Layout:
        return messages.Layout(dict(self.state.game.layout()))

    @property
    def ending(self) -> messages.Ending | None:
        """What is shown of a table when its game is over; None before."""
        table_state = self.state
        if not table_state.is_over:
            return None
        reason = None if table_state.end is None else table_state.end.reason
        standing, reviewable = self._standing(table_state.series()), self._why_not_reviewed is None
        return messages.Ending(table_state.setup.secret.hex(), standing, reason, table_state.closing, reviewable)

    def table(self, viewer: Viewer) -> messages.TableInfo:
        """The table without its game."""
        table_state, setup, info = self.state, self.state.setup, self.state.game.info
        return messages.TableInfo(
            id=setup.id,
            game=info.name,
            title=info.title,
            options=messages.Options(cast("dict[str, messages.Value]", dict(table_state.game.options))),
            layout=self._layout,
            turns=info.turns,
            seats=seats_shown(table_state.seating, viewer.seats),
            local=table_state.is_local(viewer),
            commitment=fairness.commitment(setup.secret),
            solvable=solving.can_solve(table_state.game) and setup.record is None,
            analysable=insight.can_analyse(table_state.game),
            insight=insight.when(table_state, viewer),
            standing=None if setup.series is None else self._standing(setup.series),
            started=table_state.seating.started,
            public=setup.terms.public,
            host=viewer.host,
            guest=sorted(viewer.guest),
            hidden=not table_state.sees(viewer),
            clock=setup.terms.clock,
            paused=table_state.timing.paused is not None,
            unattended=table_state.rests_unattended,
            proposal=self._proposal(viewer),
            pair=setup.terms.pair,
            lots=setup.terms.lots,
            record=setup.record is not None,
            explore=setup.is_for_trying,
            hands=self.shows_hands,
            match=setup.terms.match,
            tournament=setup.terms.tournament,
        )

    @property
    def shows_hands(self) -> bool:
        """Whether all see where over the board the others have their hands."""
        return self.state.setup.terms.hands and not self.state.game.info.turns

    def _proposal(self, viewer: Viewer) -> messages.Proposal | None:
        proposal = self.state.seating.proposal
        if proposal is None or not self.state.sees(viewer):  # it says how far the game is
            return None
        return messages.Proposal(proposal.number, proposal.by, proposal.what, proposal.target, sorted(proposal.waiting))

    def _standing(self, series: Series) -> messages.Standing:
        match = self.state.setup.terms.match
        wins = [Fraction(parts, WIN) for parts in series.wins]
        rated = [self.state.game.rating(score, won) for score, won in zip(series.scores, wins, strict=True)]
        ratings = [float(rating) for rating in rated if rating is not None]
        winners = series.winners_of(match)
        return messages.Standing(
            series.games,
            list(series.scores),
            series.leaders,
            ratings or None,
            UNSET if match is None else list(map(float, wins)),
            UNSET if winners is None else winners,
        )

    def listing(self, usual: Mapping[str, object]) -> messages.Listing:
        """The lobby's entry for the table (`listing`)."""
        return listing(self.state.setup, self.state.game.info, self.state.seating, usual)

    def summary(self, viewer: Viewer) -> messages.Summary:
        """The table in a list of a viewer's tables."""
        table_state, setup, info = self.state, self.state.setup, self.state.game.info
        shown, sees, end = table_state.position, table_state.sees(viewer), table_state.end
        return messages.Summary(
            id=setup.id,
            game=info.name,
            title=info.title,
            turns=info.turns,
            seats=seats_shown(table_state.seating, viewer.seats),
            started=table_state.seating.started,
            hidden=not sees,
            paused=table_state.timing.paused is not None,
            length=table_state.entries if sees else 0,
            when=table_state.last_change if sees else setup.created,
            to_act=sorted(table_state.to_act) if sees else [],
            over=table_state.is_over,
            winners=sorted(shown.winners if end is None else end.winners),
            scores=list(shown.scores) if sees else [],
            ended_by=shown.ended_by,
            reason=None if end is None else end.reason,
            explore=setup.is_for_trying,
            cooperative=info.cooperative,
            due=table_state.timing.ends_at(table_state.to_act & table_state.thinking, setup.created) if sees else None,
        )

    def picture(self, is_shown: bool) -> str:
        """What a watcher sees of the newest position, or of the start, as an SVG file. Raises GameError."""
        state = self.state.position if is_shown else self.state.after(0)
        return self.state.game.svg(state.view())

    def welcome(self, viewer: Viewer) -> messages.Welcome:
        """The whole table."""
        return messages.Welcome(self.table(viewer), self.lines(viewer), self.frame(viewer), self.ending)

    def changed(self, viewer: Viewer, entry: Entry) -> messages.Changed:
        """The table after an entry that has changed something about it."""
        dropped = isinstance(read_event(entry.text), Drop) and self.state.sees(viewer)
        return messages.Changed(self.table(viewer), self.frame(viewer), entry.seat if dropped else UNSET)

    def resumed(self, viewer: Viewer, seen: messages.Seen) -> messages.Resumed | None:
        """What a viewer who knows the acts up to `seen` has missed; None where the whole table is to be shown.

        That is so where an act that the viewer knows was taken back, where more than a page was missed, before a game
        shows its history, and when it is over, as more is shown of each act then.
        """
        table_state = self.state
        if (
            table_state.is_over
            or not 0 <= table_state.acts - seen.seq <= messages.LINES_PER_PAGE
            or table_state.made_by(seen.seq) != seen.entry
        ):
            return None
        lines = self.lines(viewer, seen.seq)
        return None if lines is None else messages.Resumed(self.table(viewer), lines, self.frame(viewer))

    def lines(self, viewer: Viewer, after: int = 0) -> list[messages.Line] | None:
        """The last acts that led to the newest position, behind number `after`; None where they are not shown yet."""
        if not (self.state.sees(viewer) and self._shows_history):
            return None
        return self._lines(after, self.state.acts) if after else self._page()

    def _page(self) -> list[messages.Line]:
        """The last page, made once for all: many may come to a long game at the same time."""
        state, over = self.state.position, self.state.is_over
        if self._last_page is None or self._last_page[0] is not state or self._last_page[1] is not over:
            self._last_page = state, over, self._lines(0, self.state.acts)
        return self._last_page[2]

    def history(self, viewer: Viewer, before: int) -> list[messages.Line]:
        """The last acts before number `before`. Raises Hidden."""
        self._check_history(viewer)
        return self._lines(0, min(before - 1, self.state.acts))

    def _lines(self, after: int, last: int) -> list[messages.Line]:
        """The acts behind number `after` up to number `last`; of more than a page the last ones."""
        return [self._line(number) for number in range(max(after, last - messages.LINES_PER_PAGE) + 1, last + 1)]

    @property
    def _shows_history(self) -> bool:
        return self.state.is_over or self.state.game.shows_history(self.state.position)

    def frame(self, viewer: Viewer) -> messages.Frame:
        """The newest position with the act that led to it, and the legal acts of the viewer's seats.

        A viewer who may not see it yet gets the start.
        """
        table_state = self.state
        if not table_state.sees(viewer):
            return self._frame(viewer, 0, newest=False)
        acting = sorted(viewer.seats & table_state.to_act)
        legal = {str(seat): [str(act) for act in table_state.shown.legal_actions(seat)] for seat in acting}
        return self._frame(viewer, table_state.acts, newest=True, legal=legal, undo=self._undo_target(viewer))

    def seen(self, seat: int) -> dict[str, Any]:
        """What a seat sees of the newest position."""
        return self._view(self.state.shown, seat)

    def _undo_target(self, viewer: Viewer) -> int | UnsetType:
        """The position before the viewer's last act, where the viewer may go back to it or propose that."""
        if not viewer.seats or self.state.is_over or not self.state.game.info.turns:
            return UNSET
        last = max(map(self.state.last_act_of, viewer.seats))
        return last - 1 if last else UNSET

    def past(self, viewer: Viewer, number: int) -> messages.Frame | None:
        """The position after `number` acts, if there is one. Raises Hidden."""
        self._check_history(viewer)
        if not 0 <= number <= self.state.acts:
            return None
        return self._frame(viewer, number, newest=number == self.state.acts)

    def position(self, viewer: Viewer, number: int) -> State:
        """The position after `number` acts, for a viewer who wants to know the values of its acts.

        Raises Hidden, and GameError where the values can't be worked out.
        """
        if not solving.can_solve(self.state.game):
            raise GameError("the values of moves can't be worked out in this game")
        insight.check(self.state, viewer)
        return self._after(number)

    def copy(self, viewer: Viewer, number: int) -> State:
        """The position after `number` acts, to try things there with every seat. Raises Hidden."""
        self._check_history(viewer)
        if not (self.state.game.views_are_equal or self.state.is_over):
            raise Hidden("This game hides something until it is over.")
        self._check_played_here()
        return self._after(number)

    def _check_played_here(self) -> None:
        if self.state.setup.record is not None:
            raise Hidden("A record from a file can be watched again, but not analysed: its game may be under way.")

    def _after(self, number: int) -> State:
        if number > self.state.acts:
            raise Hidden(f"Only {self.state.acts} moves have been made.")
        return self.state.after(number)

    @property
    def _why_not_reviewed(self) -> str | None:
        """Why this game gets no review now; None where it gets one. Nobody gets one before the game is over.

        A game that began from a position of another one may have begun from one of a game under way.
        """
        table_state = self.state
        if table_state.setup.record is not None:
            return "A record from a file is not reviewed here: its game may be under way."
        if table_state.game.players == 1:
            return "A game that one player plays alone is not reviewed."
        if table_state.setup.start is not None:
            return "Only games that are played from their start are reviewed."
        if not table_state.is_over:
            return "A game is reviewed when it is over."
        if table_state.end is not None and not table_state.end.winners:
            return "This game was broken off and nobody won, so there is no result to review."
        if table_state.acts <= (0 if table_state.game.info.turns else table_state.game.players):  # all are ready first
            return "Nothing was played, so there is nothing to review."
        if table_state.acts > MAX_REVIEWED:
            return f"Only games of up to {MAX_REVIEWED} moves are reviewed."
        return None

    def check_review(self) -> None:
        """Raise NoReview where this game is not reviewed now."""
        if reason := self._why_not_reviewed:
            raise NoReview(reason)

    def record(self) -> str:
        """The public game record. Any thread may write it while the table goes on. Raises Hidden."""
        setup, log = self.state.setup, self.state.log_of_game()
        if setup.record is not None:
            return setup.record
        self._check_history(Viewer())
        states = self.state.replay(log)
        first = last = next(states)
        acts = list[str]()
        for last in states:
            acts.append(record.act_line(last))
        over = last.is_terminal or any(isinstance(read_event(entry.text), End) for entry in log)
        terms = setup.terms_in_record()
        quoted = (f"{entry.seq} {entry.seat} {entry.at} {entry.link} {entry.text}" for entry in log if over)
        proven = fairness.what_is_proven(terms, setup.chain_end(log, last)) if over else ()
        names = fairness.name_lines(setup.bound, setup.names, log if over else ())
        logged = (*quoted, *(names if setup.form >= FIRST_FORM else ()))
        appendix = record.TableDetails(fairness.pledge(setup.secret, setup.id, over), terms, logged, proven)
        return record.written(setup.head_of_record(first), acts, last, appendix)

    def _check_history(self, viewer: Viewer) -> None:
        if not self.state.sees(viewer):
            raise Hidden("This table shows its game to watchers when it is over.")
        if not self._shows_history:
            raise Hidden("This game hides its history until it is over.")

    def _frame(
        self,
        viewer: Viewer,
        number: int,
        *,
        newest: bool,
        legal: dict[str, list[str]] | None = None,
        undo: int | UnsetType = UNSET,
    ) -> messages.Frame:
        table_state = self.state
        state = table_state.shown if newest else table_state.after(number)
        view = self._view(state, viewer.point_of_view(state))
        if newest and table_state.end is not None:
            view |= {"over": True, "to_act": [], "winners": list(table_state.end.winners)}
        return messages.Frame(
            seq=number,
            line=self._line(number) if number else None,
            view=cast("messages.View", view),
            legal=legal or {},
            undo=undo,
            clocks=self._clocks() if newest and table_state.timing.clock is not None else UNSET,
            entry=table_state.made_by(number) or UNSET,
            due=self._due() if newest else UNSET,
        )

    def _due(self) -> dict[str, int] | UnsetType:
        """How long it is until time acts in place of a seat."""
        if self.state.is_over or not (deadlines := self.state.shown.deadlines):
            return UNSET
        time = self.state.time(self._now())
        return {str(seat): max(0, moment - time) for seat, moment in deadlines.items()}

    def _clocks(self) -> messages.Clocks:
        """What every seat has left at this moment."""
        table_state, timing = self.state, self.state.timing
        running = table_state.thinking if timing.since is not None and timing.paused is None else ()
        left = timing.ended(table_state.thinking, table_state.time(self._now())).left
        return messages.Clocks(list(left), sorted(running))

    def _view(self, state: State, seat: int | None) -> dict[str, Any]:
        """What a seat sees. A view that is the same for all viewers is made once for all."""
        if not self.state.game.views_are_equal:
            return state.view(seat)
        if self._common_view is None or self._common_view[0] is not state:
            self._common_view = state, state.view(None)
        return {**self._common_view[1], "seat": seat}

    def _line(self, number: int) -> messages.Line:
        """An act as all viewers see it, made once for all."""
        state, over = self.state.after(number), self.state.is_over
        if self._last_line is None or self._last_line[0] is not state or self._last_line[1] is not over:
            self._last_line = state, over, line_of(state, number, timed=over)
        return self._last_line[2]
