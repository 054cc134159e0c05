"""Errors of a game's code in words, with the mend where it is clear."""

from __future__ import annotations

import builtins
import difflib
import re
import sys
from collections.abc import Iterable
from types import TracebackType

from icetable.core.errors import GameError

UNIMPORTABLE = re.compile(r"cannot import name '(\w+)' from '(icetable[\w.]*)'")


def told(error: Exception) -> str:
    """What an error says, and what was meant or is missing if that is clear."""
    if isinstance(error, GameError):
        return str(error)
    if found := UNIMPORTABLE.match(str(error)):
        name, module = found.groups()
        return f"there is no {name} in {module}{meant(name, dir(sys.modules[module]))}"
    return f"{type(error).__name__}: {error}{_mend(error)}"


def meant(name: str, known: Iterable[str]) -> str:
    """A suggestion for a misspelt name, such as "; did you mean `scores`?"; empty if nothing is near."""
    near = difflib.get_close_matches(name, [one for one in known if not one.startswith("_")], 1, 0.7)
    return f"; did you mean `{near[0]}`?" if near else ""


def _mend(error: Exception) -> str:
    if isinstance(error, AttributeError) and error.name:
        return meant(error.name, dir(error.obj)) or _none_lacks(error.obj)
    if isinstance(error, NameError) and error.name:
        workshop = sys.modules["icetable.workshop"]
        if error.name in workshop.__all__:
            return f"; it is imported by `from icetable.workshop import {error.name}`"
        return meant(error.name, _names_in(error.__traceback__))
    if "'method' object" in str(error):
        return "; the parentheses of a call are missing"
    return ""


def _none_lacks(value: object) -> str:
    return "; `table.top` and `table.take` give None for an empty space" if value is None else ""


def _names_in(trace: TracebackType | None) -> set[str]:
    """The names that can be used where an error was raised."""
    names = set(dir(builtins))
    while trace is not None:
        if trace.tb_next is None:
            names |= {*trace.tb_frame.f_locals, *trace.tb_frame.f_globals}
        trace = trace.tb_next
    return names
