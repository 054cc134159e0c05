"""Reviews of drawn situations, and properties of every review."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import CHANCE, GameError
from icetable.core.game import LINE_WIDTH
from icetable.core.record import Ended
from icetable.games.icehouse.game import Icehouse, IcehouseState
from icetable.games.icehouse.review.parts import Review
from icetable.kernels import jit

from .oracle import Oracle
from .product import state_of

RED, GREEN, BLUE = range(3)
NBSP = "\N{NO-BREAK SPACE}"
NOTHING = {"stood": 0, "iced": 0, "freed": 0, "attacked": 0, "spoilt": 0, "icehouse": 0}
"""The account of a seat without points."""

ICED = """
    red M 12000,12000 stand 0.0
    green L 9800,12000 point 0.0
    green S 1000,1000 stand 0.0
    green S 3000,1000 stand 0.0
"""
"""Red's only defender is iced."""
FREE = ICED.replace("green L 9800,12000 point 0.0\n", "")
"""It is not, but a large piece can do it."""
AT_RED = "place 9800,12000 point 0.0"


def reviewed(drawing: str, *acts: str, players: int = 2, **settings: Any) -> Review:
    """The review of a game that goes on from a drawing with acts such as "0@1500 lift L" until the bell."""
    state = state_of(Oracle.laid(drawing, players=players, **settings))
    for act in acts:
        who, text = act.split(" ", 1)
        seat, at = who.split("@")
        state = state.apply(text, CHANCE if seat == "*" else int(seat), int(at) / 1000)
    return state.game.review(state)


def load(**options: Any) -> Icehouse:
    game = icetable.load("icehouse", **options)
    assert isinstance(game, Icehouse)
    return game


def whole_games() -> Iterator[IcehouseState]:
    """Random games until the bell, in which all sorts of things happen."""
    for seed in range(8):
        game = load(players=2 + seed % 4, timer=120.0)
        yield game.random_game(np.random.default_rng(seed))


# Points


def test_scores_after_each_act() -> None:
    review = reviewed(FREE, "1@1000 lift L", f"1@2000 {AT_RED}", "*@9000 bell")
    assert review["course"] == [
        {"act": 0, "at": 0, "scores": [2, 2]},
        {"act": 1, "at": 1000, "scores": [2, 2]},
        {"act": 2, "at": 2000, "scores": [0, 5]},
        {"act": 3, "at": 9000, "scores": [0, 5]},
    ]
    assert (review["began"], review["ended"], review["ended_by"], review["winners"]) == (0, 9000, "IH-31", [GREEN])


def test_acts_that_changed_the_scores() -> None:
    review = reviewed(FREE, "1@1000 lift L", f"1@2000 {AT_RED}", "*@9000 bell")
    (change,) = review["changes"]
    assert (change["act"], change["at"], change["seat"], change["points"]) == (2, 2000, GREEN, [-2, 3])
    assert change["effects"] == ["places p4 L:green", "ices p1"]


def test_accounts_say_where_points_came_from_and_went() -> None:
    """Red frees its defender with a wall. Green ices it from the other side and calls."""
    drawing = ICED.replace("9800,12000", "9600,12000") + "red M 1000,2500 point 270.0"
    acts = (
        *("0@1000 lift S", "0@2000 place 11200,12000 stand 0.0"),
        *("1@3000 lift L", "1@4000 place 14200,12000 point 180.0"),
        *("1@5000 icehouse", "*@9000 bell"),
    )
    review = reviewed(drawing, *acts, pads={RED: "4S", GREEN: "2L"})
    red, green = (seat["account"] for seat in review["seats"])
    assert red == {"stood": 0, "iced": -2, "freed": 2, "attacked": 2, "spoilt": 0, "icehouse": -2}
    assert green == {"stood": 1, "iced": 0, "freed": 0, "attacked": 6, "spoilt": 0, "icehouse": 0}
    assert [seat["score"] for seat in review["seats"]] == [0, 7]


# Icing


