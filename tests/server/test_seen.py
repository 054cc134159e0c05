"""A piece that overlaps only what its player could not have seen is no crash, and no hand is too quick for a hand."""

from __future__ import annotations

import math
import random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from icetable import Action
from icetable.core.realtime import HAND_MS
from icetable.server import messages
from icetable.server.live.tables.client import MEASURE_SECONDS, Line
from icetable.server.table.judge import MAX_UNSEEN_MS
from icetable.server.table.log import Entry

from .table_states import Table

PLACE = "place 12000,12000 stand 0.0"


class Race(Table):
    """Ann and Bob at a game that has begun, each with a piece in hand."""

    def __init__(self, **options: Any) -> None:
        super().__init__("icehouse", timer=0, **options)
        for text in ("ready", "lift L"):
            self.play((0, text), (1, text))

    def place(self, seat: int, seen: int, known: int = 0, text: str = PLACE) -> messages.Fault | str:
        """Let a piece go that was aimed when the log had `seen` entries: the fault, or the first effect."""
        fault = self.put(seat, messages.Act(self.new_id(), seat, text, seen=seen), known=known)
        return fault or self.state.position.effects[0].kind


def test_a_late_player_is_told_who_was_first_and_keeps_the_piece_in_hand() -> None:
    race = Race()
    seen, log = race.state.entries, race.state.log()
    assert race.place(0, seen) == "places"
    race.wait(196)
    fault = race.place(1, seen)
    assert fault == messages.Fault(
        "was-first", "Ann acted 0.2 s before you, so this was no longer possible. Nothing is lost.", "IH-22", ["p1"]
    )
    # It leaves no trace in the log.
    assert race.state.log()[: len(log)] == log
    assert race.state.entries == seen + 1
    assert race.state.position.view(1)["hands"][1] == "L:green"
    # Bob aims anew, at what he sees by now.
    assert race.place(1, race.state.entries) == "crashes"


def test_no_claim_counts_against_what_the_server_knows() -> None:
    race = Race()
    assert race.place(0, 0) == "places"
    race.wait(6000)
    assert isinstance(race.place(1, 0, known=race.state.entries - 1), messages.Fault)
    assert race.place(1, 0, known=race.state.entries) == "crashes"


@pytest.mark.parametrize(("late", "believed"), [(MAX_UNSEEN_MS - 1, True), (MAX_UNSEEN_MS, False)])
def test_a_line_that_stands_still_hides_nothing_for_ever(late: int, believed: bool) -> None:
    race = Race()
    assert race.place(0, 0) == "places"
    race.wait(late)
    assert (race.place(1, 0) == "crashes") != believed


def test_a_piece_that_was_seen_is_crashed_into_whatever_was_not() -> None:
    race = Race()
    assert race.place(0, 0) == "places"
    seen = race.state.entries
    race.play((0, "lift S"))
    assert race.place(0, seen, text="place 12800,12000 stand 0.0") == "places"
    assert race.place(1, seen, text="place 12500,12000 stand 0.0") == "crashes"


def test_ones_own_piece_was_always_seen() -> None:
    race = Race()
    seen = race.state.entries
    assert race.place(1, seen) == "places"
    race.play((1, "lift M"))
    assert race.place(1, seen) == "crashes"


def test_a_graze_and_a_crash_that_costs_nothing_have_the_same_words() -> None:
    graze, friendly = Race(), Race(crash="refuse")
    for race, text in ((graze, "place 12990,12000 stand 0.0"), (friendly, PLACE)):
        seen = race.state.entries
        assert race.place(0, seen) == "places"
        fault = race.place(1, seen, text=text)
        assert isinstance(fault, messages.Fault)
        assert fault.code == "was-first"


def test_an_act_that_is_illegal_anyway_is_refused_for_that_reason() -> None:
    race = Race()
    seen = race.state.entries
    assert race.place(0, seen) == "places"
    race.play((1, "return"))
    fault = race.place(1, seen)
    assert isinstance(fault, messages.Fault)
    assert fault.code == "hand-empty"


def test_an_act_that_has_lapsed_counts_only_if_it_had_counted() -> None:
    race = Race()
    acts = [messages.Act(name, 0, text) for name, text in (("made", PLACE), ("missed", "icehouse"))]

    def send(act: messages.Act, lapsed: bool) -> messages.Ack | messages.Refused:
        verdict = race.judge.judge(race.viewer(0), msgspec.structs.replace(act, lapsed=lapsed), race.now)
        if isinstance(verdict, Entry):
            race.state.append(verdict)
            return send(act, lapsed)
        return verdict

    made = send(acts[0], lapsed=False)
    assert isinstance(made, messages.Ack)
    assert send(acts[0], lapsed=True) == made
    missed = send(acts[1], lapsed=True)
    assert isinstance(missed, messages.Refused)
    assert missed.fault.code == "lapsed"
    # The first answer is the answer for good.
    assert send(acts[1], lapsed=False) == missed
    assert race.state.position.act == Action(PLACE)


def test_the_time_to_pay_a_debt_stands_still_in_a_pause() -> None:
    race = Race(gift_time=10.0, call_pause=0.0)
    race.play((0, "icehouse"))
    race.wait(4000)

    def due() -> object:
        return race.views.frame(race.viewer(1)).due

    assert due() == {"0": 6000}
    race.play((0, "give S green"))
    assert due() is UNSET
    race.play((1, "icehouse"))
    race.wait(1000)
    race.agreed("pause")
    race.wait(60_000)
    assert due() == {"1": 9000}


# The line


