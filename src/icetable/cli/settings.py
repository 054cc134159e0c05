"""Settings of `icetable serve` in a TOML file and in environment variables, in addition to its options.

An option on the command line overrides a variable, which overrides the file.
"""

from __future__ import annotations

import argparse
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.cli import serve
from icetable.core.errors import GameError
from icetable.core.options import allowed_for, short_repr, suggested

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PREFIX = "ICETABLE_"
CONFIG = "ICETABLE_CONFIG"
"""The variable with the path of the file."""
JIT = "ICETABLE_JIT"
"""The variable that turns the compiler off."""
ONLY_OPTIONS = ("check", "config", "games")
SWITCHES = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off", ""), False),
}


def with_settings(given: Sequence[str]) -> list[str]:
    """Add the settings of the file and the variables to a `serve` command line. Raises GameError and OSError."""
    command, *rest = given
    finder = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    finder.add_argument("--config")
    path = finder.parse_known_args(rest)[0].config or os.environ.get(CONFIG)
    options = known_options()
    check_variables(os.environ, options)
    from_path = {} if path is None else from_file(Path(path), options)
    settings = from_path | from_variables(os.environ, options)
    return [command, *(word for name, value in settings.items() for word in option(name, value)), *rest]


def known_options() -> dict[str, Any]:
    """The options that settings may set, with their defaults."""
    parser = argparse.ArgumentParser(add_help=False)
    serve.add_options(parser)
    return {name: value for name, value in vars(parser.parse_args([])).items() if name not in ONLY_OPTIONS}


def from_file(path: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """Read the settings of a file. Raises GameError and OSError."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameError(f"{path} is not a TOML file: {error}") from None
    found = {}
    for key, value in content.items():
        name = key.replace("-", "_")
        if name not in options:
            names = [known.replace("_", "-") for known in options]
            raise GameError(f"{path} sets {short_repr(key)}, which is not a setting; {allowed_for(key, names)}")
        is_switch = isinstance(options[name], bool)
        if isinstance(value, bool) != is_switch or not isinstance(value, bool | int | float | str):
            expected = "true or false" if is_switch else "a text or a number"
            raise GameError(f"{path} sets {key} to {short_repr(value)}, which is not {expected}")
        found[name] = value
    return found


def check_variables(variables: Mapping[str, str], options: Mapping[str, Any]) -> None:
    """Raise GameError for a variable that looks like a setting and is none: it would be ignored silently."""
    known = [CONFIG, JIT, *(PREFIX + name.upper() for name in options)]
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in known:
            raise GameError(f"the variable {name} is not a setting{suggested(name, {each: each for each in known})}")


def from_variables(variables: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Read the settings of variables, without empty ones. Raises GameError."""
    found: dict[str, Any] = {}
    for name, default in options.items():
        variable = PREFIX + name.upper()
        text = variables.get(variable, "")
        if not text:
            continue
        if not isinstance(default, bool):
            found[name] = text
        elif text.lower() in SWITCHES:
            found[name] = SWITCHES[text.lower()]
        else:
            raise GameError(f"the variable {variable} is true or false, not {short_repr(text)}")
    return found


def option(name: str, value: object) -> list[str]:
    """Format a setting as words of the command line."""
    word = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        return [word] if value else []
    return [f"{word}={value}"]
