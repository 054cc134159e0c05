"""Seats by a link: taken, left, handed over, filled and replaced, without a network."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
import pytest

from icetable.core.registry import load
from icetable.table import fair, wire
from icetable.table.changes import Sit, text_of
from icetable.table.charter import draw_up, follow
from icetable.table.gate import Hidden
from icetable.table.rooms import HOST, Entry, Room, Viewer
from icetable.table.seating import BadTable, lock_of

from .gates import drawn, gate
from .toy import TOY

NOW = 1_000_000
OPEN = wire.SeatRequest("open", "", None)
BOT = wire.SeatRequest("bot", "Robot", "easy")


def person(name: str = "Ann") -> wire.SeatRequest:
    return wire.SeatRequest("person", name, None)


def founded(
    *seats: wire.SeatRequest, game: str = "icefrogs", public: bool = False, live: bool = True, lots: bool = False
) -> tuple[Room, wire.TableCreated]:
    game_ = TOY.load(None, players=len(seats)) if game == "toy" else load(game, players=len(seats))
    request = wire.TableRequest(game, wire.Options({}), list(seats), public, live, lots)
    charter, created = draw_up(request, game_, ["easy", "hard"], NOW)
    return Room(charter, game_), created


class People:
    """Browsers at a table that ask for things; every answer comes from the judge."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.requests = 0
        self.entries: list[Entry] = []

    def take(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.room.take(entry)

    def ask(self, codes: list[str], kind: type[Any], *fields: Any, away: tuple[int, ...] = ()) -> wire.Fault | None:
        """The fault, or None where the request counts."""
        self.requests += 1
        request = kind(f"r{self.requests}", *fields)
        verdict = self.room.judge(self.room.viewer(codes), request, NOW, away)
        if isinstance(verdict, Entry):
            self.take(verdict)
            return None
        assert isinstance(verdict, wire.Refused), verdict
        return verdict.fault

    def sit(self, code: str, seat: int, name: str = "Bob") -> str:
        mine = secrets.token_hex(16)
        assert self.ask([code], wire.Sit, seat, name, mine) is None
        return mine


def kinds(room: Room) -> list[str]:
    return [seat.kind for seat in room.seating.seats]


def test_an_open_seat_is_taken_with_the_links_code_which_is_void_then() -> None:
    room, created = founded(person("Ann"), OPEN)
    people, link = People(room), created.invites["1"]
    assert len(bytes.fromhex(link)) == len(bytes.fromhex(created.host or "")) == 16
    assert room.viewer([link]) == Viewer(guest=frozenset({1}))
    assert kinds(room) == ["person", "open"]
    mine = people.sit(link, 1, " Bob ")
    assert [seat.name for seat in room.seating.seats] == ["Ann", "Bob"]
    assert room.viewer([mine]) == Viewer(frozenset({1}))
    assert room.viewer([link]) == Viewer()
    fault = people.ask([link], wire.Sit, 1, "Eve", "ab" * 16)
    assert fault is not None
    assert fault.code == "no-invitation"


def test_who_asks_again_for_the_same_seat_is_answered_as_before() -> None:
    room, created = founded(person(), OPEN)
    request = wire.Sit("x", 1, "Bob", "ab" * 16)
    viewer = room.viewer([created.invites["1"], "ab" * 16])
    entry = room.judge(viewer, request, NOW)
    assert isinstance(entry, Entry)
    room.take(entry)
    again = room.judge(room.viewer([created.invites["1"], "ab" * 16]), request, NOW)
    assert again == wire.Ack("x", 0)


def test_the_game_begins_when_every_seat_is_taken() -> None:
    room, created = founded(person(), OPEN, OPEN)
    people, ann = People(room), created.codes["0"]
    assert room.to_act == frozenset()
    assert gate(room).frame(room.viewer([ann])).legal == {}
    people.sit(created.invites["2"], 2)
    fault = people.ask([ann], wire.Act, 0, "S@b1")
    assert fault is not None
    assert "begins when every seat is taken" in fault.message
    people.sit(created.invites["1"], 1)
    assert gate(room).table(Viewer()).started
    assert people.ask([ann], wire.Act, 0, "S@b1") is None


def test_seats_are_taken_by_names_that_pass() -> None:
    room, created = founded(person(), OPEN)
    fault = People(room).ask([created.invites["1"]], wire.Sit, 1, "  ", "ab" * 16)
    assert fault is not None
    assert fault.message == "A player's name has at least one character that can be seen."
    assert kinds(room) == ["person", "open"]


@pytest.mark.parametrize(
    "name", ["", "\u200b", "\u3164", "\u2800", "\u2060", "\ufe0f", "\u200d", "\u0301", " \u00ad\t"]
)
def test_a_name_that_can_not_be_seen_is_refused(name: str) -> None:
    room, created = founded(person(), OPEN)
    fault = People(room).ask([created.invites["1"]], wire.Sit, 1, name, "ab" * 16)
    assert fault is not None
    assert (fault.code, fault.message) == (
        "not-now",
        "A player's name has at least one character that can be seen.",
    )
    with pytest.raises(BadTable, match="at least one character that can be seen"):
        founded(person(), person(name))


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("Ann", "Ann 2", "Ann 3"),
        (" ann ", "ann 2", "ann 3"),
        ("Ann\u200b", "Ann 2", "Ann 3"),
        ("A n\u2800n", "A nn 2", "A nn 3"),
        ("\N{CYRILLIC CAPITAL LETTER A}nn", "\N{CYRILLIC CAPITAL LETTER A}nn 2", "\N{CYRILLIC CAPITAL LETTER A}nn 3"),
        ("Anne", "Anne", "Anne 2"),
    ],
)
def test_a_name_that_looks_like_another_seats_gets_a_number(name: str, first: str, second: str) -> None:
    room, created = founded(person("Ann"), OPEN, OPEN)
    people = People(room)
    people.sit(created.invites["2"], 2, name)
    people.sit(created.invites["1"], 1, name)
    assert [seat.name for seat in room.seating.seats] == ["Ann", second, first]