def test_an_icing_and_who_did_it() -> None:
    """Green has a prisoner of blue's lie beside its own piece: both colours attack."""
    drawing = """
        red L 12000,12000 stand 0.0
        green L 9500,12000 point 0.0
        green S 1000,1000 stand 0.0
        green S 3000,1000 stand 0.0
        blue S 1000,20000 stand 0.0
        blue S 3000,20000 stand 0.0
    """
    pads = {RED: "1S", GREEN: "1M:blue", BLUE: ""}
    acts = ("1@1000 lift M:blue", "1@2500 place 14300,12000 point 180.0", "*@9000 bell")
    review = reviewed(drawing, *acts, players=3, pads=pads)
    assert review["icings"] == [
        {
            "piece": "p1",
            "kind": "L:red",
            "seat": RED,
            "act": 2,
            "start": 2500,
            "end": 9000,
            "by": GREEN,
            "attackers": [GREEN, BLUE],
            "points": [-3, 3, 2],
            "freed_by": None,
            "returned": [0, 0, 0],
            "over": [],
        }
    ]
    assert review["seats"][GREEN]["prisoners"] == 1


def test_an_icing_too_many() -> None:
    """Green's second attacker makes both redundant, until red captures it."""
    drawing = """
        red S 12000,12000 stand 0.0
        green S 1000,20000 stand 0.0
        green S 3000,20000 stand 0.0
        green M 10800,12000 point 0.0
    """
    acts = ("1@1000 lift L", "1@2000 place 13500,12000 point 180.0", "0@3500 capture p5", "*@9000 bell")
    review = reviewed(drawing, *acts)
    (icing,) = review["icings"]
    assert (icing["start"], icing["end"], icing["by"], icing["attackers"]) == (0, 9000, None, [GREEN])
    assert icing["points"] == [0, 2]
    assert icing["over"] == [{"start": 2000, "end": 3500}]
    assert review["captures"] == [{"act": 3, "at": 3500, "seat": RED, "piece": "p5", "kind": "L:green", "owner": GREEN}]
    assert review["seats"][RED]["taken"] == 1
    assert review["seats"][GREEN]["account"] == {**NOTHING, "stood": 2, "attacked": 5, "spoilt": -3}


def test_a_piece_is_freed_by_a_wall() -> None:
    review = reviewed(
        ICED.replace("9800,12000", "9600,12000"),
        *("0@1000 lift S", "0@2000 place 11200,12000 stand 0.0"),
        *("0@3000 lift S", "0@4000 place 20000,20000 stand 0.0", "*@9000 bell"),
    )
    first, wall = review["icings"]
    assert (first["piece"], first["freed_by"], first["end"], first["returned"]) == ("p1", RED, 2000, [2, 0])
    assert (wall["piece"], wall["by"], wall["attackers"], wall["points"]) == ("p5", RED, [GREEN], [0, 0])
    assert review["seats"][RED]["answer"] is None


def test_attacks_in_vain() -> None:
    """One is too weak, one has a wall of its own before it, and the third one hits."""
    drawing = """
        red L 12000,12000 stand 0.0
        red S 5000,5000 stand 0.0
        green S 1000,1000 stand 0.0
        green S 3000,1000 stand 0.0
        green L 9800,12000 point 0.0
        green L 3000,5000 point 0.0
    """
    acts = ("1@1000 lift S", "1@2000 place 4300,5000 stand 0.0", "1@3000 lift M")
    review = reviewed(drawing, *acts, "1@4000 place 5000,3700 point 90.0", "*@9000 bell")
    assert review["wasted"] == [
        {"piece": "p5", "kind": "L:green", "seat": GREEN, "by": None, "valid": True},
        {"piece": "p6", "kind": "L:green", "seat": GREEN, "by": None, "valid": False},
    ]
    green = review["seats"][GREEN]
    assert (green["placed"], green["attacks"], green["wasted"]) == (2, 1, 0)


# Calls

SEVEN_LEFT = {RED: "5S 2M"}
AWAY = ("0@4000 lift S", "0@5000 place 20000,20000 stand 0.0")
"""Red defends itself far away."""


def test_a_missed_call() -> None:
    review = reviewed(ICED, *AWAY, "*@9000 bell", pads=SEVEN_LEFT)
    assert review["chances"] == [{"seat": RED, "start": 0, "end": 5000, "callers": [GREEN], "found_by": None}]
    assert review["seats"][RED]["open"] == 5000


def test_a_chance_that_is_taken() -> None:
    review = reviewed(ICED, "1@2300 icehouse", "*@9000 bell", pads=SEVEN_LEFT)
    assert review["chances"] == [{"seat": RED, "start": 0, "end": 2300, "callers": [GREEN], "found_by": GREEN}]
    (call,) = review["calls"]
    expected = {"act": 1, "at": 2300, "seat": GREEN, "verdict": "true", "found": [RED], "pieces": 7}
    assert call == {**expected, "waited": 2300}


