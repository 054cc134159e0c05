"""Tables, without a network, a database or a clock."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import msgspec
import numpy as np
import pytest

from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import State
from icetable.core.record import Head
from icetable.games import load
from icetable.server import messages
from icetable.server.errors import BadTable, Hidden, Tampered
from icetable.server.table import fairness
from icetable.server.table.judge import MAX_REFUSALS, Judge
from icetable.server.table.log import Entry
from icetable.server.table.setup import PARTS_PER_WIN, Series, TableSetup, setup_from_position
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import ANYBODY, NOW, Table, ask, bot, drawn, founded, person, views
from .toy import CARDS


def play(table_state: TableState, viewer: Viewer, *texts: str) -> None:
    for text in texts:
        request = messages.Act(f"{table_state.entries}", min(table_state.position.to_act), text)
        assert isinstance(ask(table_state, viewer, request), messages.Ack), text


def held(game: str, *seats: messages.SeatRequest, **options: Any) -> tuple[TableState, Viewer]:
    """A new table, and somebody who holds the seats of all people."""
    table_state, codes = founded(game, *seats, **options)
    return table_state, table_state.viewer(codes.values())


def lines_of(table_state: TableState) -> list[messages.Line]:
    lines = views(table_state).lines(Viewer())
    assert lines is not None
    return lines


def refused(answer: messages.Ack | messages.Refused | Entry) -> messages.Fault:
    assert isinstance(answer, messages.Refused)
    return answer.fault


def without_turns() -> tuple[TableState, Viewer]:
    """A table of a game without turns, and somebody who holds both seats."""
    return held("icehouse", person("Ann"), person("Bob"))


# Codes


def test_a_code_holds_its_seat_and_only_its_hash_is_kept() -> None:
    table_state, codes = founded("icefrogs", person("Ann"), person("Bob"))
    assert set(codes) == {"0", "1"}
    assert all(len(bytes.fromhex(code)) == 16 for code in codes.values())
    assert table_state.viewer([codes["0"]]) == Viewer(frozenset({0}))
    assert table_state.viewer([codes["1"], "x", codes["0"]]) == Viewer(frozenset({0, 1}))
    assert (
        table_state.viewer([])
        == table_state.viewer(["", "0" * 32, codes["0"][:-1], codes["0"].upper() + " "])
        == Viewer()
    )
    assert table_state.setup.seats[0].code_hash == hashlib.sha256(codes["0"].encode()).hexdigest()
    kept = msgspec.json.encode(table_state.setup).decode()
    assert codes["0"] not in kept
    assert codes["1"] not in kept


def test_a_lock_opens_nothing() -> None:
    table_state, _ = founded("icefrogs", person(), person())
    assert table_state.viewer([str(seat.code_hash) for seat in table_state.setup.seats]) == Viewer()


def test_no_two_tables_have_anything_secret_in_common() -> None:
    tables = [founded("icefrogs", person(), person()) for _ in range(20)]
    assert len({table_state.setup.id for table_state, _ in tables}) == 20
    assert len({table_state.setup.secret for table_state, _ in tables}) == 20
    assert len({code for _, codes in tables for code in codes.values()}) == 40


def test_a_bot_has_no_code() -> None:
    table_state, codes = founded("icefrogs", person(), bot("hard"))
    assert set(codes) == {"0"}
    assert table_state.bots == {1: "hard"}
    assert table_state.setup.seats[1].code_hash is None


# Founding


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ([person()], "IceFrogs for 2 needs 2 seats, not 1"),
        ([person()] * 3, "needs 2 seats, not 3"),
        ([person(), person("")], "at least one visible character"),
        ([person(), person("   ")], "at least one visible character"),
        ([person(), person("\u3164\u2800")], "at least one visible character"),
        ([person(), person("a\nb")], "can't contain control characters"),
        ([person(), person("a\x00b")], "can't contain control characters"),
        ([person(), person("a\x9bb")], "can't contain control characters"),
        ([person(), person("evil\u202etxt")], "can't contain control characters"),
        ([person(), person("x" * 41)], "at most 40 characters, not 41"),
        ([person(), bot("huge")], "no level 'huge'; allowed: 'easy', 'hard'"),
        ([person(), bot(None)], "no level None; allowed: 'easy', 'hard'"),
        ([person(), messages.SeatRequest("person", "Ann", "easy")], "a person has no level"),
    ],
)
def test_a_table_that_can_not_be(seats: list[messages.SeatRequest], message: str) -> None:
    with pytest.raises(BadTable, match=message):
        founded("icefrogs", *seats, players=2)


def test_names_may_be_of_any_script_and_lose_their_margins() -> None:
    names = ["Ævar Ö'Neill-Łuk", "  李小龍 ", "👨\u200d👩\u200d👧", "x" * 40]
    table_state, _ = founded("icefrogs", *map(person, names), players=4)
    assert [seat.name for seat in table_state.setup.seats] == [name.strip() for name in names]


def test_names_lose_what_can_not_be_seen() -> None:
    table_state, _ = founded("icefrogs", *map(person, [" a\u2003b\n", "c\u2060\u3164d", "good\u00adtxt"]), players=3)
    assert [seat.name for seat in table_state.setup.seats] == ["a b", "cd", "goodtxt"]


# Turns


def test_only_the_seat_that_is_to_act_acts() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    ann, bob = table_state.viewer([codes["0"]]), table_state.viewer([codes["1"]])
    assert refused(ask(table_state, bob, messages.Act("b1", 1, "S@h1"))).rule == "IF-5"
    assert ask(table_state, ann, messages.Act("a1", 0, "S@b1")) == messages.Ack("a1", 1)
    assert refused(ask(table_state, ann, messages.Act("a2", 0, "S@b2"))).code == "not-your-turn"
    assert ask(table_state, bob, messages.Act("b2", 1, "S@h1")) == messages.Ack("b2", 2)
    assert [(line.seq, line.seat, line.text) for line in lines_of(table_state)] == [(1, 0, "S@b1"), (2, 1, "S@h1")]


@pytest.mark.parametrize("seat", [1, 2, -1, 99, 10**30])
def test_nobody_acts_for_a_seat_that_they_do_not_hold(seat: int) -> None:
    table_state, codes = founded("icefrogs", person(), person())
    for viewer in (Viewer(), table_state.viewer([codes["0"]])):
        fault = refused(Judge(table_state).judge(viewer, messages.Act("a", seat, "S@b1"), NOW))
        assert (fault.code, fault.rule) == ("not-your-seat", None)
    assert (table_state.entries, table_state.acts) == (0, 0)


def test_a_refusal_says_why_and_changes_nothing() -> None:
    table_state, ann = held("icefrogs", person(), person())
    before = views(table_state).welcome(ann)
    fault = refused(Judge(table_state).judge(ann, messages.Act("1", 0, "S@e3"), NOW))
    assert (fault.code, fault.rule, fault.where) == ("out-of-reach", "IF-9", ["a1", "e3"])
    fault = refused(Judge(table_state).judge(ann, messages.Act("2", 0, "castle"), NOW))
    assert (fault.code, fault.rule, fault.where) == ("bad-notation", None, [])
    assert fault.message.startswith("'castle' is not an act; acts look like L@c3")
    assert fault.message.endswith(".")
    assert refused(Judge(table_state).judge(ann, messages.Act("3", 0, "undo 0"), NOW)).code == "bad-notation"
    assert refused(Judge(table_state).judge(ann, messages.Act("4", 0, ""), NOW)).code == "bad-notation"
    assert views(table_state).welcome(ann) == before


def test_judging_changes_nothing_until_the_entry_is_taken() -> None:
    table_state, ann = held("icefrogs", person(), person())
    entry = Judge(table_state).judge(ann, messages.Act("a", 0, "S@b1"), NOW + 250)
    assert entry == table_state.chained(Entry(1, 0, 250, "S@b1", "0:a"))
    assert entry == Judge(table_state).judge(ann, messages.Act("a", 0, "S@b1"), NOW + 250)
    assert (table_state.entries, table_state.acts) == (0, 0)
    assert table_state.append(entry) == "act"
    assert (table_state.entries, table_state.acts) == (1, 1)


def test_the_clock_of_a_table_never_runs_back() -> None:
    table_state, ann = held("icefrogs", person(), person())
    times = []
    for number, (now, text) in enumerate([(700, "S@b1"), (-5000, "S@h1"), (650, "S@b2"), (900, "S@h2")]):
        entry = Judge(table_state).judge(ann, messages.Act(f"{number}", number % 2, text), NOW + now)
        assert isinstance(entry, Entry)
        table_state.append(entry)
        times.append(entry.at)
    assert times == [700, 700, 700, 900]
    assert table_state.position.at == 900


# The same request twice


def test_a_retry_gets_the_first_answer() -> None:
    table_state, both = held("icefrogs", person(), person())
    assert ask(table_state, both, messages.Act("one", 0, "S@b1")) == messages.Ack("one", 1)
    assert ask(table_state, both, messages.Act("two", 1, "S@h1")) == messages.Ack("two", 2)
    assert ask(table_state, both, messages.Act("one", 0, "S@b1")) == messages.Ack("one", 1)
    assert ask(table_state, both, messages.Act("one", 0, "M@b2")) == messages.Ack("one", 1)
    assert ask(table_state, both, messages.Undo("back", 1)) == messages.Ack("back", 1)
    assert ask(table_state, both, messages.Act("two", 1, "S@h1")) == messages.Ack("two", 2)
    assert ask(table_state, both, messages.Undo("back", 1)) == messages.Ack("back", 1)
    assert (table_state.entries, table_state.acts) == (3, 1)


def test_a_retry_of_what_was_refused_is_refused_even_if_it_would_be_legal_by_now() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    ann, bob = table_state.viewer([codes["0"]]), table_state.viewer([codes["1"]])
    early = messages.Act("early", 1, "S@h1")
    judge = Judge(table_state)
    first = ask(judge, bob, early)
    assert refused(first).code == "not-your-turn"
    play(table_state, ann, "S@b1")
    assert ask(judge, bob, early) == first
    assert ask(table_state, bob, messages.Act("later", 1, "S@h1")) == messages.Ack("later", 2)


def test_an_act_counts_only_if_the_one_that_it_follows_does() -> None:
    table_state, both = without_turns()
    judge = Judge(table_state)

    def judged(request_id: str, seat: int, text: str, after: str) -> Entry | messages.Ack | messages.Refused:
        return judge.judge(both, messages.Act(request_id, seat, text, after=after), NOW)

    assert refused(judge.judge(both, messages.Act("a", 0, "lift L"), NOW)).rule == "IH-6"
    assert refused(judged("b", 0, "ready", after="a")).code == "fell-through"
    assert refused(judged("c", 0, "ready", after="unknown")).code == "fell-through"
    for seat in both.seats:
        ask(table_state, both, messages.Act("r", seat, "ready"))
    assert isinstance(judged("d", 0, "lift L", after="r"), Entry)
    ask(table_state, both, messages.Act("e", 0, "lift L"))
    assert refused(judged("f", 1, "lift L", after="e")).code == "fell-through"  # that is another seat's


def test_only_so_many_refusals_are_remembered() -> None:
    table_state, ann = held("icefrogs", person(), person())
    judge = Judge(table_state)
    for number in range(3 * MAX_REFUSALS):
        assert refused(ask(judge, ann, messages.Act(f"{number}", 1, "S@h1"))).code == "not-your-turn"
    play(table_state, ann, "S@b1")
    last = messages.Act(f"{3 * MAX_REFUSALS - 1}", 1, "S@h1")
    assert refused(ask(judge, ann, last)).code == "not-your-turn"
    assert isinstance(ask(judge, ann, messages.Act("0", 1, "S@h1")), messages.Ack)


def test_a_stranger_gets_no_answer_that_was_meant_for_somebody_else() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    ann, bob = table_state.viewer([codes["0"]]), table_state.viewer([codes["1"]])
    assert isinstance(ask(table_state, ann, messages.Act("a", 0, "S@b1")), messages.Ack)
    assert refused(ask(table_state, bob, messages.Act("a", 0, "S@b1"))).code == "not-your-seat"
    assert refused(ask(table_state, Viewer(), messages.Act("a", 0, "S@b1"))).code == "not-your-seat"


# Taking back


def test_an_undo_is_an_entry_and_play_goes_on_from_there() -> None:
    table_state, ann = held("icefrogs", person(), bot())
    play(table_state, ann, "S@b1")
    table_state.append(table_state.entry_for_act(ANYBODY, 1, "S@h1", NOW))
    after_two = views(table_state).frame(ann)
    play(table_state, ann, "S@b2")
    entry = Judge(table_state).judge(ann, messages.Undo("u", 2), NOW)
    assert entry == table_state.chained(Entry(4, 0, 0, "undo 2", "0:u"))
    assert table_state.append(entry) == "undo"
    assert views(table_state).frame(ann) == after_two
    assert [line.text for line in lines_of(table_state)] == ["S@b1", "S@h1"]
    play(table_state, ann, "M@b2")
    assert [line.text for line in lines_of(table_state)] == ["S@b1", "S@h1", "M@b2"]
    assert isinstance(ask(table_state, ann, messages.Undo("v", 0)), messages.Ack)
    assert table_state.acts == 0
    assert table_state.entries == 6


def taken_back(table_state: TableState, to: int) -> None:
    """An undo in the log, as tables had it in earlier versions behind the end as well."""
    table_state.append(table_state.chained(Entry(table_state.entries + 1, 0, NOW, f"undo {to}")))


def test_nothing_is_taken_back_once_what_chance_drew_from_was_shown_but_old_logs_still_open() -> None:
    table_state, both = held("toy", person(), person(), target=100)
    play(table_state, both, "stop")
    assert table_state.position.is_terminal
    assert "nothing can be taken back" in refused(ask(table_state, both, messages.Undo("u", 0))).message
    assert views(table_state).frame(both).undo is msgspec.UNSET
    taken_back(table_state, 0)
    assert views(table_state).frame(both).legal == {"0": ["take", "stop"]}


@pytest.mark.parametrize("to", [2, 3, 10**20])
def test_nothing_to_undo(to: int) -> None:
    table_state, both = held("icefrogs", person(), person())
    play(table_state, both, "S@b1", "S@h1")
    assert refused(ask(table_state, both, messages.Undo("u", to))).code == "nothing-to-undo"
    assert table_state.entries == 2


def test_only_who_holds_every_persons_seat_takes_back_at_once() -> None:
    table_state, codes = founded("icefrogs", person(), person(), bot(), players=3)
    play(table_state, table_state.viewer(codes.values()), "S@b1")
    for number, viewer in enumerate((Viewer(), table_state.viewer([codes["0"]]), table_state.viewer([codes["1"]]))):
        assert not table_state.is_local(viewer)
        assert not views(table_state).welcome(viewer).table.local
        before = table_state.acts
        ask(table_state, viewer, messages.Undo(f"{number}", 0))
        assert table_state.acts == before
    both = table_state.viewer(codes.values())
    assert views(table_state).welcome(both).table.local
    assert isinstance(ask(table_state, both, messages.Undo("u", 0)), messages.Ack)


def test_nobody_takes_back_at_a_table_of_bots() -> None:
    table_state, codes = founded("icefrogs", bot(), bot())
    table_state.append(table_state.entry_for_act(ANYBODY, 0, "S@b1", NOW))
    assert codes == {}
    assert refused(Judge(table_state).judge(Viewer(), messages.Undo("u", 0), NOW)).code == "no-seat"


# The log


def test_a_room_is_the_fold_of_its_entries() -> None:
    table_state, both = held("toy", person(), person(), target=100)
    entries = []

    def enter(entry: object) -> None:
        assert isinstance(entry, Entry)
        entries.append(entry)
        table_state.append(entry)

    for number in range(6):
        enter(
            Judge(table_state).judge(
                both, messages.Act(f"{number}", min(table_state.position.to_act), "take"), NOW + number
            )
        )
        enter(drawn(table_state, NOW + number))
    enter(Judge(table_state).judge(both, messages.Undo("undo", 5), NOW + 9))
    enter(drawn(table_state, NOW + 10))
    again = TableState(table_state.setup, table_state.game, entries)
    assert views(again).welcome(both) == views(table_state).welcome(both)
    assert views(again).record() == views(table_state).record()
    assert Judge(again).judge(both, messages.Act("0", 0, "take"), NOW) == messages.Ack("0", 1)
    assert [entry.seq for entry in entries] == list(range(1, 15))


def test_a_charter_survives_writing_down() -> None:
    table_state, _ = founded("icefrogs", person(), bot(), board="hexagon")
    packed = msgspec.json.encode(table_state.setup)
    assert msgspec.json.decode(packed, type=TableSetup) == table_state.setup


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
    table_state, codes = founded("icefrogs", person(), person())
    play(table_state, table_state.viewer(codes.values()), "S@b1")
    before = views(table_state).welcome(Viewer())
    with pytest.raises(GameError):
        table_state.append(table_state.chained(entry))
    assert views(table_state).welcome(Viewer()) == before
    assert table_state.entries == 1


@pytest.mark.parametrize("changed", [{"text": "S@h2"}, {"at": 4}, {"seat": 0, "text": "undo 0"}, {"link": ""}])
def test_an_entry_that_is_not_what_was_judged_is_not_taken(changed: dict[str, Any]) -> None:
    table_state, codes = founded("icefrogs", person(), person())
    play(table_state, table_state.viewer(codes.values()), "S@b1")
    entry = table_state.entry_for_act(ANYBODY, 1, "S@h1", NOW)
    with pytest.raises(Tampered, match=r"entry 2 of this table's log, '.*', is not what was stored"):
        table_state.append(msgspec.structs.replace(entry, **changed))
    assert table_state.entries == 1
    assert table_state.append(entry)


def test_links_chain_a_log_to_its_table_and_commitment() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    play(table_state, table_state.viewer(codes.values()), "S@b1", "S@h1")
    entries, setup = table_state.log(), table_state.setup
    committed = fairness.commitment(setup.secret)
    root = fairness.root(committed, setup.id, Head("icefrogs", table_state.game.options), setup.terms_in_record())
    assert entries[0].link == fairness.link(root, table_state.setup.id, 1, 0, 0, "S@b1")
    assert entries[1].link == fairness.link(entries[0].link, table_state.setup.id, 2, 1, 0, "S@h1")
    assert TableState(table_state.setup, table_state.game, entries).log() == entries
    for other in (
        msgspec.structs.replace(table_state.setup, id="another"),
        msgspec.structs.replace(table_state.setup, secret=bytes(32)),
        msgspec.structs.replace(table_state.setup, created=1),
    ):
        with pytest.raises(Tampered, match="entry 1 "):
            TableState(other, table_state.game, entries)


def test_a_bot_is_judged_like_everybody() -> None:
    table_state, _ = founded("icefrogs", person(), bot())
    with pytest.raises(IllegalAction):
        table_state.entry_for_act(ANYBODY, 1, "S@h1", NOW)
    with pytest.raises(IllegalAction):
        table_state.entry_for_act(ANYBODY, 0, "S@e3", NOW)
    assert table_state.entry_for_act(ANYBODY, 0, "S@b1", NOW) == table_state.chained(Entry(1, 0, 0, "S@b1", None))


def test_an_id_belongs_to_its_seat() -> None:
    """A request of another seat under the same id is another one, also for a server that is started again."""
    table_state, codes = founded("icefrogs", person(), person())
    ann, bob = table_state.viewer([codes["0"]]), table_state.viewer([codes["1"]])
    assert ask(table_state, ann, messages.Act("a", 0, "S@b1")) == messages.Ack("a", 1)
    assert ask(table_state, ann, messages.Act("b", 0, "S@b2")) == ask(table_state, ann, messages.Act("b", 0, "S@b2"))
    assert ask(table_state, bob, messages.Act("a", 1, "S@h1")) == messages.Ack("a", 2)
    again = TableState(table_state.setup, table_state.game, table_state.log())
    for one in (table_state, again):
        assert ask(one, ann, messages.Act("a", 0, "S@b2")) == messages.Ack("a", 1)
        assert ask(one, bob, messages.Act("a", 1, "S@b2")) == messages.Ack("a", 2)
        assert one.acts == 2
    assert refused(ask(table_state, bob, messages.Act("c", 0, "S@b2"))).code == "not-your-seat"


# Nature


def nature_draws(table_state: TableState, both: Viewer, count: int) -> list[str]:
    texts = []
    for _ in range(count):
        play(table_state, both, "take")
        entry = drawn(table_state, NOW)
        assert entry.seat == -1
        assert entry.client_id is None
        table_state.append(entry)
        texts.append(entry.text)
    return texts


def test_nature_draws_the_same_again_from_the_same_secret() -> None:
    table_state, both = held("toy", person(), person(), target=100)
    texts = nature_draws(table_state, both, 12)
    assert len(set(texts)) > 1
    assert nature_draws(TableState(table_state.setup, table_state.game), both, 12) == texts
    ask(table_state, both, messages.Undo("u", 9))
    assert drawn(table_state, NOW).text == texts[4]


def test_nature_draws_otherwise_at_another_table_and_from_another_secret() -> None:
    table_state, both = held("toy", person(), person(), target=100)
    drawn = nature_draws(table_state, both, 16)
    for change in ({"id": "another"}, {"secret": bytes(32)}):
        other = TableState(msgspec.structs.replace(table_state.setup, **change), table_state.game)
        assert nature_draws(other, both, 16) != drawn


def test_nobody_acts_for_nature() -> None:
    table_state, both = held("toy", person(), person(), target=100)
    play(table_state, both, "take")
    for seat in (-1, 0, 1):
        assert isinstance(
            Judge(table_state).judge(both, messages.Act(f"as {seat}", seat, "die:6"), NOW), messages.Refused
        )
    assert table_state.acts == 1


# What is seen


def test_a_frame_lists_the_legal_acts_of_the_viewers_seats_only() -> None:
    table_state, codes = founded("icefrogs", person(), person())
    ann, bob = table_state.viewer([codes["0"]]), table_state.viewer([codes["1"]])
    assert set(views(table_state).frame(ann).legal) == {"0"}
    assert set(views(table_state).frame(ann).legal["0"]) == {"S@b1", "S@b2", "M@b1", "M@b2", "L@b1", "L@b2"}
    assert views(table_state).frame(bob).legal == views(table_state).frame(Viewer()).legal == {}
    play(table_state, ann, "S@b1")
    assert views(table_state).frame(ann).legal == {}
    assert set(views(table_state).frame(bob).legal) == {"1"}


def test_a_client_with_several_seats_has_the_view_of_the_one_to_act() -> None:
    table_state, codes = founded("toy", person(), person(), person(), players=3, target=100)
    viewer = table_state.viewer([codes["1"], codes["2"]])
    seen = [seat_seen(table_state, viewer)]
    for _ in range(3):
        play(table_state, table_state.viewer(codes.values()), "take")
        seen.append(seat_seen(table_state, viewer))
        table_state.append(drawn(table_state, NOW))
        seen.append(seat_seen(table_state, viewer))
    assert seen == [1, 1, 1, 1, 2, 1, 1]
    assert seat_seen(table_state, Viewer()) is None


def seat_seen(table_state: TableState, viewer: Viewer) -> int | None:
    """The seat whose view a viewer is sent."""
    seat: int | None = msgspec.json.decode(messages.write(views(table_state).frame(viewer)))["view"]["seat"]
    return seat


def test_a_seat_sees_its_own_card_and_a_watcher_none() -> None:
    table_state, codes = founded("toy", person(), person(), person(), players=3, target=100)
    everybody = table_state.viewer(codes.values())
    play(table_state, everybody, "take")
    table_state.append(drawn(table_state, NOW))
    for seats in ([], [0], [1], [2]):
        viewer = table_state.viewer([codes[str(seat)] for seat in seats])
        seen = b"".join(
            messages.write(message)
            for message in (
                views(table_state).welcome(viewer),
                messages.NewFrame(views(table_state).frame(viewer)),
                messages.NewFrame(views(table_state).past(viewer, 1) or views(table_state).frame(viewer)),
                messages.Rewound(views(table_state).lines(viewer), views(table_state).frame(viewer)),
                ask(table_state, viewer, messages.Act("x", 0, "no")),
            )
        ).decode()
        assert [card in seen for card in CARDS] == [seat in seats for seat in range(3)]
        assert not any(card in views(table_state).record() for card in CARDS)


def test_two_worlds_that_differ_in_a_hidden_card_look_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table_state, codes = founded("toy", person(), person(), target=100)
    viewer = table_state.viewer([codes["0"]])
    play(table_state, viewer, "take")
    other = TableState(table_state.setup, table_state.game)
    other.append(other.chained(Entry(1, 0, 0, "take", "0")))

    def everything(one: TableState, who: Viewer) -> bytes:
        past = views(one).past(who, 0)
        assert past is not None
        return messages.write(views(one).welcome(who)) + messages.write(past) + views(one).record().encode()

    before = [everything(table_state, who) for who in (viewer, Viewer())]
    monkeypatch.setattr("tests.server.toy.CARDS", (CARDS[0], "ANOTHER-CARD", CARDS[2]))
    assert [everything(other, who) for who in (viewer, Viewer())] == before
    assert everything(other, table_state.viewer([codes["1"]])) != everything(other, viewer)


def play_out(table_state: TableState, *texts: str) -> None:
    """Nature and the seats that are to act go on, these with the texts in turn."""
    for number in range(len(texts) * 2):
        if table_state.position.to_act == {-1}:
            table_state.append(drawn(table_state, NOW))
        elif not table_state.position.is_terminal:
            table_state.append(
                table_state.entry_for_act(ANYBODY, min(table_state.position.to_act), texts[number % len(texts)], NOW)
            )


def test_nothing_secret_is_in_anything_that_is_shown() -> None:
    table_state, codes = founded("toy", person(), person(), target=3)
    both = table_state.viewer(codes.values())
    secrets = [
        *codes.values(),
        *(str(seat.code_hash) for seat in table_state.setup.seats),
        table_state.setup.secret.hex(),
    ]
    while not table_state.position.is_terminal:
        shown = messages.write(views(table_state).welcome(both)).decode() + views(table_state).record()
        assert not any(secret in shown for secret in secrets)
        table_state.append(
            drawn(table_state, NOW)
            if table_state.position.to_act == {-1}
            else table_state.entry_for_act(ANYBODY, min(table_state.position.to_act), "take", NOW)
        )
    shown = messages.write(views(table_state).welcome(both)).decode() + views(table_state).record()
    assert not any(secret in shown for secret in secrets[:-1])


# History that is hidden until the end


def test_a_hidden_history_is_shown_to_nobody_until_the_game_is_over() -> None:
    table_state, codes = founded("toy", person(), person(), secretive=True)
    viewers = [Viewer(), *(table_state.viewer([code]) for code in codes.values()), table_state.viewer(codes.values())]
    play(table_state, viewers[-1], "take", "take", "stop")
    for viewer in viewers:
        welcome = views(table_state).welcome(viewer)
        assert welcome.lines is None
        assert welcome.frame.line == messages.Line(3, 0, "stop", [])
        for number in (0, 2, 3, 4):
            with pytest.raises(Hidden, match=r"^This game hides its history until it is over\.$"):
                views(table_state).past(viewer, number)
    with pytest.raises(Hidden, match="hides its history"):
        views(table_state).record()
    table_state.append(drawn(table_state, NOW))
    for viewer in viewers:
        assert [line.text for line in views(table_state).welcome(viewer).lines or []][:3] == ["take", "take", "stop"]
        past = views(table_state).past(viewer, 1)
        assert past is not None
        assert past.line == lines_of(table_state)[0]
    assert "0 @0.000 stop\n" in views(table_state).record()


def test_a_hidden_history_does_not_hinder_taking_back() -> None:
    table_state, ann = held("toy", person(), bot(), secretive=True)
    play(table_state, ann, "take")
    table_state.append(table_state.entry_for_act(ANYBODY, 1, "take", NOW))
    assert views(table_state).frame(ann).undo == 0
    assert isinstance(ask(table_state, ann, messages.Undo("u", 0)), messages.Ack)
    assert (table_state.acts, views(table_state).lines(Viewer()), views(table_state).frame(ann).undo) == (
        0,
        None,
        msgspec.UNSET,
    )


def test_the_end_that_is_taken_back_hides_the_history_again() -> None:
    table_state, both = held("toy", person(), person(), secretive=True)
    play(table_state, both, "take", "stop")
    table_state.append(drawn(table_state, NOW))
    first = table_state.position.act
    taken_back(table_state, 1)
    assert (views(table_state).welcome(both).lines, views(table_state).welcome(both).ending) == (None, None)
    play(table_state, both, "stop")
    assert drawn(table_state, NOW).text == first


def test_where_an_undo_leads_is_told_to_those_who_may() -> None:
    table_state, codes = founded("icefrogs", person(), person(), bot(), players=3)
    both = table_state.viewer(codes.values())
    play(table_state, both, "S@b1")
    assert views(table_state).frame(both).undo == 0
    assert (
        views(table_state).frame(table_state.viewer([codes["0"]])).undo,
        views(table_state).frame(Viewer()).undo,
    ) == (0, msgspec.UNSET)
    assert views(table_state).frame(table_state.viewer([codes["1"]])).undo is msgspec.UNSET
    play(table_state, both, views(table_state).frame(both).legal["1"][0])
    table_state.append(table_state.entry_for_act(ANYBODY, 2, str(table_state.position.legal_actions(2)[0]), NOW))
    assert views(table_state).frame(both).undo == 1
    past = views(table_state).past(both, 2)
    assert past is not None
    assert past.undo is msgspec.UNSET


# What acts are worth


def test_values_of_acts_are_shown_only_where_they_give_nobody_an_edge() -> None:
    table_state, codes = founded("toy", person(), person(), secretive=True)
    both, ann = table_state.viewer(codes.values()), table_state.viewer([codes["0"]])
    play(table_state, both, "take", "take", "stop")
    assert views(table_state).welcome(ann).table.solvable
    for viewer in (both, ann, Viewer()):
        with pytest.raises(Hidden, match="when the game is over"):
            views(table_state).position(viewer, 3)
    table_state.append(drawn(table_state, NOW))
    for viewer in (both, ann, Viewer()):
        assert views(table_state).position(viewer, 1).act == "take"
        with pytest.raises(Hidden, match="Only 4 moves"):
            views(table_state).position(viewer, 5)


def test_a_game_that_can_not_be_solved_says_so() -> None:
    for name, options in (("toy", {"target": 100}), ("icefrogs", {})):
        table_state, codes = founded(name, person(), person(), **options)
        assert not views(table_state).welcome(Viewer()).table.solvable
        with pytest.raises(GameError, match="be worked out in this game"):
            views(table_state).position(table_state.viewer(codes.values()), 0)


# Nature's secret


def test_the_secret_is_committed_at_the_start_and_shown_at_the_end() -> None:
    table_state, codes = founded("toy", person(), person(), target=3)
    before = views(table_state).welcome(Viewer())
    assert before.ending is None
    assert f"nature {table_state.setup.id} {before.table.commitment}\n" in views(table_state).record()
    play_out(table_state, "take", "take", "take", "take")
    after = views(table_state).welcome(table_state.viewer(codes.values()))
    assert after.table.commitment == before.table.commitment
    assert after.ending is not None
    secret = bytes.fromhex(after.ending.secret)
    assert hashlib.sha256(secret).hexdigest() == before.table.commitment
    assert f"nature {table_state.setup.id} {before.table.commitment} {secret.hex()}\n" in views(table_state).record()
    assert fairness.commitment(secret) == before.table.commitment


def test_the_past_is_shown_without_legal_acts() -> None:
    table_state, both = held("icefrogs", person(), person())
    start = views(table_state).frame(both)
    play(table_state, both, "S@b1", "S@h1", "L@b2")
    past = views(table_state).past(both, 0)
    assert past is not None
    assert (past.seq, past.line, past.legal, past.view) == (0, None, {}, start.view)
    past = views(table_state).past(both, 2)
    assert past is not None
    assert past.line is not None
    assert past.line == lines_of(table_state)[1]
    assert past.line.effects[0] == messages.Effect("path", ["i1", "h1"], "1S")
    assert views(table_state).past(both, 4) is views(table_state).past(both, -1) is None


def test_a_welcome_tells_the_table() -> None:
    table_state, codes = founded("icefrogs", person("Ann"), bot("hard"), board="hexagon")
    table = views(table_state).welcome(table_state.viewer(codes.values())).table
    assert (table.id, table.game, table.title) == (table_state.setup.id, "icefrogs", "IceFrogs")
    assert table.options == {"players": 2, "board": "hexagon", "turn_limit": 400}
    assert len(table.layout["spaces"]) == 37
    assert table.seats == [
        messages.Seat(seat=0, kind="person", name="Ann", level=None, colour="red", mine=True, gone=False),
        messages.Seat(seat=1, kind="bot", name="Robot", level="hard", colour="blue", mine=False, gone=False),
    ]


# A series


def follow(table_state: TableState, viewer: Viewer, rotate: bool) -> tuple[TableState, Viewer]:
    """The next game of a series, for who holds every seat of the one before."""
    setup, created = table_state.next_setup(viewer, rotate, NOW + 5)
    following = TableState(setup, table_state.game)
    return following, following.viewer(created.codes.values())


def end_toy(table_state: TableState, takes: int) -> tuple[int, ...]:
    """Play a toy game to its end and return its scores."""
    for text in [*["take"] * takes, "stop"]:
        table_state.append(table_state.entry_for_act(ANYBODY, min(table_state.position.to_act), text, NOW))
        if table_state.position.to_act == {-1}:
            table_state.append(drawn(table_state, NOW))
    return table_state.position.scores


def standing_of(table_state: TableState) -> messages.Standing:
    ending = views(table_state).ending
    assert ending is not None
    return ending.standing


def test_the_games_of_a_series_add_up() -> None:
    table_state, codes = founded("toy", person("Ann"), bot("hard"), target=50)
    viewer = table_state.viewer(codes.values())
    assert views(table_state).welcome(viewer).table.standing is None
    total = [0, 0]
    for games in range(1, 4):
        scores = end_toy(table_state, 2 * games + 1)
        total = [one + other for one, other in zip(total, scores, strict=True)]
        best = [seat for seat in range(2) if total[seat] == max(total)]
        assert standing_of(table_state) == messages.Standing(games, total, best, None)
        before, (table_state, viewer) = table_state, follow(table_state, viewer, False)
        assert views(table_state).welcome(viewer).table.standing == standing_of(before)
        assert [seat.name for seat in table_state.setup.seats] == ["Ann", "Robot"]
        assert table_state.setup.series is not None
        assert table_state.setup.series.follows == before.setup.id != table_state.setup.id
        assert (table_state.game, table_state.setup.created) == (before.game, NOW + 5)
        assert table_state.setup.secret != before.setup.secret
        assert table_state.viewer(codes.values()) == Viewer()


def test_the_first_place_goes_round_and_points_go_with_their_owners() -> None:
    table_state, viewer = held("toy", person("Ann"), person("Bob"), bot(), players=3, target=100)
    total = dict.fromkeys(("Ann", "Bob", "Robot"), 0)
    for first in ("Ann", "Bob", "Robot", "Ann"):
        names = [seat.name for seat in table_state.setup.seats]
        assert names[0] == first
        for name, score in zip(names, end_toy(table_state, 4), strict=True):
            total[name] += score
        assert standing_of(table_state).scores == [total[name] for name in names]
        assert [seat.colour for seat in table_state.setup.seats] == ["red", "green", "blue"]
        table_state, viewer = follow(table_state, viewer, True)
    assert [seat.kind for seat in table_state.setup.seats] == ["person", "bot", "person"]
    assert [seat.code_hash is None for seat in table_state.setup.seats] == [False, True, False]


def test_the_players_of_a_pair_change_seats_whoever_asks_for_the_next_game() -> None:
    table_state, codes = founded("toy", person("Ann"), person("Bob"), pair=True, target=50)
    viewer = table_state.viewer(codes.values())
    for first in ("Ann", "Bob", "Ann"):
        assert table_state.setup.seats[0].name == first
        assert views(table_state).welcome(viewer).table.pair
        end_toy(table_state, 2)
        table_state, viewer = follow(table_state, viewer, False)


def test_a_pair_is_for_two_players() -> None:
    with pytest.raises(BadTable, match="a pair of games is for 2 players, not 3"):
        founded("toy", person(), person(), person(), pair=True)


def test_the_next_game_is_for_who_holds_a_seat_and_comes_after_the_end() -> None:
    table_state, both = held("toy", person(), person(), target=50)
    with pytest.raises(BadTable, match="when this one is over"):
        table_state.next_setup(both, False, NOW)
    end_toy(table_state, 1)
    with pytest.raises(BadTable, match="only players at this table"):
        table_state.next_setup(Viewer(), False, NOW)


def test_tie_points_of_a_game_decide_between_equal_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    table_state, both = held("toy", person(), person(), target=50)
    play(table_state, both, "stop")
    assert standing_of(table_state) == messages.Standing(1, [0, 0], [0, 1], None)
    monkeypatch.setattr(type(table_state.game), "tie_points", lambda *_: (3, 4))
    assert standing_of(table_state) == messages.Standing(1, [0, 0], [1], None)
    table_state, both = follow(table_state, both, True)
    play(table_state, both, "stop")
    assert standing_of(table_state).leaders == [0, 1]


@pytest.mark.parametrize("seed", range(3))
def test_ties_of_try_outs_go_to_the_most_friends_on_the_board(seed: int) -> None:
    dice = random.Random(seed)
    state = load("squad").start()
    while not state.is_terminal:
        state = state.apply(dice.choice(state.legal_actions()))
    friends = [int(piece[0]) for (piece,) in state.view()["stacks"].values() if piece[1] != "C"]
    assert state.game.tie_points(state) == (friends.count(0), friends.count(1))
    assert len(friends) > 0


def test_a_tournament_rates_scores_and_wins() -> None:
    """IH-36: the total times one more than the wins, a shared one split."""
    table_state, both = without_turns()
    series = Series("before", 2, (20, 11), (0, 0), (PARTS_PER_WIN + PARTS_PER_WIN // 2, PARTS_PER_WIN // 2))
    table_state = TableState(msgspec.structs.replace(table_state.setup, series=series), table_state.game)
    standing = views(table_state).table(both).standing
    assert standing == messages.Standing(2, [20, 11], [0], [20 * 2.5, 11 * 1.5])
    for number, seat in enumerate((0, 1)):
        ask(table_state, both, messages.Act(f"{number}", seat, "ready"))
    ask(table_state, both, messages.Offer("draw", "draw"))
    assert table_state.series().wins == (2 * PARTS_PER_WIN, PARTS_PER_WIN)


# Trying things


def play_first(table_state: TableState, acts: int) -> None:
    """So many acts by whoever is to act, nature included."""
    for _ in range(acts):
        seat = min(table_state.to_act)
        table_state.append(
            drawn(table_state, NOW)
            if table_state.chance_to_act
            else table_state.entry_for_act(ANYBODY, seat, table_state.position.legal_actions(seat)[0], NOW)
        )


def test_a_position_is_tried_at_a_table_of_its_own() -> None:
    table_state, codes = founded("wrecktangle", person("Ann"), person("Bob"))
    play_first(table_state, 9)
    with pytest.raises(Hidden, match="Only 9 moves"):
        views(table_state).copy(Viewer(), 10)
    setup, created = setup_from_position(views(table_state).copy(Viewer(), 6), ["Ann", "Bob"], NOW + 1000, False)
    tried = TableState(setup, table_state.game)
    mine = tried.viewer(created.codes.values())
    assert tried.position == table_state.after(6)
    assert tried.is_local(mine)
    shown = [views(one).table(Viewer()).explore for one in (table_state, tried)]
    assert shown == [False, True]
    assert set(created.codes.values()).isdisjoint(codes.values())
    play_first(tried, 5)
    assert isinstance(ask(tried, mine, messages.Offer("d", "draw")), messages.Ack)
    assert fairness.verify(views(tried).record()).entries == 6
    with pytest.raises(BadTable, match="nothing to try"):
        setup_from_position(end_of("icefrogs"), ["Ann", "Bob"], NOW, False)


def test_a_table_for_exploring_says_so() -> None:
    table = Table("icefrogs", explore=True)
    assert table.views.table(Viewer()).explore
    assert table.views.summary(Viewer()).explore


def end_of(game: str) -> State:
    return load(game).random_game(np.random.default_rng(1))


def test_a_position_with_hidden_pieces_is_not_explored() -> None:
    table_state, codes = founded("toy", person("Ann"), person("Bob"))
    play_first(table_state, 1)
    with pytest.raises(Hidden, match="hides something"):
        views(table_state).copy(table_state.viewer(codes.values()), 1)


def test_icehouse_is_tried_without_a_bell() -> None:
    table_state, both = without_turns()
    for number, (seat, text) in enumerate([(0, "ready"), (1, "ready"), (0, "lift S")]):
        assert isinstance(
            ask(table_state, both, messages.Act(f"{number}", seat, text), NOW + 1000 * number), messages.Ack
        )
    setup, created = setup_from_position(views(table_state).copy(both, 3), ["Ann", "Bob"], NOW + 10**6, False)
    tried = TableState(setup, table_state.game)
    assert tried.due is None
    assert tried.time(NOW + 10**6) == 2000
    mine = tried.viewer(created.codes.values())
    assert isinstance(ask(tried, mine, messages.Act("p", 0, "return"), NOW + 10**6 + 500), messages.Ack)
    assert tried.position.at == 2500


# Games without turns


def test_an_act_is_judged_at_the_time_that_it_gets() -> None:
    """A false call is paid for within ten seconds, or settled before the next act."""
    table_state, both = without_turns()
    for number, (seat, text) in enumerate([(0, "ready"), (1, "ready"), (0, "icehouse")]):
        assert isinstance(ask(table_state, both, messages.Act(f"{number}", seat, text)), messages.Ack)
    assert refused(ask(table_state, both, messages.Act("early", 0, "lift S"), NOW + 10_000)).rule == "IH-24"
    assert refused(ask(table_state, both, messages.Act("late", 0, "give S green"), NOW + 10_001)).rule == "IH-20"
    assert isinstance(ask(table_state, both, messages.Act("on", 0, "lift S"), NOW + 10_001), messages.Ack)
    assert table_state.position.effects[0].kind == "settles"
