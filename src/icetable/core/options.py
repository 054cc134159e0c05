"""What callers pass in: options of a game, numbers, times and generators. Errors name what is allowed."""

from __future__ import annotations

import difflib
import json
import math
import operator
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from numbers import Integral, Real
from typing import Any, Literal, TypeGuard

from icetable.core.errors import BadOption, GameError

Kind = Literal["choice", "bool", "int", "float", "list"]
Value = Any
MAX_SECONDS = 999_999_999
"""The latest time that a record can hold."""
MAX_PRECISE = 2**40
HALF_MARGIN = 0.001
"""Products of floats below MAX_PRECISE have a smaller error than this, so only those near a half need decimals."""


@dataclass(frozen=True)
class Reading:
    """A choice that players should weigh before they play."""

    label: str
    """Its name, in a few words."""
    about: str
    """What the choice means for the game."""


@dataclass(frozen=True)
class Option:
    """An option of a game.

    >>> import icetable
    >>> option = icetable.list_games()[1].options[0]
    >>> option.name, option.default, option.choices, option.rule
    ('board', 'star', ('star', 'hexagon'), 'IF-1')
    """

    name: str
    """The name, as in `load`."""
    kind: Kind
    """The type of its values."""
    default: Value
    """None if the default depends on the other options."""
    help: str
    """What the option changes, in a sentence without its full stop."""
    rule: str
    """The id of the rule that the option changes."""
    choices: tuple[str, ...] | tuple[int, ...] = ()
    """The values of a choice, the only allowed values of an int, or the words allowed in place of a list."""
    least: float | None = None
    """The smallest allowed number."""
    most: float | None = None
    """The largest allowed number."""
    readings: tuple[Reading, ...] = ()
    """Descriptions of the `choices`, in the same order."""
    labels: tuple[str, ...] = ()
    """Names of the `choices`, in the same order."""
    recommended: Value = None
    """The value that the pages recommend to newcomers; None for the default."""
    before: Value = None
    """The value for anything stored before the option existed (`completed`); None if it has always existed."""

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.choices or self.kind == "list":
            lists = ["a list of numbers"] if self.kind == "list" else []
            return " or ".join([*(repr(choice) for choice in self.choices), *lists])
        if self.kind == "bool":
            return "True or False"
        number = "a whole number" if self.kind == "int" else "a number"
        if self.least is not None and self.most is not None:
            return f"{number} from {self.least} to {self.most}"
        return number if self.least is None else f"{number} of at least {self.least}"

    def read(self, value: object) -> Value:
        """The value in the option's own type. Raises BadOption."""
        if isinstance(value, str) and value in self.choices:
            return str(value)
        if self.kind == "choice":
            raise self._refusal(value)
        if self.kind == "bool":
            if not isinstance(value, bool):
                raise self._refusal(value)
            return value
        if self.kind == "list":
            if not isinstance(value, list | tuple):
                raise self._refusal(value)
            return tuple(value)
        return self._number(value)

    def _refusal(self, value: object) -> BadOption:
        meant = suggested(value, {choice: choice for choice in self.choices if isinstance(choice, str)})
        return BadOption(f"{self.name} can't be {short_repr(value)}; allowed: {self.allowed}{meant}")

    def _number(self, value: object) -> Value:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise self._refusal(value)
        try:
            number = operator.index(value) if self.kind == "int" else float(value)  # type: ignore[arg-type]
        except (TypeError, OverflowError):
            raise self._refusal(value) from None
        if self.kind == "float" and not math.isfinite(number):
            raise self._refusal(value)
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            raise self._refusal(value)
        if self.choices and number not in self.choices:
            raise self._refusal(value)
        return number

    def read_text(self, text: str) -> Value:
        """Parse a value: the text itself for a choice, otherwise JSON. Raises BadOption."""
        if self.kind == "choice" or text in self.choices:
            return self.read(text)
        try:
            return self.read(json.loads(text.lower() if self.kind == "bool" else text))
        except (ValueError, RecursionError):
            raise self._refusal(text) from None


def short_repr(value: object) -> str:
    """The repr of a value on one line, for an error message: at most 60 characters."""
    try:
        text = " ".join(line.strip() for line in repr(value).splitlines())
    except Exception:  # noqa: BLE001 (a __repr__ may raise anything, and the message is still needed)
        text = f"something of type {type(value).__name__}"
    return shortened(text)


