"""What a viewer may see of a table. All data that a client gets is built here, from named fields."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from msgspec import UNSET, Raw, UnsetType

from icetable.core import record
from icetable.core.errors import GameError
from icetable.extras import strength
from icetable.server import messages
from icetable.server.errors import Hidden
from icetable.server.table import fairness, insight
from icetable.server.table.log import Drop, End, read_event
from icetable.server.table.setup import PARTS_PER_WIN
from icetable.server.table.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from icetable.core.game import GameInfo, State
    from icetable.server.table.log import Entry
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import Series, TableSetup
    from icetable.server.table.state import TableState


MAX_REVIEWED_ACTS = 1500
SEAT_OF_WATCHERS = b'"seat":null'
"""The first entry of a view with this name (`State.view`)."""


class NoReview(Exception):
    """The game is not reviewed, or not yet. The message is one sentence."""


def seats_shown(seating: Seating, mine: Collection[int] = ()) -> list[messages.Seat]:
    """The seats, for a viewer who holds the seats `mine`."""
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
    """A table's entry in the lobby. `usual`: the default options for its number of players."""
    seats, started = seats_shown(seating), seating.started
    return messages.Listing(
        id=setup.id,
        game=info.name,
        title=info.title,
        created=setup.created,
        seats=seats,
        started=started,
        live=setup.terms.live,
        options=changed_options(setup.options, usual),
        clock=setup.terms.clock,
        pair=setup.terms.pair,
        match=setup.terms.match,
        plays_like=None if started else setup.terms.plays_like,
    )


def changed_options(options: Mapping[str, object], usual: Mapping[str, object]) -> messages.Options:
    """The options that differ from the usual ones, without those that no longer exist."""
    changed = {name: value for name, value in options.items() if name in usual and not _same(value, usual[name])}
    return messages.Options(cast("dict[str, messages.Value]", changed))


def _same(value: object, other: object) -> bool:
    """Whether two values of an option are equal, tuples and lists alike."""
    return (list(value) if isinstance(value, tuple) else value) == (list(other) if isinstance(other, tuple) else other)


def line_of(state: State, number: int, timed: bool = False) -> messages.Line:
    """The last act of a state as all viewers see it, with this number.

    `timed`: the game is over, so the line has the time and reveals what was hidden.
    """
    assert state.seat is not None
    assert state.act is not None
    effects = [messages.Effect(effect.kind, list(effect.spaces), effect.value) for effect in state.effects]
    at = state.at if timed and state.at is not None else UNSET
    act = str(state.act) if timed else state.game.shown_act(state)
    return messages.Line(number, state.seat, act, effects, at)


def states_after(state: State, acts: Iterable[str], seat: int) -> Iterator[State]:
    """Yield the states after acts by the seat to act, or by `seat` if several can act."""
    for act in acts:
        state = state.apply(act, seat if len(state.to_act) > 1 else None)
        yield state