class Page:
    """A page on a line, by a clock of its own, in seconds."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pings: list[int] = []
        self.line = self.join()

    def join(self) -> Line:
        return Line(self.pings.append, lambda: self.now)

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def answer(self, seconds: float = 0.0) -> bool:
        """Answer the last ping, which it takes so long to come back from."""
        self.wait(seconds)
        return self.line.answered(self.pings[-1])


def test_an_entry_counts_as_seen_a_second_after_its_receipt_is_known() -> None:
    page = Page()
    page.line.sent(4)
    page.wait(60)
    assert page.line.known == 0  # the line stands still
    page.answer()
    page.wait(0.99)
    assert page.line.known == 0
    page.wait(0.01)
    assert page.line.known == 4


def test_entries_sent_after_a_ping_wait_for_the_next_one() -> None:
    page = Page()
    for entry in (4, 5, 6):
        page.line.sent(entry)
    assert page.pings == [1]
    page.answer(0.1)
    assert page.pings == [1, 2]
    page.wait(1)
    assert page.line.known == 4
    page.answer()
    page.wait(1)
    assert page.line.known == 6
    # An answer counts once, and only to the ping under way.
    page.line.sent(7)
    assert not page.line.answered(1)
    page.wait(1)
    assert page.line.known == 6


def test_a_player_who_joins_again_has_seen_what_was_known_to_be_seen() -> None:
    page = Page()
    page.line.sent(4)
    page.answer()
    page.line.sent(5)
    page.wait(2)
    before, page.line = page.line, page.join()
    page.line.continues(before.standing())
    page.line.sent(9)
    assert (page.line.known, page.line.silence) == (4, 2000)
    page.answer(0.3)
    assert (page.line.known, page.line.silence) == (4, 0)
    page.wait(1)
    assert page.line.known == 9


def test_a_line_stands_still_when_a_ping_has_no_answer_for_half_a_second() -> None:
    page = Page()
    page.wait(9)
    assert page.line.silence == 0
    page.line.ping()
    page.wait(0.5)
    assert page.line.silence == 0
    page.wait(0.1)
    page.line.ping()
    assert page.line.silence == 600
    page.answer()
    assert page.line.silence == 0


def test_the_age_of_an_act_is_what_it_took_longer_than_the_last_answer() -> None:
    page = Page()
    assert page.line.age((1, 0)) == 0
    page.line.ping()
    page.answer(0.4)
    page.wait(1.2)
    assert page.line.age((1, 1200)) == 0
    page.wait(4.0)
    assert page.line.age((1, 1200)) == 4000
    assert page.line.age((1, -500)) == 5700
    assert page.line.age((2, 0)) == 0


def test_the_round_trip_is_the_median_of_what_the_server_measured() -> None:
    page = Page()
    assert page.line.round_trip is None
    measured = []
    for seconds in (0.1, 0.9, 0.2):
        page.line.ping()
        measured.append(page.answer(seconds))
        page.line.ping()
        measured.append(page.answer(3.0))  # too soon after the last
        page.wait(MEASURE_SECONDS)
    assert measured == [True, False] * 3
    assert page.line.round_trip == 200


# The pace of hands


class Placing(Table):
    """A player who places one piece after another, wherever there is room."""

    def __init__(self, **terms: Any) -> None:
        super().__init__("icehouse", timer=0, **terms)
        self.play((0, "ready"), (1, "ready"))
        self.pieces = 0

    def place(self, silence: int = 0) -> str | None:
        """Take a piece and place it; the code of the refusal."""
        if self.state.position.view(0)["hands"][0] is None:
            self.play((0, f"lift {'SML'[self.pieces % 3]}"))
        row, column = divmod(self.pieces, 8)
        text = f"place {2000 + 2500 * column},{2000 + 2500 * row} stand 0.0"
        fault = self.put(0, messages.Act(self.new_id(), 0, text), silence=silence)
        self.pieces += fault is None
        return None if fault is None else fault.code


def test_a_program_needs_six_seconds_for_fifteen_pieces() -> None:
    placing = Placing()
    began = placing.now
    while placing.pieces < 15:
        assert placing.place() in (None, "too-quick")
        placing.wait(10)
    assert 6000 <= placing.now - began <= 6100


def test_a_refused_piece_stays_in_the_hand_and_costs_nothing() -> None:
    placing = Placing()
    assert [placing.place() for _ in range(5)] == [None, None, None, "too-quick", "too-quick"]
    assert placing.state.position.view(0)["hands"][0] == "S:red"
    placing.wait(HAND_MS)
    assert placing.place() is None


def test_a_hand_that_keeps_a_humans_pace_is_never_refused_on_a_line_with_jitter() -> None:
    dice = random.Random(7)
    for game in range(67):  # a thousand pieces
        placing, made, arrived = Placing(), 0.0, 0.0
        for _ in range(15):
            made += max(450.0, dice.lognormvariate(math.log(800), 0.5))
            arrival = max(arrived, made + dice.uniform(0, 300))  # in order
            placing.wait(round(arrival) - round(arrived))
            arrived = arrival
            assert placing.place() is None, (game, made)


def test_acts_made_while_the_line_stood_still_may_come_at_once() -> None:
    placing = Placing()
    assert [placing.place(silence=1500) for _ in range(7)] == [None] * 6 + ["too-quick"]
    later = Placing()
    assert [later.place(silence=60_000) for _ in range(10)] == [None] * 9 + ["too-quick"]


def test_programs_may_be_as_quick_as_they_can_among_themselves() -> None:
    placing = Placing(scripts=True)
    assert [placing.place() for _ in range(15)] == [None] * 15