def shortened(text: str) -> str:
    """A text cut to at most 60 characters, for an error message."""
    return text if len(text) <= 60 else f"{text[:57]}…"


def allowed_for(name: object, names: Collection[str]) -> str:
    """The part of an error message that lists the allowed names and suggests a similar one.

    >>> allowed_for("boards", ("players", "board"))
    "allowed: players, board; did you mean 'board'?"
    """
    return f"allowed: {', '.join(names)}{suggested(name, {word: word for word in names})}"


def suggested(name: object, meanings: Mapping[str, str]) -> str:
    """The part of an error message that suggests a similar name, ignoring case; empty if there is none.

    >>> suggested("BOARDS", {"board": "board", "players": "players"})
    "; did you mean 'board'?"
    """
    meant = {word.casefold(): meaning for word, meaning in meanings.items()}
    near = difflib.get_close_matches(name.casefold(), meant, 1) if isinstance(name, str) else []
    return f"; did you mean {meant[near[0]]!r}?" if near else ""


def completed(options: tuple[Option, ...], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored options, plus those that did not exist then, with the values from before they existed."""
    return {**{option.name: option.before for option in options if option.before is not None}, **stored}


def resolve(
    options: tuple[Option, ...],
    presets: Mapping[str, Mapping[str, Value]],
    preset: object,
    given: Mapping[str, object],
) -> dict[str, Value]:
    """The values of all options of a game: the given value, the preset's, or the default.

    A preset that sets the number of players allows no other number. Raises BadOption.
    """
    if preset is not None and not (isinstance(preset, str) and preset in presets):
        known = ", ".join(repr(name) for name in presets) or "none; this game has no presets"
        meant = suggested(preset, {name: name for name in presets})
        raise BadOption(f"there is no preset {short_repr(preset)}; allowed: {known}{meant}")
    by_name = {option.name: option for option in options}
    for name in given:
        if name not in by_name:
            raise BadOption(f"there is no option {short_repr(name)}; {allowed_for(name, by_name)}")
    bundle = presets[preset] if isinstance(preset, str) else {}
    chosen = {**bundle, **given}
    complete = {
        option.name: option.read(chosen[option.name]) if option.name in chosen else option.default for option in options
    }
    if "players" in bundle and complete["players"] != bundle["players"]:
        raise BadOption(f"players can't be {complete['players']} with preset {preset!r}; allowed: {bundle['players']}")
    return complete


def is_integer(value: object) -> TypeGuard[int]:
    """Whether the value is an integer of Python or numpy, but not a bool."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def to_units(number: float, units: int) -> int:
    """A non-negative number in whole units, with `units` of them in 1. Halves of its shortest decimal form round up.

    >>> to_units(0.0005, 1000)
    1
    """
    product = number * units
    if product < MAX_PRECISE and abs(product % 1 - 0.5) > HALF_MARGIN:
        return math.floor(product + 0.5)
    return int((Decimal(repr(float(number))) * units).to_integral_value(ROUND_HALF_UP))


def slices(count: int, parts: int) -> list[slice]:
    """Divide `count` items into contiguous slices whose lengths differ by at most one.

    >>> slices(5, 2)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    return [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


def milliseconds(at: object) -> int | None:
    """A time in seconds as whole milliseconds, halves rounded up; None for None. Raises GameError."""
    if at is None:
        return None
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at <= MAX_SECONDS:
        raise GameError(f"a time is a number of seconds from 0 to {MAX_SECONDS}, not {short_repr(at)}")
    return to_units(at, 1000)


def check_whole(name: str, number: object, least: int) -> None:
    """Raise GameError unless `number` is a whole number of at least `least`."""
    if not is_integer(number) or number < least:
        raise GameError(f"{name} is a whole number from {least} up, not {short_repr(number)}")


def check_generator(rng: object) -> None:
    """Raise GameError unless `rng` is a generator of numpy."""
    import numpy as np  # which a list of games does not need

    if not isinstance(rng, np.random.Generator):
        raise GameError(f"rng is a numpy.random.Generator, such as numpy.random.default_rng(5), not {short_repr(rng)}")