def test_the_seats_of_a_new_table_are_told_apart_in_their_order() -> None:
    room, created = founded(person("Ann"), OPEN, wire.SeatRequest("bot", "ANN", "easy"), person("Ann 2"))
    assert [seat.name for seat in room.seating.seats] == ["Ann", "", "ANN 2", "Ann 2 2"]
    People(room).sit(created.invites["1"], 1, "Ann")
    assert [seat.name for seat in room.seating.seats] == ["Ann", "Ann 3", "ANN 2", "Ann 2 2"]


def test_a_bot_that_takes_a_seat_looks_like_nobody_else() -> None:
    room, created = founded(person("\N{CYRILLIC CAPITAL LETTER ES}omputer"), person("computer2"), OPEN)
    assert People(room).ask([created.host or ""], wire.Fill, 2, "easy") is None
    assert room.seating.seats[2].name == "Computer 3"


def test_who_takes_over_a_seat_may_have_the_name_of_who_had_it() -> None:
    room, created = founded(person("Ann"), OPEN)
    people = People(room)
    bob = people.sit(created.invites["1"], 1, "Bob")
    assert people.ask([bob], wire.HandOver, 1, "cd" * 16) is None
    people.sit("cd" * 16, 1, "Bob")
    assert room.seating.seats[1].name == "Bob"


def test_an_old_log_is_folded_with_the_names_that_it_has() -> None:
    room, _ = founded(person("Ann"), OPEN, OPEN)
    seats = (msgspec.structs.replace(room.charter.seats[0], name="\u3164"), *room.charter.seats[1:])
    charter = msgspec.structs.replace(room.charter, seats=seats)
    old = Room(charter, room.game)
    for number, name in ((1, "Ann\u200b"), (2, "Ann")):
        old.take(old.chained(Entry(number, HOST, 0, text_of(Sit(number, name, lock_of("ab" * 16))))))
    assert [seat.name for seat in old.seating.seats] == ["\u3164", "Ann\u200b", "Ann"]


def test_at_a_public_table_open_seats_are_anybodys() -> None:
    room, _ = founded(person(), OPEN, public=True)
    assert room.viewer([]).guest == {1}
    People(room).sit("", 1)
    assert room.viewer([]).guest == set()


def test_a_seat_is_handed_over_and_the_code_before_is_void() -> None:
    room, created = founded(person(), OPEN, public=True)
    people = People(room)
    bob, link = people.sit(created.invites["1"], 1), "cd" * 16
    assert people.ask([created.codes["0"]], wire.HandOver, 1, link) is not None
    assert people.ask([created.host or ""], wire.HandOver, 1, link) is not None
    assert people.ask([bob], wire.HandOver, 1, link) is None
    assert room.viewer([bob]) == Viewer()
    assert room.viewer([]).guest == set()  # handed over to somebody, not to anybody
    assert people.ask([created.codes["0"]], wire.Act, 0, "S@b1") is None  # the others play on
    cem = people.sit(link, 1, "Cem")
    assert room.viewer([link]) == Viewer()
    assert people.ask([cem], wire.Act, 1, "S@h1") is None


