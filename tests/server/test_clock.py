"""Time at a table, without a network: bells, debts, pauses, clocks, and games that are broken off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from icetable.core.errors import BadOption
from icetable.core.game import CHANCE
from icetable.games import load
from icetable.server import messages
from icetable.server.table import fairness
from icetable.server.table.clock import MAX_LAG_MS
from icetable.server.table.errors import BadTable
from icetable.server.table.judge import Judge
from icetable.server.table.log import End, Entry, Fill, write_event
from icetable.server.table.setup import create_setup
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import ANYBODY, drawn, views
from .toy import TOY

if TYPE_CHECKING:
    from collections.abc import Sequence

OPENED = 1_700_000_000_000
EVERYBODY = ("Ann", "Bob")
SMALL: dict[str, Any] = {
    "width": 5.0,
    "height": 5.0,
    "timer": 60.0,
    "timer_spread": 0.5,
    "gift_time": 2.0,
    "call_pause": 1.0,
}


class Evening:
    """Friends at a table, each at their own browser, and what time it is: milliseconds since the table was opened."""

    def __init__(
        self,
        game: str,
        people: Sequence[str] = EVERYBODY,
        bots: int = 0,
        clock: messages.Clock | None = None,
        **options: Any,
    ) -> None:
        options = {"players": len(people) + bots, **options}
        game_ = TOY.load(None, **options) if game == "toy" else load(game, **options)
        seats = [messages.SeatRequest("person", name, None) for name in people]
        seats += [messages.SeatRequest("bot", "Robot", "easy")] * bots
        request = messages.TableRequest(
            game, messages.Options({}), seats, clock=msgspec.UNSET if clock is None else clock
        )
        setup, created = create_setup(request, game_, ["easy"], OPENED)
        self.state = TableState(setup, game_)
        self.judge = Judge(self.state)
        self.codes = list(created.codes.values())
        self.time = 0
        self.requests = 0
        self.away: tuple[int, ...] = ()

    @property
    def now(self) -> int:
        return OPENED + self.time

    def viewer(self, seat: int) -> Viewer:
        return self.state.viewer([self.codes[seat]])

    def ask(self, seat: int, kind: type[Any], *fields: Any, viewer: Viewer | None = None) -> messages.Fault | None:
        """Judge a request as a server does, after the entries that are due. The fault, or None if it is accepted."""
        self.requests += 1
        request = kind(f"r{self.requests}", *fields)
        self.wait(0)
        verdict = self.judge.judge(viewer or self.viewer(seat), request, self.now, self.away)
        if isinstance(verdict, Entry):
            self.state.append(verdict)
            return None
        assert isinstance(verdict, messages.Refused), verdict
        return verdict.fault

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

    def answer(self, seat: int, agree: bool) -> messages.Fault | None:
        assert self.state.seating.proposal is not None
        return self.ask(seat, messages.Vote, self.state.seating.proposal.number, agree)

    def agreed(self, what: str) -> None:
        assert self.offer(0, what) is None
        assert self.answer(1, True) is None

    def wait(self, milliseconds: int) -> None:
        """Time passes, and what is due comes at the end of it."""
        self.time += milliseconds
        due = self.state.overdue(self.now)
        if due is not None:
            self.state.append(due)

    def again(self) -> TableState:
        """The room as a server has it that was started anew."""
        return TableState(self.state.setup, self.state.game, self.state.log())

    def clocks(self, seat: int | None = None) -> messages.Clocks:
        viewer = Viewer() if seat is None else self.viewer(seat)
        clocks = views(self.state, self.now).frame(viewer).clocks
        assert isinstance(clocks, messages.Clocks)
        return clocks


def message_of(fault: messages.Fault | None) -> str:
    assert fault is not None
    return fault.message


def started(**options: Any) -> Evening:
    """A small table of Icehouse on which everybody is ready, the last one after 1.5 seconds."""
    evening = Evening("icehouse", **{**SMALL, **options})
    evening.play((0, "ready"))
    evening.time = 1500
    evening.play((1, "ready"))
    return evening


def bell_of(evening: Evening) -> int:
    """When the bell is to ring, worked out anew from the secret."""
    setup = evening.state.setup
    bell = fairness.bell(setup.secret, setup.id, evening.state.game)
    assert bell is not None
    assert 30_000 <= bell <= 90_000
    return 1500 + bell


# The bell


def test_the_bell_waits_for_the_last_ready_and_rings_at_the_drawn_moment() -> None:
    evening = Evening("icehouse", **SMALL)
    assert (evening.state.due, evening.state.next_change) == (None, None)
    evening.play((0, "ready"))
    evening.time = 10**7
    assert evening.state.overdue(evening.now) is None
    evening = started()
    bell = bell_of(evening)
    assert evening.state.due == evening.state.next_change == bell
    assert evening.state.overdue(OPENED + bell - 1) is None
    entry = evening.state.overdue(OPENED + bell + 12_345)
    assert entry is not None
    assert (entry.seat, entry.at, entry.text) == (CHANCE, bell, "bell")
    evening.state.append(entry)
    assert evening.state.position.ended_by == "IH-31"
    assert evening.state.position.at == bell
    assert evening.again().due is None
    assert evening.state.overdue(OPENED + 10**8) is None


def test_an_act_just_before_the_bell_counts_and_none_from_it_on() -> None:
    evening = started()
    evening.time = bell_of(evening) - 1
    assert evening.act(0, "lift S") is None
    evening.time += 1
    at_the_bell = evening.judge.judge(evening.viewer(1), messages.Act("late", 1, "lift S"), evening.now)
    assert isinstance(at_the_bell, messages.Refused)
    assert "bell has rung" in at_the_bell.fault.message
    fault = evening.act(1, "lift S")
    assert fault is not None
    assert evening.state.log()[-1].text == "bell"
    assert [entry.text for entry in evening.state.log() if entry.at >= evening.time] == ["bell"]
    assert evening.state.position.view()["hands"] == [None, None]


def test_a_room_that_is_built_anew_rings_at_the_same_moment() -> None:
    evening = started()
    evening.play((0, "lift S"))
    bell = bell_of(evening)
    again = evening.again()
    assert again.due == evening.state.due == bell
    assert again.overdue(OPENED + bell - 1) is None
    assert again.overdue(OPENED + bell) == evening.state.overdue(OPENED + bell + 10**6)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_tables_draw_different_bells_as_far_as_the_options_allow(spread: float) -> None:
    dues = {started(timer_spread=spread).state.due for _ in range(20)}
    assert len(dues) == (1 if spread == 0 else 20)
    assert all(due is not None and 1500 <= due <= 1500 + 120_000 for due in dues)


def test_without_a_timer_no_bell_rings() -> None:
    evening = started(timer=0)
    assert evening.state.due is None
    evening.time = 10**9
    assert evening.state.overdue(evening.now) is None
    assert evening.act(0, "lift S") is None


def test_a_table_that_is_open_to_strangers_has_a_bell() -> None:
    seats = [messages.SeatRequest("person", name, None) for name in EVERYBODY]
    request = messages.TableRequest("icehouse", messages.Options({}), seats, True)
    with pytest.raises(BadOption, match=r"IH-31"):
        create_setup(request, load("icehouse", players=2, timer=0), [], OPENED)
    setup, _ = create_setup(request, load("icehouse", players=2, timer=1), [], OPENED)
    assert setup.terms.public


def test_nobody_can_tell_two_bells_apart_before_one_rings() -> None:
    """The same acts at the same times: all views, lines, legal acts and answers are the same for every viewer."""
    evening = started()
    other = TableState(msgspec.structs.replace(evening.state.setup, secret=bytes(32)), evening.state.game)
    for entry in evening.state.log():
        other.append(other.chained(entry))
    tables = (evening.state, other)
    assert evening.state.due is not None
    assert other.due is not None
    first = min(evening.state.due, other.due)
    assert evening.state.due != other.due
    script = [
        (0, "lift S"),
        (1, "lift L"),
        (0, "place 1000,1000 stand 0.0"),
        (1, "place 3500,3500 stand 0.0"),
        (0, "bell"),
        (1, "nonsense"),
        (1, "icehouse"),
    ]
    for number, (seat, text) in enumerate(script):
        for now in (OPENED + 2000 + number, OPENED + first - 1):
            for table_state in tables:
                table_state.advance_time(now)
            viewers = [evening.viewer(0), evening.viewer(1), Viewer(), Viewer(frozenset({0, 1}))]
            told = [[said(table_state, viewer, now) for viewer in viewers] for table_state in tables]
            assert told[0] == told[1]
        answers = [ask_at(table_state, evening.viewer(seat), number, seat, text) for table_state in tables]
        assert answers[0] == answers[1]
    assert evening.state.acts == 7


def said(table_state: TableState, viewer: Viewer, now: int) -> bytes:
    """All that the gate tells, but for the commitment."""
    gates = views(table_state, now)
    told = [gates.welcome(viewer), gates.frame(viewer), gates.listing({}), gates.past(viewer, 1)]
    text = b"".join(messages.write(message) for message in told if message is not None) + gates.record().encode()
    return text.replace(fairness.commitment(table_state.setup.secret).encode(), b"")


def ask_at(table_state: TableState, viewer: Viewer, number: int, seat: int, text: str) -> bytes:
    """The answer to an act, which is taken where it is legal."""
    while isinstance(
        verdict := Judge(table_state).judge(viewer, messages.Act(f"{number}", seat, text), OPENED + 2000 + number),
        Entry,
    ):
        table_state.append(verdict)
    return messages.write(verdict)


# Debts


def test_a_debt_settles_in_what_is_shown_when_its_time_is_over() -> None:
    evening = started()
    evening.play((0, "icehouse"))
    table_state, due = evening.state, 1500 + 2000
    assert table_state.next_change == due + 1
    assert not table_state.advance_time(OPENED + due)
    assert table_state.shown.view()["owed"] == {"0": None}
    assert table_state.advance_time(OPENED + due + 1)
    assert table_state.shown.view()["owed"] == {}
    assert table_state.shown.view()["pads"][1]["red"] == {"S": 1}
    assert views(table_state).seen(0) == table_state.shown.view(0)
    assert table_state.next_change == bell_of(evening)
    assert table_state.entries == 3


def test_the_next_act_agrees_with_what_time_has_shown() -> None:
    evening = started()
    evening.play((0, "icehouse"))
    evening.time += 2001
    evening.state.advance_time(evening.now)
    shown = evening.state.shown.view()
    legal = views(evening.state).frame(evening.viewer(0)).legal["0"]
    assert "lift S" in legal
    assert not any(text.startswith("give") for text in legal)
    evening.play((1, "lift S:green"))
    assert evening.state.position.view() == {
        **shown,
        "pads": evening.state.position.view()["pads"],
        "hands": [None, "S:green"],
    }
    assert evening.again().position == evening.state.position


def test_a_change_by_time_stays_after_another_entry() -> None:
    evening = started()
    evening.play((0, "icehouse"))
    evening.time += 2001
    evening.state.advance_time(evening.now)
    evening.ask(1, messages.Leave, 1)
    assert evening.state.shown.view()["owed"] == evening.again().shown.view()["owed"] == {}


# Pauses


def test_a_pause_needs_consent_and_stops_time() -> None:
    evening = started()
    bell = bell_of(evening)
    assert evening.offer(0, "pause") is None
    proposal = views(evening.state).table(Viewer()).proposal
    assert proposal is not None
    assert (proposal.by, proposal.what, proposal.waiting) == (0, "pause", [1])
    assert evening.state.timing.paused is None
    assert evening.act(1, "lift S") is None  # until then the game goes on
    evening.time = 4000
    assert evening.answer(1, True) is None
    assert views(evening.state).table(Viewer()).paused
    assert (evening.state.to_act, evening.state.due, evening.state.next_change) == (frozenset(), None, None)
    assert views(evening.state).frame(evening.viewer(0)).legal == {}
    evening.time += 10**8
    assert evening.state.overdue(evening.now) is None
    assert message_of(evening.act(0, "lift S")) == "The game is paused."
    assert message_of(evening.offer(1, "pause")) == "The game is paused already."
    again = evening.again()
    assert (again.timing, again.to_act) == (evening.state.timing, frozenset())
    evening.agreed("resume")
    assert not views(evening.state).table(Viewer()).paused
    assert message_of(evening.offer(1, "resume")) == "The game is not paused."
    assert evening.state.due == bell
    assert evening.state.time(evening.now) == 4000
    evening.time += 1
    evening.play((0, "lift S"))
    assert evening.state.position.at == 4001
    evening.wait(bell - 4002)
    assert not evening.state.is_over
    evening.wait(1)
    assert evening.state.position.at == bell
    assert fairness.verify(views(evening.state).record()).drawn == 1


def test_two_pauses_add_up_and_a_debt_waits_as_well() -> None:
    evening = started()
    evening.play((0, "icehouse"))
    for _ in range(2):
        evening.time += 500
        evening.agreed("pause")
        evening.time += 7000
        evening.agreed("resume")
    assert evening.state.time(evening.now) == 2500
    evening.state.advance_time(evening.now + 1000)
    assert evening.state.shown.view()["owed"] == {"0": None}
    evening.state.advance_time(evening.now + 1001)
    assert evening.state.shown.view()["owed"] == {}


def test_a_player_alone_pauses_at_once() -> None:
    evening = Evening("icefrogs", ("Ann",), bots=1)
    assert evening.offer(0, "pause") is None
    assert evening.state.timing.paused is not None
    assert evening.offer(0, "resume") is None
    evening = started()
    evening.away = (1,)
    assert evening.offer(0, "pause") is None
    assert evening.state.timing.paused is not None
    assert evening.offer(0, "resume") is None
    assert evening.state.timing.paused is None


def test_a_pause_is_declined_and_called_off() -> None:
    evening = started()
    for seat in (1, 0):
        evening.offer(0, "pause")
        assert evening.answer(seat, False) is None
        assert evening.state.seating.proposal is None
        assert evening.state.timing.paused is None
    evening.offer(0, "pause")
    assert message_of(evening.offer(1, "draw")) == "Another proposal is waiting for votes."
    assert message_of(evening.answer(0, True)) == "You have agreed already."
    assert message_of(evening.ask(1, messages.Vote, 1, True)) == "That proposal is no longer open."


def test_a_watcher_can_neither_pause_nor_offer_a_draw() -> None:
    evening = started()
    for what in ("draw", "pause", "resume"):
        fault = evening.ask(0, messages.Offer, what, viewer=Viewer())
        assert fault is not None
        assert fault.code == "no-seat"


def test_when_the_game_is_over_nothing_is_left_to_pause_or_agree_upon() -> None:
    """A proposal that stood when the bell rang falls with it."""
    for what in ("draw", "pause"):
        evening = started()
        evening.offer(0, what)
        proposal = evening.state.seating.proposal
        assert proposal is not None
        evening.wait(10**6)
        assert evening.state.is_over
        winners = evening.state.position.winners
        fault = evening.ask(1, messages.Vote, proposal.number, True)
        assert message_of(fault) == "That proposal is no longer open."
        assert message_of(evening.offer(0, what)) == "There is no game under way."
        view = msgspec.json.encode(views(evening.state).frame(Viewer()).view)
        assert msgspec.json.decode(view)["winners"] == sorted(winners)
        ending = views(evening.state).ending
        assert ending is not None
        assert ending.reason is None


# Clocks

PER_ACT = messages.Clock("act", 30, 0)
PER_GAME = messages.Clock("game", 60, 5)


def test_nobodys_clock_runs_before_the_first_act() -> None:
    evening = Evening("icefrogs", clock=PER_ACT)
    assert evening.state.due is None
    assert evening.clocks() == messages.Clocks([30_000, 30_000], [])
    evening.time = 10**7
    assert evening.state.overdue(evening.now) is None
    evening.any_act()
    assert evening.clocks().running == [1]


def test_a_clock_for_each_act() -> None:
    evening = Evening("icefrogs", clock=PER_ACT)
    evening.any_act()
    for seat in (1, 0, 1):
        began = evening.time + MAX_LAG_MS
        assert evening.state.due == began + 30_000 + MAX_LAG_MS + 1
        evening.time = began + 29_000
        assert evening.clocks() == messages.Clocks([1000 if one == seat else 30_000 for one in (0, 1)], [seat])
        assert evening.again().due == evening.state.due
        evening.any_act()
        assert evening.clocks().left == [30_000 + (one == 1 - seat) * 0 for one in (0, 1)]


def test_a_clock_for_the_game_with_an_increment() -> None:
    evening = Evening("icefrogs", clock=PER_GAME)
    evening.any_act()
    left = [60_000, 60_000]
    for seat, spent in [(1, 10_000), (0, 2000), (1, 0), (0, 57_000), (1, 1)]:
        evening.time += MAX_LAG_MS + spent
        evening.any_act()
        left[seat] += 5000 - spent
        assert list(evening.state.timing.left) == left
        assert list(evening.again().timing.left) == left
    evening.wait(MAX_LAG_MS + left[0] + MAX_LAG_MS)
    assert not evening.state.is_over
    evening.wait(1)
    assert evening.state.is_over


@pytest.mark.parametrize(("late", "lag", "counts"), [
    (0, 0, True), (1, 0, False), (500, 500, True), (500, 10**9, True), (200, 199, False), (501, 10**9, False),
])  # fmt: skip
def test_the_way_to_the_server_is_credited_within_half_a_second(late: int, lag: int, counts: bool) -> None:
    evening = Evening("icefrogs", clock=PER_ACT)
    evening.any_act()
    evening.time += MAX_LAG_MS + 30_000 + late
    text = str(evening.state.position.legal_actions(1)[0])
    fault = evening.act(1, text, lag)
    assert (fault is None) == counts
    assert evening.state.is_over == (late > 500)
    if not counts and late <= 500:
        assert message_of(fault) == "Your time is up."


def test_a_credit_is_not_taken_from_who_is_next() -> None:
    """However long somebody says their way is, the next one has all the time from when the act arrived."""
    for lag in (0, 500, 10**9):
        evening = Evening("icefrogs", clock=PER_ACT)
        evening.any_act()
        evening.time += 20_000
        evening.play()
        assert evening.act(1, str(evening.state.position.legal_actions(1)[0]), lag) is None
        assert evening.clocks().left[0] == 30_000
        assert evening.state.due is not None
        assert evening.state.due >= evening.time + 30_000


def test_without_a_clock_no_lag_is_credited() -> None:
    evening = started()
    evening.time += 1000
    assert evening.act(0, "lift S", 400) is None
    assert evening.state.position.at == evening.time


def test_a_player_out_of_time_loses_and_the_others_share_the_win() -> None:
    evening = Evening("icefrogs", ("Ann", "Bob", "Cem"), clock=PER_ACT)
    evening.any_act()
    evening.wait(MAX_LAG_MS + 30_000 + MAX_LAG_MS + 1)
    table_state = evening.state
    assert table_state.end is not None
    assert (table_state.end.reason, table_state.end.winners) == ("time", (0, 2))
    view = views(table_state).frame(Viewer()).view
    assert (view["over"], view["to_act"], view["winners"]) == (True, [], [0, 2])
    ending = views(table_state).ending
    assert ending is not None
    assert (ending.reason, ending.secret) == ("time", table_state.setup.secret.hex())
    assert ending.standing == messages.Standing(1, [1, 0, 1], [0, 2], None)
    assert_ended(evening)


def test_a_bot_has_no_clock() -> None:
    evening = Evening("icefrogs", ("Ann",), bots=1, clock=PER_GAME)
    evening.any_act()
    assert (evening.state.due, evening.clocks().running) == (None, [])
    evening.time += 10**6
    table_state = evening.state
    table_state.append(
        table_state.entry_for_act(ANYBODY, 1, str(table_state.position.legal_actions(1)[0]), evening.now)
    )
    assert table_state.timing.left == (60_000, 60_000)
    assert evening.clocks().running == [0]
    evening.wait(2 * MAX_LAG_MS + 60_001)
    assert table_state.end is not None
    assert table_state.end.winners == (1,)


def test_a_clock_runs_on_while_a_seat_is_handed_over() -> None:
    evening = Evening("icefrogs", clock=PER_ACT)
    evening.any_act()
    assert evening.ask(1, messages.HandOver, 1, "ab" * 16) is None
    assert evening.clocks().running == [1]
    evening.wait(2 * MAX_LAG_MS + 30_001)
    assert evening.state.end is not None
    assert evening.state.end.winners == (0,)


def test_a_bot_that_takes_over_stops_the_clock() -> None:
    evening = Evening("icefrogs", ("Ann", "Bob", "Cem"), clock=PER_ACT)
    evening.any_act()
    evening.state.append(evening.state.chained(Entry(2, 0, 10, write_event(Fill(1, "easy", "Computer")))))
    assert evening.state.due is None


def test_taking_back_lets_everybody_think_anew() -> None:
    evening = Evening("icefrogs", clock=PER_GAME)
    evening.any_act()
    evening.time += MAX_LAG_MS + 40_000
    evening.any_act()
    assert evening.state.timing.left == (60_000, 25_000)
    evening.time += MAX_LAG_MS + 20_000
    assert evening.ask(1, messages.Undo, 1) is None
    assert evening.answer(0, True) is None
    assert evening.clocks() == messages.Clocks([60_000, 25_000], [1])
    assert evening.state.due == evening.time + MAX_LAG_MS + 25_000 + MAX_LAG_MS + 1
    assert evening.again().due == evening.state.due


def test_a_clock_stands_still_in_a_pause() -> None:
    evening = Evening("icefrogs", clock=PER_ACT)
    evening.any_act()
    evening.time += MAX_LAG_MS + 10_000
    evening.agreed("pause")
    evening.time += 10**7
    assert evening.state.overdue(evening.now) is None
    assert evening.clocks().running == []
    evening.agreed("resume")
    assert evening.clocks() == messages.Clocks([30_000, 20_000], [1])
    evening.wait(20_000 + MAX_LAG_MS)
    assert not evening.state.is_over
    evening.wait(1)
    assert evening.state.is_over


def test_where_there_are_no_turns_there_is_no_clock() -> None:
    with pytest.raises(BadTable, match="no turns"):
        Evening("icehouse", clock=PER_ACT)


# Ends that no rule knows


def assert_ended(evening: Evening) -> None:
    """Nobody acts or takes back any more, the record is sound, and the next game goes on from here."""
    table_state = evening.state
    assert table_state.is_over
    assert message_of(evening.act(0, "pass")) == "The game was broken off."
    if table_state.game.info.turns:
        assert message_of(evening.ask(0, messages.Undo, 0)) == "The game was broken off."
    for what in ("draw", "pause", "resume"):
        assert message_of(evening.offer(0, what)) == "There is no game under way."
    assert (table_state.to_act, table_state.due, table_state.next_change) == (frozenset(), None, None)
    frame = views(table_state).frame(evening.viewer(0))
    assert (frame.legal, frame.undo) == ({}, msgspec.UNSET)
    text = views(table_state).record()
    assert fairness.verify(text).link == table_state.closing
    assert evening.again().end == table_state.end
    setup, _ = table_state.next_setup(evening.viewer(0), True, evening.now)
    assert setup.series is not None
    scores = table_state.series().scores
    assert setup.series.scores == (*scores[1:], scores[0])
    assert setup.terms == table_state.setup.terms
    assert not TableState(setup, table_state.game).is_over


@pytest.mark.parametrize("game", ["icefrogs", "wrecktangle", "highrise", "squad", "icehouse"])
def test_a_draw_is_agreed_upon(game: str) -> None:
    evening = Evening(game)
    table_state = evening.state
    if game == "icehouse":
        evening.play((0, "ready"), (1, "ready"), (0, "lift L"), (0, "place 5000,5000 stand 0.0"))
    while table_state.chance_to_act:
        table_state.append(drawn(table_state, evening.now))
    assert views(table_state).ending is None
    evening.agreed("draw")
    assert table_state.end is not None
    assert (table_state.end.reason, table_state.end.winners) == ("draw", (0, 1))
    ending = views(table_state).ending
    assert ending is not None
    assert (ending.reason, ending.link) == ("draw", table_state.closing)
    assert ending.standing.scores == ([3, 3] if game == "icehouse" else [1, 1])
    assert_ended(evening)


def test_a_draw_is_declined_called_off_or_played_away() -> None:
    evening = Evening("icefrogs")
    for seat in (1, 0):
        evening.offer(0, "draw")
        assert evening.answer(seat, False) is None
        assert not evening.state.is_over
    evening.offer(0, "draw")
    evening.any_act()  # by who offers it: the offer stands
    assert evening.state.seating.proposal is not None
    evening.any_act()  # by who was asked
    assert evening.state.seating.proposal is None


def test_there_is_no_draw_with_computers_or_alone() -> None:
    for evening in (Evening("icefrogs", ("Ann",), bots=1), Evening("icefrogs", ("Ann", "Bob"), bots=1)):
        assert message_of(evening.offer(0, "draw")).startswith("A draw can only be agreed between people")
    assert message_of(Evening("squad", ("Ann",)).offer(0, "draw")).startswith(
        "A draw can only be agreed between people"
    )


def test_at_one_screen_a_draw_needs_nobodys_consent() -> None:
    evening = Evening("icefrogs")
    both = evening.state.viewer(evening.codes)
    assert evening.ask(0, messages.Offer, "draw", viewer=both) is None
    assert evening.state.end is not None
    assert_ended(evening)


def test_a_player_who_is_away_or_hands_the_seat_over_has_not_agreed_to_a_draw() -> None:
    evening = Evening("icefrogs")
    evening.away = (1,)
    assert evening.offer(0, "draw") is None
    assert not evening.state.is_over
    evening.answer(0, False)
    assert evening.ask(1, messages.HandOver, 1, "ab" * 16) is None
    evening.offer(0, "draw")
    assert not evening.state.is_over
    newcomer = evening.state.viewer(["ab" * 16])
    assert evening.ask(1, messages.Sit, 1, "Cem", "cd" * 16, viewer=newcomer) is None
    proposal = evening.state.seating.proposal
    assert proposal is not None
    assert evening.ask(1, messages.Vote, proposal.number, True, viewer=evening.state.viewer(["cd" * 16])) is None
    assert evening.state.end is not None


def test_nothing_is_taken_back_behind_the_back_of_who_takes_over_a_seat() -> None:
    evening = Evening("icefrogs")
    evening.any_act()
    evening.any_act()
    assert evening.ask(1, messages.HandOver, 1, "ab" * 16) is None
    assert evening.ask(0, messages.Undo, 0) is None
    assert evening.state.acts == 2
    assert evening.state.seating.proposal is not None


def test_a_seat_that_is_being_handed_over_keeps_nobody_from_pausing() -> None:
    evening = Evening("icefrogs")
    assert evening.ask(1, messages.HandOver, 1, "ab" * 16) is None
    for what in ("pause", "resume"):
        assert evening.offer(0, what) is None
        assert evening.state.seating.proposal is None


@pytest.mark.parametrize("game", ["icefrogs", "wrecktangle", "highrise", "squad", "icehouse"])
def test_a_player_who_resigns_loses_and_the_record_says_so(game: str) -> None:
    evening = Evening(game)
    if game == "icehouse":
        evening.play((0, "ready"), (1, "ready"))
    assert evening.ask(1, messages.Resign, 0) == messages.Fault(
        "not-your-seat", "This browser does not hold that seat.", None, []
    )
    assert message_of(evening.ask(1, messages.Resign, 1, viewer=Viewer())).startswith("This browser does not hold")
    assert evening.offer(0, "draw") is None
    assert evening.ask(1, messages.Resign, 1) is None
    table_state = evening.state
    assert table_state.end == End("resign", (0,))
    assert table_state.seating.proposal is None
    ending = views(table_state).ending
    assert ending is not None
    assert (ending.reason, ending.link) == ("resign", table_state.closing)
    assert views(table_state).frame(Viewer()).view["winners"] == [0]
    assert_ended(evening)
    assert re.search(r'\nlog \d+ 1 \d+ \w+ /.*"resign","winners":\[0\]', views(table_state).record())
    for seat in (0, 1):
        assert message_of(evening.ask(seat, messages.Resign, seat)) == "There is no game under way."


def test_one_resigns_against_bots_among_several_alone_and_in_a_pause() -> None:
    for people, bots, winners in ((("Ann",), 1, (1,)), (("Ann", "Bob", "Cem"), 0, (1, 2))):
        evening = Evening("icefrogs", people, bots)
        assert evening.ask(0, messages.Resign, 0) is None
        assert evening.state.end == End("resign", winners)
        assert_ended(evening)
    alone = Evening("squad", ("Ann",))
    assert alone.ask(0, messages.Resign, 0) is None
    assert alone.state.end == End("resign", ())
    paused = Evening("icefrogs", clock=PER_ACT)
    paused.agreed("pause")
    assert paused.ask(1, messages.Resign, 1) is None
    assert paused.state.end == End("resign", (0,))
    assert fairness.verify(views(paused.state).record()).link == paused.state.closing


def test_at_one_screen_either_player_may_resign() -> None:
    evening = Evening("icefrogs")
    assert evening.ask(0, messages.Resign, 1, viewer=evening.state.viewer(evening.codes)) is None
    assert evening.state.end == End("resign", (0,))


def test_nobody_resigns_behind_the_bell_or_behind_the_rules_end() -> None:
    evening = started(timer=10.0, timer_spread=0.0)
    evening.time += 10_001
    assert message_of(evening.ask(0, messages.Resign, 0)) == "There is no game under way."
    assert evening.state.end is None
    assert fairness.verify(views(evening.state).record()).link == evening.state.closing


def test_an_ends_record_is_a_record_of_the_acts_that_were_made() -> None:
    evening = Evening("toy", target=50)
    for _ in range(3):
        evening.play((min(evening.state.to_act), "take"))
        evening.state.append(drawn(evening.state, evening.now))
    evening.agreed("draw")
    text = views(evening.state).record()
    assert evening.state.game.replay(text) == evening.state.position
    assert re.findall(r"\nlog \d+ \d+ \d+ \w+ (/.*draw.*)", text)
