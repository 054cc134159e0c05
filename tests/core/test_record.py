"""The game record: what is written, and what is wrong with it when it can't be read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from icetable import BadRecord, Game
from icetable.core.record import end_line
from tests.core import toy

RECORD = """\
icetable record 1
game toy
option players 2
option beans 3
option winner "last"
option noisy true
option weight 0.5
option names []
option depth null

* die:4
0 @2.500 take:1 # leaves heap 2
* @2.500 die:2
1 @61.007 take:2 # leaves heap 0
end TO-6 winners 1 scores 0 1
"""
HEAD, ACTS = RECORD.split("\n\n")
HEADS = "the head of a record has game, source, option, setup, nature and terms"


@pytest.fixture
def few(plain_mode: None) -> Game:
    """The toy with three beans."""
    return toy.INFO.load("few")


def test_written(few: Game) -> None:
    state = few.start().apply("die:4").apply("take:1", 0, 2.5).apply("die:2", at=2.5).apply("take:2", 1, at=61.0071)
    assert state.record() == RECORD


def test_replay(few: Game) -> None:
    state = few.replay(RECORD)
    assert state.winners == {1}
    assert [step.act for step in state.history()] == [None, "die:4", "take:1", "die:2", "take:2"]
    assert [step.seat for step in state.history()] == [None, -1, 0, -1, 1]
    assert [step.at for step in state.history()] == [None, None, 2500, 2500, 61007]
    assert state.record() == RECORD


def test_from_a_set_up(few: Game) -> None:
    state = few.from_saved(
        {"icetable": 1, "game": "toy", "options": few.options, "position": {"heap": 2, "seat": 1, "turn": 1}}
    )
    played = state.apply("die:5").apply("take:2")
    assert f"setup {state.to_json()}\n\n* die:5\n1 take:2 # leaves heap 0\nend TO-6" in played.record()
    assert few.replay(played.record()) == played


@pytest.mark.parametrize(
    "text",
    [
        RECORD.replace("\n", "\r\n"),
        RECORD.rstrip(),
        RECORD + "\n\n",
        RECORD.replace("\n0 ", "\n\n  0 "),
        RECORD.replace(" # leaves heap 2", ""),
        RECORD.replace("\n0 ", "\n# 1 take:9\n0 ") + "#\n # end TO-6 winners 0 scores 1 0\n",
        RECORD.replace("end TO-6 winners 1 scores 0 1\n", ""),
        RECORD.replace('option beans 3\noption winner "last"', 'option winner "last"\noption beans 3'),
    ],
    ids=[
        "windows",
        "no last newline",
        "empty lines",
        "spaces",
        "no effects",
        "remarks",
        "no end",
        "options in another order",
    ],
)
def test_read_all_the_same(few: Game, text: str) -> None:
    assert few.replay(text).record() == RECORD


@pytest.mark.parametrize("lines", range(5))
def test_unfinished(few: Game, lines: int) -> None:
    text = "\n".join([HEAD, "", *ACTS.split("\n")[:lines]])
    state = few.replay(text)
    assert len(list(state.history())) == lines + 1 - (lines == 5)
    assert few.replay(HEAD) == few.start()


def beginning(text: str) -> str:
    """A record that begins as it should and goes on with these lines."""
    return f"{HEAD}\n\n{text}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line of a record is 'icetable record 1'"),
        (RECORD.replace("record 1", "record 2"), "the first line of a record is 'icetable record 1'"),
        (HEAD.replace("game toy", "game other"), "this is a record of 'other', not of 'toy'"),
        (HEAD.replace("game toy\n", ""), "this is a record of '', not of 'toy'"),
        (HEAD.replace("beans 3", "beans 4"), "this is a record of a game with other options than"),
        (HEAD.replace("beans 3", "beans 3.0"), "this is a record of a game with other options than"),
        (HEAD.replace("option beans 3\n", ""), "this is a record of a game with other options than"),
        (HEAD + "\noption more 1\n", "this is a record of a game with other options than"),
        (HEAD.replace("beans 3", "beans"), "line 4: the value of 'beans' can't be read"),
        (HEAD.replace("beans 3", "beans [[["), "line 4: the value of 'beans' can't be read"),
        (HEAD.replace("beans 3", "beans " + "[" * 100_000), "line 4: the value of 'beans' can't be read"),
        (HEAD.replace("beans 3", "beans " + "9" * 5000), "line 4: the value of 'beans' can't be read"),
        (HEAD + "\noption beans 3\n", "line 10: 'beans' appears twice"),
        (HEAD + "\ngame toy\n", "line 10: 'game' appears twice"),
        (HEAD + "\nsetup {}\nsetup {}\n", "line 11: 'setup' appears twice"),
        (
            HEAD + "\nseats 2\n",
            f"line 10: {HEADS}, not 'seats'",
        ),
        (
            HEAD + "\n* die:4\n",
            f"line 10: {HEADS}, not '*'",
        ),
        (HEAD + "\nsetup\n", "a saved position is JSON, and this is not"),
        (HEAD + "\nsetup {}\n", "a saved position has the entries icetable, game, options and position"),
        (beginning("die:4"), "line 11: an act is written 'seat act', not 'die:4'"),
        (beginning("nature die:4"), "line 11: an act is written 'seat act', not 'nature die:4'"),
        (beginning("*"), "line 11: an act is written 'seat act', not '*'"),
        (beginning("-1 die:4"), "line 11: an act is written 'seat act', not '-1 die:4'"),
        (beginning("\u0660 die:4"), "line 11: an act is written 'seat act', not '\u0660 die:4'"),
        (beginning("** die:4"), "line 11: an act is written 'seat act', not '** die:4'"),
        (beginning("100 die:4"), "line 11: an act is written 'seat act', not '100 die:4'"),
        (beginning("* die:4 #"), "line 11: an act is written 'seat act', not '* die:4 #'"),
        (beginning("* die:4 # a # b"), "line 11: the record says that die:4 caused 'a # b', the rules say otherwise"),
        (beginning("* @1 die:4"), "line 11: acts look like die:3 or take:2"),
        (beginning("* @-1.000 die:4"), "line 11: acts look like die:3 or take:2"),
        (beginning("* @1.0000 die:4"), "line 11: acts look like die:3 or take:2"),
        (beginning("* @1e3 die:4"), "line 11: acts look like die:3 or take:2"),
        (beginning("* @2.000 die:4\n0 @1.999 take:1"), "line 12: time does not run back: 1.999"),
        (beginning("* roll:4"), "line 11: acts look like die:3 or take:2"),
        (beginning("* take:4"), "line 11: take:4 is refused by TO-4: That is not the order of things."),
        (beginning("* die:4\n0 take:5"), "line 12: take:5 is refused by TO-5: So many there are not."),
        (beginning("0 die:4"), "line 11: die:4 is refused by TO-3:"),
        (beginning("* die:4\n1 take:1"), "line 12: take:1 is refused by TO-3:"),
        (beginning("* die:4\n7 take:1"), "line 12: there is no seat 7;"),
        (beginning("* die:4\n\n\n0 take:9"), "line 14: take:9 is refused by TO-5:"),
        (
            beginning("* die:4\n0 take:1 # leaves heap 1"),
            "line 12: the record says that take:1 caused 'leaves heap 1', the rules say otherwise",
        ),
        (
            beginning("* die:4 # leaves heap 3"),
            "line 11: the record says that die:4 caused 'leaves heap 3', the rules say otherwise",
        ),
        (RECORD + "* die:4", "line 16: die:4 is refused by TO-6: The game is over."),
        (RECORD + "nonsense", "line 16: an act is written 'seat act', not 'nonsense'"),
        (
            beginning("end TO-6 winners 1 scores 0 1"),
            "line 11: the record says 'end TO-6 winners 1 scores 0 1', the rules say otherwise",
        ),
        (
            RECORD.replace("winners 1", "winners 0"),
            "line 15: the record says 'end TO-6 winners 0 scores 0 1', the rules",
        ),
        (
            RECORD.replace("scores 0 1", "scores 0 2"),
            "line 15: the record says 'end TO-6 winners 1 scores 0 2', the rules",
        ),
        (RECORD.replace("end TO-6", "end TO-5"), "line 15: the record says 'end TO-5 winners 1 scores 0 1', the rules"),
        (RECORD.replace("end TO-6", "End TO-6"), "line 15: an act is written"),
    ],
)
def test_malformed(few: Game, text: str, message: str) -> None:
    with pytest.raises(BadRecord) as error:
        few.replay(text)
    assert str(error.value).isprintable()
    assert str(error.value).startswith(message)


NO_TEXTS: list[Any] = [None, 1, b"icetable record 1", [], {}, object()]


@pytest.mark.parametrize("text", NO_TEXTS, ids=lambda text: type(text).__name__)
def test_no_text(few: Game, text: Any) -> None:
    with pytest.raises(BadRecord, match="a record is a text, not"):
        few.replay(text)
    with pytest.raises(BadRecord, match="a saved position is a text, not"):
        few.from_json(text)


def test_long_lines_are_shown_short(few: Game) -> None:
    with pytest.raises(BadRecord) as error:
        few.replay(beginning("x" * 10_000))
    assert len(str(error.value)) < 200


def test_end_that_nobody_wins() -> None:
    over: Any = SimpleNamespace(ended_by="TO-6", winners=frozenset(), scores=(0.5, 12.0))
    assert end_line(over) == "end TO-6 winners nobody scores 0.5 12"
