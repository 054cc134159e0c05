"""The reference of an environment's numbers as a Markdown page, generated from its encoding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from icetable.core.errors import BadOption
from icetable.core.turns import TurnGame
from icetable.envs.realtime import encoding_of, real_time_game
from icetable.envs.spaces import Spaces, space

if TYPE_CHECKING:
    from icetable.core.game import Game, GameInfo
    from icetable.core.options import Option
    from icetable.core.realtime import RealTimeGame
    from icetable.extras.encoding import Encoding, Feature, Field, Plane, Symmetry, Verb

PLACE = """\
With `action='place'` it is a verb, a kind, a target (a piece, or modulo the number of players a colour), x and y as
parts of the field, and cosine and sine of the heading. The verbs:"""


def page_of(game: Game) -> str:
    """The page of a game. Raises GameError if it has no encoding.

    >>> import icetable
    >>> from icetable.envs.reference import page_of
    >>> page_of(icetable.load("icehouse")).splitlines()[0]
    '# Icehouse as an environment'
    """
    return described(space(game)) if isinstance(game, TurnGame) else described_in_ticks(real_time_game(game))


def numbers_of(game: Game) -> dict[str, Any]:
    """The content of a game's page as JSON-compatible data. Raises GameError if it has no encoding.

    `actions` and `menu` are lists of blocks: the first number of the block and its meaning.
    """
    found = {"game": game.info.name, "options": dict(game.options)}
    if isinstance(game, TurnGame):
        encoding = space(game).encoding
        return found | {
            "version": encoding.version,
            "count": encoding.actions,
            "actions": encoding.numbering,
            "shape": encoding.shape,
            "cells": encoding.cells,
            "planes": [asdict(plane) for plane in encoding.planes],
            "symmetries": [{"name": one.name, "seats": one.seats} for one in encoding.symmetries],
        }
    in_ticks = encoding_of(real_time_game(game))
    return found | {
        "version": in_ticks.version,
        "count": in_ticks.entries,
        "menu": in_ticks.menu,
        "arguments": dict(in_ticks.arguments),
        "verbs": [asdict(verb) for verb in in_ticks.verbs],
        "fields": [asdict(field) for field in in_ticks.fields],
        "planes": [asdict(plane) for plane in in_ticks.planes],
    }


def described(one: Spaces) -> str:
    """The page of a turn-based game: its actions, planes, rewards, symmetries, and its sizes with other options.

    >>> from icetable.envs import space
    >>> from icetable.envs.reference import described
    >>> print(described(space("icefrogs")).partition("## Observations")[0].rstrip())
    # IceFrogs as an environment
    <BLANKLINE>
    `icefrogs` with `players=2`, `board='star'`, `turn_limit=400`.
    Version 0: 1481 actions, observations int8[9, 9, 39].
    <BLANKLINE>
    ## Actions
    <BLANKLINE>
    In each line n counts from the first action of the line.
    <BLANKLINE>
    - 0 to 1368: from space n // 37 to space n % 37, numbered a1, b1, b2, … row by row
    - 1369 to 1479: a small, medium or large pyramid enters and ends on space n % 37
    - 1480: pass
    """
    encoding = one.encoding
    sections = [
        [f"# {one.game.info.title} as an environment"],
        [f"{chosen(one.game)}\nVersion {encoding.version}: {sizes(encoding)}."],
        ["## Actions"],
        ["In each line n counts from the first action of the line."],
        entry_lines(encoding.numbering, encoding.actions),
        ["## Observations"],
        [f"A cell is {encoding.cells}. The planes, with their values:"],
        [plane_line(number, plane) for number, plane in enumerate(encoding.planes)],
        ["## Rewards"],
        [rewards(one.game.players)],
        ["## Symmetries"],
        ["These generate the group:" if encoding.symmetries else "None but the identity."],
        [symmetry_line(symmetry) for symmetry in encoding.symmetries],
        ["## Sizes with other options"],
        ["With one option changed from its default; those that are left out change no size."],
        list(other_sizes(one.game.info)),
    ]
    return page(sections)


def described_in_ticks(game: RealTimeGame) -> str:
    """The page of a real-time game: its actions of each kind, its observations and rewards."""
    encoding = encoding_of(game)
    sections = [
        [f"# {game.info.title} as an environment"],
        [f"{chosen(game)}\nVersion {encoding.version}: a menu of {encoding.entries} entries for each seat and tick."],
        ["## Actions"],
        ["With `action='menu'` an action is an entry. A mask says which the rules and the hand allow."],
        entry_lines(encoding.menu, encoding.entries),
        ["With `action='grid'` it is these whole numbers, with `mask_for` for what goes with a verb:"],
        [f"- {name}: 0 to {count - 1}" for name, count in encoding.arguments],
        [PLACE],
        [verb_line(number, verb) for number, verb in enumerate(encoding.verbs)],
        ["Colours and seats count from the own one on; a kind is 3 * colour + size, small, medium, large."],
        ["## Observations"],
        ["A dictionary of float32 arrays:"],
        [line for field in encoding.fields for line in field_lines(field)],
        ["With `planes` pictures are added:"],
        [feature_line(number, feature) for number, feature in enumerate(encoding.planes)],
        ["## Rewards"],
        [rewards(game.players)],
    ]
    return page(sections)


def page(sections: list[list[str]]) -> str:
    """Join paragraphs of lines into a page, without the empty ones."""
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def entry_lines(firsts: Sequence[tuple[int, str]], count: int) -> list[str]:
    """A line for each block of numbers; a block is given by its first number and its meaning."""
    ranges = pairwise([*(first for first, _ in firsts), count])
    return [
        f"- {first if after - first == 1 else f'{first} to {after - 1}'}: {about}"
        for (first, after), (_, about) in zip(ranges, firsts, strict=True)
    ]


def verb_line(number: int, verb: Verb) -> str:
    """A verb and its arguments."""
    return f"- {number} {verb.name}: {verb.about}" + (f"; takes {', '.join(verb.arguments)}" if verb.arguments else "")


def field_lines(field: Field) -> list[str]:
    """An array of an observation and the features on its last axis."""
    shape = f"[{', '.join(map(str, field.shape))}]"
    return [
        f"- `{field.name}` {shape}: {field.about}",
        *(f"    {feature_line(number, feature)}" for number, feature in enumerate(field.features)),
    ]


def feature_line(number: int, feature: Feature) -> str:
    return f"- {number} {feature.name}: {feature.about}"


def chosen(game: Game) -> str:
    options = ", ".join(f"`{name}={value!r}`" for name, value in game.options.items())
    return f"`{game.info.name}` with {options}."


def sizes(encoding: Encoding) -> str:
    return f"{encoding.actions} actions, observations int8[{', '.join(map(str, encoding.shape))}]"


def plane_line(number: int, plane: Plane) -> str:
    return f"- {number} {plane.name}, 0 to {plane.most}: {plane.about}"


def rewards(players: int) -> str:
    points = "The `points` are those of `State.scores`."
    if players == 1:
        return f"They come at the end. The `share` of one player is always 0. {points}"
    return (
        "They come at the end. By `share` they add up to 0: a win alone is 1, a loss "
        f"{-1 / (players - 1):.4g}, a shared win lies between. {points}"
    )


def symmetry_line(symmetry: Symmetry) -> str:
    """A symmetry and its permutation of seats."""
    if symmetry.seats == tuple(range(len(symmetry.seats))):
        return f"- {symmetry.name}: each seat stays"
    return f"- {symmetry.name}: " + ", ".join(f"seat {one} becomes {other}" for one, other in enumerate(symmetry.seats))


def other_sizes(info: GameInfo) -> Iterator[str]:
    """The default sizes, and the sizes with each option that changes them."""
    usual = sizes(space(info.load()).encoding)
    yield f"- by default: {usual}"
    for option in (info.players_option, *info.options):
        for value in notable_values(option):
            try:
                changed = sizes(space(info.load(**{option.name: value})).encoding)
            except BadOption:  # the value needs another option to change too
                continue
            if changed != usual:
                yield f"- `{option.name}={value!r}`: {changed}"


def notable_values(option: Option) -> Sequence[Any]:
    """All choices and all numbers of players; otherwise the minimum and the maximum."""
    if option.choices:
        return option.choices
    bounds = [bound for bound in (option.least, option.most) if bound is not None]
    if option.name == "players":
        return range(int(bounds[0]), int(bounds[1]) + 1)
    return (False, True) if option.kind == "bool" else bounds