def test_the_host_makes_a_new_link_and_fills_an_open_seat_with_a_bot() -> None:
    room, created = founded(person("Computer"), OPEN, OPEN)
    people, host = People(room), [created.host or ""]
    assert people.ask(host, wire.HandOver, 1, "cd" * 16) is None
    assert room.viewer([created.invites["1"]]) == Viewer()
    people.sit("cd" * 16, 1)
    assert people.ask([created.codes["0"]], wire.Fill, 2, "easy") is not None
    assert people.ask(host, wire.Fill, 2, "hard") is None
    assert room.bots == {2: "hard"}
    assert room.seating.seats[2].name == "Computer 2"
    assert room.viewer([created.invites["2"]]) == Viewer()
    assert room.seating.started


def test_one_who_is_gone_is_replaced_when_the_rest_agree() -> None:
    room, created = founded(person("Ann"), OPEN, OPEN)
    people, ann = People(room), [created.codes["0"]]
    bob, cem = [people.sit(created.invites["1"], 1)], [people.sit(created.invites["2"], 2, "Cem")]
    assert people.ask(ann, wire.Fill, 2, "easy") is not None  # he is there
    assert people.ask(cem, wire.Leave, 2) is None
    assert [seat.gone for seat in gate(room).table(Viewer()).seats] == [False, False, True]
    assert people.ask(ann, wire.Fill, 2, "easy") is None
    proposal = gate(room).table(Viewer()).proposal
    assert proposal == wire.Proposal(4, 0, "fill", 2, [1])
    assert people.ask(cem, wire.Return, 2) is None  # and back again: nothing stands any more
    assert gate(room).table(Viewer()).proposal is None
    assert people.ask(bob, wire.Vote, 4, True) is not None
    assert people.ask(ann, wire.Fill, 2, "easy", away=(2,)) is None
    back = people.ask(bob, wire.Vote, 6, True)
    assert back is not None
    assert back.message == "That player is here again."
    assert people.ask(bob, wire.Vote, 6, True, away=(2,)) is None
    assert room.bots == {2: "easy"}
    assert room.viewer(cem) == Viewer()


def test_an_act_is_taken_back_when_the_others_agree() -> None:
    room, created = founded(person(), OPEN, OPEN)
    people, ann = People(room), [created.codes["0"]]
    bob, cem = [people.sit(created.invites["1"], 1)], [people.sit(created.invites["2"], 2)]
    people.ask(ann, wire.Act, 0, "S@b1")
    assert gate(room).frame(room.viewer(ann)).undo == 0
    assert people.ask(ann, wire.Undo, 0) is None
    assert people.ask(ann, wire.Undo, 0) is not None  # one at a time
    assert people.ask(bob, wire.Vote, 4, False) is None
    assert (room.acts, room.seating.proposal) == (1, None)
    assert people.ask(ann, wire.Undo, 0) is None
    assert people.ask(bob, wire.Vote, 6, True) is None
    assert people.ask(bob, wire.Vote, 6, True) is not None
    assert room.acts == 1
    assert people.ask(cem, wire.Vote, 6, True) is None
    assert (room.acts, room.seating.proposal) == (0, None)
    people.ask(ann, wire.Act, 0, "S@b1")
    assert people.ask(ann, wire.Undo, 0) is None
    people.ask(bob, wire.Act, 1, gate(room).frame(room.viewer(bob)).legal["1"][0])  # an answer, too
    assert room.seating.proposal is None


def test_a_table_is_the_fold_of_its_log_seats_included() -> None:
    room, created = founded(person(), OPEN, OPEN, lots=True)
    people = People(room)
    bob = people.sit(created.invites["1"], 1)
    people.ask([created.host or ""], wire.Fill, 2, "easy")
    people.take(drawn(room, NOW))
    people.ask([bob], wire.Leave, min(room.viewer([bob]).seats))
    copy = Room(room.charter, room.game, people.entries)
    assert len(people.entries) == 4
    assert people.entries[1].seat == HOST
    assert copy.seating == room.seating
    assert gate(copy).welcome(copy.viewer([bob])) == gate(room).welcome(room.viewer([bob]))