def frames(states: Iterable[State], seat: int, first: int) -> list[messages.Frame]:
    """Consecutive positions outside a table as a seat sees them, numbered from `first`."""
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
        self.notice: messages.RulesNotice | None = None
        """News of the game's file, until it is saved again."""
        self._common_view: tuple[State, dict[str, Any]] | None = None
        """Cache of a view for all viewers: the position and its view."""
        self._common_text: tuple[State, bytes, bytes] | None = None
        """Cache of the same as JSON: the position, and the text before and after the viewer's seat."""
        self._last_line: tuple[State, bool, messages.Line] | None = None
        """Cache of a line: its position, whether the game was over, and the line."""
        self._last_page: tuple[State, bool, list[messages.Line]] | None = None
        """Cache of the last page of lines: the newest position, whether the game was over, and the lines."""

    @cached_property
    def _layout(self) -> messages.Layout:
        return messages.Layout(dict(self.state.game.layout()))

    @property
    def ending(self) -> messages.Ending | None:
        """The data revealed when the game is over; None before."""
        table_state = self.state
        if not table_state.is_over:
            return None
        reason = None if table_state.end is None else table_state.end.reason
        standing, reviewable = self._standing(table_state.series()), self._review_refusal is None
        return messages.Ending(table_state.setup.secret.hex(), standing, reason, table_state.closing, reviewable)

    def table(self, viewer: Viewer) -> messages.TableInfo:
        """The table without the position of its game."""
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
            solvable=strength.can_solve(table_state.game) and setup.record is None,
            analysable=insight.can_analyse(table_state.game),
            insight=insight.when(table_state, viewer),
            standing=None if setup.series is None else self._standing(setup.series),
            started=table_state.seating.started,
            public=setup.terms.public,
            host=viewer.host,
            guest=sorted(viewer.guest),
            hidden=not table_state.can_see(viewer),
            clock=setup.terms.clock,
            paused=table_state.timing.paused is not None,
            unattended=table_state.is_unattended,
            proposal=self._proposal(viewer),
            rules=self._rules(viewer),
            pair=setup.terms.pair,
            random_seats=setup.terms.random_seats,
            record=setup.record is not None,
            explore=setup.is_for_trying,
            hands=self.shows_hands,
            prototype=self.state.game.info.is_plain,
            match=setup.terms.match,
            tournament=setup.terms.tournament,
        )

    @property
    def shows_hands(self) -> bool:
        """Whether players see each other's hands over the board."""
        return self.state.setup.terms.hands and not self.state.game.info.turns

    def _proposal(self, viewer: Viewer) -> messages.Proposal | None:
        proposal = self.state.seating.proposal
        if proposal is None or not self.state.can_see(viewer):  # it would reveal the progress of the game
            return None
        return messages.Proposal(proposal.number, proposal.by, proposal.what, proposal.target, sorted(proposal.waiting))

    def _rules(self, viewer: Viewer) -> messages.RulesNotice | None:
        """The news of the game's file for a viewer, who may have to be a player to do something about it."""
        notice = self.notice
        if notice is None and (taken := len(self.state.taken_back())):
            moves = "A move that the changed rules refuse was" if taken == 1 else f"{taken} moves were"
            since = "" if taken == 1 else ", since the changed rules refuse the first of them"
            notice = messages.RulesNotice(f"{moves} taken back{since}.", ["again"])
        if notice is None or not self.state.can_see(viewer):
            return None
        return notice if viewer.seats else messages.RulesNotice(notice.message, [])

    def _series_standing(self) -> messages.Standing | None:
        """The standing of the series, with this game once it is over."""
        series = self.state.series() if self.state.is_over else self.state.setup.series
        return None if series is None else self._standing(series)

    def _standing(self, series: Series) -> messages.Standing:
        match = self.state.setup.terms.match
        wins = [Fraction(parts, PARTS_PER_WIN) for parts in series.wins]
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
        """The table's entry in the lobby (`listing`)."""
        return listing(self.state.setup, self.state.game.info, self.state.seating, usual)

    def summary(self, viewer: Viewer) -> messages.Summary:
        """The table's entry in a list of the viewer's tables."""
        table_state, setup, info = self.state, self.state.setup, self.state.game.info
        shown, sees, end = table_state.position, table_state.can_see(viewer), table_state.end
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
            pair=setup.terms.pair,
            match=setup.terms.match,
            tournament=setup.terms.tournament,
            standing=self._series_standing(),
            next=None,
        )

    def picture(self, is_shown: bool) -> str:
        """A watcher's view of the newest position, or of the start, as an SVG file. Raises GameError."""
        state = self.state.position if is_shown else self.state.after(0)
        return self.state.game.thumbnail(state.view())

    def welcome(self, viewer: Viewer) -> messages.Welcome:
        """The whole table."""
        return messages.Welcome(self.table(viewer), self.lines(viewer), self.frame(viewer), self.ending)

    def changed(self, viewer: Viewer, entry: Entry) -> messages.Changed:
        """The table after an entry that changed it."""
        dropped = isinstance(read_event(entry.text), Drop) and self.state.can_see(viewer)
        return messages.Changed(self.table(viewer), self.frame(viewer), entry.seat if dropped else UNSET)

    def resumed(self, viewer: Viewer, seen: messages.Seen) -> messages.Resumed | None:
        """The update for a viewer who has seen the acts up to `seen`; None if the viewer needs the whole table.

        That is the case if an act that the viewer has seen was undone, if more than a page was missed, while the game
        hides its history, and when it is over, since then more of each act is revealed.
        """
        table_state = self.state
        if (
            table_state.is_over
            or not 0 <= table_state.acts - seen.seq <= messages.LINES_PER_PAGE
            or table_state.entry_of_act(seen.seq) != seen.entry
        ):
            return None
        lines = self.lines(viewer, seen.seq)
        return None if lines is None else messages.Resumed(self.table(viewer), lines, self.frame(viewer))

    def lines(self, viewer: Viewer, after: int = 0) -> list[messages.Line] | None:
        """The last acts up to the newest position, after number `after`; None if they are still hidden."""
        if not (self.state.can_see(viewer) and self._shows_history):
            return None
        return self._lines(after, self.state.acts) if after else self._page()

    def _page(self) -> list[messages.Line]:
        """The last page of lines, cached since many viewers may join a long game at the same time."""
        state, over = self.state.position, self.state.is_over
        if self._last_page is None or self._last_page[0] is not state or self._last_page[1] is not over:
            self._last_page = state, over, self._lines(0, self.state.acts)
        return self._last_page[2]

    def history(self, viewer: Viewer, before: int) -> list[messages.Line]:
        """The last acts before number `before`. Raises Hidden."""
        self._check_history(viewer)
        return self._lines(0, min(before - 1, self.state.acts))

    def _lines(self, after: int, last: int) -> list[messages.Line]:
        """The acts after number `after` up to number `last`, at most the last page of them."""
        return [self._line(number) for number in range(max(after, last - messages.LINES_PER_PAGE) + 1, last + 1)]

    @property
    def _shows_history(self) -> bool:
        return self.state.is_over or self.state.game.shows_history(self.state.position)

    def frame(self, viewer: Viewer) -> messages.Frame:
        """The newest position with its last act, and the legal acts of the viewer's seats.

        A viewer who may not see it yet gets the start.
        """
        table_state = self.state
        if not table_state.can_see(viewer):
            return self._frame(viewer, 0, newest=False)
        acting = sorted(viewer.seats & table_state.to_act)
        legal = {str(seat): [str(act) for act in table_state.shown.legal_actions(seat)] for seat in acting}
        return self._frame(viewer, table_state.acts, newest=True, legal=legal, undo=self._undo_target(viewer))

    def seen(self, seat: int) -> dict[str, Any]:
        """A seat's view of the newest position."""
        return self._view(self.state.shown, seat)

    def _undo_target(self, viewer: Viewer) -> int | UnsetType:
        """The number of the position before the viewer's last act, if the viewer may undo it or propose to."""
        if not viewer.seats or self.state.is_over or not self.state.game.info.turns:
            return UNSET
        last = max(map(self.state.last_act_of, viewer.seats))
        return last - 1 if last else UNSET

    def past(self, viewer: Viewer, number: int) -> messages.Frame | None:
        """The position after `number` acts; None if there is none. Raises Hidden."""
        self._check_history(viewer)
        if not 0 <= number <= self.state.acts:
            return None
        return self._frame(viewer, number, newest=number == self.state.acts)

    def position(self, viewer: Viewer, number: int) -> State:
        """The position after `number` acts, to solve it for a viewer.

        Raises Hidden, and GameError if the game can't be solved.
        """
        if not strength.can_solve(self.state.game):
            raise GameError("the values of moves can't be worked out in this game")
        insight.check(self.state, viewer)
        return self._after(number)

    def copy(self, viewer: Viewer, number: int) -> State:
        """The position after `number` acts, to try moves there with every seat. Raises Hidden."""
        self._check_history(viewer)
        if not (self.state.game.views_are_equal or self.state.is_over):
            raise Hidden("This game hides something until it is over.")
        self._check_played_here()
        return self._after(number)

    def _check_played_here(self) -> None:
        if self.state.setup.record is not None:
            raise Hidden("A record from a file can be replayed, but not analysed: its game may be under way.")

    def _after(self, number: int) -> State:
        if number > self.state.acts:
            raise Hidden(f"Only {self.state.acts} moves have been made.")
        return self.state.after(number)

    @property
    def _review_refusal(self) -> str | None:
        """The reason why this game is not reviewed now; None if it is.

        A game that began from another game's position may have begun from that of a game in progress.
        """
        table_state = self.state
        if table_state.setup.record is not None:
            return "A record from a file is not reviewed here: its game may be under way."
        if table_state.game.players == 1:
            return "Games for one player are not reviewed."
        if table_state.setup.start is not None:
            return "Only games played from the start are reviewed."
        if not table_state.is_over:
            return "A game is reviewed when it is over."
        if table_state.end is not None and not table_state.end.winners:
            return "This game was broken off and nobody won, so there is no result to review."
        if table_state.acts <= (0 if table_state.game.info.turns else table_state.game.players):  # all are ready first
            return "Nothing was played, so there is nothing to review."
        if table_state.acts > MAX_REVIEWED_ACTS:
            return f"Only games of up to {MAX_REVIEWED_ACTS} moves are reviewed."
        return None

    def check_review(self) -> None:
        """Raise NoReview if this game is not reviewed now."""
        if reason := self._review_refusal:
            raise NoReview(reason)

    def record(self) -> str:
        """The public game record. Thread-safe. Raises Hidden."""
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
        comments = fairness.proof_comments(setup.chain_end(log, last)) if over else ()
        names = fairness.name_lines(setup.bound, setup.names, log if over else ())
        appendix = record.TableDetails(
            fairness.nature_of(setup.secret, setup.id, over), terms, (*quoted, *names), comments
        )
        return record.written(setup.head_of_record(first, self.state.source), acts, last, appendix)

    def _check_history(self, viewer: Viewer) -> None:
        if not self.state.can_see(viewer):
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
        seat = viewer.point_of_view(state)
        line = self._line(number) if number else None  # first, as effects leave the table that a view is made of
        view: dict[str, Any] | Raw
        if newest and table_state.end is not None:
            view = self._view(state, seat) | {"over": True, "to_act": [], "winners": list(table_state.end.winners)}
        else:
            view = self._encoded_view(state, seat)
        return messages.Frame(
            seq=number,
            line=line,
            view=cast("messages.View", view),
            legal=legal or {},
            undo=undo,
            clocks=self._clocks() if newest and table_state.timing.clock is not None else UNSET,
            entry=table_state.entry_of_act(number) or UNSET,
            due=self._due() if newest else UNSET,
            played=self._played() if newest else UNSET,
        )

    def _played(self) -> int | UnsetType:
        played = self.state.played(self._now())
        return UNSET if played is None else played

    def _due(self) -> dict[str, int] | UnsetType:
        """The milliseconds until time acts instead of a seat, by seat."""
        if self.state.is_over or not (deadlines := self.state.shown.deadlines):
            return UNSET
        time = self.state.time(self._now())
        return {str(seat): max(0, moment - time) for seat, moment in deadlines.items()}

    def _clocks(self) -> messages.Clocks:
        """The time left of every seat at this moment."""
        table_state, timing = self.state, self.state.timing
        running = table_state.thinking if timing.since is not None and timing.paused is None else ()
        left = timing.ended(table_state.thinking, table_state.time(self._now())).left
        return messages.Clocks(list(left), sorted(running))

    def _view(self, state: State, seat: int | None) -> dict[str, Any]:
        """A seat's view. One that is the same for all viewers is cached."""
        if not self.state.game.views_are_equal:
            return state.view(seat)
        if self._common_view is None or self._common_view[0] is not state:
            self._common_view = state, state.view(None)
        return {**self._common_view[1], "seat": seat}

    def _encoded_view(self, state: State, seat: int | None) -> dict[str, Any] | Raw:
        """The same; one that is the same for all viewers is encoded once."""
        if not self.state.game.views_are_equal:
            return state.view(seat)
        if self._common_text is None or self._common_text[0] is not state:
            before, _, after = messages.encode(self._view(state, None)).partition(SEAT_OF_WATCHERS)
            self._common_text = state, before, after
        _, before, after = self._common_text
        return Raw(b"".join((before, SEAT_OF_WATCHERS if seat is None else b'"seat":%d' % seat, after)))

    def _line(self, number: int) -> messages.Line:
        """An act as all viewers see it, cached."""
        state, over = self.state.after(number), self.state.is_over
        if self._last_line is None or self._last_line[0] is not state or self._last_line[1] is not over:
            self._last_line = state, over, line_of(state, number, timed=over)
        return self._last_line[2]
