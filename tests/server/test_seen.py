"""A piece that overlaps only what its player could not have seen is no crash. Without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import UNSET

from icetable import Action
from icetable.server import messages
from icetable.server.live.client import MAX_ROUND_TRIPS, Client
from icetable.server.table.judge import MAX_UNSEEN_MS, SLOWNESS_MS
from icetable.server.table.log import Entry
from icetable.server.table.views import TableViews

from .test_clock import Evening

if TYPE_CHECKING:
    from collections.abc import Callable

PLACE = "place 12000,12000 stand 0.0"


class Race(Evening):
    """Ann and Bob at a game that has begun, each with a piece in hand."""

    def __init__(self, **options: Any) -> None:
        super().__init__("icehouse", timer=0, **options)
        for text in ("ready", "lift L"):
            self.play((0, text), (1, text))

    def place(self, seat: int, seen: int, round_trip: int = 0, text: str = PLACE) -> messages.Fault | str:
        """Let a piece go that was aimed when the log had `seen` entries: the fault, or the first effect."""
        self.requests += 1
        request = messages.Act(f"r{self.requests}", seat, text, seen=seen)
        verdict = self.judge.judge(self.viewer(seat), request, self.now, round_trip=round_trip)
        if isinstance(verdict, messages.Refused):
            return verdict.fault
        assert not isinstance(verdict, messages.Ack)
        self.state.append(verdict)
        return self.state.position.effects[0].kind


def test_who_was_first_is_told_and_the_piece_stays_in_hand() -> None:
    race = Race()
    seen, log = race.state.entries, race.state.log()
    assert race.place(0, seen) == "places"
    race.wait(196)
    fault = race.place(1, seen)
    assert fault == messages.Fault("was-first", "Ann was first by 0.2 s, so nothing is lost.", "IH-22", ["p1"])
    # It leaves no trace in the log.
    assert race.state.log()[: len(log)] == log
    assert race.state.entries == seen + 1
    assert race.state.position.view(1)["hands"][1] == "L:green"
    # Bob aims anew, at what he sees by now.
    assert race.place(1, race.state.entries) == "crashes"


@pytest.mark.parametrize(("round_trip", "late", "believed"), [
    (0, SLOWNESS_MS - 1, True),
    (0, SLOWNESS_MS, False),
    (400, 400 + SLOWNESS_MS - 1, True),
    (400, 400 + SLOWNESS_MS, False),
    (10**9, MAX_UNSEEN_MS - 1, True),
    (10**9, MAX_UNSEEN_MS, False),
])  # fmt: skip
def test_nothing_older_than_the_measured_way_counts_as_unseen(round_trip: int, late: int, believed: bool) -> None:
    race = Race()
    assert race.place(0, 0) == "places"
    race.wait(late)
    outcome = race.place(1, 0, round_trip)
    assert (isinstance(outcome, messages.Fault) and outcome.code == "was-first") == believed
    assert believed or outcome == "crashes"


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


def test_what_is_refused_anyway_is_refused_for_its_own_reason() -> None:
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


def test_what_is_left_to_give_in_stands_still_in_a_pause() -> None:
    race = Race(gift_time=10.0, call_pause=0.0)
    race.play((0, "icehouse"))
    race.wait(4000)

    def due() -> object:
        return TableViews(race.state, lambda: race.now).frame(race.viewer(1)).due

    assert due() == {"0": 6000}
    race.play((0, "give S green"))
    assert due() is UNSET
    race.play((1, "icehouse"))
    race.wait(1000)
    race.agreed("pause")
    race.wait(60_000)
    assert due() == {"1": 9000}


def test_the_round_trip_is_the_median_of_what_the_server_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    now, sent = [100.0], list[bytes]()
    monkeypatch.setattr("icetable.server.live.client.time.monotonic", lambda: now[0])
    client = Client(sent.append)
    measure = _measuring(client, now)
    client.on_pong(1)
    assert [client.round_trip] == [None]
    for seconds in (0.1, 0.9, 0.2):
        measure(seconds)
    assert client.round_trip == 200
    for _ in range(MAX_ROUND_TRIPS):
        measure(0.05)
    assert client.round_trip == 50
    # An answer counts once, and only to the last ping.
    client.on_pong(8)
    client.ping()
    client.on_pong(8)
    assert client.round_trip == 50
    assert sent[-1] == b'{"type":"ping","number":9}'


def _measuring(client: Client, now: list[float]) -> Callable[[float], None]:
    numbers = iter(range(1, 99))

    def measure(seconds: float) -> None:
        client.ping()
        now[0] += seconds
        client.on_pong(next(numbers))

    return measure
