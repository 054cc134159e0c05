"""The drawings, for terminals and as SVG, tell the whole position, and tell it without colours."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import icetable
from icetable import State
from icetable.games.icehouse import geometry
from icetable.games.icehouse.game import IcehouseState

from .material import piece, set_ups

PIECE = re.compile(r"^  (\[)?(p\d+)\]? +([a-z]+) ([SML]) +(\d+),(\d+) (stand|point) (\d+\.\d) +(.*)$", re.MULTILINE)
SEAT = re.compile(r"^([> ]) seat (\d) ([a-z]+) +score +(\d+)  (.*(?:\n {17}.*)*)", re.MULTILINE)
LABEL = re.compile(r"(\[)?([→↗↑↖←↙↓↘])?([A-Z])(\d+)([SML])(\*)?([→↗↑↖←↙↓↘])?(\])?")
ARROWS = dict(zip("→↗↑↖←↙↓↘", range(0, 360, 45), strict=True))
SVG = "{http://www.w3.org/2000/svg}"


@functools.cache
def positions(players: int, **options: Any) -> tuple[State, ...]:
    """Some states of a random game, and the set-ups."""
    game = icetable.load("icehouse", players=players, **options)
    states = list(game.random_game(np.random.default_rng(players)).history())
    saved = json.loads(game.start().to_json())
    others = [game.from_json(json.dumps({**saved, "position": position})) for position in set_ups(game)]
    return (*states[::12], states[-1], *others)


def all_positions() -> Iterator[State]:
    for players in (2, 8):
        yield from positions(players)
    yield from positions(3, width=4.0, height=240.0, meltdown="prevent")
    yield from positions(2, width=240.0, height=4.0, length="height")


def touched_by(state: State) -> set[str]:
    return {space for effect in state.effects for space in effect.spaces}


def read_pieces(drawing: str) -> list[dict[str, Any]]:
    """The pieces of the list, in the words of a view."""
    found = []
    for _, name, colour, size, x, y, stance, heading, fate in PIECE.findall(drawing):
        standing = stance == "stand"
        at = re.fullmatch(r"at (\w+)(?:, (redundant|in vain))?", fate)
        assert fate in ("iced", "free") if standing else at is not None
        found.append(
            {
                "id": name,
                "colour": colour,
                "size": size,
                "x": int(x),
                "y": int(y),
                "heading": float(heading),
                "standing": standing,
                "points_at": None if at is None or at[1] == "nothing" else at[1],
                "valid": None if at is None else at[2] != "in vain",
                "iced": fate == "iced" if standing else None,
                "redundant": None if at is None else at[2] == "redundant",
            }
        )
    return found


def read_seats(drawing: str) -> dict[str, Any]:
    """The seats, in the words of a view."""
    told: dict[str, Any] = {"to_act": [], "scores": [], "pads": [], "hands": [], "owed": {}, "in_icehouse": []}
    for mark, seat, _, score, rest in SEAT.findall(drawing):
        pad, *others = " ".join(rest.split()).split("; ")
        told["to_act"] += [int(seat)] if mark == ">" else []
        told["scores"].append(int(score))
        groups = re.findall(r"([a-z]+)((?: \d[SML])+)", pad.removeprefix("pad "))
        told["pads"].append({colour: {one[1]: int(one[0]) for one in sizes.split()} for colour, sizes in groups})
        told["hands"].append(next((word[6:] for word in others if word.startswith("holds ")), None))
        for word in others:
            if word.startswith("owes "):
                told["owed"][seat] = None if word == "owes a piece" else word[5:]
        told["in_icehouse"] += [int(seat)] if "in the icehouse" in others else []
    return told


def test_the_lists_tell_the_whole_position() -> None:
    for state in all_positions():
        view = state.view()
        drawing = state.game.draw(view)
        assert read_pieces(drawing) == view["field"]
        told = read_seats(drawing)
        assert told.pop("to_act") == [seat for seat in view["to_act"] if seat >= 0]
        assert told == {name: view[name] for name in told}
        assert max(map(len, drawing.splitlines())) <= 78


def test_touched_pieces_are_marked() -> None:
    marked = 0
    for state in positions(4):
        drawing = state.game.draw(state.view(), touched_by(state))
        expected = touched_by(state) & {piece["id"] for piece in state.view()["field"]}
        assert {name for mark, name, *_ in PIECE.findall(drawing) if mark} == expected
        chart = drawing.partition("\n\n")[0]
        assert {f"p{label[4]}" for label in LABEL.finditer(chart) if label[1]} == expected
        marked += len(expected)
    assert marked > 5


@pytest.mark.parametrize("width", [8.0, 24.0])
def test_pieces_stand_where_they_lie(width: float) -> None:
    """Every letter that fills lies within a piece of its colour, every label is its piece's own and near it."""
    for state in positions(3, width=width, height=16.0):
        assert isinstance(state, IcehouseState)
        chart = state.game.draw(state.view()).partition("\n\n")[0].splitlines()[1:-1]
        across, up = 1000 * width / (len(chart[0]) - 2), 16_000 / len(chart)
        outlines = {f"p{row[geometry.FOOTPRINT_WORDS]}": geometry.corners_of(row) for row in state.field}
        seen = {one["id"]: one for one in state.view()["field"]}
        labels = []
        for number, line in enumerate(chart):
            y = (len(chart) - number - 0.5) * up
            for label in LABEL.finditer(line[1:-1]):
                _, left, colour, digits, size, iced, right, _ = label.groups()
                one = seen[f"p{digits}"]
                assert (colour, size, bool(iced)) == (one["colour"][0].upper(), one["size"], bool(one["iced"]))
                assert bool(left or right) == (not one["standing"])
                if not one["standing"]:
                    off = (ARROWS[left or right] - one["heading"] + 180) % 360 - 180
                    assert abs(off) <= 22.5
                assert abs((label.start() + label.end()) / 2 * across - one["x"]) <= 5 * across
                assert abs(y - one["y"]) <= 2 * up
                labels.append(one["id"])
            for column, letter in enumerate(re.sub(LABEL, lambda found: " " * len(found[0]), line[1:-1])):
                if letter != " ":
                    here = [name for name, outline in outlines.items() if lies_in(outline, (column + 0.5) * across, y)]
                    assert letter in {seen[name]["colour"][0] for name in here}
        assert len(set(labels)) == len(labels)
        assert len(labels) >= 0.9 * len(seen)


