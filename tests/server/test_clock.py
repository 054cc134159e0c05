"""Time at a table, without a network: bells, debts, pauses, clocks, and games that are broken off."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from icetable.core.errors import BadOption
from icetable.core.game import CHANCE
from icetable.server import messages
from icetable.server.errors import BadTable
from icetable.server.table import fairness
from icetable.server.table.clock import MAX_LAG_MS
from icetable.server.table.judge import Judge
from icetable.server.table.log import End, Entry, Fill, write_event
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import ANYBODY, NOW, Table, bot, drawn, message_of, person, views

SMALL: dict[str, Any] = {
    "width": 5.0,
    "height": 5.0,
    "timer": 60.0,
    "timer_spread": 0.5,
    "gift_time": 2.0,
    "call_pause": 1.0,
}


def started(**options: Any) -> Table:
    """A small table of Icehouse on which everybody is ready, the last one after 1.5 seconds."""
    table = Table("icehouse", **{**SMALL, **options})
    table.play((0, "ready"))
    table.time = 1500
    table.play((1, "ready"))
    return table


def bell_of(table: Table) -> int:
    """When the bell is to ring, worked out anew from the secret."""
    setup = table.state.setup
    bell = fairness.bell(setup.secret, setup.id, table.state.game)
    assert bell is not None
    assert 30_000 <= bell <= 90_000
    return 1500 + bell


# The bell


def test_the_bell_waits_for_the_last_ready_and_rings_at_the_drawn_moment() -> None:
    table = Table("icehouse", **SMALL)
    assert (table.state.due, table.state.next_change) == (None, None)
    table.play((0, "ready"))
    table.time = 10**7
    assert table.state.overdue(table.now) is None
    table = started()
    bell = bell_of(table)
    assert table.state.due == table.state.next_change == bell
    assert table.state.overdue(NOW + bell - 1) is None
    entry = table.state.overdue(NOW + bell + 12_345)
    assert entry is not None
    assert (entry.seat, entry.at, entry.text) == (CHANCE, bell, "bell")
    table.state.append(entry)
    assert table.state.position.ended_by == "IH-31"
    assert table.state.position.at == bell
    assert table.again().due is None
    assert table.state.overdue(NOW + 10**8) is None


def test_an_act_just_before_the_bell_counts_and_none_from_it_on() -> None:
    table = started()
    table.time = bell_of(table) - 1
    assert table.act(0, "lift S") is None
    table.time += 1
    at_the_bell = table.judge.judge(table.viewer(1), messages.Act("late", 1, "lift S"), table.now)
    assert isinstance(at_the_bell, messages.Refused)
    assert "bell has rung" in at_the_bell.fault.message
    fault = table.act(1, "lift S")
    assert fault is not None
    assert table.state.log()[-1].text == "bell"
    assert [entry.text for entry in table.state.log() if entry.at >= table.time] == ["bell"]
    assert table.state.position.view()["hands"] == [None, None]


def test_a_room_that_is_built_anew_rings_at_the_same_moment() -> None:
    table = started()
    table.play((0, "lift S"))
    bell = bell_of(table)
    again = table.again()
    assert again.due == table.state.due == bell
    assert again.overdue(NOW + bell - 1) is None
    assert again.overdue(NOW + bell) == table.state.overdue(NOW + bell + 10**6)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_tables_draw_different_bells_as_far_as_the_options_allow(spread: float) -> None:
    dues = {started(timer_spread=spread).state.due for _ in range(20)}
    assert len(dues) == (1 if spread == 0 else 20)
    assert all(due is not None and 1500 <= due <= 1500 + 120_000 for due in dues)


def test_without_a_timer_no_bell_rings() -> None:
    table = started(timer=0)
    assert table.state.due is None
    table.time = 10**9
    assert table.state.overdue(table.now) is None
    assert table.act(0, "lift S") is None


def test_a_table_that_is_open_to_strangers_has_a_bell() -> None:
    with pytest.raises(BadOption, match=r"IH-31"):
        Table("icehouse", public=True, timer=0)
    assert Table("icehouse", public=True, timer=1).state.setup.terms.public


def test_nobody_can_tell_two_bells_apart_before_one_rings() -> None:
    """The same acts at the same times: all views, lines, legal acts and answers are the same for every viewer."""
    table = started()
    other = TableState(msgspec.structs.replace(table.state.setup, secret=bytes(32)), table.state.game)
    for entry in table.state.log():
        other.append(other.chained(entry))
    tables = (table.state, other)
    assert table.state.due is not None
    assert other.due is not None
    first = min(table.state.due, other.due)
    assert table.state.due != other.due
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
        for now in (NOW + 2000 + number, NOW + first - 1):
            for table_state in tables:
                table_state.advance_time(now)
            viewers = [table.viewer(0), table.viewer(1), Viewer(), Viewer(frozenset({0, 1}))]
            told = [[said(table_state, viewer, now) for viewer in viewers] for table_state in tables]
            assert told[0] == told[1]
        answers = [ask_at(table_state, table.viewer(seat), number, seat, text) for table_state in tables]
        assert answers[0] == answers[1]
    assert table.state.acts == 7


def said(table_state: TableState, viewer: Viewer, now: int) -> bytes:
    """All that the gate tells, but for the commitment."""
    gates = views(table_state, now)
    told = [gates.welcome(viewer), gates.frame(viewer), gates.listing({}), gates.past(viewer, 1)]
    text = b"".join(messages.write(message) for message in told if message is not None) + gates.record().encode()
    return text.replace(fairness.commitment(table_state.setup.secret).encode(), b"")


def ask_at(table_state: TableState, viewer: Viewer, number: int, seat: int, text: str) -> bytes:
    """The answer to an act, which is taken where it is legal."""
    while isinstance(
        verdict := Judge(table_state).judge(viewer, messages.Act(f"{number}", seat, text), NOW + 2000 + number),
        Entry,
    ):
        table_state.append(verdict)
    return messages.write(verdict)


# Debts


def test_a_debt_settles_in_what_is_shown_when_its_time_is_over() -> None:
    table = started()
    table.play((0, "icehouse"))
    table_state, due = table.state, 1500 + 2000
    assert table_state.next_change == due + 1
    assert not table_state.advance_time(NOW + due)
    assert table_state.shown.view()["owed"] == {"0": None}
    assert table_state.advance_time(NOW + due + 1)
    assert table_state.shown.view()["owed"] == {}
    assert table_state.shown.view()["pads"][1]["red"] == {"S": 1}
    assert table.views.seen(0) == table_state.shown.view(0)
    assert table_state.next_change == bell_of(table)
    assert table_state.entries == 3


def test_the_next_act_agrees_with_what_time_has_shown() -> None:
    table = started()
    table.play((0, "icehouse"))
    table.time += 2001
    table.state.advance_time(table.now)
    shown = table.state.shown.view()
    legal = table.views.frame(table.viewer(0)).legal["0"]
    assert "lift S" in legal
    assert not any(text.startswith("give") for text in legal)
    table.play((1, "lift S:green"))
    assert table.state.position.view() == {
        **shown,
        "pads": table.state.position.view()["pads"],
        "hands": [None, "S:green"],
    }
    assert table.again().position == table.state.position


def test_a_change_by_time_stays_after_another_entry() -> None:
    table = started()
    table.play((0, "icehouse"))
    table.time += 2001
    table.state.advance_time(table.now)
    table.ask(1, messages.Leave, 1)
    assert table.state.shown.view()["owed"] == table.again().shown.view()["owed"] == {}


# Pauses


def test_a_pause_needs_consent_and_stops_time() -> None:
    table = started()
    bell = bell_of(table)
    assert table.offer(0, "pause") is None
    proposal = table.views.table(Viewer()).proposal
    assert proposal is not None
    assert (proposal.by, proposal.what, proposal.waiting) == (0, "pause", [1])
    assert table.state.timing.paused is None
    assert table.act(1, "lift S") is None  # until then the game goes on
    table.time = 4000
    assert table.answer(1, True) is None
    assert table.views.table(Viewer()).paused
    assert (table.state.to_act, table.state.due, table.state.next_change) == (frozenset(), None, None)
    assert table.views.frame(table.viewer(0)).legal == {}
    table.time += 10**8
    assert table.state.overdue(table.now) is None
    assert message_of(table.act(0, "lift S")) == "The game is paused."
    assert message_of(table.offer(1, "pause")) == "The game is paused already."
    again = table.again()
    assert (again.timing, again.to_act) == (table.state.timing, frozenset())
    table.agreed("resume")
    assert not table.views.table(Viewer()).paused
    assert message_of(table.offer(1, "resume")) == "The game is not paused."
    assert table.state.due == bell
    assert table.state.time(table.now) == 4000
    table.time += 1
    table.play((0, "lift S"))
    assert table.state.position.at == 4001
    table.wait(bell - 4002)
    assert not table.state.is_over
    table.wait(1)
    assert table.state.position.at == bell
    assert fairness.verify(table.views.record()).drawn == 1


def test_two_pauses_add_up_and_a_debt_waits_as_well() -> None:
    table = started()
    table.play((0, "icehouse"))
    for _ in range(2):
        table.time += 500
        table.agreed("pause")
        table.time += 7000
        table.agreed("resume")
    assert table.state.time(table.now) == 2500
    table.state.advance_time(table.now + 1000)
    assert table.state.shown.view()["owed"] == {"0": None}
    table.state.advance_time(table.now + 1001)
    assert table.state.shown.view()["owed"] == {}


def test_a_player_alone_pauses_at_once() -> None:
    table = Table("icefrogs", person(), bot())
    assert table.offer(0, "pause") is None
    assert table.state.timing.paused is not None
    assert table.offer(0, "resume") is None
    table = started()
    table.away = (1,)
    assert table.offer(0, "pause") is None
    assert table.state.timing.paused is not None
    assert table.offer(0, "resume") is None
    assert table.state.timing.paused is None


def test_a_pause_is_declined_and_called_off() -> None:
    table = started()
    for seat in (1, 0):
        table.offer(0, "pause")
        assert table.answer(seat, False) is None
        assert table.state.seating.proposal is None
        assert table.state.timing.paused is None
    table.offer(0, "pause")
    assert message_of(table.offer(1, "draw")) == "Another proposal is waiting for votes."
    assert message_of(table.answer(0, True)) == "You have agreed already."
    assert table.refused(1, messages.Vote, 1, True) == "That proposal is no longer open."


def test_a_watcher_can_neither_pause_nor_offer_a_draw() -> None:
    table = started()
    for what in ("draw", "pause", "resume"):
        fault = table.ask(Viewer(), messages.Offer, what)
        assert fault is not None
        assert fault.code == "no-seat"


def test_when_the_game_is_over_nothing_is_left_to_pause_or_agree_upon() -> None:
    """A proposal that stood when the bell rang falls with it."""
    for what in ("draw", "pause"):
        table = started()
        table.offer(0, what)
        proposal = table.state.seating.proposal
        assert proposal is not None
        table.wait(10**6)
        assert table.state.is_over
        winners = table.state.position.winners
        fault = table.ask(1, messages.Vote, proposal.number, True)
        assert message_of(fault) == "That proposal is no longer open."
        assert message_of(table.offer(0, what)) == "There is no game under way."
        view = msgspec.json.encode(table.views.frame(Viewer()).view)
        assert msgspec.json.decode(view)["winners"] == sorted(winners)
        ending = table.views.ending
        assert ending is not None
        assert ending.reason is None


# Clocks

PER_ACT = messages.Clock("act", 30, 0)
PER_GAME = messages.Clock("game", 60, 5)


def test_nobodys_clock_runs_before_the_first_act() -> None:
    table = Table("icefrogs", clock=PER_ACT)
    assert table.state.due is None
    assert table.clocks() == messages.Clocks([30_000, 30_000], [])
    table.time = 10**7
    assert table.state.overdue(table.now) is None
    table.any_act()
    assert table.clocks().running == [1]


def test_a_clock_for_each_act() -> None:
    table = Table("icefrogs", clock=PER_ACT)
    table.any_act()
    for seat in (1, 0, 1):
        began = table.time + MAX_LAG_MS
        assert table.state.due == began + 30_000 + MAX_LAG_MS + 1
        table.time = began + 29_000
        assert table.clocks() == messages.Clocks([1000 if one == seat else 30_000 for one in (0, 1)], [seat])
        assert table.again().due == table.state.due
        table.any_act()
        assert table.clocks().left == [30_000 + (one == 1 - seat) * 0 for one in (0, 1)]


def test_a_clock_for_the_game_with_an_increment() -> None:
    table = Table("icefrogs", clock=PER_GAME)
    table.any_act()
    left = [60_000, 60_000]
    for seat, spent in [(1, 10_000), (0, 2000), (1, 0), (0, 57_000), (1, 1)]:
        table.time += MAX_LAG_MS + spent
        table.any_act()
        left[seat] += 5000 - spent
        assert list(table.state.timing.left) == left
        assert list(table.again().timing.left) == left
    table.wait(MAX_LAG_MS + left[0] + MAX_LAG_MS)
    assert not table.state.is_over
    table.wait(1)
    assert table.state.is_over


@pytest.mark.parametrize(("late", "lag", "counts"), [
    (0, 0, True), (1, 0, False), (500, 500, True), (500, 10**9, True), (200, 199, False), (501, 10**9, False),
])  # fmt: skip
def test_the_way_to_the_server_is_credited_within_half_a_second(late: int, lag: int, counts: bool) -> None:
    table = Table("icefrogs", clock=PER_ACT)
    table.any_act()
    table.time += MAX_LAG_MS + 30_000 + late
    text = str(table.state.position.legal_actions(1)[0])
    fault = table.act(1, text, lag)
    assert (fault is None) == counts
    assert table.state.is_over == (late > 500)
    if not counts and late <= 500:
        assert message_of(fault) == "Your time is up."


def test_a_credit_is_not_taken_from_who_is_next() -> None:
    """However long somebody says their way is, the next one has all the time from when the act arrived."""
    for lag in (0, 500, 10**9):
        table = Table("icefrogs", clock=PER_ACT)
        table.any_act()
        table.time += 20_000
        table.play()
        assert table.act(1, str(table.state.position.legal_actions(1)[0]), lag) is None
        assert table.clocks().left[0] == 30_000
        assert table.state.due is not None
        assert table.state.due >= table.time + 30_000


def test_without_a_clock_no_lag_is_credited() -> None:
    table = started()
    table.time += 1000
    assert table.act(0, "lift S", 400) is None
    assert table.state.position.at == table.time


def test_a_player_out_of_time_loses_and_the_others_share_the_win() -> None:
    table = Table("icefrogs", *map(person, ("Ann", "Bob", "Cem")), clock=PER_ACT)
    table.any_act()
    table.wait(MAX_LAG_MS + 30_000 + MAX_LAG_MS + 1)
    table_state = table.state
    assert table_state.end is not None
    assert (table_state.end.reason, table_state.end.winners) == ("time", (0, 2))
    view = table.views.frame(Viewer()).view
    assert (view["over"], view["to_act"], view["winners"]) == (True, [], [0, 2])
    ending = table.views.ending
    assert ending is not None
    assert (ending.reason, ending.secret) == ("time", table_state.setup.secret.hex())
    assert ending.standing == messages.Standing(1, [1, 0, 1], [0, 2], None)
    assert_ended(table)


def test_a_bot_has_no_clock() -> None:
    table = Table("icefrogs", person(), bot(), clock=PER_GAME)
    table.any_act()
    assert (table.state.due, table.clocks().running) == (None, [])
    table.time += 10**6
    table_state = table.state
    table_state.append(table_state.entry_for_act(ANYBODY, 1, str(table_state.position.legal_actions(1)[0]), table.now))
    assert table_state.timing.left == (60_000, 60_000)
    assert table.clocks().running == [0]
    table.wait(2 * MAX_LAG_MS + 60_001)
    assert table_state.end is not None
    assert table_state.end.winners == (1,)


def test_a_clock_runs_on_while_a_seat_is_handed_over() -> None:
    table = Table("icefrogs", clock=PER_ACT)
    table.any_act()
    assert table.ask(1, messages.HandOver, 1, "ab" * 16) is None
    assert table.clocks().running == [1]
    table.wait(2 * MAX_LAG_MS + 30_001)
    assert table.state.end is not None
    assert table.state.end.winners == (0,)


def test_a_bot_that_takes_over_stops_the_clock() -> None:
    table = Table("icefrogs", *map(person, ("Ann", "Bob", "Cem")), clock=PER_ACT)
    table.any_act()
    table.state.append(table.state.chained(Entry(2, 0, 10, write_event(Fill(1, "easy", "Computer")))))
    assert table.state.due is None


def test_taking_back_lets_everybody_think_anew() -> None:
    table = Table("icefrogs", clock=PER_GAME)
    table.any_act()
    table.time += MAX_LAG_MS + 40_000
    table.any_act()
    assert table.state.timing.left == (60_000, 25_000)
    table.time += MAX_LAG_MS + 20_000
    assert table.ask(1, messages.Undo, 1) is None
    assert table.answer(0, True) is None
    assert table.clocks() == messages.Clocks([60_000, 25_000], [1])
    assert table.state.due == table.time + MAX_LAG_MS + 25_000 + MAX_LAG_MS + 1
    assert table.again().due == table.state.due


def test_a_clock_stands_still_in_a_pause() -> None:
    table = Table("icefrogs", clock=PER_ACT)
    table.any_act()
    table.time += MAX_LAG_MS + 10_000
    table.agreed("pause")
    table.time += 10**7
    assert table.state.overdue(table.now) is None
    assert table.clocks().running == []
    table.agreed("resume")
    assert table.clocks() == messages.Clocks([30_000, 20_000], [1])
    table.wait(20_000 + MAX_LAG_MS)
    assert not table.state.is_over
    table.wait(1)
    assert table.state.is_over


def test_where_there_are_no_turns_there_is_no_clock() -> None:
    with pytest.raises(BadTable, match="no turns"):
        Table("icehouse", clock=PER_ACT)


# Ends that no rule knows


def assert_ended(table: Table) -> None:
    """Nobody acts or takes back any more, the record is sound, and the next game goes on from here."""
    table_state = table.state
    assert table_state.is_over
    assert message_of(table.act(0, "pass")) == "The game was broken off."
    if table_state.game.info.turns:
        assert table.refused(0, messages.Undo, 0) == "The game was broken off."
    for what in ("draw", "pause", "resume"):
        assert message_of(table.offer(0, what)) == "There is no game under way."
    assert (table_state.to_act, table_state.due, table_state.next_change) == (frozenset(), None, None)
    frame = table.views.frame(table.viewer(0))
    assert (frame.legal, frame.undo) == ({}, msgspec.UNSET)
    text = table.views.record()
    assert fairness.verify(text).link == table_state.closing
    assert table.again().end == table_state.end
    setup, _ = table_state.next_setup(table.viewer(0), True, table.now)
    assert setup.series is not None
    scores = table_state.series().scores
    assert setup.series.scores == (*scores[1:], scores[0])
    assert setup.terms == table_state.setup.terms
    assert not TableState(setup, table_state.game).is_over


@pytest.mark.parametrize("game", ["icefrogs", "wrecktangle", "highrise", "squad", "icehouse"])
def test_a_draw_is_agreed_upon(game: str) -> None:
    table = Table(game)
    table_state = table.state
    if game == "icehouse":
        table.play((0, "ready"), (1, "ready"), (0, "lift L"), (0, "place 5000,5000 stand 0.0"))
    while table_state.chance_to_act:
        table_state.append(drawn(table_state, table.now))
    assert views(table_state).ending is None
    table.agreed("draw")
    assert table_state.end is not None
    assert (table_state.end.reason, table_state.end.winners) == ("draw", (0, 1))
    ending = table.views.ending
    assert ending is not None
    assert (ending.reason, ending.link) == ("draw", table_state.closing)
    assert ending.standing.scores == ([3, 3] if game == "icehouse" else [1, 1])
    assert_ended(table)


def test_a_draw_is_declined_called_off_or_played_away() -> None:
    table = Table("icefrogs")
    for seat in (1, 0):
        table.offer(0, "draw")
        assert table.answer(seat, False) is None
        assert not table.state.is_over
    table.offer(0, "draw")
    table.any_act()  # by who offers it: the offer stands
    assert table.state.seating.proposal is not None
    table.any_act()  # by who was asked
    assert table.state.seating.proposal is None


def test_there_is_no_draw_with_computers_or_alone() -> None:
    for table in (Table("icefrogs", person(), bot()), Table("icefrogs", person("Ann"), person("Bob"), bot())):
        assert message_of(table.offer(0, "draw")).startswith("A draw can only be agreed between people")
    assert message_of(Table("squad", person()).offer(0, "draw")).startswith("A draw can only be agreed between people")


def test_at_one_screen_a_draw_needs_nobodys_consent() -> None:
    table = Table("icefrogs")
    assert table.ask(table.everybody, messages.Offer, "draw") is None
    assert table.state.end is not None
    assert_ended(table)


def test_a_player_who_is_away_or_hands_the_seat_over_has_not_agreed_to_a_draw() -> None:
    table = Table("icefrogs")
    table.away = (1,)
    assert table.offer(0, "draw") is None
    assert not table.state.is_over
    table.answer(0, False)
    assert table.ask(1, messages.HandOver, 1, "ab" * 16) is None
    table.offer(0, "draw")
    assert not table.state.is_over
    assert table.ask(["ab" * 16], messages.Sit, 1, "Cem", "cd" * 16) is None
    assert table.answer(["cd" * 16], True) is None
    assert table.state.end is not None


def test_nothing_is_taken_back_behind_the_back_of_who_takes_over_a_seat() -> None:
    table = Table("icefrogs")
    table.any_act()
    table.any_act()
    assert table.ask(1, messages.HandOver, 1, "ab" * 16) is None
    assert table.ask(0, messages.Undo, 0) is None
    assert table.state.acts == 2
    assert table.state.seating.proposal is not None


def test_a_seat_that_is_being_handed_over_keeps_nobody_from_pausing() -> None:
    table = Table("icefrogs")
    assert table.ask(1, messages.HandOver, 1, "ab" * 16) is None
    for what in ("pause", "resume"):
        assert table.offer(0, what) is None
        assert table.state.seating.proposal is None


@pytest.mark.parametrize("game", ["icefrogs", "wrecktangle", "highrise", "squad", "icehouse"])
def test_a_player_who_resigns_loses_and_the_record_says_so(game: str) -> None:
    table = Table(game)
    if game == "icehouse":
        table.play((0, "ready"), (1, "ready"))
    assert table.ask(1, messages.Resign, 0) == messages.Fault(
        "not-your-seat", "This browser does not hold that seat.", None, []
    )
    assert table.refused(Viewer(), messages.Resign, 1).startswith("This browser does not hold")
    assert table.offer(0, "draw") is None
    assert table.ask(1, messages.Resign, 1) is None
    table_state = table.state
    assert table_state.end == End("resign", (0,))
    assert table_state.seating.proposal is None
    ending = table.views.ending
    assert ending is not None
    assert (ending.reason, ending.link) == ("resign", table_state.closing)
    assert table.views.frame(Viewer()).view["winners"] == [0]
    assert_ended(table)
    assert re.search(r'\nlog \d+ 1 \d+ \w+ /.*"resign","winners":\[0\]', table.views.record())
    for seat in (0, 1):
        assert table.refused(seat, messages.Resign, seat) == "There is no game under way."


def test_one_resigns_against_bots_among_several_alone_and_in_a_pause() -> None:
    three = [person(name) for name in ("Ann", "Bob", "Cem")]
    for seats, winners in (([person(), bot()], (1,)), (three, (1, 2))):
        table = Table("icefrogs", *seats)
        assert table.ask(0, messages.Resign, 0) is None
        assert table.state.end == End("resign", winners)
        assert_ended(table)
    alone = Table("squad", person())
    assert alone.ask(0, messages.Resign, 0) is None
    assert alone.state.end == End("resign", ())
    paused = Table("icefrogs", clock=PER_ACT)
    paused.agreed("pause")
    assert paused.ask(1, messages.Resign, 1) is None
    assert paused.state.end == End("resign", (0,))
    assert fairness.verify(paused.views.record()).link == paused.state.closing


def test_at_one_screen_either_player_may_resign() -> None:
    table = Table("icefrogs")
    assert table.ask(table.everybody, messages.Resign, 1) is None
    assert table.state.end == End("resign", (0,))


def test_nobody_resigns_behind_the_bell_or_behind_the_rules_end() -> None:
    table = started(timer=10.0, timer_spread=0.0)
    table.time += 10_001
    assert table.refused(0, messages.Resign, 0) == "There is no game under way."
    assert table.state.end is None
    assert fairness.verify(table.views.record()).link == table.state.closing


def test_an_ends_record_is_a_record_of_the_acts_that_were_made() -> None:
    table = Table("toy", target=50)
    for _ in range(3):
        table.play((min(table.state.to_act), "take"))
        table.state.append(drawn(table.state, table.now))
    table.agreed("draw")
    text = table.views.record()
    assert table.state.game.replay(text) == table.state.position
    assert re.findall(r"\nlog \d+ \d+ \d+ \w+ (/.*draw.*)", text)
