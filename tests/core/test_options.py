"""Options: what is taken, and refusals that name what is allowed."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from icetable import BadOption, Option
from icetable.core.options import resolve, short_repr, suggested, to_units
from tests.core import toy

BY_NAME = {option.name: option for option in (toy.INFO.players_option, *toy.INFO.options)}


class Unprintable:
    """Nothing can be said of it."""

    def __repr__(self) -> str:
        raise KeyError


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("players", 1, 1),
        ("players", 3, 3),
        ("beans", np.int64(7), 7),
        ("beans", 1000, 1000),
        ("depth", 10**18, 10**18),
        ("winner", "others", "others"),
        ("noisy", True, True),
        ("noisy", False, False),
        ("weight", 0, 0.0),
        ("weight", 2.5, 2.5),
        ("weight", np.float32(0.25), 0.25),
        ("weight", Fraction(1, 2), 0.5),
        ("names", [1, 2], (1, 2)),
        ("names", (), ()),
    ],
)
def test_taken(name: str, value: object, kept: object) -> None:
    read = BY_NAME[name].read(value)
    assert read == kept
    assert type(read) is type(kept)


NOTHING: tuple[Any, ...] = (
    None,
    object(),
    {},
    {1},
    b"1",
    bytearray(b"1"),
    memoryview(b"1"),
    Unprintable(),
    ...,
    len,
    int,
    1j,
)


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("players", "a whole number from 1 to 3", [*NOTHING, [], "2", True, 0, 4, -1, 2.0, 10**400, 10**5000]),
        ("beans", "a whole number from 1 to 1000", [*NOTHING, "12", 0, 1001, 12.0, math.nan, Decimal(3), -(10**400)]),
        ("depth", "a whole number of at least 0", [*NOTHING, -1, 0.0, False, np.bool_(True)]),
        ("winner", "'last' or 'others'", [*NOTHING, "", "Last", "last ", 0, True, ["last"], ("last", "others")]),
        ("noisy", "True or False", [*NOTHING, 0, 1, "True", "", np.bool_(True), []]),
        ("weight", "a number from 0.0 to 2.5", [*NOTHING, "1", True, -0.1, 2.6, math.nan, math.inf, 10**400, [1]]),
        ("names", "a list of numbers", [None, object(), {}, {1}, b"1", "1", 0, True, range(3), iter([1])]),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_refused(name: str, allowed: str, refused: list[object]) -> None:
    for value in refused:
        with pytest.raises(BadOption) as error:
            toy.INFO.load(**{name: value})
        assert str(error.value).partition("; did you mean")[0] == (
            f"{name} can't be {short_repr(value)}; allowed: {allowed}"
        )
        assert str(error.value).isprintable()


def test_the_value_that_may_be_meant() -> None:
    with pytest.raises(BadOption, match=r"; allowed: 'last' or 'others'; did you mean 'last'[?]$"):
        toy.INFO.load(winner="Last")
    with pytest.raises(BadOption, match=r"; allowed: 'last' or 'others'$"):
        toy.INFO.load(winner="nobody")


def test_bounds_in_words() -> None:
    assert Option("at", "float", 0.0, "", "TO-1").allowed == "a number"
    assert Option("at", "int", 0, "", "TO-1", (), 3).allowed == "a whole number of at least 3"


def test_a_preset_for_so_many_players() -> None:
    players = Option("players", "int", 2, "", "TO-1", (), 2, 8)
    presets = {"rated": {"players": 4}}
    assert resolve((players,), presets, "rated", {}) == {"players": 4}
    assert resolve((players,), presets, "rated", {"players": 4}) == {"players": 4}
    with pytest.raises(BadOption, match="players can't be 3 with preset 'rated'; allowed: 4"):
        resolve((players,), presets, "rated", {"players": 3})


def test_whole_numbers_that_can_be_chosen() -> None:
    """An int with choices takes these numbers and no others; the message names them."""
    option = Option("side", "int", 4, "", "TO-1", (4, 6))
    assert option.allowed == "4 or 6"
    assert [option.read(value) for value in (4, 6, np.int64(6))] == [4, 6, 6]
    assert option.read_text("6") == 6
    for value in (5, 0, "4", 4.0, True, None):
        with pytest.raises(BadOption, match=r"side can't be .*; allowed: 4 or 6"):
            option.read(value)
    with pytest.raises(BadOption, match=r"side can't be 5; allowed: 4 or 6"):
        option.read_text("5")


def test_words_in_the_place_of_a_list() -> None:
    option = Option("beans", "list", "many", "", "TO-1", ("few", "many"))
    assert option.allowed == "'few' or 'many' or a list of numbers"
    assert [option.read(value) for value in ("few", [1, 2], ())] == ["few", (1, 2), ()]
    assert [option.read_text(text) for text in ("few", "[1, 2]")] == ["few", (1, 2)]
    for value in ("Few", "", 1, None):
        with pytest.raises(BadOption, match=r"beans can't be .*; allowed: 'few' or 'many' or a list of numbers"):
            option.read(value)
    for text in ("all", "Few", ""):
        with pytest.raises(BadOption, match=r"beans can't be .*; allowed: 'few' or 'many' or a list of numbers"):
            option.read_text(text)


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("beans", "7", 7),
        ("winner", "others", "others"),
        ("noisy", "true", True),
        ("noisy", "False", False),
        ("weight", "1.5", 1.5),
        ("names", "[1, 2]", (1, 2)),
    ],
)
def test_read_text(name: str, text: str, kept: object) -> None:
    assert BY_NAME[name].read_text(text) == kept


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("beans", ""),
        ("beans", "seven"),
        ("beans", "7.5"),
        ("beans", "true"),
        ("beans", "9" * 5000),
        ("winner", '"last"'),
        ("noisy", "yes"),
        ("noisy", "1"),
        ("weight", "NaN"),
        ("weight", "Infinity"),
        ("names", "[" * 100_000),
        ("names", "1"),
    ],
)
def test_read_text_refused(name: str, text: str) -> None:
    with pytest.raises(BadOption) as error:
        BY_NAME[name].read_text(text)
    assert BY_NAME[name].allowed in str(error.value)
    assert str(error.value).isprintable()


def test_resolve() -> None:
    defaults = {"beans": 12, "winner": "last", "noisy": False, "weight": 0.5, "names": (), "depth": None}
    assert toy.INFO.load().options == {"players": 2, **defaults}
    assert toy.INFO.load("few").options == {"players": 2, **defaults, "beans": 3, "noisy": True}
    assert toy.INFO.load(preset="few", noisy=False).options == {"players": 2, **defaults, "beans": 3}
    assert toy.INFO.load(players=3).players == 3


@pytest.mark.parametrize("preset", ["many", "", "Few", 1, ["few"], b"few", {}])
def test_no_such_preset(preset: object) -> None:
    with pytest.raises(BadOption, match=r"^there is no preset .*; allowed: 'few'(; did you mean 'few'[?])?$"):
        toy.INFO.load(preset)
    with pytest.raises(BadOption, match="this game has no presets"):
        resolve(toy.INFO.options, {}, preset, {})


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("bean", "; did you mean 'beans'?"),
        ("Beans", "; did you mean 'beans'?"),
        ("name", "; did you mean 'names'?"),
        *((name, "") for name in ("", "self", "info", "options", "line\nbreak", "\ud800")),
    ],
)
def test_no_such_option(name: str, meant: str) -> None:
    given: dict[str, Any] = {name: 1}
    with pytest.raises(BadOption) as error:
        toy.INFO.load(**given)
    assert str(error.value) == (
        f"there is no option {name!r}; allowed: players, beans, winner, noisy, weight, names, depth{meant}"
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1, "1"),
        ("a\nb", r"'a\nb'"),
        ("\ud800", r"'\ud800'"),
        ("x" * 100, "'" + "x" * 56 + "…"),
        ("x" * 58, "'" + "x" * 58 + "'"),
        (np.zeros((2, 2)), "array([[0., 0.], [0., 0.]])"),
        (Unprintable(), "something of type Unprintable"),
        (10**5000, "something of type int"),
    ],
    ids=range(8),
)
def test_shorten(value: object, shown: str) -> None:
    assert short_repr(value) == shown


@pytest.mark.parametrize("name", ["", None, 5, [], "far away", "\ud800", "x" * 1_000_000])
def test_nothing_is_suggested_for_what_is_far(name: object) -> None:
    assert suggested(name, {"Bean Hill": "beanhill"}) == ""


@pytest.mark.parametrize("name", ["bean hill", "BEAN HILL", "beanhill", "bean-hill"])
def test_suggestions_in_any_case(name: str) -> None:
    assert suggested(name, {"Bean Hill": "beanhill"}) == "; did you mean 'beanhill'?"


@pytest.mark.parametrize(
    ("number", "parts", "expected"),
    [
        (0, 1000, 0),
        (1.5, 1000, 1500),
        (1.0005, 1000, 1001),
        (1.0015, 1000, 1002),
        (1.0025, 1000, 1003),
        (1.00049999, 1000, 1000),
        (0.0005, 1000, 1),
        (2.675, 100, 268),
        (0.03, 1_000_000, 30_000),
        (1e-7, 1000, 0),
        (86_400, 1000, 86_400_000),
        (np.float64(2.0005), 1000, 2001),
    ],
)
def test_halves_of_the_decimal_text_go_up(number: float, parts: int, expected: int) -> None:
    assert to_units(number, parts) == expected
    assert type(to_units(number, parts)) is int
