"""Rooms, without a network, a database or a clock."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import msgspec
import numpy as np
import pytest

from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import State
from icetable.core.registry import load
from icetable.table import fair, rooms, wire
from icetable.table.charter import WIN, Charter, Series, draw_up, set_up
from icetable.table.charter import follow as next_charter
from icetable.table.gate import Hidden
from icetable.table.rooms import Entry, Room, Tampered, Viewer
from icetable.table.seating import BadTable, Seat

from .gates import ANYBODY, drawn, gate
from .toy import CARDS, TOY

NOW = 1_000_000
LEVELS = ("easy", "hard")


def person(name: str = "Ann") -> wire.SeatRequest:
    return wire.SeatRequest("person", name, None)


def bot(level: str | None = "easy") -> wire.SeatRequest:
    return wire.SeatRequest("bot", "Robot", level)


def founded(game: str, *seats: wire.SeatRequest, **options: Any) -> tuple[Room, dict[str, str]]:
    game_ = TOY.load(None, **options) if game == "toy" else load(game, **options)
    request = wire.TableRequest(game, wire.Options(options), list(seats))
    charter, created = draw_up(request, game_, LEVELS, NOW)
    return Room(charter, game_), created.codes


def ask(room: Room, viewer: Viewer, request: wire.Request, now: int = NOW) -> wire.Ack | wire.Refused:
    """What a server does with a request."""
    verdict = room.judge(viewer, request, now)
    if isinstance(verdict, Entry):
        room.take(verdict)
        return ask(room, viewer, request, now)
    return verdict


def play(room: Room, viewer: Viewer, *texts: str) -> None:
    for text in texts:
        request = wire.Act(f"{room.entries}", min(room.state.to_act), text)
        assert isinstance(ask(room, viewer, request), wire.Ack), text


def lines_of(room: Room) -> list[wire.Line]:
    lines = gate(room).lines(Viewer())
    assert lines is not None
    return lines


def refused(answer: wire.Ack | wire.Refused | Entry) -> wire.Fault:
    assert isinstance(answer, wire.Refused)
    return answer.fault


def without_turns() -> tuple[Room, Viewer]:
    """A table of a game without turns, as it will be when tables keep the time; somebody who holds both seats."""
    seats = tuple(Seat("person", name, None, "red", None) for name in ("Ann", "Bob"))
    game = load("icehouse", players=2)
    return Room(Charter("t", "icehouse", game.options, seats, b"secret", NOW), game), Viewer(frozenset({0, 1}))


# Codes


def test_a_code_holds_its_seat_and_only_its_hash_is_kept() -> None:
    room, codes = founded("icefrogs", person("Ann"), person("Bob"))
    assert set(codes) == {"0", "1"}
    assert all(len(bytes.fromhex(code)) == 16 for code in codes.values())
    assert room.viewer([codes["0"]]) == Viewer(frozenset({0}))
    assert room.viewer([codes["1"], "x", codes["0"]]) == Viewer(frozenset({0, 1}))
    assert room.viewer([]) == room.viewer(["", "0" * 32, codes["0"][:-1], codes["0"].upper() + " "]) == Viewer()
    assert room.charter.seats[0].lock == hashlib.sha256(codes["0"].encode()).hexdigest()
    kept = msgspec.json.encode(room.charter).decode()
    assert codes["0"] not in kept
    assert codes["1"] not in kept


def test_a_lock_opens_nothing() -> None:
    room, _ = founded("icefrogs", person(), person())
    assert room.viewer([str(seat.lock) for seat in room.charter.seats]) == Viewer()


def test_no_two_tables_have_anything_secret_in_common() -> None:
    tables = [founded("icefrogs", person(), person()) for _ in range(20)]
    assert len({room.charter.id for room, _ in tables}) == 20
    assert len({room.charter.secret for room, _ in tables}) == 20
    assert len({code for _, codes in tables for code in codes.values()}) == 40


def test_a_bot_has_no_code() -> None:
    room, codes = founded("icefrogs", person(), bot("hard"))
    assert set(codes) == {"0"}
    assert room.bots == {1: "hard"}
    assert room.charter.seats[1].lock is None


# Founding


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ([person()], "IceFrogs for 2 needs 2 seats, not 1"),
        ([person()] * 3, "needs 2 seats, not 3"),
        ([person(), person("")], "at least one character that can be seen"),
        ([person(), person("   ")], "at least one character that can be seen"),
        ([person(), person("\u3164\u2800")], "at least one character that can be seen"),
        ([person(), person("a\nb")], "no control characters"),
        ([person(), person("a\x00b")], "no control characters"),
        ([person(), person("a\x9bb")], "no control characters"),
        ([person(), person("evil\u202etxt")], "no control characters"),
        ([person(), person("x" * 41)], "at most 40 characters, not 41"),
        ([person(), bot("huge")], "no level 'huge'; allowed: 'easy', 'hard'"),
        ([person(), bot(None)], "no level None; allowed: 'easy', 'hard'"),
        ([person(), wire.SeatRequest("person", "Ann", "easy")], "a person has no level"),
    ],
)
def test_a_table_that_can_not_be(seats: list[wire.SeatRequest], message: str) -> None:
    with pytest.raises(BadTable, match=message):
        founded("icefrogs", *seats)


def test_names_may_be_of_any_script_and_lose_their_margins() -> None:
    names = ["Ævar Ö'Neill-Łuk", "  李小龍 ", "👨\u200d👩\u200d👧", "x" * 40]
    room, _ = founded("icefrogs", *map(person, names), players=4)
    assert [seat.name for seat in room.charter.seats] == [name.strip() for name in names]


def test_names_lose_what_can_not_be_seen() -> None:
    room, _ = founded("icefrogs", *map(person, [" a\u2003b\n", "c\u2060\u3164d", "good\u00adtxt"]), players=3)
    assert [seat.name for seat in room.charter.seats] == ["a b", "cd", "goodtxt"]


# Turns


def test_only_the_seat_that_is_to_act_acts() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann, bob = room.viewer([codes["0"]]), room.viewer([codes["1"]])
    assert refused(ask(room, bob, wire.Act("b1", 1, "S@h1"))).rule == "IF-5"
    assert ask(room, ann, wire.Act("a1", 0, "S@b1")) == wire.Ack("a1", 1)
    assert refused(ask(room, ann, wire.Act("a2", 0, "S@b2"))).code == "not-your-turn"
    assert ask(room, bob, wire.Act("b2", 1, "S@h1")) == wire.Ack("b2", 2)
    assert [(line.seq, line.seat, line.text) for line in lines_of(room)] == [(1, 0, "S@b1"), (2, 1, "S@h1")]


@pytest.mark.parametrize("seat", [1, 2, -1, 99, 10**30])
def test_nobody_acts_for_a_seat_that_they_do_not_hold(seat: int) -> None:
    room, codes = founded("icefrogs", person(), person())
    for viewer in (Viewer(), room.viewer([codes["0"]])):
        fault = refused(room.judge(viewer, wire.Act("a", seat, "S@b1"), NOW))
        assert (fault.code, fault.rule) == ("not-your-seat", None)
    assert (room.entries, room.acts) == (0, 0)


def test_a_refusal_says_why_and_changes_nothing() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann = room.viewer(codes.values())
    before = gate(room).welcome(ann)
    fault = refused(room.judge(ann, wire.Act("1", 0, "S@e3"), NOW))
    assert (fault.code, fault.rule, fault.where) == ("out-of-reach", "IF-9", ["a1", "e3"])
    fault = refused(room.judge(ann, wire.Act("2", 0, "castle"), NOW))
    assert (fault.code, fault.rule, fault.where) == ("bad-notation", None, [])
    assert fault.message.startswith("'castle' is no act; acts look like L@c3")
    assert fault.message.endswith(".")
    assert refused(room.judge(ann, wire.Act("3", 0, "undo 0"), NOW)).code == "bad-notation"
    assert refused(room.judge(ann, wire.Act("4", 0, ""), NOW)).code == "bad-notation"
    assert gate(room).welcome(ann) == before


def test_judging_changes_nothing_until_the_entry_is_taken() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann = room.viewer(codes.values())
    entry = room.judge(ann, wire.Act("a", 0, "S@b1"), NOW + 250)
    assert entry == room.chained(Entry(1, 0, 250, "S@b1", "0:a"))
    assert entry == room.judge(ann, wire.Act("a", 0, "S@b1"), NOW + 250)
    assert (room.entries, room.acts) == (0, 0)
    assert room.take(entry) == "act"
    assert (room.entries, room.acts) == (1, 1)


def test_the_clock_of_a_table_never_runs_back() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann = room.viewer(codes.values())
    times = []
    for number, (now, text) in enumerate([(700, "S@b1"), (-5000, "S@h1"), (650, "S@b2"), (900, "S@h2")]):
        entry = room.judge(ann, wire.Act(f"{number}", number % 2, text), NOW + now)
        assert isinstance(entry, Entry)
        room.take(entry)
        times.append(entry.at)
    assert times == [700, 700, 700, 900]
    assert room.state.at == 900


# The same request twice


def test_a_retry_gets_the_first_answer() -> None:
    room, codes = founded("icefrogs", person(), person())
    both = room.viewer(codes.values())
    assert ask(room, both, wire.Act("one", 0, "S@b1")) == wire.Ack("one", 1)
    assert ask(room, both, wire.Act("two", 1, "S@h1")) == wire.Ack("two", 2)
    assert ask(room, both, wire.Act("one", 0, "S@b1")) == wire.Ack("one", 1)
    assert ask(room, both, wire.Act("one", 0, "M@b2")) == wire.Ack("one", 1)
    assert ask(room, both, wire.Undo("back", 1)) == wire.Ack("back", 1)
    assert ask(room, both, wire.Act("two", 1, "S@h1")) == wire.Ack("two", 2)
    assert ask(room, both, wire.Undo("back", 1)) == wire.Ack("back", 1)
    assert (room.entries, room.acts) == (3, 1)


def test_a_retry_of_what_was_refused_is_refused_even_if_it_would_be_legal_by_now() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann, bob = room.viewer([codes["0"]]), room.viewer([codes["1"]])
    early = wire.Act("early", 1, "S@h1")
    first = ask(room, bob, early)
    assert refused(first).code == "not-your-turn"
    play(room, ann, "S@b1")
    assert ask(room, bob, early) == first
    assert ask(room, bob, wire.Act("later", 1, "S@h1")) == wire.Ack("later", 2)


def test_only_so_many_refusals_are_remembered() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann = room.viewer(codes.values())
    for number in range(3 * rooms.REFUSALS_KEPT):
        assert refused(ask(room, ann, wire.Act(f"{number}", 1, "S@h1"))).code == "not-your-turn"
    play(room, ann, "S@b1")
    last = wire.Act(f"{3 * rooms.REFUSALS_KEPT - 1}", 1, "S@h1")
    assert refused(ask(room, ann, last)).code == "not-your-turn"
    assert isinstance(ask(room, ann, wire.Act("0", 1, "S@h1")), wire.Ack)


def test_a_stranger_gets_no_answer_that_was_meant_for_somebody_else() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann, bob = room.viewer([codes["0"]]), room.viewer([codes["1"]])
    assert isinstance(ask(room, ann, wire.Act("a", 0, "S@b1")), wire.Ack)
    assert refused(ask(room, bob, wire.Act("a", 0, "S@b1"))).code == "not-your-seat"
    assert refused(ask(room, Viewer(), wire.Act("a", 0, "S@b1"))).code == "not-your-seat"


# Taking back


def test_an_undo_is_an_entry_and_play_goes_on_from_there() -> None:
    room, codes = founded("icefrogs", person(), bot())
    ann = room.viewer(codes.values())
    play(room, ann, "S@b1")
    room.take(room.act(ANYBODY, 1, "S@h1", NOW))
    after_two = gate(room).frame(ann)
    play(room, ann, "S@b2")
    entry = room.judge(ann, wire.Undo("u", 2), NOW)
    assert entry == room.chained(Entry(4, 0, 0, "undo 2", "0:u"))
    assert room.take(entry) == "undo"
    assert gate(room).frame(ann) == after_two
    assert [line.text for line in lines_of(room)] == ["S@b1", "S@h1"]
    play(room, ann, "M@b2")
    assert [line.text for line in lines_of(room)] == ["S@b1", "S@h1", "M@b2"]
    assert isinstance(ask(room, ann, wire.Undo("v", 0)), wire.Ack)
    assert room.acts == 0
    assert room.entries == 6


def taken_back(room: Room, to: int) -> None:
    """An undo in the log, as tables had it in earlier versions behind the end as well."""
    room.take(room.chained(Entry(room.entries + 1, 0, NOW, f"undo {to}")))


def test_nothing_is_taken_back_once_what_chance_drew_from_was_shown_but_old_logs_still_open() -> None:
    room, codes = founded("toy", person(), person(), target=100)
    both = room.viewer(codes.values())
    play(room, both, "stop")
    assert room.state.is_terminal
    assert "nothing is taken back" in refused(ask(room, both, wire.Undo("u", 0))).message
    assert gate(room).frame(both).undo is msgspec.UNSET
    taken_back(room, 0)
    assert gate(room).frame(both).legal == {"0": ["take", "stop"]}


@pytest.mark.parametrize("to", [2, 3, 10**20])
def test_nothing_to_undo(to: int) -> None:
    room, codes = founded("icefrogs", person(), person())
    both = room.viewer(codes.values())
    play(room, both, "S@b1", "S@h1")
    assert refused(ask(room, both, wire.Undo("u", to))).code == "nothing-to-undo"
    assert room.entries == 2


def test_only_who_holds_every_persons_seat_takes_back_at_once() -> None:
    room, codes = founded("icefrogs", person(), person(), bot(), players=3)
    play(room, room.viewer(codes.values()), "S@b1")
    for number, viewer in enumerate((Viewer(), room.viewer([codes["0"]]), room.viewer([codes["1"]]))):
        assert not room.is_local(viewer)
        assert not gate(room).welcome(viewer).table.local
        before = room.acts
        ask(room, viewer, wire.Undo(f"{number}", 0))
        assert room.acts == before
    both = room.viewer(codes.values())
    assert gate(room).welcome(both).table.local
    assert isinstance(ask(room, both, wire.Undo("u", 0)), wire.Ack)


def test_nobody_takes_back_at_a_table_of_bots() -> None:
    room, codes = founded("icefrogs", bot(), bot())
    room.take(room.act(ANYBODY, 0, "S@b1", NOW))
    assert codes == {}
    assert refused(room.judge(Viewer(), wire.Undo("u", 0), NOW)).code == "no-seat"


# The log


def test_a_room_is_the_fold_of_its_entries() -> None:
    room, codes = founded("toy", person(), person(), target=100)
    both = room.viewer(codes.values())
    entries = []

    def enter(entry: object) -> None:
        assert isinstance(entry, Entry)
        entries.append(entry)
        room.take(entry)

    for number in range(6):
        enter(room.judge(both, wire.Act(f"{number}", min(room.state.to_act), "take"), NOW + number))
        enter(drawn(room, NOW + number))
    enter(room.judge(both, wire.Undo("undo", 5), NOW + 9))
    enter(drawn(room, NOW + 10))
    again = Room(room.charter, room.game, entries)
    assert gate(again).welcome(both) == gate(room).welcome(both)
    assert gate(again).record() == gate(room).record()
    assert again.judge(both, wire.Act("0", 0, "take"), NOW) == wire.Ack("0", 1)
    assert [entry.seq for entry in entries] == list(range(1, 15))


def test_a_charter_survives_writing_down() -> None:
    room, _ = founded("icefrogs", person(), bot(), board="hexagon")
    packed = msgspec.json.encode(room.charter)
    assert msgspec.json.decode(packed, type=Charter) == room.charter


@pytest.mark.parametrize(
    "entry",
    [
        Entry(1, 0, 0, "S@b1"),
        Entry(3, 0, 0, "S@b1"),
        Entry(2, 0, 0, "S@b1"),
        Entry(2, 1, 0, "S@e3"),
        Entry(2, 1, 0, "gibberish"),
        Entry(2, 0, 0, "undo 1"),
        Entry(2, 0, 0, "undo 7"),
    ],
)
def test_an_entry_that_does_not_fit_is_not_taken(entry: Entry) -> None:
    room, codes = founded("icefrogs", person(), person())
    play(room, room.viewer(codes.values()), "S@b1")
    before = gate(room).welcome(Viewer())
    with pytest.raises(GameError):
        room.take(room.chained(entry))
    assert gate(room).welcome(Viewer()) == before
    assert room.entries == 1


@pytest.mark.parametrize("changed", [{"text": "S@h2"}, {"at": 4}, {"seat": 0, "text": "undo 0"}, {"link": ""}])
def test_an_entry_that_is_not_what_was_judged_is_not_taken(changed: dict[str, Any]) -> None:
    room, codes = founded("icefrogs", person(), person())
    play(room, room.viewer(codes.values()), "S@b1")
    entry = room.act(ANYBODY, 1, "S@h1", NOW)
    with pytest.raises(Tampered, match=r"entry 2 of this table's log, '.*', is not what was kept"):
        room.take(msgspec.structs.replace(entry, **changed))
    assert room.entries == 1
    assert room.take(entry)


def test_links_chain_a_log_to_its_table_and_commitment() -> None:
    room, codes = founded("icefrogs", person(), person())
    play(room, room.viewer(codes.values()), "S@b1", "S@h1")
    entries, charter = room.log(), room.charter
    committed = fair.commitment(charter.secret)
    root = fair.root(committed, charter.id, "icefrogs", room.game.options, None, charter.terms_told())
    assert entries[0].link == fair.link(root, room.charter.id, 1, 0, 0, "S@b1")
    assert entries[1].link == fair.link(entries[0].link, room.charter.id, 2, 1, 0, "S@h1")
    assert Room(room.charter, room.game, entries).log() == entries
    for other in (
        msgspec.structs.replace(room.charter, id="another"),
        msgspec.structs.replace(room.charter, secret=bytes(32)),
        msgspec.structs.replace(room.charter, created=1),
        msgspec.structs.replace(room.charter, form=1),
    ):
        with pytest.raises(Tampered, match="entry 1 "):
            Room(other, room.game, entries)


def test_a_bot_is_judged_like_everybody() -> None:
    room, _ = founded("icefrogs", person(), bot())
    with pytest.raises(IllegalAction):
        room.act(ANYBODY, 1, "S@h1", NOW)
    with pytest.raises(IllegalAction):
        room.act(ANYBODY, 0, "S@e3", NOW)
    assert room.act(ANYBODY, 0, "S@b1", NOW) == room.chained(Entry(1, 0, 0, "S@b1", None))


def test_an_id_belongs_to_its_seat() -> None:
    """What another seat has called by the same name is another request, also for a server that is started again."""
    room, codes = founded("icefrogs", person(), person())
    ann, bob = room.viewer([codes["0"]]), room.viewer([codes["1"]])
    assert ask(room, ann, wire.Act("a", 0, "S@b1")) == wire.Ack("a", 1)
    assert ask(room, ann, wire.Act("b", 0, "S@b2")) == ask(room, ann, wire.Act("b", 0, "S@b2"))
    assert ask(room, bob, wire.Act("a", 1, "S@h1")) == wire.Ack("a", 2)
    again = Room(room.charter, room.game, room.log())
    for one in (room, again):
        assert ask(one, ann, wire.Act("a", 0, "S@b2")) == wire.Ack("a", 1)
        assert ask(one, bob, wire.Act("a", 1, "S@b2")) == wire.Ack("a", 2)
        assert one.acts == 2
    assert refused(ask(room, bob, wire.Act("c", 0, "S@b2"))).code == "not-your-seat"


# Nature


def nature_draws(room: Room, both: Viewer, count: int) -> list[str]:
    texts = []
    for _ in range(count):
        play(room, both, "take")
        entry = drawn(room, NOW)
        assert entry.seat == -1
        assert entry.client_id is None
        room.take(entry)
        texts.append(entry.text)
    return texts


def test_nature_draws_the_same_again_from_the_same_secret() -> None:
    room, codes = founded("toy", person(), person(), target=100)
    both = room.viewer(codes.values())
    texts = nature_draws(room, both, 12)
    assert len(set(texts)) > 1
    assert nature_draws(Room(room.charter, room.game), both, 12) == texts
    ask(room, both, wire.Undo("u", 9))
    assert drawn(room, NOW).text == texts[4]


def test_nature_draws_otherwise_at_another_table_and_from_another_secret() -> None:
    room, codes = founded("toy", person(), person(), target=100)
    both = room.viewer(codes.values())
    drawn = nature_draws(room, both, 16)
    for change in ({"id": "another"}, {"secret": bytes(32)}):
        other = Room(msgspec.structs.replace(room.charter, **change), room.game)
        assert nature_draws(other, both, 16) != drawn


def test_nobody_acts_for_nature() -> None:
    room, codes = founded("toy", person(), person(), target=100)
    both = room.viewer(codes.values())
    play(room, both, "take")
    for seat in (-1, 0, 1):
        assert isinstance(room.judge(both, wire.Act(f"as {seat}", seat, "die:6"), NOW), wire.Refused)
    assert room.acts == 1


# What is seen


def test_a_frame_lists_the_legal_acts_of_the_viewers_seats_only() -> None:
    room, codes = founded("icefrogs", person(), person())
    ann, bob = room.viewer([codes["0"]]), room.viewer([codes["1"]])
    assert set(gate(room).frame(ann).legal) == {"0"}
    assert set(gate(room).frame(ann).legal["0"]) == {"S@b1", "S@b2", "M@b1", "M@b2", "L@b1", "L@b2"}
    assert gate(room).frame(bob).legal == gate(room).frame(Viewer()).legal == {}
    play(room, ann, "S@b1")
    assert gate(room).frame(ann).legal == {}
    assert set(gate(room).frame(bob).legal) == {"1"}


def test_who_holds_several_seats_sees_with_the_eyes_of_the_one_to_act() -> None:
    room, codes = founded("toy", person(), person(), person(), players=3, target=100)
    viewer = room.viewer([codes["1"], codes["2"]])
    seen = [gate(room).frame(viewer).view["seat"]]
    for _ in range(3):
        play(room, room.viewer(codes.values()), "take")
        seen.append(gate(room).frame(viewer).view["seat"])
        room.take(drawn(room, NOW))
        seen.append(gate(room).frame(viewer).view["seat"])
    assert seen == [1, 1, 1, 1, 2, 1, 1]
    assert gate(room).frame(Viewer()).view["seat"] is None


def test_a_seat_sees_its_own_card_and_a_watcher_none() -> None:
    room, codes = founded("toy", person(), person(), person(), players=3, target=100)
    everybody = room.viewer(codes.values())
    play(room, everybody, "take")
    room.take(drawn(room, NOW))
    for seats in ([], [0], [1], [2]):
        viewer = room.viewer([codes[str(seat)] for seat in seats])
        seen = b"".join(
            wire.write(message)
            for message in (
                gate(room).welcome(viewer),
                wire.NewFrame(gate(room).frame(viewer)),
                wire.NewFrame(gate(room).past(viewer, 1) or gate(room).frame(viewer)),
                wire.Rewound(gate(room).lines(viewer), gate(room).frame(viewer)),
                ask(room, viewer, wire.Act("x", 0, "no")),
            )
        ).decode()
        assert [card in seen for card in CARDS] == [seat in seats for seat in range(3)]
        assert not any(card in gate(room).record() for card in CARDS)


def test_two_worlds_that_differ_in_a_hidden_card_look_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    room, codes = founded("toy", person(), person(), target=100)
    viewer = room.viewer([codes["0"]])
    play(room, viewer, "take")
    other = Room(room.charter, room.game)
    other.take(other.chained(Entry(1, 0, 0, "take", "0")))

    def everything(one: Room, who: Viewer) -> bytes:
        past = gate(one).past(who, 0)
        assert past is not None
        return wire.write(gate(one).welcome(who)) + wire.write(past) + gate(one).record().encode()

    before = [everything(room, who) for who in (viewer, Viewer())]
    monkeypatch.setattr("tests.table.toy.CARDS", (CARDS[0], "ANOTHER-CARD", CARDS[2]))
    assert [everything(other, who) for who in (viewer, Viewer())] == before
    assert everything(other, room.viewer([codes["1"]])) != everything(other, viewer)


def play_out(room: Room, *texts: str) -> None:
    """Nature and the seats that are to act go on, these with the texts in turn."""
    for number in range(len(texts) * 2):
        if room.state.to_act == {-1}:
            room.take(drawn(room, NOW))
        elif not room.state.is_terminal:
            room.take(room.act(ANYBODY, min(room.state.to_act), texts[number % len(texts)], NOW))


def test_nothing_secret_is_in_anything_that_is_shown() -> None:
    room, codes = founded("toy", person(), person(), target=3)
    both = room.viewer(codes.values())
    secrets = [*codes.values(), *(str(seat.lock) for seat in room.charter.seats), room.charter.secret.hex()]
    while not room.state.is_terminal:
        shown = wire.write(gate(room).welcome(both)).decode() + gate(room).record()
        assert not any(secret in shown for secret in secrets)
        room.take(
            drawn(room, NOW) if room.state.to_act == {-1} else room.act(ANYBODY, min(room.state.to_act), "take", NOW)
        )
    shown = wire.write(gate(room).welcome(both)).decode() + gate(room).record()
    assert not any(secret in shown for secret in secrets[:-1])


# History that is hidden until the end


def test_a_hidden_history_is_shown_to_nobody_until_the_game_is_over() -> None:
    room, codes = founded("toy", person(), person(), secretive=True)
    viewers = [Viewer(), *(room.viewer([code]) for code in codes.values()), room.viewer(codes.values())]
    play(room, viewers[-1], "take", "take", "stop")
    for viewer in viewers:
        welcome = gate(room).welcome(viewer)
        assert welcome.lines is None
        assert welcome.frame.line == wire.Line(3, 0, "stop", [])
        for number in (0, 2, 3, 4):
            with pytest.raises(Hidden, match=r"^This game hides its history until it is over\.$"):
                gate(room).past(viewer, number)
    with pytest.raises(Hidden, match="hides its history"):
        gate(room).record()
    room.take(drawn(room, NOW))
    for viewer in viewers:
        assert [line.text for line in gate(room).welcome(viewer).lines or []][:3] == ["take", "take", "stop"]
        past = gate(room).past(viewer, 1)
        assert past is not None
        assert past.line == lines_of(room)[0]
    assert "0 @0.000 stop\n" in gate(room).record()


def test_a_hidden_history_does_not_hinder_taking_back() -> None:
    room, codes = founded("toy", person(), bot(), secretive=True)
    ann = room.viewer(codes.values())
    play(room, ann, "take")
    room.take(room.act(ANYBODY, 1, "take", NOW))
    assert gate(room).frame(ann).undo == 0
    assert isinstance(ask(room, ann, wire.Undo("u", 0)), wire.Ack)
    assert (room.acts, gate(room).lines(Viewer()), gate(room).frame(ann).undo) == (0, None, msgspec.UNSET)


def test_the_end_that_is_taken_back_hides_the_history_again() -> None:
    room, codes = founded("toy", person(), person(), secretive=True)
    both = room.viewer(codes.values())
    play(room, both, "take", "stop")
    room.take(drawn(room, NOW))
    first = room.state.act
    taken_back(room, 1)
    assert (gate(room).welcome(both).lines, gate(room).welcome(both).ending) == (None, None)
    play(room, both, "stop")
    assert drawn(room, NOW).text == first


def test_where_an_undo_leads_is_told_to_those_who_may() -> None:
    room, codes = founded("icefrogs", person(), person(), bot(), players=3)
    both = room.viewer(codes.values())
    play(room, both, "S@b1")
    assert gate(room).frame(both).undo == 0
    assert (gate(room).frame(room.viewer([codes["0"]])).undo, gate(room).frame(Viewer()).undo) == (0, msgspec.UNSET)
    assert gate(room).frame(room.viewer([codes["1"]])).undo is msgspec.UNSET
    play(room, both, gate(room).frame(both).legal["1"][0])
    room.take(room.act(ANYBODY, 2, str(room.state.legal_actions(2)[0]), NOW))
    assert gate(room).frame(both).undo == 1
    past = gate(room).past(both, 2)
    assert past is not None
    assert past.undo is msgspec.UNSET


# What acts are worth


def test_what_acts_are_worth_is_told_only_where_it_gives_nobody_an_edge() -> None:
    room, codes = founded("toy", person(), person(), secretive=True)
    both, ann = room.viewer(codes.values()), room.viewer([codes["0"]])
    play(room, both, "take", "take", "stop")
    assert gate(room).welcome(ann).table.solvable
    assert gate(room).position(both, 3) is room.state
    with pytest.raises(Hidden, match="hides its history"):
        gate(room).position(both, 2)
    for stranger in (ann, Viewer()):
        with pytest.raises(Hidden, match="when the game is over"):
            gate(room).position(stranger, 3)
    room.take(drawn(room, NOW))
    for viewer in (both, ann, Viewer()):
        assert gate(room).position(viewer, 1).act == "take"
        with pytest.raises(Hidden, match="Only 4 acts"):
            gate(room).position(viewer, 5)


def test_a_game_that_can_not_be_solved_says_so() -> None:
    for name, options in (("toy", {"target": 100}), ("icefrogs", {})):
        room, codes = founded(name, person(), person(), **options)
        assert not gate(room).welcome(Viewer()).table.solvable
        with pytest.raises(GameError, match="not known in this game"):
            gate(room).position(room.viewer(codes.values()), 0)


# Nature's secret


def test_the_secret_is_committed_at_the_start_and_shown_at_the_end() -> None:
    room, codes = founded("toy", person(), person(), target=3)
    before = gate(room).welcome(Viewer())
    assert before.ending is None
    assert f"nature {room.charter.id} {before.table.commitment}\n" in gate(room).record()
    play_out(room, "take", "take", "take", "take")
    after = gate(room).welcome(room.viewer(codes.values()))
    assert after.table.commitment == before.table.commitment
    assert after.ending is not None
    secret = bytes.fromhex(after.ending.secret)
    assert hashlib.sha256(secret).hexdigest() == before.table.commitment
    assert f"nature {room.charter.id} {before.table.commitment} {secret.hex()}\n" in gate(room).record()
    assert fair.commitment(secret) == before.table.commitment


def test_the_past_is_shown_without_legal_acts() -> None:
    room, codes = founded("icefrogs", person(), person())
    both = room.viewer(codes.values())
    start = gate(room).frame(both)
    play(room, both, "S@b1", "S@h1", "L@b2")
    past = gate(room).past(both, 0)
    assert past is not None
    assert (past.seq, past.line, past.legal, past.view) == (0, None, {}, start.view)
    past = gate(room).past(both, 2)
    assert past is not None
    assert past.line is not None
    assert past.line == lines_of(room)[1]
    assert past.line.effects[0] == wire.Effect("path", ["i1", "h1"], "1S")
    assert gate(room).past(both, 4) is gate(room).past(both, -1) is None


def test_a_welcome_tells_the_table() -> None:
    room, codes = founded("icefrogs", person("Ann"), bot("hard"), board="hexagon")
    table = gate(room).welcome(room.viewer(codes.values())).table
    assert (table.id, table.game, table.title) == (room.charter.id, "icefrogs", "IceFrogs")
    assert table.options == {"players": 2, "board": "hexagon", "turn_limit": 400}
    assert len(table.layout["spaces"]) == 37
    assert table.seats == [
        wire.Seat(0, "person", "Ann", None, "red", True, False),
        wire.Seat(1, "bot", "Robot", "hard", "blue", False, False),
    ]


# A series


def follow(room: Room, viewer: Viewer, rotate: bool) -> tuple[Room, Viewer]:
    """The next game of a series, for who holds every seat of the one before."""
    charter, created = next_charter(room, viewer, rotate, NOW + 5)
    following = Room(charter, room.game)
    return following, following.viewer(created.codes.values())


def end_toy(room: Room, takes: int) -> tuple[int, ...]:
    """Play a toy game to its end and return its scores."""
    for text in [*["take"] * takes, "stop"]:
        room.take(room.act(ANYBODY, min(room.state.to_act), text, NOW))
        if room.state.to_act == {-1}:
            room.take(drawn(room, NOW))
    return room.state.scores


def standing_of(room: Room) -> wire.Standing:
    ending = gate(room).ending
    assert ending is not None
    return ending.standing


def test_the_games_of_a_series_add_up() -> None:
    room, codes = founded("toy", person("Ann"), bot("hard"), target=50)
    viewer = room.viewer(codes.values())
    assert gate(room).welcome(viewer).table.standing is None
    total = [0, 0]
    for games in range(1, 4):
        scores = end_toy(room, 2 * games + 1)
        total = [one + other for one, other in zip(total, scores, strict=True)]
        best = [seat for seat in range(2) if total[seat] == max(total)]
        assert standing_of(room) == wire.Standing(games, total, best, None)
        before, (room, viewer) = room, follow(room, viewer, False)
        assert gate(room).welcome(viewer).table.standing == standing_of(before)
        assert [seat.name for seat in room.charter.seats] == ["Ann", "Robot"]
        assert room.charter.series is not None
        assert room.charter.series.follows == before.charter.id != room.charter.id
        assert (room.game, room.charter.created) == (before.game, NOW + 5)
        assert room.charter.secret != before.charter.secret
        assert room.viewer(codes.values()) == Viewer()


def test_the_first_place_goes_round_and_points_go_with_their_owners() -> None:
    room, codes = founded("toy", person("Ann"), person("Bob"), bot(), players=3, target=100)
    viewer = room.viewer(codes.values())
    total = dict.fromkeys(("Ann", "Bob", "Robot"), 0)
    for first in ("Ann", "Bob", "Robot", "Ann"):
        names = [seat.name for seat in room.charter.seats]
        assert names[0] == first
        for name, score in zip(names, end_toy(room, 4), strict=True):
            total[name] += score
        assert standing_of(room).scores == [total[name] for name in names]
        assert [seat.colour for seat in room.charter.seats] == ["red", "green", "blue"]
        room, viewer = follow(room, viewer, True)
    assert [seat.kind for seat in room.charter.seats] == ["person", "bot", "person"]
    assert [seat.lock is None for seat in room.charter.seats] == [False, True, False]


def test_the_next_game_is_for_who_holds_a_seat_and_comes_after_the_end() -> None:
    room, codes = founded("toy", person(), person(), target=50)
    both = room.viewer(codes.values())
    with pytest.raises(BadTable, match="when this one is over"):
        next_charter(room, both, False, NOW)
    end_toy(room, 1)
    with pytest.raises(BadTable, match="who holds a seat"):
        next_charter(room, Viewer(), False, NOW)


def test_what_a_game_names_decides_between_equal_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    room, codes = founded("toy", person(), person(), target=50)
    both = room.viewer(codes.values())
    play(room, both, "stop")
    assert standing_of(room) == wire.Standing(1, [0, 0], [0, 1], None)
    monkeypatch.setattr(type(room.game), "tie_points", lambda *_: (3, 4))
    assert standing_of(room) == wire.Standing(1, [0, 0], [1], None)
    room, both = follow(room, both, True)
    play(room, both, "stop")
    assert standing_of(room).leaders == [0, 1]


@pytest.mark.parametrize("seed", range(3))
def test_ties_of_try_outs_go_to_the_most_friends_on_the_board(seed: int) -> None:
    dice = random.Random(seed)
    state = load("squad").start()
    while not state.is_terminal:
        state = state.apply(dice.choice(state.legal_actions()))
    friends = [friend[0] for friend in state.view()["friends"].values()]
    assert state.game.tie_points(state) == (friends.count("0"), friends.count("1"))
    assert len(friends) > 0


def test_a_tournament_rates_scores_and_wins() -> None:
    """IH-36: the total times one more than the wins, a shared one split."""
    room, both = without_turns()
    series = Series("before", 2, (20, 11), (0, 0), (WIN + WIN // 2, WIN // 2))
    room = Room(msgspec.structs.replace(room.charter, series=series), room.game)
    standing = gate(room).table(both).standing
    assert standing == wire.Standing(2, [20, 11], [0], [20 * 2.5, 11 * 1.5])
    for number, seat in enumerate((0, 1)):
        ask(room, both, wire.Act(f"{number}", seat, "ready"))
    ask(room, both, wire.Offer("draw", "draw"))
    assert room.series().wins == (2 * WIN, WIN)


# Trying things


def play_first(room: Room, acts: int) -> None:
    """So many acts by whoever is to act, nature included."""
    for _ in range(acts):
        seat = min(room.to_act)
        room.take(drawn(room, NOW) if room.draws else room.act(ANYBODY, seat, room.state.legal_actions(seat)[0], NOW))


def test_a_position_is_tried_at_a_table_of_its_own() -> None:
    room, codes = founded("wrecktangle", person("Ann"), person("Bob"))
    play_first(room, 9)
    with pytest.raises(Hidden, match="Only 9 acts"):
        gate(room).copy(Viewer(), 10)
    charter, created = set_up(gate(room).copy(Viewer(), 6), ["Ann", "Bob"], NOW + 1000)
    tried = Room(charter, room.game)
    mine = tried.viewer(created.codes.values())
    assert tried.state == room.after(6)
    assert tried.is_local(mine)
    assert set(created.codes.values()).isdisjoint(codes.values())
    play_first(tried, 5)
    assert isinstance(ask(tried, mine, wire.Offer("d", "draw")), wire.Ack)
    assert fair.verify(gate(tried).record()).entries == 6
    with pytest.raises(BadTable, match="nothing to try"):
        set_up(end_of("icefrogs"), ["Ann", "Bob"], NOW)


def end_of(game: str) -> State:
    return load(game).random_game(np.random.default_rng(1))


def test_what_a_game_hides_is_not_tried() -> None:
    room, codes = founded("toy", person("Ann"), person("Bob"))
    play_first(room, 1)
    with pytest.raises(Hidden, match="hides something"):
        gate(room).copy(room.viewer(codes.values()), 1)


def test_icehouse_is_tried_without_a_bell() -> None:
    room, both = without_turns()
    for number, (seat, text) in enumerate([(0, "ready"), (1, "ready"), (0, "lift S")]):
        assert isinstance(ask(room, both, wire.Act(f"{number}", seat, text), NOW + 1000 * number), wire.Ack)
    charter, created = set_up(gate(room).copy(both, 3), ["Ann", "Bob"], NOW + 10**6)
    tried = Room(charter, room.game)
    assert tried.due is None
    assert tried.time(NOW + 10**6) == 2000
    mine = tried.viewer(created.codes.values())
    assert isinstance(ask(tried, mine, wire.Act("p", 0, "return"), NOW + 10**6 + 500), wire.Ack)
    assert tried.state.at == 2500


# Games without turns


def test_an_act_is_judged_at_the_time_that_it_gets() -> None:
    """A false call is paid for within ten seconds, or settled before the next act."""
    room, both = without_turns()
    for number, (seat, text) in enumerate([(0, "ready"), (1, "ready"), (0, "icehouse")]):
        assert isinstance(ask(room, both, wire.Act(f"{number}", seat, text)), wire.Ack)
    assert refused(ask(room, both, wire.Act("early", 0, "lift S"), NOW + 10_000)).rule == "IH-24"
    assert refused(ask(room, both, wire.Act("late", 0, "give S green"), NOW + 10_001)).rule == "IH-20"
    assert isinstance(ask(room, both, wire.Act("on", 0, "lift S"), NOW + 10_001), wire.Ack)
    assert room.state.effects[0].kind == "settles"
