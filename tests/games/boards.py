"""Drawn boards: how they are read and drawn, and the folders that are full of them.

A board is drawn as it lies on the table, the far side first, one token a space. What a token says is a matter of each
game; everywhere `.` is an empty space, and an x at the end marks a space that a test expects, as a destination.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it import MarkdownIt

from icetable.games import info

SOME = 100
"""How many texts are judged on a board."""
HEAD = re.compile(
    r"(?P<act>\S+) (?P<verb>goes to x|changes with x|are \?|gives(?: (?P<told>\d.*?\d))?)(?P<words>(?: +\w+=\S+)*)"
)


def code_blocks(name: str) -> list[str]:
    """The code blocks of a game's rules for players."""
    tokens = MarkdownIt().parse(info(name).rules())
    return [token.content.strip("\n") for token in tokens if token.type == "fence"]


def drawings(name: str) -> list[list[str]]:
    """The first line of every code block, which says what it shows, and the drawings beneath."""
    return [block.split("\n\n") for block in code_blocks(name)]


@dataclass(frozen=True)
class Sheet:
    """The format of drawings of a board: the names of its spaces by row, the far row first, and its tokens."""

    rows: Sequence[Sequence[str]]
    token: re.Pattern[str]
    shape: str
    """The error about a drawing with other rows."""
    meaning: str
    """The error about another token."""
    blocked: Collection[str] = ()
    """The places that are no spaces of the board, drawn as #."""

    def read(self, drawing: str) -> dict[str, str]:
        """The token of every space, without any check of what stands there; ValueError for what is no such drawing."""
        lines = [line.split() for line in drawing.splitlines() if line.strip()]
        if [len(line) for line in lines] != [len(row) for row in self.rows]:
            raise ValueError(self.shape)
        found = {
            name: token
            for row, line in zip(self.rows, lines, strict=True)
            for name, token in zip(row, line, strict=True)
        }
        for name, token in found.items():
            if not self.token.fullmatch(token) or (token == "#") != (name in self.blocked):
                raise ValueError(f"{token}: {self.meaning}")
        return {name: token for name, token in found.items() if name not in self.blocked}

    def marked(self, drawing: str) -> set[str]:
        """The spaces that are marked with an x."""
        return {name for name, token in self.read(drawing).items() if token.endswith("x")}

    def draw(self, tokens: Mapping[str, str]) -> str:
        """The drawing of a board with these tokens; a space with none or an empty one is drawn as '.'."""
        width = max([1, *map(len, tokens.values())]) + 1
        drawn = [["#" if name in self.blocked else tokens.get(name) or "." for name in row] for row in self.rows]
        return "\n".join("".join(token.ljust(width) for token in row).rstrip() for row in drawn)


class Board(NamedTuple):
    """A drawn board with what the rule text gives, worked out by hand.

    Where `verb` is "gives", `act` is a whole act, `told` what the line says that comes of it, and `after` the drawing
    to which it leads, or what follows the sign `=>` instead. Else the drawing marks the spaces that `act`, the
    beginning of an act, can be ended with, or what the line calls `act`.
    """

    rule: str
    title: str
    act: str
    verb: str
    told: str
    settings: dict[str, Any]
    drawing: str
    after: str

    def some(self, texts: Iterable[str]) -> list[str]:
        """A few texts to be judged on a board, others on each."""
        return random.Random(self.title).sample([*texts], SOME)


def read_boards(folder: Path) -> list[Board]:
    """The boards in a folder: a file for each rule, boards parted by empty lines.

    A board is a line that says what it shows; a line such as `e3 goes to x`, `~d1 changes with x`, `d1-d3 gives` or
    `hidden are ?`, which may go on with settings; and the drawing, after `gives` also `=>` and what comes of it.
    """
    boards = []
    for file in sorted(folder.glob("*.txt")):
        for block in file.read_text(encoding="utf-8").strip().split("\n\n"):
            title, head, drawing = block.lstrip("\n").split("\n", 2)
            found = HEAD.fullmatch(head)
            if not found:
                raise ValueError(f"{file.name}: {head}")
            before, _, after = drawing.partition("=>")
            verb, told = found["verb"].split(" ")[0], found["told"] or ""
            boards.append(Board(file.stem, title, found["act"], verb, told, settings(found["words"]), before, after))
    return boards


def settings(words: str) -> dict[str, Any]:
    """Settings such as `players=3 leap=true fallen=0F,1S`: numbers, truths, and words parted by commas."""
    found: dict[str, Any] = dict(word.split("=") for word in words.split())
    truths = {"true": True, "false": False}
    return {
        name: int(value) if value.isdecimal() else truths.get(value, value.replace(",", " "))
        for name, value in found.items()
    }


def each_board(boards: Sequence[Board]) -> pytest.MarkDecorator:
    """A test of each board, marked with its rule."""
    cases = [
        pytest.param(board, marks=pytest.mark.rule(board.rule), id=f"{board.rule} {board.title}") for board in boards
    ]
    return pytest.mark.parametrize("board", cases)