def test_eight_pieces_are_safe_also_with_one_in_hand() -> None:
    """IH-21: the piece counts until it lies on the field."""
    review = reviewed(ICED, "0@1000 lift S", "*@9000 bell", pads={RED: "5S 3M"})
    assert review["chances"] == []


def test_a_debt_that_time_settles_opens_a_seat_to_a_call() -> None:
    """IH-24: ten seconds after its false call red has given a piece, and only seven are left."""
    acts = ("0@2000 icehouse", "1@30000 lift L", "*@40000 bell")
    review = reviewed(ICED, *acts, pads={RED: "5S 3M"})
    assert review["chances"] == [{"seat": RED, "start": 12001, "end": 40000, "callers": [GREEN], "found_by": None}]
    assert [(call["verdict"], call["found"], call["waited"]) for call in review["calls"]] == [("false", [], None)]
    assert review["seats"][RED]["given"] == 1


def test_a_debtor_can_not_call() -> None:
    """IH-24: green, the only one who could call, has crashed, and owes a piece until it gives one."""
    acts = ("1@1000 lift M", "1@2000 place 1100,1000 stand 0.0", "1@6000 give M red")
    review = reviewed(ICED, *acts, "*@9000 bell", pads={RED: "4S 2M"})
    assert [(one["start"], one["end"]) for one in review["chances"]] == [(0, 2000), (6000, 9000)]
    assert review["crashes"] == [{"act": 2, "at": 2000, "seat": GREEN, "kind": "M:green"}]
    assert (review["seats"][GREEN]["crashes"], review["seats"][GREEN]["given"]) == (1, 1)


def test_a_moment_without_time_is_no_chance() -> None:
    review = reviewed(ICED, "0@1000 lift S", "0@1000 place 20000,20000 stand 0.0", "*@9000 bell", pads={RED: "5S 3M"})
    assert review["chances"] == []
    drawing = FREE.replace("red M", "red L")
    acts = ("1@1000 lift M", f"1@1000 {AT_RED}", "1@1000 lift L", "1@1000 place 14200,12000 point 180.0")
    review = reviewed(drawing, *acts, "1@1000 icehouse", "*@9000 bell", pads=SEVEN_LEFT)
    assert [(one["start"], one["end"], one["found_by"]) for one in review["chances"]] == [(1000, 1000, GREEN)]
    assert [call["waited"] for call in review["calls"]] == [0]
    assert review["dangers"] == []


def test_while_calls_are_void_none_is_missed() -> None:
    """IH-20: after a false call for nothing green's calls are void for ten seconds."""
    acts = ("1@1000 icehouse", "0@2000 lift S", "0@3000 place 1000,2200 point 270.0", "1@4000 icehouse")
    review = reviewed(ICED, *acts, "*@20000 bell", pads={RED: "5S 3M"}, false_call="free")
    assert [call["verdict"] for call in review["calls"]] == ["false", "void"]
    assert review["chances"] == [{"seat": RED, "start": 11001, "end": 20000, "callers": [GREEN], "found_by": None}]
    assert review["seats"][RED]["open"] == 17000


def test_a_pause_of_no_length_lasts_a_millisecond() -> None:
    """IH-20."""
    acts = ("1@1000 icehouse", "0@1000 lift S", "0@1000 place 1000,2200 point 270.0")
    review = reviewed(ICED, *acts, "*@9000 bell", pads={RED: "5S 3M"}, false_call="free", call_pause=0)
    assert [(one["start"], one["end"]) for one in review["chances"]] == [(1001, 9000)]


def test_nobody_calls_where_the_call_would_find_the_caller() -> None:
    review = reviewed(ICED, "*@9000 bell", pads={RED: "5S", GREEN: "5M"})
    assert [one["seat"] for one in review["chances"]] == [RED]
    both = ICED.replace("green S 1000,1000 stand 0.0\n", "").replace("green S 3000,1000 stand 0.0", "")
    review = reviewed(both, "*@9000 bell", pads={RED: "5S", GREEN: "5M"})
    assert review["chances"] == []
    assert [seat["open"] for seat in review["seats"]] == [9000, 9000]


