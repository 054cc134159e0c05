"""Whether stories and boards can fail: a line that is not so is noticed, and so is a drawing that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.boards import read_boards, settings
from tests.games.stories import Story, read_stories, tell
from tests.games.wrecktangle.drawings import SHEET, begin, start, tokens

OPENING = SHEET.draw(tokens(start()))


def told(*lines: str) -> None:
    """Tell a story of WreckTangle that goes on from its opening, where nothing can go toward its home row."""
    tell(Story((), "", OPENING, (("board", {"roll": "toward"}, lines),)), begin)


@pytest.mark.parametrize(
    ("so", "not_so"),
    [
        ("b1-b3 g1-g3 are legal", "b1-b3 b1-b4 are legal"),
        ("b1-b4 a1-a3 break WT-6", "b1-b4 b1-b3 break WT-6"),
        ("end breaks WT-5", "end breaks WT-9"),
        ("x breaks notation", "x breaks WT-6"),
        ("seat 0 to act", "seat 1 to act"),
        ("b1-b3", "b1-b4"),
        ("b1-b3; end", "b1-b3; b3-b5"),
        ("b1-b3 -> nothing", "b1-b3 -> turn 1"),
        ("b1-b3; end -> turn 1", "b1-b3; end -> turn 1, coin tails"),
        ("coin is heads", "coin is tails"),
        ("last is [[], []]", "last is [[]]"),
        ("scores 0 0", "scores 0 1"),
        ("as drawn", "over WT-18: winners 0 1, scores 1 1"),
        (
            "only b1-b3 g1-g3 c1-a3 c1-e3 f1-d3 f1-h3 d1-b3 d1-d3 d1-f3 e1-c3 e1-e3 e1-g3",
            "only b1-b3 g1-g3 c1-a3 c1-e3 f1-d3 f1-h3 d1-b3 d1-d3 d1-f3 e1-c3 e1-e3",
        ),
    ],
)
def test_a_line_that_is_not_so_is_noticed(so: str, not_so: str) -> None:
    told(so)
    with pytest.raises((AssertionError, ValueError)):
        told(not_so)


def test_the_drawing_differs_after_a_move() -> None:
    with pytest.raises(AssertionError):
        told("b1-b3", "as drawn")


def test_read(tmp_path: Path) -> None:
    """A story without a board has that of the story before; settings are numbers, truths and words."""
    file = tmp_path / "stories.txt"
    file.write_text(
        f"WT-1 WT-2 One.\n{OPENING}\nfrom the board, roll=away\nend\n\nWT-3 Two.\nfrom the start\nas drawn\n"
    )
    assert list(read_stories(file)) == [
        Story(("WT-1", "WT-2"), "One.", OPENING, (("board", {"roll": "away"}, ("end",)),)),
        Story(("WT-3",), "Two.", OPENING, (("start", {}, ("as drawn",)),)),
    ]
    assert settings("players=3 leap=true fallen=0F,1S pad_1=") == {
        "players": 3,
        "leap": True,
        "fallen": "0F 1S",
        "pad_1": "",
    }


def test_boards_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "WT-1.txt").write_text(f"A title.\nd1 flies to x\n{OPENING}\n")
    with pytest.raises(ValueError, match=r"WT-1\.txt: d1 flies to x"):
        read_boards(tmp_path)
    with pytest.raises(ValueError, match="8 rows of 8"):
        SHEET.read(OPENING.replace("0D", "", 1))
    for token in ("#", "2X", "D1"):
        with pytest.raises(ValueError, match=f"{token}: a token is"):
            SHEET.read(OPENING.replace("0D", token, 1))
    marked = OPENING.replace(".", "x", 1).replace("0D", "0Dx", 1)
    assert SHEET.marked(marked) == {"a7", "c1"}