def lies_in(outline: list[tuple[int, int]], x: float, y: float) -> bool:
    """Whether an outline winds around a point, or nearly touches it."""
    angles = [math.atan2(corner[1] - y, corner[0] - x) for corner in outline]
    turns = [(after - before) % math.tau for before, after in zip(angles, angles[1:] + angles[:1], strict=True)]
    return max(turns) <= math.pi + 1e-6


def test_every_label_where_there_is_room() -> None:
    state = positions(4)[8]
    labels = LABEL.findall(state.game.draw(state.view()).partition("\n\n")[0])
    assert len(labels) == len(state.view()["field"]) > 10


def test_colours_only_repeat_what_the_letters_say() -> None:
    def paint(text: str, seat: int) -> str:
        return f"\x1b[{31 + seat}m{text}\x1b[0m"

    for state in positions(4):
        painted = state.game.draw(state.view(), touched_by(state), paint)
        assert "\x1b[31mseat 0 red\x1b[0m" in painted
        for code, letter in re.findall(r"\x1b\[(\d+)m[^\x1b]*?([RGBY])\d+[SML]", painted):
            assert int(code) - 31 == "RGBY".index(letter)
        assert re.sub("\x1b.*?m", "", painted) == state.game.draw(state.view(), touched_by(state))


# SVG


def drawn(state: State) -> ET.Element:
    """The drawing of a position, as a viewer reads it."""
    return ET.fromstring(state.game.svg(json.loads(json.dumps(state.view()))))