def test_calls_of_meltdown() -> None:
    drawing = """
        red S 12000,12000 stand 0.0
        green M 10800,12000 point 0.0
    """
    review = reviewed(drawing, "0@1000 meltdown green", "0@2000 meltdown red", "*@9000 bell")
    assert review["meltdowns"] == [
        {"act": 1, "at": 1000, "seat": RED, "colour": GREEN, "pieces": ["p2"]},
        {"act": 2, "at": 2000, "seat": RED, "colour": RED, "pieces": []},
    ]
    assert review["icings"][0]["freed_by"] == RED


# Danger


def test_a_defender_that_is_attacked_is_in_danger() -> None:
    """Red's large one needs one point more. From 3000 on green has nothing left."""
    drawing = """
        red L 12000,12000 stand 0.0
        red S 3000,12000 stand 0.0
        green S 1000,1000 stand 0.0
        green S 3000,1000 stand 0.0
    """
    acts = ("1@1000 lift L", f"1@2000 {AT_RED}", "1@2500 lift S", "1@3000 place 20000,20000 stand 0.0")
    review = reviewed(drawing, *acts, "*@9000 bell", pads={RED: "4S", GREEN: "1S 1L"})
    expected = {"piece": "p1", "kind": "L:red", "seat": RED, "start": 2000, "end": 3000, "by": [GREEN]}
    assert review["dangers"] == [{**expected, "last": False, "iced": False}]
    assert review["seats"][RED]["endangered"] == 1000


def test_times_of_danger_that_overlap_count_once() -> None:
    drawing = """
        red L 12000,12000 stand 0.0
        red L 12000,16000 stand 0.0
        green S 1000,1000 stand 0.0
        green S 3000,1000 stand 0.0
    """
    acts = ("1@1000 lift L", f"1@2000 {AT_RED}", "1@3000 lift L", "1@5000 place 9800,16000 point 0.0")
    review = reviewed(drawing, *acts, "*@9000 bell")
    assert [(one["piece"], one["start"], one["end"]) for one in review["dangers"]] == [
        ("p1", 2000, 9000),
        ("p2", 5000, 9000),
    ]
    assert review["seats"][RED]["endangered"] == 7000


@pytest.mark.parametrize(("left", "expected"), [("5S 3M", []), ("5S 2M", [(0, 2000, True, True)])])
def test_the_last_defender_is_in_danger_before_it_is_attacked(left: str, expected: list[Any]) -> None:
    """Not with eight pieces on the pad: then no call finds its player (IH-21)."""
    review = reviewed(FREE, "1@1000 lift L", f"1@2000 {AT_RED}", "*@9000 bell", pads={RED: left, GREEN: "1L"})
    told = [(one["start"], one["end"], one["last"], one["iced"]) for one in review["dangers"] if one["seat"] == RED]
    assert told == expected


def test_too_small_a_piece_and_one_of_its_own_colour_are_no_danger() -> None:
    for pads in ({RED: "5S", GREEN: "5M"}, {RED: "5S", GREEN: "5L"}, {RED: "2S", GREEN: "1L:red"}):
        review = reviewed(FREE, "*@9000 bell", pads=pads)
        assert [one["seat"] for one in review["dangers"]] == [RED] * (pads[GREEN] == "5L")


@pytest.mark.parametrize(("meltdown", "expected"), [("call", 1), ("prevent", 0)])
def test_an_attack_that_would_come_too_early_is_no_danger(meltdown: str, expected: int) -> None:
    """IH-13."""
    drawing = "red M 12000,12000 stand 0.0\ngreen S 1000,1000 stand 0.0"
    review = reviewed(drawing, "*@9000 bell", pads={RED: "5S", GREEN: "4S 5M 4L"}, meltdown=meltdown)
    assert len(review["dangers"]) == expected


# Hands


def test_the_pace_of_hands() -> None:
    """Green acts after 1, 1 and 4 seconds; red answers 3 seconds after it was hit, with the second of its acts."""
    acts = (
        *("1@1000 lift L", f"1@2000 {AT_RED}", "0@4000 lift S"),
        *("0@5000 place 20000,20000 stand 0.0", "1@6000 lift S", "*@9000 bell"),
    )
    red, green = reviewed(FREE, *acts)["seats"]
    assert (green["acts"], green["pause"], green["longest_pause"], green["answer"]) == (3, 2000, 4000, None)
    assert (green["quickest"], red["quickest"]) == (None, None)
    assert (red["acts"], red["pause"], red["longest_pause"], red["answer"]) == (2, 2500, 4000, 3000)


# Whole games