def test_lots_for_the_seats_are_drawn_from_the_secret_when_all_are_there() -> None:
    orders: set[tuple[int, ...]] = set()
    for _ in range(40):
        room, created = founded(person("Ann"), OPEN, BOT, lots=True)
        bob = People(room).sit(created.invites["1"], 1)
        waiting = room.seating
        assert (waiting.lots_due, waiting.started) == (True, False)
        room.take(drawn(room, NOW))
        seated = room.seating
        assert (seated.lots_due, seated.started) == (False, True)
        names = [seat.name for seat in room.seating.seats]
        order = fair.lots(room.charter.secret, room.charter.id, 3)
        assert names == [["Ann", "Bob", "Robot"][before] for before in order]
        assert room.viewer([bob]).seats == {names.index("Bob")}
        assert room.bots == {names.index("Robot"): "easy"}
        assert [seat.colour for seat in room.seating.seats] == list(room.game.info.colours[:3])
        orders.add(order)
    assert len(orders) > 3


def test_who_watches_a_table_that_is_not_shown_sees_the_start_until_the_end() -> None:
    room, created = founded(person(), OPEN, game="toy", live=False)
    people, ann = People(room), [created.codes["0"]]
    start = gate(room).welcome(Viewer())
    bob = [people.sit(created.invites["1"], 1)]
    assert people.ask(ann, wire.Act, 0, "take") is None
    room.take(drawn(room, NOW))
    watched = gate(room).welcome(Viewer())
    assert watched.table.hidden
    assert not gate(room).welcome(room.viewer(bob)).table.hidden
    assert (watched.frame, watched.lines, watched.ending) == (start.frame, None, None)
    for look in (lambda: gate(room).past(Viewer(), 1), gate(room).record):
        with pytest.raises(Hidden, match="when it is over"):
            look()
    assert people.ask(bob, wire.Act, 1, "stop") is None
    over = gate(room).welcome(Viewer())
    assert (over.table.hidden, over.frame.seq, len(over.lines or ())) == (False, 3, 3)


def test_the_next_game_by_link_is_one_and_the_same_codes_hold_the_seats() -> None:
    room, created = founded(person("Ann"), OPEN, game="toy")
    people, ann = People(room), [created.codes["0"]]
    bob = [people.sit(created.invites["1"], 1)]
    people.ask(ann, wire.Act, 0, "stop")
    ones, others = (follow(room, room.viewer(codes), True, NOW) for codes in (ann, bob))
    assert ones[0].id == others[0].id != room.charter.id
    assert ones[1].codes == {}
    following = Room(ones[0], room.game)
    assert following.viewer(ann) == Viewer(frozenset({1}))
    assert following.viewer(bob) == Viewer(frozenset({0}))
    assert following.viewer([created.host or ""]).host
    assert following.seating.started
    with pytest.raises(BadTable):
        follow(room, Viewer(), False, NOW)


def test_nobody_learns_a_code_or_a_lock() -> None:
    room, created = founded(person(), OPEN, OPEN, public=True)
    people = People(room)
    bob = people.sit(created.invites["1"], 1)
    people.ask([bob], wire.HandOver, 1, "cd" * 16)
    codes = [*created.codes.values(), *created.invites.values(), created.host or "", bob, "cd" * 16]
    hidden = [*codes, *map(lock_of, codes)]
    for held in ([], [codes[0]], [bob], ["cd" * 16], codes):
        viewer = room.viewer(held)
        told = wire.write(gate(room).welcome(viewer)) + wire.write(gate(room).listing())
        assert [secret for secret in hidden if secret.encode() in told] == []
    kept = msgspec.json.encode(room.charter).decode()
    assert [code for code in codes if code in kept] == []
    assert room.viewer([lock_of(code) for code in codes]) == Viewer(guest=room.viewer([]).guest)


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_seats_that_there_are_not(seat: int) -> None:
    room, created = founded(person(), OPEN)
    people, before = People(room), room.seating
    host = [created.host or "", created.codes["0"]]
    for fault in (
        people.ask(host, wire.Sit, seat, "Eve", "ab" * 16),
        people.ask(host, wire.HandOver, seat, "ab" * 16),
        people.ask(host, wire.Fill, seat, "easy", away=(seat,)),
        people.ask(host, wire.Leave, seat),
    ):
        assert fault is not None
    assert room.seating is before


def test_the_record_of_a_table_by_link_is_verified_with_the_entries_about_its_seats() -> None:
    room, created = founded(person(), OPEN, game="icefrogs")
    people = People(room)
    bob = people.sit(created.invites["1"], 1, "Bob #1 Łuk")
    while not room.state.is_terminal:
        (seat,) = room.state.to_act
        act = str(room.state.legal_actions(seat)[0])
        assert people.ask([created.codes["0"], bob], wire.Act, seat, act) is None
    assert fair.verify(gate(room).record()).entries == len(people.entries)