def points(polygon: ET.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in polygon.attrib["points"].split())]


def groups(root: ET.Element) -> dict[str, ET.Element]:
    """The drawing of each piece on the field."""
    return {group.attrib["id"]: group for group in root.iter(f"{SVG}g") if "id" in group.attrib}


def words(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_svg_shows_every_piece_where_it_lies() -> None:
    """The outline of every piece, the same scale for all, y upwards."""
    for state in all_positions():
        assert isinstance(state, IcehouseState)
        root = drawn(state)
        pieces = groups(root)
        assert list(pieces) == [one["id"] for one in state.view()["field"]]
        (ground,) = (box for box in root.iter(f"{SVG}rect") if box.attrib.get("class") == "field")
        left, top, width, height = (float(ground.attrib[name]) for name in ("x", "y", "width", "height"))
        scale = width / (1000 * float(state.game.options["width"]))
        assert height / (1000 * float(state.game.options["height"])) == pytest.approx(scale, rel=1e-3)
        for row in state.field:
            corners = [(left + x * scale, top + height - y * scale) for x, y in geometry.corners_of(row)]
            outlines = [
                points(polygon) for polygon in pieces[f"p{row[geometry.FOOTPRINT_WORDS]}"].iter(f"{SVG}polygon")
            ]
            assert any(same(outline, corners) for outline in outlines)


def same(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether two outlines are the same to a hundredth or two of a pixel."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(math.dist(*pair) < 0.03 for pair in pairs)


def test_svg_tells_how_pieces_fare_in_words() -> None:
    sizes = {"S": "small", "M": "medium", "L": "large"}
    seen = set()
    for state in all_positions():
        pieces = groups(drawn(state))
        for one in state.view()["field"]:
            (title,) = pieces[one["id"]].iter(f"{SVG}title")
            name, fate = (title.text or "").split(", ", 1)
            mark = "*" if one["iced"] else "+" if one["redundant"] else ""
            assert name == f"{one['id']}: {sizes[one['size']]} {one['colour']}"
            assert words(pieces[one["id"]]) == [f"{one['colour'][0].upper()}{one['id'][1:]}{mark}"]
            assert len(list(pieces[one["id"]].iter(f"{SVG}circle"))) == 1 + "SML".index(one["size"])
            assert ("iced" in fate, "redundant" in fate) == (bool(one["iced"]), bool(one["redundant"]))
            assert fate.startswith(f"attacks {one['points_at'] if one['valid'] else 'nothing'}") != one["standing"]
            seen.add(mark)
    assert seen == {"", "*", "+"}


def test_svg_draws_rays_to_where_they_end() -> None:
    """IH-10: an attack's line ends at its target, one in vain is dashed."""
    game = icetable.load("icehouse", players=2, width=8.0, height=4.0)
    acts = ("0 lift S", "0 place 5300,2000 stand 0.0", "1 lift M", "1 place 3000,2000 point 0.0")
    blocker = ("1 lift S", "1 place 4200,2000 stand 0.0")
    state: State = game.start().apply("ready", 0).apply("ready", 1)
    for line in acts:
        state = state.apply(line[2:], int(line[0]))
    left, scale = 24.0, 84.0
    field_left = left + (float(drawn(state).attrib["viewBox"].split()[2]) - 2 * left - 8 * scale) / 2
    ((end, dashed),) = rays(drawn(state))
    assert end == pytest.approx(field_left + 5.019 * scale, abs=0.02)
    assert not dashed
    for line in blocker:
        state = state.apply(line[2:], int(line[0]))
    assert state.view()["field"][1]["valid"] is False
    ((end, dashed),) = rays(drawn(state))
    assert end == pytest.approx(field_left + 3.919 * scale, abs=0.02)
    assert dashed


def rays(root: ET.Element) -> list[tuple[float, bool]]:
    """Where the rays end from left to right, and whether they are dashed."""
    own = {id(part) for group in root.iter(f"{SVG}g") for part in group.iter()}
    lines = [one for one in root.iter(f"{SVG}line") if id(one) not in own and one.attrib.get("class") != "inch"]
    return sorted({(float(one.attrib["x2"]), "stroke-dasharray" in one.attrib) for one in lines})


def test_svg_tells_scores_pads_hands_and_debts() -> None:
    for state in all_positions():
        view, told = state.view(), words(drawn(state))
        for seat, colour in enumerate(state.game.info.colours[: state.game.players]):
            begin = told.index(f"{colour[0].upper()} · seat {seat}, {colour}")
            news, score, *rest = told[begin + 1 : begin + 30]
            assert int(score) == view["scores"][seat]
            assert ("in the icehouse" in news) == (seat in view["in_icehouse"])
            assert ("owes " in news) == (str(seat) in view["owed"])
            assert news.endswith(f"holds {view['hands'][seat]}") == (view["hands"][seat] is not None)
            pad = view["pads"][seat]
            counts = [f"{count}{name[0].upper()}" for name, sizes in pad.items() for count in sizes.values()]
            expected = counts or ["The pad is empty."]
            assert rest[: len(expected)] == expected


def test_svg_says_how_it_stands() -> None:
    first, *_, last = icetable.load("icehouse").random_game(np.random.default_rng(1)).history()
    winners = " and ".join(last.game.info.colours[seat] for seat in sorted(last.winners))
    assert f"won by {winners} ({last.ended_by})" in words(drawn(last))
    assert "not everybody is ready" in words(drawn(first))
    nobody = {**last.view(), "winners": []}
    assert "won by nobody" in last.game.svg(nobody)


def test_svg_stands_alone_in_light_and_dark() -> None:
    text = positions(4)[5].game.svg(positions(4)[5].view())
    assert text.count("http") == 1
    for outside in ("href", "url(", "@import", "<script", "<image", "foreignObject"):
        assert outside not in text
    assert "prefers-color-scheme: dark" in text
    assert "nan" not in text
    assert text == positions(4)[5].game.svg(positions(4)[5].view())


# Random games


@pytest.mark.parametrize("players", [2, 5, 8])
def test_random_games_come_to_an_end(players: int) -> None:
    game = icetable.load("icehouse", players=players)
    last = game.random_game(np.random.default_rng(players))
    assert last.ended_by in ("IH-31", "IH-32")
    assert game.replay(last.record()) == last
    assert last.record() == game.random_game(np.random.default_rng(players)).record()
    assert last.record() != game.random_game(np.random.default_rng(99)).record()


def test_random_games_without_a_bell_break_off() -> None:
    """IH-31: with no bell and no room there is no end."""
    crowded = icetable.load("icehouse", players=8, width=4.0, height=4.0, timer=0)
    assert not crowded.random_game(np.random.default_rng(1)).is_terminal
    rung = icetable.load("icehouse", players=2, timer=20, timer_spread=0).random_game(np.random.default_rng(1))
    assert rung.ended_by == "IH-31"
    assert rung.at is not None
    started = max(state.at or 0 for state in rung.history() if state.act == "ready")
    assert rung.at == started + 20_000


def test_random_games_have_it_all() -> None:
    kinds = set()
    for seed in range(12):
        last = icetable.load("icehouse", players=4).random_game(np.random.default_rng(seed))
        kinds |= {effect.kind for state in last.history() for effect in state.effects}
    assert {"places", "ices", "captures", "false_call", "gives", "finds", "spoils"} <= kinds


def test_a_saved_piece_is_drawn() -> None:
    """A piece that only a saved position has put there."""
    game = icetable.load("icehouse", players=2)
    position = next(one for one in set_ups(game) if one["last_id"] == 5)
    position["field"] = [piece(5, "green", "L", standing=True, x=12000, y=12000, heading=450)]
    saved = {**json.loads(game.start().to_json()), "position": position}
    state = game.from_json(json.dumps(saved))
    assert "G5L" in state.game.draw(state.view())
    assert list(groups(drawn(state))) == ["p5"]