def test_sums_are_consistent() -> None:
    for state in whole_games():
        review, scores = state.game.review(state), list(state.scores)
        assert review["course"][-1]["scores"] == scores == [seat["score"] for seat in review["seats"]]
        assert [sum(seat["account"].values()) for seat in review["seats"]] == scores  # type: ignore[arg-type]
        assert [sum(won) for won in zip(*(one["points"] for one in review["changes"]), strict=True)] == scores
        made = [one.seat for one in state.history() if one.act not in (None, "ready")]
        assert [seat["acts"] for seat in review["seats"]] == [made.count(seat) for seat in range(len(scores))]
        over = [span for icing in review["icings"] for span in icing["over"]]
        assert all(any(span["start"] <= one["at"] <= span["end"] for span in over) for one in review["captures"])
        found = {seat for call in review["calls"] for seat in call["found"]}
        assert {seat for seat, told in enumerate(review["seats"]) if told["account"]["icehouse"]} <= found


def test_a_review_is_json_and_the_same_again() -> None:
    for state in whole_games():
        review = state.game.review(state)
        assert json.loads(json.dumps(review)) == review
        assert state.game.review(state.game.replay(state.record())) == review


# Text


CALLED = ("1@1000 lift L", f"1@2000 {AT_RED}", "1@83000 icehouse", "*@90000 bell")


def test_sentences_of_a_review() -> None:
    """Players are named by their seats, so that the page can say "you"."""
    page = load(players=2).review_page(reviewed(FREE, *CALLED, pads={RED: "5S 2M", GREEN: "1L"}))
    assert page["summary"] == "{1} won after 1:30 of play. The bell ended it."
    assert (page["length"], page["bell"], len(page["course"])) == (90_000, True, 5)
    assert {
        chapter["title"]: [item["text"].replace(NBSP, " ") for item in chapter["items"]] for chapter in page["chapters"]
    } == {
        "Who iced what": ["{1} iced {0's} medium: -2 for {0}, +3 for {1}. It stayed iced."],
        "Calls, prisoners and crashes": [
            "{1} called Icehouse and caught {0}, 81 s after the first chance: 7 pieces won."
        ],
        "Missed calls": [],
        "Pieces in danger": [
            "{1} could have iced {0's} medium, the only one that stood free, for 2.0 s, and then it was iced."
        ],
    }
    assert [(mark["lane"], mark["at"], mark["seat"], mark["vain"]) for mark in page["marks"]] == [
        ("iced", 2000, GREEN, False),
        ("calls", 83_000, GREEN, False),
    ]


CALL = {"act": 1, "at": 0, "seat": 0, "found": [], "pieces": 0, "waited": None}
ICING = {"piece": "p1", "kind": "L:red", "seat": 0, "act": 1, "start": 0, "end": 70_000, "points": [0, 0]}
SPAN = {"seat": 0, "start": 0, "end": 30_000}
DANGER = {**SPAN, "piece": "p1", "kind": "L:red", "last": False, "iced": False}


@pytest.mark.parametrize(
    ("part", "fact", "text"),
    [
        ("icings", {**ICING, "by": 1, "freed_by": 0}, "{1} iced {0's} large. {0} freed it at 1:10."),
        ("icings", {**ICING, "by": 0, "freed_by": None}, "{0} iced {0's own} large. It stayed iced."),
        (
            "icings",
            {**ICING, "by": None, "freed_by": None, "points": [-3, 2]},
            "{0's} large was iced from the start: -3 for {0}, +2 for {1}. It stayed iced.",
        ),
        ("calls", {**CALL, "verdict": "false"}, "{0} called Icehouse in vain."),
        ("calls", {**CALL, "verdict": "void"}, "{0} called Icehouse, which did not count."),
        (
            "calls",
            {**CALL, "verdict": "true", "found": [1, 2], "pieces": 1},
            "{0} called Icehouse and caught {1} and {2}: 1 piece won.",
        ),
        ("meltdowns", {**CALL, "colour": 1, "pieces": ["p1", "p2"]}, "{0} called meltdown on {1}: 2 pieces went back."),
        ("meltdowns", {**CALL, "colour": 1, "pieces": []}, "{0} called meltdown on {1} in vain."),
        ("captures", {**CALL, "kind": "S:red"}, "{0} took a prisoner: a small red."),
        ("crashes", {**CALL, "kind": "M:red"}, "{0} crashed with a medium red."),
        (
            "chances",
            {**SPAN, "callers": [1, 2], "found_by": None},
            "{0} could have been caught for 30 s, by {1} or {2}.",
        ),
        ("dangers", {**DANGER, "by": [1]}, "{1} could have iced {0's} large, already under attack, for 30 s."),
    ],
)
def test_each_moment_in_a_sentence(part: str, fact: dict[str, Any], text: str) -> None:
    parts = ("icings", "dangers", "chances", "calls", "meltdowns", "captures", "crashes")
    review = {**reviewed(FREE, "*@90000 bell"), **{name: [] for name in parts}, part: [fact]}
    items = [item for chapter in load(players=2).review_page(review)["chapters"] for item in chapter["items"]]
    assert [item["text"].replace(NBSP, " ") for item in items] == [text]


