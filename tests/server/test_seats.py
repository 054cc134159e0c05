"""Seats by a link: taken, left, handed over, filled and replaced, without a network."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
import pytest

from icetable.games import load
from icetable.server import messages
from icetable.server.table import fairness
from icetable.server.table.errors import BadTable, Hidden
from icetable.server.table.judge import Judge
from icetable.server.table.log import HOST, Entry
from icetable.server.table.seats import BOT_NAMES, hash_code, name_for_bot
from icetable.server.table.setup import create_setup
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import drawn, views
from .toy import TOY

NOW = 1_000_000
OPEN = messages.SeatRequest("open", "", None)
BOT = messages.SeatRequest("bot", "Robot", "easy")


def person(name: str = "Ann") -> messages.SeatRequest:
    return messages.SeatRequest("person", name, None)


def founded(
    *seats: messages.SeatRequest,
    game: str = "icefrogs",
    public: bool = False,
    live: bool = True,
    random_seats: bool = False,
) -> tuple[TableState, messages.TableCreated]:
    game_ = TOY.load(None, players=len(seats)) if game == "toy" else load(game, players=len(seats))
    request = messages.TableRequest(game, messages.Options({}), list(seats), public, live, random_seats)
    setup, created = create_setup(request, game_, ["easy", "hard"], NOW)
    return TableState(setup, game_), created


class People:
    """Browsers at a table that ask for things; every answer comes from the judge."""

    def __init__(self, table_state: TableState) -> None:
        self.state = table_state
        self.judge = Judge(table_state)
        self.requests = 0
        self.entries: list[Entry] = []

    def take(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.state.append(entry)

    def ask(self, codes: list[str], kind: type[Any], *fields: Any, away: tuple[int, ...] = ()) -> messages.Fault | None:
        """The fault, or None where the request counts."""
        self.requests += 1
        request = kind(f"r{self.requests}", *fields)
        verdict = self.judge.judge(self.state.viewer(codes), request, NOW, away)
        if isinstance(verdict, Entry):
            self.take(verdict)
            return None
        assert isinstance(verdict, messages.Refused), verdict
        return verdict.fault

    def sit(self, code: str, seat: int, name: str = "Bob") -> str:
        mine = secrets.token_hex(16)
        assert self.ask([code], messages.Sit, seat, name, mine) is None
        return mine


def kinds(table_state: TableState) -> list[str]:
    return [seat.kind for seat in table_state.seating.seats]


def test_an_open_seat_is_taken_with_the_links_code_which_is_void_then() -> None:
    table_state, created = founded(person("Ann"), OPEN)
    people, link = People(table_state), created.invites["1"]
    assert len(bytes.fromhex(link)) == len(bytes.fromhex(created.host or "")) == 16
    assert table_state.viewer([link]) == Viewer(guest=frozenset({1}))
    assert kinds(table_state) == ["person", "open"]
    mine = people.sit(link, 1, " Bob ")
    assert [seat.name for seat in table_state.seating.seats] == ["Ann", "Bob"]
    assert table_state.viewer([mine]) == Viewer(frozenset({1}))
    assert table_state.viewer([link]) == Viewer()
    fault = people.ask([link], messages.Sit, 1, "Eve", "ab" * 16)
    assert fault is not None
    assert fault.code == "no-invitation"


def test_a_repeated_request_for_a_seat_gets_the_same_answer() -> None:
    table_state, created = founded(person(), OPEN)
    request = messages.Sit("x", 1, "Bob", "ab" * 16)
    viewer = table_state.viewer([created.invites["1"], "ab" * 16])
    entry = Judge(table_state).judge(viewer, request, NOW)
    assert isinstance(entry, Entry)
    table_state.append(entry)
    again = Judge(table_state).judge(table_state.viewer([created.invites["1"], "ab" * 16]), request, NOW)
    assert again == messages.Ack("x", 0)


def test_the_game_begins_when_every_seat_is_taken() -> None:
    table_state, created = founded(person(), OPEN, OPEN)
    people, ann = People(table_state), created.codes["0"]
    assert table_state.to_act == frozenset()
    assert views(table_state).frame(table_state.viewer([ann])).legal == {}
    people.sit(created.invites["2"], 2)
    fault = people.ask([ann], messages.Act, 0, "S@b1")
    assert fault is not None
    assert "begins when every seat is taken" in fault.message
    people.sit(created.invites["1"], 1)
    assert views(table_state).table(Viewer()).started
    assert people.ask([ann], messages.Act, 0, "S@b1") is None


def test_seats_are_taken_by_names_that_pass() -> None:
    table_state, created = founded(person(), OPEN)
    fault = People(table_state).ask([created.invites["1"]], messages.Sit, 1, "  ", "ab" * 16)
    assert fault is not None
    assert fault.message == "A player's name needs at least one visible character."
    assert kinds(table_state) == ["person", "open"]


@pytest.mark.parametrize(
    "name", ["", "\u200b", "\u3164", "\u2800", "\u2060", "\ufe0f", "\u200d", "\u0301", " \u00ad\t"]
)
def test_a_name_that_can_not_be_seen_is_refused(name: str) -> None:
    table_state, created = founded(person(), OPEN)
    fault = People(table_state).ask([created.invites["1"]], messages.Sit, 1, name, "ab" * 16)
    assert fault is not None
    assert (fault.code, fault.message) == (
        "not-now",
        "A player's name needs at least one visible character.",
    )
    with pytest.raises(BadTable, match="at least one visible character"):
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
    table_state, created = founded(person("Ann"), OPEN, OPEN)
    people = People(table_state)
    people.sit(created.invites["2"], 2, name)
    people.sit(created.invites["1"], 1, name)
    assert [seat.name for seat in table_state.seating.seats] == ["Ann", second, first]


def test_the_seats_of_a_new_table_are_told_apart_in_their_order() -> None:
    table_state, created = founded(person("Ann"), OPEN, messages.SeatRequest("bot", "ANN", "easy"), person("Ann 2"))
    assert [seat.name for seat in table_state.seating.seats] == ["Ann", "", "ANN 2", "Ann 2 2"]
    People(table_state).sit(created.invites["1"], 1, "Ann")
    assert [seat.name for seat in table_state.seating.seats] == ["Ann", "Ann 3", "ANN 2", "Ann 2 2"]


def test_a_bot_that_takes_a_seat_looks_like_nobody_else() -> None:
    table_state, created = founded(person("Fr\N{CYRILLIC SMALL LETTER O}st"), person("hail"), OPEN)
    assert People(table_state).ask([created.host or ""], messages.Fill, 2, "easy") is None
    assert table_state.seating.seats[2].name == "Sleet"


def test_bots_without_names_get_some() -> None:
    table_state, _ = founded(person("Ann"), *[messages.SeatRequest("bot", "", "easy")] * 3)
    assert [seat.name for seat in table_state.seating.seats] == ["Ann", "Frost", "Hail", "Sleet"]
    everybody = [msgspec.structs.replace(table_state.setup.seats[1], name=name) for name in BOT_NAMES]
    assert name_for_bot(everybody) == "Frost 2"


def test_a_player_who_takes_over_a_seat_may_have_the_same_name() -> None:
    table_state, created = founded(person("Ann"), OPEN)
    people = People(table_state)
    bob = people.sit(created.invites["1"], 1, "Bob")
    assert people.ask([bob], messages.HandOver, 1, "cd" * 16) is None
    people.sit("cd" * 16, 1, "Bob")
    assert table_state.seating.seats[1].name == "Bob"


def test_at_a_public_table_open_seats_are_anybodys() -> None:
    table_state, _ = founded(person(), OPEN, public=True)
    assert table_state.viewer([]).guest == {1}
    People(table_state).sit("", 1)
    assert table_state.viewer([]).guest == set()


def test_a_seat_is_handed_over_and_the_code_before_is_void() -> None:
    table_state, created = founded(person(), OPEN, public=True)
    people = People(table_state)
    bob, link = people.sit(created.invites["1"], 1), "cd" * 16
    assert people.ask([created.codes["0"]], messages.HandOver, 1, link) is not None
    assert people.ask([created.host or ""], messages.HandOver, 1, link) is not None
    assert people.ask([bob], messages.HandOver, 1, link) is None
    assert table_state.viewer([bob]) == Viewer()
    assert table_state.viewer([]).guest == set()  # handed over to somebody, not to anybody
    assert people.ask([created.codes["0"]], messages.Act, 0, "S@b1") is None  # the others play on
    cem = people.sit(link, 1, "Cem")
    assert table_state.viewer([link]) == Viewer()
    assert people.ask([cem], messages.Act, 1, "S@h1") is None


def test_the_host_makes_a_new_link_and_fills_an_open_seat_with_a_bot() -> None:
    table_state, created = founded(person("Frost"), OPEN, OPEN)
    people, host = People(table_state), [created.host or ""]
    assert people.ask(host, messages.HandOver, 1, "cd" * 16) is None
    assert table_state.viewer([created.invites["1"]]) == Viewer()
    people.sit("cd" * 16, 1)
    assert people.ask([created.codes["0"]], messages.Fill, 2, "easy") is not None
    assert people.ask(host, messages.Fill, 2, "hard") is None
    assert table_state.bots == {2: "hard"}
    assert table_state.seating.seats[2].name == "Hail"
    assert table_state.viewer([created.invites["2"]]) == Viewer()
    assert table_state.seating.started


def test_one_who_is_gone_is_replaced_when_the_rest_agree() -> None:
    table_state, created = founded(person("Ann"), OPEN, OPEN)
    people, ann = People(table_state), [created.codes["0"]]
    bob, cem = [people.sit(created.invites["1"], 1)], [people.sit(created.invites["2"], 2, "Cem")]
    assert people.ask(ann, messages.Fill, 2, "easy") is not None  # he is there
    assert people.ask(cem, messages.Leave, 2) is None
    assert [seat.gone for seat in views(table_state).table(Viewer()).seats] == [False, False, True]
    assert people.ask(ann, messages.Fill, 2, "easy") is None
    proposal = views(table_state).table(Viewer()).proposal
    assert proposal == messages.Proposal(4, 0, "fill", 2, [1])
    assert people.ask(cem, messages.Return, 2) is None  # and back again: nothing stands any more
    assert views(table_state).table(Viewer()).proposal is None
    assert people.ask(bob, messages.Vote, 4, True) is not None
    assert people.ask(ann, messages.Fill, 2, "easy", away=(2,)) is None
    back = people.ask(bob, messages.Vote, 6, True)
    assert back is not None
    assert back.message == "That player is back."
    assert people.ask(bob, messages.Vote, 6, True, away=(2,)) is None
    assert table_state.bots == {2: "easy"}
    assert table_state.viewer(cem) == Viewer()


def test_an_act_is_taken_back_when_the_others_agree() -> None:
    table_state, created = founded(person(), OPEN, OPEN)
    people, ann = People(table_state), [created.codes["0"]]
    bob, cem = [people.sit(created.invites["1"], 1)], [people.sit(created.invites["2"], 2)]
    people.ask(ann, messages.Act, 0, "S@b1")
    assert views(table_state).frame(table_state.viewer(ann)).undo == 0
    assert people.ask(ann, messages.Undo, 0) is None
    assert people.ask(ann, messages.Undo, 0) is not None  # one at a time
    assert people.ask(bob, messages.Vote, 4, False) is None
    assert (table_state.acts, table_state.seating.proposal) == (1, None)
    assert people.ask(ann, messages.Undo, 0) is None
    assert people.ask(bob, messages.Vote, 6, True) is None
    assert people.ask(bob, messages.Vote, 6, True) is not None
    assert table_state.acts == 1
    assert people.ask(cem, messages.Vote, 6, True) is None
    assert (table_state.acts, table_state.seating.proposal) == (0, None)
    people.ask(ann, messages.Act, 0, "S@b1")
    assert people.ask(ann, messages.Undo, 0) is None
    people.ask(bob, messages.Act, 1, views(table_state).frame(table_state.viewer(bob)).legal["1"][0])  # an answer, too
    assert table_state.seating.proposal is None


def test_a_table_is_the_fold_of_its_log_seats_included() -> None:
    table_state, created = founded(person(), OPEN, OPEN, random_seats=True)
    people = People(table_state)
    bob = people.sit(created.invites["1"], 1)
    people.ask([created.host or ""], messages.Fill, 2, "easy")
    people.take(drawn(table_state, NOW))
    people.ask([bob], messages.Leave, min(table_state.viewer([bob]).seats))
    copy = TableState(table_state.setup, table_state.game, people.entries)
    assert len(people.entries) == 4
    assert people.entries[1].seat == HOST
    assert copy.seating == table_state.seating
    assert views(copy).welcome(copy.viewer([bob])) == views(table_state).welcome(table_state.viewer([bob]))


def test_lots_for_the_seats_are_drawn_from_the_secret_when_all_are_there() -> None:
    orders: set[tuple[int, ...]] = set()
    for _ in range(40):
        table_state, created = founded(person("Ann"), OPEN, BOT, random_seats=True)
        bob = People(table_state).sit(created.invites["1"], 1)
        waiting = table_state.seating
        assert (waiting.draw_due, waiting.started) == (True, False)
        table_state.append(drawn(table_state, NOW))
        seated = table_state.seating
        assert (seated.draw_due, seated.started) == (False, True)
        names = [seat.name for seat in table_state.seating.seats]
        order = fairness.draw_seats(table_state.setup.secret, table_state.setup.id, 3)
        assert names == [["Ann", "Bob", "Robot"][before] for before in order]
        assert table_state.viewer([bob]).seats == {names.index("Bob")}
        assert table_state.bots == {names.index("Robot"): "easy"}
        assert [seat.colour for seat in table_state.seating.seats] == list(table_state.game.info.colours[:3])
        orders.add(order)
    assert len(orders) > 3


def test_a_watcher_of_a_hidden_table_sees_the_start_until_the_end() -> None:
    table_state, created = founded(person(), OPEN, game="toy", live=False)
    people, ann = People(table_state), [created.codes["0"]]
    start = views(table_state).welcome(Viewer())
    bob = [people.sit(created.invites["1"], 1)]
    assert people.ask(ann, messages.Act, 0, "take") is None
    table_state.append(drawn(table_state, NOW))
    watched = views(table_state).welcome(Viewer())
    assert watched.table.hidden
    assert not views(table_state).welcome(table_state.viewer(bob)).table.hidden
    assert (watched.frame, watched.lines, watched.ending) == (start.frame, None, None)
    for look in (lambda: views(table_state).past(Viewer(), 1), views(table_state).record):
        with pytest.raises(Hidden, match="when it is over"):
            look()
    assert people.ask(bob, messages.Act, 1, "stop") is None
    over = views(table_state).welcome(Viewer())
    assert (over.table.hidden, over.frame.seq, len(over.lines or ())) == (False, 3, 3)


def test_the_next_game_by_link_is_one_and_the_same_codes_hold_the_seats() -> None:
    table_state, created = founded(person("Ann"), OPEN, game="toy")
    people, ann = People(table_state), [created.codes["0"]]
    bob = [people.sit(created.invites["1"], 1)]
    people.ask(ann, messages.Act, 0, "stop")
    ones, others = (table_state.next_setup(table_state.viewer(codes), True, NOW) for codes in (ann, bob))
    assert ones[0].id == others[0].id != table_state.setup.id
    assert ones[1].codes == {}
    following = TableState(ones[0], table_state.game)
    assert following.viewer(ann) == Viewer(frozenset({1}))
    assert following.viewer(bob) == Viewer(frozenset({0}))
    assert following.viewer([created.host or ""]).host
    assert following.seating.started
    with pytest.raises(BadTable):
        table_state.next_setup(Viewer(), False, NOW)


def test_nobody_learns_a_code_or_a_lock() -> None:
    table_state, created = founded(person(), OPEN, OPEN, public=True)
    people = People(table_state)
    bob = people.sit(created.invites["1"], 1)
    people.ask([bob], messages.HandOver, 1, "cd" * 16)
    codes = [*created.codes.values(), *created.invites.values(), created.host or "", bob, "cd" * 16]
    hidden = [*codes, *map(hash_code, codes)]
    for held in ([], [codes[0]], [bob], ["cd" * 16], codes):
        viewer = table_state.viewer(held)
        told = messages.write(views(table_state).welcome(viewer)) + messages.write(views(table_state).listing({}))
        assert [secret for secret in hidden if secret.encode() in told] == []
    kept = msgspec.json.encode(table_state.setup).decode()
    assert [code for code in codes if code in kept] == []
    assert table_state.viewer([hash_code(code) for code in codes]) == Viewer(guest=table_state.viewer([]).guest)


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_seats_that_there_are_not(seat: int) -> None:
    table_state, created = founded(person(), OPEN)
    people, before = People(table_state), table_state.seating
    host = [created.host or "", created.codes["0"]]
    for fault in (
        people.ask(host, messages.Sit, seat, "Eve", "ab" * 16),
        people.ask(host, messages.HandOver, seat, "ab" * 16),
        people.ask(host, messages.Fill, seat, "easy", away=(seat,)),
        people.ask(host, messages.Leave, seat),
    ):
        assert fault is not None
    assert table_state.seating is before


def test_the_record_of_a_table_by_link_is_verified_with_the_entries_about_its_seats() -> None:
    table_state, created = founded(person(), OPEN, game="icefrogs")
    people = People(table_state)
    bob = people.sit(created.invites["1"], 1, "Bob #1 Łuk")
    while not table_state.position.is_terminal:
        (seat,) = table_state.position.to_act
        act = str(table_state.position.legal_actions(seat)[0])
        assert people.ask([created.codes["0"], bob], messages.Act, seat, act) is None
    assert fairness.verify(views(table_state).record()).entries == len(people.entries)
