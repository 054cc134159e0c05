"""Seats by a link: taken, left, handed over, filled and replaced, without a network."""

from __future__ import annotations

import msgspec
import pytest

from icetable.server import messages
from icetable.server.errors import BadTable, Hidden
from icetable.server.table import fairness
from icetable.server.table.judge import Judge
from icetable.server.table.log import HOST, Entry
from icetable.server.table.seats import BOT_NAMES, hash_code, name_for_bot
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import NOW, OPEN, Table, bot, drawn, person, views


def kinds(table: Table) -> list[str]:
    return [seat.kind for seat in table.state.seating.seats]


def test_an_open_seat_is_taken_with_the_links_code_which_is_void_then() -> None:
    table = Table("icefrogs", person("Ann"), OPEN)
    (link,) = table.link(1)
    assert len(bytes.fromhex(link)) == len(bytes.fromhex(table.created.host or "")) == 16
    assert table.viewer([link]) == Viewer(guest=frozenset({1}))
    assert kinds(table) == ["person", "open"]
    mine = table.sit(1, " Bob ")
    assert [seat.name for seat in table.state.seating.seats] == ["Ann", "Bob"]
    assert table.viewer(mine) == Viewer(frozenset({1}))
    assert table.viewer([link]) == Viewer()
    fault = table.ask([link], messages.Sit, 1, "Eve", "ab" * 16)
    assert fault is not None
    assert fault.code == "no-invitation"


def test_a_repeated_request_for_a_seat_gets_the_same_answer() -> None:
    table = Table("icefrogs", person(), OPEN)
    request = messages.Sit("x", 1, "Bob", "ab" * 16)
    viewer = table.viewer([*table.link(1), "ab" * 16])
    entry = Judge(table.state).judge(viewer, request, NOW)
    assert isinstance(entry, Entry)
    table.state.append(entry)
    again = Judge(table.state).judge(table.viewer([*table.link(1), "ab" * 16]), request, NOW)
    assert again == messages.Ack("x", 0)


def test_the_game_begins_when_every_seat_is_taken() -> None:
    table = Table("icefrogs", person(), OPEN, OPEN)
    assert table.state.to_act == frozenset()
    assert table.views.frame(table.viewer(0)).legal == {}
    table.sit(2)
    fault = table.ask(0, messages.Act, 0, "S@b1")
    assert fault is not None
    assert "begins when every seat is taken" in fault.message
    table.sit(1)
    assert table.views.table(Viewer()).started
    assert table.ask(0, messages.Act, 0, "S@b1") is None


def test_seats_are_taken_by_names_that_pass() -> None:
    table = Table("icefrogs", person(), OPEN)
    fault = table.ask(table.link(1), messages.Sit, 1, "  ", "ab" * 16)
    assert fault is not None
    assert fault.message == "A player's name needs at least one visible character."
    assert kinds(table) == ["person", "open"]


@pytest.mark.parametrize(
    "name", ["", "\u200b", "\u3164", "\u2800", "\u2060", "\ufe0f", "\u200d", "\u0301", " \u00ad\t"]
)
def test_a_name_that_can_not_be_seen_is_refused(name: str) -> None:
    table = Table("icefrogs", person(), OPEN)
    fault = table.ask(table.link(1), messages.Sit, 1, name, "ab" * 16)
    assert fault is not None
    assert (fault.code, fault.message) == (
        "not-now",
        "A player's name needs at least one visible character.",
    )
    with pytest.raises(BadTable, match="at least one visible character"):
        Table("icefrogs", person(), person(name))


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
    table = Table("icefrogs", person("Ann"), OPEN, OPEN)
    table.sit(2, name)
    table.sit(1, name)
    assert [seat.name for seat in table.state.seating.seats] == ["Ann", second, first]


def test_the_seats_of_a_new_table_are_told_apart_in_their_order() -> None:
    table = Table("icefrogs", person("Ann"), OPEN, bot(name="ANN"), person("Ann 2"))
    assert [seat.name for seat in table.state.seating.seats] == ["Ann", "", "ANN 2", "Ann 2 2"]
    table.sit(1, "Ann")
    assert [seat.name for seat in table.state.seating.seats] == ["Ann", "Ann 3", "ANN 2", "Ann 2 2"]


def test_a_bot_that_takes_a_seat_looks_like_nobody_else() -> None:
    table = Table("icefrogs", person("Fr\N{CYRILLIC SMALL LETTER O}st"), person("hail"), OPEN)
    assert table.ask(table.host, messages.Fill, 2, "easy") is None
    assert table.state.seating.seats[2].name == "Sleet"


def test_bots_without_names_get_some() -> None:
    table = Table("icefrogs", person("Ann"), *[bot(name="")] * 3)
    assert [seat.name for seat in table.state.seating.seats] == ["Ann", "Frost", "Hail", "Sleet"]
    everybody = [msgspec.structs.replace(table.state.setup.seats[1], name=name) for name in BOT_NAMES]
    assert name_for_bot(everybody) == "Frost 2"