def test_the_longest_chances_come_first_and_lead_to_the_act_before() -> None:
    review = reviewed(FREE, "1@1000 lift L", "*@90000 bell")
    chances = [
        {**SPAN, "start": start, "end": end, "callers": [1], "found_by": None}
        for start, end in ((0, 9), (2000, 50_000))
    ]
    page = load(players=2).review_page({**review, "chances": chances})
    assert [(item["act"], item["at"]) for item in page["chapters"][2]["items"]] == [(1, 2000), (0, 0)]


def test_figures_of_each_seat() -> None:
    page = load(players=2).review_page(reviewed(FREE, *CALLED, pads={RED: "5S 2M", GREEN: "1L"}))
    figures = {row["name"]: row["figures"] for table in page["tables"] for row in table["rows"]}
    assert figures["Iced"] == ["-2", "0"]
    assert figures["Score"] == [str(score) for score in page["course"][-1]["scores"]]
    assert figures["Longest pause"] == ["–", f"81{NBSP}s"]
    assert figures["In danger"] == [f"2.0{NBSP}s", f"0.0{NBSP}s"]
    assert [row["name"] for table in page["tables"] for row in table["rows"] if row["sum"]] == ["Score"]


def test_the_text_of_a_review() -> None:
    text = load(players=2).review_lines(reviewed(FREE, *CALLED, pads={RED: "5S 2M", GREEN: "1L"}))
    assert text[0] == "green won after 1:30 of play. The bell ended it."
    assert "  0:02  green iced red's medium: -2 for red, +3 for green. It stayed iced." in text
    assert "  1:23  green called Icehouse and caught red, 81 s after the first chance: 7" in text
    assert "  Iced                  -2       0" in text
    assert "Missed calls" not in text


def test_text_fits_a_terminal_and_names_seats_in_their_colours() -> None:
    for state in whole_games():
        review = state.game.review(state)
        plain = state.game.review_lines(review)
        assert max(map(len, plain)) <= LINE_WIDTH
        painted = state.game.review_lines(review, lambda text, seat: f"<{seat}>{text}")
        assert any("<1>green" in line for line in painted)
        assert [re.sub("<.>", "", line) for line in painted] == plain


# What is no game to review


def test_a_game_is_reviewed_when_it_is_over() -> None:
    game, other = (load(players=players) for players in (2, 3))
    with pytest.raises(GameError, match="when it is over"):
        game.review(game.start())
    with pytest.raises(GameError, match="of this game"):
        other.review(game.start())


def test_a_game_that_a_seat_resigned_ends_at_that_moment() -> None:
    """Everything that held ends with the game: a call finds nobody any more, and the scores are those of the end."""
    state = state_of(Oracle.laid(ICED, players=2, pads=SEVEN_LEFT)).apply("lift S", GREEN, 1.0)
    ended = Ended("resign", (GREEN,), 7000)
    review = state.game.review(state, ended)
    assert (review["ended"], review["ended_by"], review["winners"]) == (7000, "resign", [GREEN])
    assert [one["at"] for one in review["course"]] == [0, 1000]
    assert [(one["seat"], one["start"], one["end"]) for one in review["chances"]] == [(RED, 0, 7000)]
    assert [icing["end"] for icing in review["icings"]] == [7000]
    assert state.game.review_lines(review)[0] == "green won after 0:07 of play. It ended as a player resigned."
    over = state.apply("bell", CHANCE, 9.0)
    assert over.game.review(over, ended) == over.game.review(over)
    with pytest.raises(GameError, match="play had not begun"):
        load(players=2).review(load(players=2).start(), ended)


def test_both_modes_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(players=3, timer=60.0)
    state = game.random_game(np.random.default_rng(4))
    fast = json.dumps(game.review(state))
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    assert json.dumps(game.review(game.replay(state.record()))) == fast
