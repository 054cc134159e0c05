"""Requests of clients at an open table, and what they are shown: values of acts, seats, presence, hands."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from icetable.server import messages
from icetable.server.live.manager import TableManager
from icetable.server.live.tables.client import AIMS_PER_SECOND
from icetable.server.store import pubsub
from icetable.server.table import insight
from icetable.server.table import viewers as attendance

from . import toy
from .support import (
    PERSON,
    acked,
    act,
    codes_of,
    create_exploring_table,
    create_open_table,
    create_table,
    frame,
    held,
    hold,
    join,
    kind,
    nothing_more,
    present,
    receive,
    received,
    refused,
    sit,
    undo,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import State

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy_game")]


# What acts are worth


@pytest.fixture
def _slow_solver() -> Iterator[None]:
    toy.solver_may_think.clear()
    yield
    toy.solver_may_think.set()


async def test_the_value_of_each_act_is_sent_to_the_client_that_asks(manager: TableManager) -> None:
    table, codes = await create_exploring_table(manager, "toy")
    ann, eve = await join(manager, table, codes), await join(manager, table, [])
    ann.table.solve(ann, 0)
    solved = (await receive(ann, kind("solved")))[-1]
    assert solved == {"type": "solved", "seq": 0, "values": {"take": "loss", "stop": "win"}}
    ann.table.solve(eve, 0)
    (error,) = (await receive(eve, kind("error")))[1:]
    assert error["message"] == insight.NOT_ALONE


@pytest.mark.usefixtures("_slow_solver")
async def test_play_goes_on_while_acts_are_valued_and_only_the_last_question_counts(manager: TableManager) -> None:
    table, codes = await create_exploring_table(manager, "toy")
    ann = await join(manager, table, codes)
    ann.table.solve(ann, 0)
    await asyncio.sleep(0)
    threads = sum(thread.name == "solve" for thread in threading.enumerate())
    assert acked(await act(ann, 0, "take")) == 1
    await receive(ann, frame(2))
    for number in (1, 0, 2):
        ann.table.solve(ann, number)
    assert sum(thread.name == "solve" for thread in threading.enumerate()) == threads == 1
    toy.solver_may_think.set()
    heard = await receive(ann, lambda message: message["type"] == "solved" and message["seq"] == 2)
    assert [message["seq"] for message in heard] == [0, 2]


@pytest.mark.usefixtures("_slow_solver")
async def test_acts_that_were_taken_back_are_not_valued(manager: TableManager) -> None:
    table, codes = await create_exploring_table(manager, "toy")
    ann = await join(manager, table, codes)
    await act(ann, 0, "take")
    await receive(ann, frame(2))
    ann.table.solve(ann, 2)
    await asyncio.sleep(0)
    await undo(ann, 0)
    await act(ann, 0, "stop")
    toy.solver_may_think.set()
    ann.table.solve(ann, 0)
    heard = await receive(ann, kind("solved"))
    assert heard[-1]["seq"] == 0
    assert [message["message"] for message in heard if message["type"] == "error"] == ["Only 1 moves have been made."]


async def test_a_client_is_told_that_its_question_failed(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_state: State) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(toy, "values", fail)
    table, codes = await create_exploring_table(manager, "toy")
    ann = await join(manager, table, codes)
    ann.table.solve(ann, 0)
    assert (await receive(ann, kind("error")))[-1]["message"] == "The values of the moves could not be worked out."
    assert "no idea" in caplog.text
    assert acked(await act(ann, 0, "take")) == 1


# Seats


async def test_taking_a_seat_is_shown_to_all_and_takes_effect_at_once(manager: TableManager) -> None:
    created = await create_open_table(manager)
    ann, bob, eve = [
        await join(manager, created.table, codes_of(created, 0)),
        *[await join(manager, created.table, held) for held in (codes_of(created, 1), [])],
    ]
    acked(await sit(bob, 1, "ab" * 16))
    for client, mine, legal in ((ann, [True, False], True), (bob, [False, True], False), (eve, [False] * 2, False)):
        changed = (await receive(client, kind("changed")))[-1]
        assert [seat["mine"] for seat in changed["table"]["seats"]] == mine
        assert bool(changed["frame"]["legal"]) is legal
    acked(await act(ann, 0, "S@b1"))
    acked(await act(bob, 1, "S@h1"))


async def test_a_seat_handed_over_is_lost_to_every_browser_at_once(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    desk, phone = await join(manager, table, codes[:1]), await join(manager, table, codes[:1])
    desk.add_code("cd" * 16)
    acked(await desk.table.handle(desk.viewer, messages.HandOver("h", 0, "cd" * 16)))
    assert (list(desk.viewer.seats), list(desk.viewer.guest)) == ([], [0])
    assert (not phone.viewer.seats, not phone.viewer.guest) == (True, True)
    assert refused(await act(phone, 0, "S@b1")).code == "not-your-seat"


async def test_a_code_is_void_for_a_request_sent_while_its_seat_was_handed_over(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    desk, phone = await join(manager, table, codes[:1]), await join(manager, table, codes[:1])
    handed, acted = await asyncio.gather(
        desk.table.handle(desk.viewer, messages.HandOver("h", 0, "cd" * 16)), act(phone, 0, "S@b1")
    )
    acked(handed)
    assert refused(acted).code == "not-your-seat"


async def test_of_two_clients_that_take_a_seat_at_once_one_gets_it(manager: TableManager) -> None:
    created = await create_open_table(manager, public=True)
    bob, cem = [await join(manager, created.table, []) for _ in range(2)]
    answers = await asyncio.gather(sit(bob, 1, "ab" * 16), sit(cem, 1, "cd" * 16))
    acked(answers[0])
    assert refused(answers[1]).code == "no-invitation"
    assert (list(bob.viewer.seats), list(cem.viewer.seats)) == ([1], [])


# Presence


async def test_clients_are_told_which_players_are_present(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes[:1])
    await receive(ann, present(0))
    bob = await join(manager, table, codes[1:])
    await receive(ann, present(0, 1))
    await receive(bob, present(0, 1))
    await manager.leave(bob)
    await receive(ann, present(0))
    acked(await act(ann, 0, "S@b1"))  # to be away is not to forfeit
    again = await join(manager, table, codes[1:])
    acked(await act(again, 1, "S@h1"))


async def test_a_player_who_has_just_left_may_not_be_replaced(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes[:1])
    assert refused(await ann.table.handle(ann.viewer, messages.Fill("early", 1, "easy"))).code == "not-now"


async def test_a_player_who_is_away_for_long_may_be_replaced(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendance, "GRACE_SECONDS", 0.05)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes[:1])
    await receive(ann, lambda message: message["type"] == "presence" and message["replaceable"] == [1])
    assert refused(await ann.table.handle(ann.viewer, messages.Fill("a", 1, "huge"))).code == "no-level"
    acked(await ann.table.handle(ann.viewer, messages.Fill("b", 1, "easy")))
    acked(await act(ann, 0, "S@b1"))
    await receive(ann, frame(2))


# Hands


async def test_the_others_see_what_a_player_holds(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, window, bob, eve = [await join(manager, table, held) for held in (codes[:1], codes[:1], codes[1:], [])]
    everybody = (ann, window, bob, eve)
    for client in everybody:
        received(client)
    hold(ann, 0, "S")
    hold(ann, 0, "S")
    hold(ann, 0, "M")
    hold(window, 0, None)  # it holds nothing
    hold(ann, 0, None)
    hold(ann, 0, None)
    for client in (window, bob, eve):
        assert [message["what"] for message in received(client)] == ["S", "M", None]
    hold(ann, 0, "S")
    late = await join(manager, table, [])
    assert held(0, "S")(received(late)[-1])
    for client in everybody:
        received(client)
    acked(await act(ann, 0, "S@b1"))
    hold(ann, 0, None)  # all hands are empty since the act
    hold(bob, 1, "S")
    assert [message["type"] for message in received(eve)] == ["frame", "held"]
    await manager.leave(bob)
    (let_go, _) = await receive(eve, held(1, None)), None
    assert let_go
    assert [message["type"] for message in received(ann)] == ["frame", "held", "held", "presence"]
    assert manager.tables.store.logs.entries(table)[-1].text == "S@b1"


async def test_a_piece_that_can_not_be_played_is_not_held(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, bob, eve = [await join(manager, table, held) for held in (codes[:1], codes[1:], [])]
    for client in (ann, bob, eve):
        received(client)
    for client, seat in ((eve, 0), (bob, 0), (ann, 1), (ann, -1), (eve, 99)):
        refusal = ann.table.hold(client, seat, "S")
        assert refusal is not None
        assert refusal.message == "This browser does not hold that seat."
    for client, seat, what in ((bob, 1, "S"), (ann, 0, "i1"), (ann, 0, "buy now"), (ann, 0, "S@b1"), (ann, 0, "")):
        hold(client, seat, what)
    assert [received(client) for client in (ann, bob, eve)] == [[], [], []]
    hold(ann, 0, "S")
    hold(ann, 0, "a word")  # the hand is empty then
    assert [message["what"] for message in received(eve)] == ["S", None]


async def test_hands_are_empty_after_an_undo_in_a_pause_and_when_a_seat_is_handed_over(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    both, eve = await join(manager, table, codes), await join(manager, table, [])
    acked(await act(both, 0, "S@b1"))
    hold(both, 1, "S")
    await receive(eve, held(1, "S"))
    acked(await undo(both, 0))
    assert (await receive(eve, kind("rewound")))[-1]["frame"]["seq"] == 0
    assert all(message["type"] != "held" for message in received(await join(manager, table, [])))
    hold(both, 0, "S")
    acked(await both.table.handle(both.viewer, messages.Offer("p", "pause")))
    await receive(eve, held(0, None))
    acked(await both.table.handle(both.viewer, messages.Offer("r", "resume")))
    hold(both, 0, "M")
    acked(await both.table.handle(both.viewer, messages.HandOver("h", 0, "ab" * 16)))
    await receive(eve, held(0, None))


async def test_all_are_told_who_declined_a_proposal_and_who_resigned(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, bob = await join(manager, table, codes[:1]), await join(manager, table, codes[1:])
    eve = await join(manager, table, [])
    clients = (ann, bob, eve)
    acked(await ann.table.handle(ann.viewer, messages.Offer("d", "draw")))
    number = ann.table.state.seating.proposal.number  # type: ignore[union-attr]
    for client in clients:
        assert "dropped" not in received(client)[-1]
    acked(await ann.table.handle(bob.viewer, messages.Vote("v", number, agree=False)))
    for client in clients:
        assert [message["dropped"] for message in received(client)] == [1]
    acked(await ann.table.handle(bob.viewer, messages.Resign("r", 1)))
    for client in clients:
        changed, over = received(client)
        assert (changed["type"], changed["frame"]["view"]["winners"]) == ("changed", [0])
        assert (over["type"], over["ending"]["reason"]) == ("over", "resign")


async def test_a_client_that_may_not_see_the_game_does_not_see_what_is_held(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON, live=False)
    ann, eve = await join(manager, table, codes), await join(manager, table, [])
    hold(ann, 0, "S")
    late = await join(manager, table, [])
    assert all(message["type"] in ("welcome", "presence") for message in received(eve) + received(late))


# Where they aim


async def test_the_others_see_where_a_player_aims(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icehouse", PERSON, PERSON, players=2)
    ann, bob, eve = [await join(manager, table, held) for held in (codes[:1], codes[1:], [])]
    everybody = (ann, bob, eve)
    for client in everybody:
        received(client)
    entries = ann.table.state.entries
    assert ann.table.aim(ann, 0, (100, 200)) is None
    assert ann.table.aim(ann, 0, None) is None
    seen = [{"type": "aimed", "seat": 0, "at": at} for at in ([100, 200], None)]
    assert [received(client) for client in everybody] == [[], seen, seen]
    for client, seat in ((eve, 0), (bob, 0), (ann, 99)):
        assert ann.table.aim(client, seat, (1, 1)) is not None
    for x in range(100):
        assert ann.table.aim(ann, 0, (x, 0)) is None
    assert 0 < len(received(bob)) <= 2 * AIMS_PER_SECOND + 1
    received(eve)
    await ann.table.on_message(pubsub.write(pubsub.Aimed(1, (5, 6))))
    assert received(eve) == [{"type": "aimed", "seat": 1, "at": [5, 6]}]
    assert ann.table.state.entries == entries  # nothing of it is kept


@pytest.mark.parametrize("terms", [{"hands": False}, {"live": False}])
async def test_hands_are_hidden_where_the_table_hides_them(manager: TableManager, terms: dict[str, bool]) -> None:
    table, codes = await create_table(manager, "icehouse", PERSON, PERSON, players=2, **terms)
    ann, bob, eve = [await join(manager, table, held) for held in (codes[:1], codes[1:], [])]
    for client in (bob, eve):
        received(client)
    assert ann.table.aim(ann, 0, (1, 1)) is None
    assert (nothing_more(bob), nothing_more(eve)) == ("hands" in terms, True)
    turns, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    cem, dan = [await join(manager, turns, [code]) for code in codes]
    received(dan)
    assert cem.table.aim(cem, 0, (1, 1)) is None
    assert nothing_more(dan)


# Lags


async def test_everybody_learns_how_long_the_messages_of_players_take(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by way of another process; those of watchers are nobody's concern."""
    table, codes = await create_table(manager, "icehouse", PERSON, PERSON, players=2)
    ann, eve = [await join(manager, table, held) for held in (codes[:1], [])]
    for client, round_trip in ((ann, 803), (eve, 200)):
        monkeypatch.setattr(client.line, "_round_trips", [round_trip / 1000])
        client.table.on_measured()
    presences = [message for message in received(eve) if message["type"] == "presence"]
    assert presences[-1]["lags"] == {"0": 800}
    assert "lags" not in presences[0]
    await ann.table.on_message(pubsub.write(pubsub.Here("other", (1,), False, {1: 50})))
    assert received(ann)[-1]["lags"] == {"0": 800, "1": 50}