def test_a_player_who_takes_over_a_seat_may_have_the_same_name() -> None:
    table = Table("icefrogs", person("Ann"), OPEN)
    bob = table.sit(1, "Bob")
    assert table.ask(bob, messages.HandOver, 1, "cd" * 16) is None
    table.sit(1, "Bob", ["cd" * 16])
    assert table.state.seating.seats[1].name == "Bob"


def test_at_a_public_table_open_seats_are_anybodys() -> None:
    table = Table("icefrogs", person(), OPEN, public=True)
    assert table.viewer([]).guest == {1}
    table.sit(1, link=())
    assert table.viewer([]).guest == set()


def test_a_seat_is_handed_over_and_the_code_before_is_void() -> None:
    table = Table("icefrogs", person(), OPEN, public=True)
    bob, link = table.sit(1), "cd" * 16
    assert table.ask(0, messages.HandOver, 1, link) is not None
    assert table.ask(table.host, messages.HandOver, 1, link) is not None
    assert table.ask(bob, messages.HandOver, 1, link) is None
    assert table.viewer(bob) == Viewer()
    assert table.viewer([]).guest == set()  # handed over to somebody, not to anybody
    assert table.ask(0, messages.Act, 0, "S@b1") is None  # the others play on
    cem = table.sit(1, "Cem", [link])
    assert table.viewer([link]) == Viewer()
    assert table.ask(cem, messages.Act, 1, "S@h1") is None


def test_the_host_makes_a_new_link_and_fills_an_open_seat_with_a_bot() -> None:
    table = Table("icefrogs", person("Frost"), OPEN, OPEN)
    assert table.ask(table.host, messages.HandOver, 1, "cd" * 16) is None
    assert table.viewer(table.link(1)) == Viewer()
    table.sit(1, link=["cd" * 16])
    assert table.ask(0, messages.Fill, 2, "easy") is not None
    assert table.ask(table.host, messages.Fill, 2, "hard") is None
    assert table.state.bots == {2: "hard"}
    assert table.state.seating.seats[2].name == "Hail"
    assert table.viewer(table.link(2)) == Viewer()
    assert table.state.seating.started


def test_one_who_is_gone_is_replaced_when_the_rest_agree() -> None:
    table = Table("icefrogs", person("Ann"), OPEN, OPEN)
    bob, cem = table.sit(1), table.sit(2, "Cem")
    assert table.ask(0, messages.Fill, 2, "easy") is not None  # he is there
    assert table.ask(cem, messages.Leave, 2) is None
    assert [seat.gone for seat in table.views.table(Viewer()).seats] == [False, False, True]
    assert table.ask(0, messages.Fill, 2, "easy") is None
    proposal = table.views.table(Viewer()).proposal
    assert proposal == messages.Proposal(4, 0, "fill", 2, [1])
    assert table.ask(cem, messages.Return, 2) is None  # and back again: nothing stands any more
    assert table.views.table(Viewer()).proposal is None
    assert table.ask(bob, messages.Vote, 4, True) is not None
    table.away = (2,)
    assert table.ask(0, messages.Fill, 2, "easy") is None
    table.away = ()
    assert table.refused(bob, messages.Vote, 6, True) == "That player is back."
    table.away = (2,)
    assert table.ask(bob, messages.Vote, 6, True) is None
    assert table.state.bots == {2: "easy"}
    assert table.viewer(cem) == Viewer()


def test_an_act_is_taken_back_when_the_others_agree() -> None:
    table = Table("icefrogs", person(), OPEN, OPEN)
    bob, cem = table.sit(1), table.sit(2)
    table.ask(0, messages.Act, 0, "S@b1")
    assert table.views.frame(table.viewer(0)).undo == 0
    assert table.ask(0, messages.Undo, 0) is None
    assert table.ask(0, messages.Undo, 0) is not None  # one at a time
    assert table.ask(bob, messages.Vote, 4, False) is None
    assert (table.state.acts, table.state.seating.proposal) == (1, None)
    assert table.ask(0, messages.Undo, 0) is None
    assert table.ask(bob, messages.Vote, 6, True) is None
    assert table.ask(bob, messages.Vote, 6, True) is not None
    assert table.state.acts == 1
    assert table.ask(cem, messages.Vote, 6, True) is None
    assert (table.state.acts, table.state.seating.proposal) == (0, None)
    table.ask(0, messages.Act, 0, "S@b1")
    assert table.ask(0, messages.Undo, 0) is None
    table.ask(bob, messages.Act, 1, table.views.frame(table.viewer(bob)).legal["1"][0])  # an answer, too
    assert table.state.seating.proposal is None


def test_a_table_is_the_fold_of_its_log_seats_included() -> None:
    table = Table("icefrogs", person(), OPEN, OPEN, random_seats=True)
    bob = table.sit(1)
    table.ask(table.host, messages.Fill, 2, "easy")
    table.state.append(drawn(table.state, NOW))
    table.ask(bob, messages.Leave, min(table.viewer(bob).seats))
    copy = table.again()
    assert len(table.state.log()) == 4
    assert table.state.log()[1].seat == HOST
    assert copy.seating == table.state.seating
    assert views(copy).welcome(copy.viewer(bob)) == table.views.welcome(table.viewer(bob))


