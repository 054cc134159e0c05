"""Layouts, views and effects of the workshop's games are of the types that `view` declares."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any, NotRequired, get_origin, get_type_hints

import pytest

import icetable
from icetable import workshop
from icetable.workshop import Board, Game, Pyramid, Table, Token, hexagons, info_of, load_file, ring, squares, star
from icetable.workshop.boards import headings_of
from icetable.workshop.drawing import piece_of
from icetable.workshop.look import Look
from icetable.workshop.view import Layout, View

EXAMPLES = sorted((Path(workshop.__file__).parent / "examples").glob("[!_]*.py"))
IN_ALL_VIEWS = {"game", "seat", "to_act", "over", "ended_by", "winners", "scores"}


class Zones(Game):
    """Two zones and a middle.

    **ZO-1** Players take turns and pass.
    """

    def board(self) -> Board:
        return squares(2, 3, zones={0: [1], 1: [3], 7: [2]}, coloured={"a2": "blue"})

    def start(self, table: Table) -> None:
        table.put(Pyramid("L", 1, "n"), "a1")
        table.put(Token("stone", "black"), "a1")

    def acts(self, table: Table) -> list[str]:
        return ["pass"]

    def play(self, table: Table, act: str) -> None:
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "ZO-1" if table.turn == 9 else None


def required(kind: Any) -> set[str]:
    """The entries that every layout or view has; the others are parts that a game asks for."""
    hints = get_type_hints(kind, include_extras=True)
    return {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}


@pytest.mark.parametrize("game", [*EXAMPLES, Zones], ids=lambda game: getattr(game, "stem", None))
def test_layouts_and_views_have_what_is_declared(game: Any) -> None:
    played = (load_file(game) if isinstance(game, Path) else info_of(game)).load(None)
    layout, view = played.layout(), played.start().view()
    assert required(Layout) <= set(layout) <= set(Layout.__annotations__)
    assert required(View) <= set(view) - IN_ALL_VIEWS <= set(View.__annotations__)
    texts = [*(piece for stack in view["stacks"].values() for piece in stack), *chain(*view.get("pads", ()))]
    assert all(piece_of(text, list(layout["kinds"])) for text in texts)


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        (Pyramid("L", 0), "0J"),
        (Pyramid("M", "red", "ne"), "redS>ne"),
        (Pyramid("S", "gold", "on"), "(gold)F>on"),
        (Pyramid("S", "cyan"), "1F:cyan"),
        (Token("C3", 1), "1C3"),
        (Token("hidden", "grey"), "greyhidden"),
        (Token("stone", "rose red"), "(rose red)stone"),
        (Token("x:y", "red"), "redx:y"),
        (Token("7", 7), "77"),
    ],
)
def test_the_text_of_a_piece_can_be_read(piece: Pyramid | Token, text: str) -> None:
    look = Look("FSJ", colours=(("red",), ("cyan",)) if text == "1F:cyan" else ())
    assert look.text_of(piece) == text
    name = "FSJ"["SML".index(piece.size)] if isinstance(piece, Pyramid) else piece.name
    heading = {"heading": piece.heading} if isinstance(piece, Pyramid) and piece.heading else {}
    assert piece_of(text, "FSJ") == {"kind": name, "colour": piece.colour, **heading}


def test_values_that_are_not_shown_are_in_no_view() -> None:
    class Counting(Zones):
        """Zones, counted."""

        name, look = "counting", Look(facts=("seen", "_secret"))

        def start(self, table: Table) -> None:
            table.seen, table.unseen, table._secret = 1, 2, 3

    assert icetable.load(Counting).start().view()["own"] == {"seen": 1}


def test_layouts_tell_what_there_can_be_beside_the_board() -> None:
    found = {file.stem: load_file(file).load(None).layout()["beside"] for file in EXAMPLES}
    assert found == {
        **dict.fromkeys(("beacons", "canals", "carousel", "divers"), "pieces"),
        **dict.fromkeys(("bastions", "cairns"), "points"),
        "rockfall": "supplies",
        "first": "nothing",
        "honeycomb": "nothing",
    }


def test_views_tell_where_all_play_against_the_game() -> None:
    class Joined(Zones):
        """Zones, together."""

        name, cooperative = "joined", True

    assert [icetable.load(game).start().view().get("cooperative") for game in (Zones, Joined)] == [None, True]
    assert [info_of(game).cooperative for game in (Zones, Joined)] == [False, True]


def test_zones_keep_their_numbers_which_are_seats() -> None:
    spaces = {space["name"]: space for space in icetable.load(Zones).layout()["spaces"]}
    assert [spaces[name]["zone"] for name in ("b1", "b2", "b3")] == [0, 7, 1]
    assert [spaces[name]["colour"] for name in ("a2", "b2")] == ["blue", None]


def test_directions_have_angles() -> None:
    assert headings_of(squares(2, 2)) == {
        "n": 90.0,
        "e": 0.0,
        "s": -90.0,
        "w": 180.0,
        "ne": 45.0,
        "se": -45.0,
        "sw": -135.0,
        "nw": 135.0,
    }
    for board in (hexagons([2, 3, 2]), star()):
        assert headings_of(board) == {"e": 0.0, "ne": 60.0, "nw": 120.0, "w": 180.0, "sw": -120.0, "se": -60.0}


def test_on_a_ring_a_direction_differs_from_space_to_space() -> None:
    found = headings_of(ring(4))
    assert {name: found[f"on {name}"] for name in ("r1", "r2", "r3", "r4")} == {
        "r1": -45.0,
        "r2": -135.0,
        "r3": 135.0,
        "r4": 45.0,
    }


@pytest.mark.parametrize("board", [hexagons([1, 2]), star()], ids=["hexagons", "star"])
def test_neighbours_lie_one_step_apart(board: Board) -> None:
    height = 3**0.5 / 2 if board.shape == "hexagon" else 1
    for name, beside in board.neighbours.items():
        here = board.places[name]
        for there in (board.places[other] for other in beside):
            assert ((here.x - there.x) ** 2 + ((here.y - there.y) * height) ** 2) ** 0.5 == pytest.approx(1)
