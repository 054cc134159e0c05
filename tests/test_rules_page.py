"""The rules for players: every rule has one paragraph, and what is drawn is true.

A drawing says in its first line what it shows, and is then put on a board and tried.
"""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

import icetable
from icetable import GameInfo
from icetable.workshop.boards import ROW_HEIGHT
from tests.games.boards import drawings
from tests.games.icefrogs.drawings import SIZES, Frogs, drawn, sheet
from tests.games.icefrogs.test_boards import ROWS

RULES = {"highrise": 10, "icefrogs": 18, "icehouse": 36, "squad": 16, "wrecktangle": 18}
"""How many rules the spec of each game has."""

SIZE_WORDS = {"small": "S", "medium": "M", "large": "L"}
BOARD = re.compile(r"The (star|hexagon)\.")
FAN = re.compile(r"Seat (\d) (?:brings in a (small|medium|large) pyramid|moves from (\w+))\.")
PLAY = re.compile(
    r"Seat (?P<seat>\d) plays (?P<act>\S+): (?P<path>[\w, ]+)\.(?P<wins> Seat \d wins\.)?"
    r"(?: Then seat \d may not play (?P<refused>\S+) \((?P<rule>IF-\d+)\)\.)?"
)

each_game = pytest.mark.parametrize("game", icetable.list_games(), ids=lambda game: game.name)


def page(game: GameInfo) -> str:
    """The rules of a game for players."""
    return game.rules()


def anchors(text: str) -> list[str]:
    """The rule ids that begin a paragraph or a list item, in order."""
    texts = [token.content for token in MarkdownIt().parse(text) if token.type == "inline"]
    return [found[1] for text in texts if (found := re.match(r"\*\*([A-Z]+-\d+)\*\*", text))]


def stacks_drawn(drawing: str) -> dict[str, str]:
    return {space: token for space, token in sheet("star").read(drawing).items() if token != "."}


def stacks_of(position: Frogs) -> dict[str, str]:
    return {space: "".join(stack) for space, stack in position.entry("stacks").items()}


@each_game
def test_every_rule_has_one_paragraph(game: GameInfo) -> None:
    assert anchors(page(game)) == [f"{game.rule_prefix}-{number}" for number in range(1, RULES[game.name] + 1)]


@each_game
def test_rules_that_the_game_cites_are_on_the_page(game: GameInfo) -> None:
    cited = {option.rule for option in (game.players_option, *game.options)} | {game.turn_rule}
    assert cited <= set(anchors(page(game)))


@each_game
def test_no_rule_is_spoken_of_that_is_not_there(game: GameInfo) -> None:
    text = page(game)
    assert set(re.findall(rf"\b{game.rule_prefix}-\d+", text)) == set(anchors(text))


@each_game
def test_every_option_is_explained_with_its_default(game: GameInfo) -> None:
    items = re.findall(r"^- `(\w+)`, (.*?)(?=^- |\Z|^#)", page(game), re.MULTILINE | re.DOTALL)
    explained = dict(items)
    for option in (game.players_option, *game.options):
        assert option.default is None or str(option.default) in explained[option.name]
        assert all(f"`{choice}`" in explained[option.name] for choice in option.choices)
        assert option.rule in explained[option.name] or option.name == "players"


def test_every_drawing_of_icefrogs_is_true() -> None:
    heads = [check(*drawing) for drawing in drawings("icefrogs")]
    assert heads.count("board") == 2
    assert heads.count("fan") >= 5
    assert heads.count("play") >= 3


def check(head: str, *pictures: str) -> str:
    """Try what a drawing says, and tell what kind it is."""
    if found := BOARD.fullmatch(head):
        check_board(found[1], *pictures)
        return "board"
    if found := FAN.fullmatch(head):
        source = f"{SIZE_WORDS[found[2]]}@" if found[2] else f"{found[3]}-"
        check_fan(int(found[1]), source, *pictures)
        return "fan"
    found = PLAY.fullmatch(head)
    assert found is not None, f"the test does not understand {head!r}"
    check_play(found.groupdict(), *pictures)
    return "play"


def check_board(board: str, picture: str) -> None:
    """The names stand in the drawing where the spaces lie on the board."""
    spaces = icetable.load("icefrogs", board=board).layout()["spaces"]
    rows = picture.splitlines()
    assert tuple(len(row.split()) for row in reversed(rows)) == ROWS[board]
    step = 3
    for space in spaces:
        column = round(step * (2 * space["x"] + max(ROWS[board]) - 1))
        assert rows[len(rows) - 1 - round(space["y"] / ROW_HEIGHT)][column:].startswith(space["name"])


def check_fan(seat: int, source: str, picture: str) -> None:
    """The marked spaces are where the act may end, no more and no less."""
    legal = drawn(picture, seat=seat).legal()
    marked = sheet("star").marked(picture)
    assert {act.removeprefix(source) for act in legal if act.startswith(source)} == marked, picture
    assert source[0] in SIZES or stacks_drawn(picture)[source[:-1]][-2] == str(seat)


def check_play(said: dict[str, str | None], before: str, after: str) -> None:
    """The act leads from one drawing to the other, by that way, and to that end."""
    position = drawn(before, seat=int(said["seat"] or 0)).apply(said["act"] or "")
    state = position.state
    assert stacks_of(position) == stacks_drawn(after)
    assert ", ".join(state.effects[0].spaces) == said["path"]
    assert state.ended_by == ("IF-16" if said["wins"] else None)
    if said["refused"] is not None:
        fault = state.fault(said["refused"])
        assert fault is not None
        assert fault.rule == said["rule"]


def test_the_checks_of_drawings_can_fail() -> None:
    empty = "\n".join(" ".join("." * length) for length in reversed(ROWS["star"]))
    with pytest.raises(AssertionError):
        check("Seat 0 brings in a medium pyramid.", empty)
    with pytest.raises(AssertionError):
        check("Seat 0 jumps about.", empty)