def test_lots_for_the_seats_are_drawn_from_the_secret_when_all_are_there() -> None:
    orders: set[tuple[int, ...]] = set()
    for _ in range(40):
        table = Table("icefrogs", person("Ann"), OPEN, bot(), random_seats=True)
        bob = table.sit(1)
        waiting = table.state.seating
        assert (waiting.draw_due, waiting.started) == (True, False)
        table.state.append(drawn(table.state, NOW))
        seated = table.state.seating
        assert (seated.draw_due, seated.started) == (False, True)
        names = [seat.name for seat in table.state.seating.seats]
        order = fairness.draw_seats(table.state.setup.secret, table.state.setup.id, 3)
        assert names == [["Ann", "Bob", "Robot"][before] for before in order]
        assert table.viewer(bob).seats == {names.index("Bob")}
        assert table.state.bots == {names.index("Robot"): "easy"}
        assert [seat.colour for seat in table.state.seating.seats] == list(table.state.game.info.colours[:3])
        orders.add(order)
    assert len(orders) > 3


def test_a_watcher_of_a_hidden_table_sees_the_start_until_the_end() -> None:
    table = Table("toy", person(), OPEN, live=False)
    start = table.views.welcome(Viewer())
    bob = table.sit(1)
    assert table.ask(0, messages.Act, 0, "take") is None
    table.state.append(drawn(table.state, NOW))
    watched = table.views.welcome(Viewer())
    assert watched.table.hidden
    assert not table.views.welcome(table.viewer(bob)).table.hidden
    assert (watched.frame, watched.lines, watched.ending) == (start.frame, None, None)
    for look in (lambda: table.views.past(Viewer(), 1), table.views.record):
        with pytest.raises(Hidden, match="when it is over"):
            look()
    assert table.ask(bob, messages.Act, 1, "stop") is None
    over = table.views.welcome(Viewer())
    assert (over.table.hidden, over.frame.seq, len(over.lines or ())) == (False, 3, 3)


def test_the_next_game_by_link_is_one_and_the_same_codes_hold_the_seats() -> None:
    table = Table("toy", person("Ann"), OPEN)
    bob = table.sit(1)
    table.ask(0, messages.Act, 0, "stop")
    ones, others = (table.state.next_setup(table.viewer(codes), True, NOW) for codes in (0, bob))
    assert ones[0].id == others[0].id != table.state.setup.id
    assert ones[1].codes == {}
    following = TableState(ones[0], table.state.game)
    assert following.viewer(table.created.codes.values()) == Viewer(frozenset({1}))
    assert following.viewer(bob) == Viewer(frozenset({0}))
    assert following.viewer(table.host).host
    assert following.seating.started
    with pytest.raises(BadTable):
        table.state.next_setup(Viewer(), False, NOW)


def test_nobody_learns_a_code_or_a_lock() -> None:
    table = Table("icefrogs", person(), OPEN, OPEN, public=True)
    bob = table.sit(1)
    table.ask(bob, messages.HandOver, 1, "cd" * 16)
    codes = [*table.created.codes.values(), *table.created.invites.values(), *table.host, *bob, "cd" * 16]
    hidden = [*codes, *map(hash_code, codes)]
    for held in ([], [codes[0]], bob, ["cd" * 16], codes):
        viewer = table.viewer(held)
        told = messages.write(table.views.welcome(viewer)) + messages.write(table.views.listing({}))
        assert [secret for secret in hidden if secret.encode() in told] == []
    kept = msgspec.json.encode(table.state.setup).decode()
    assert [code for code in codes if code in kept] == []
    assert table.viewer([hash_code(code) for code in codes]) == Viewer(guest=table.viewer([]).guest)


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_seats_that_there_are_not(seat: int) -> None:
    table = Table("icefrogs", person(), OPEN)
    before = table.state.seating
    host = [*table.host, table.created.codes["0"]]
    table.away = (seat,)
    for fault in (
        table.ask(host, messages.Sit, seat, "Eve", "ab" * 16),
        table.ask(host, messages.HandOver, seat, "ab" * 16),
        table.ask(host, messages.Fill, seat, "easy"),
        table.ask(host, messages.Leave, seat),
    ):
        assert fault is not None
    assert table.state.seating is before


def test_the_record_of_a_table_by_link_is_verified_with_the_entries_about_its_seats() -> None:
    table = Table("icefrogs", person(), OPEN)
    bob = table.sit(1, "Bob #1 Łuk")
    while not table.state.position.is_terminal:
        (seat,) = table.state.position.to_act
        act = str(table.state.position.legal_actions(seat)[0])
        assert table.ask([table.created.codes["0"], *bob], messages.Act, seat, act) is None
    assert fairness.verify(table.views.record()).entries == len(table.state.log())
