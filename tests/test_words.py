"""No name or file has a word that only this project understood; each has a word of the trade instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NATIVE = {
    "stretches": "position_cache",
    "visitor": "client_bucket",
    "customer": "client_bucket",
    "tips": "last_entries",
    "contest": "tournament",
    "contests": "tournaments",
    "moving": "transfers",
    "noticing": "push",
    "observing": "monitoring",
    "lookups": "dependencies",
    "onlookers": "watchers",
    "alarms": "timers",
    "erasing": "name_erasure",
    "parcel": "transfer",
    "parcels": "transfers",
    "wish": "matchmaking key",
    "lots": "random_seats",
    "wobble": "hand_error",
    "told": "instruction, explanation",
    "tell": "on_progress",
    "inquiring": "questions",
    "probing": "usage",
    "racing": "scheduler",
    "positioned": "batch",
    "newpython": "python_check",
    "floors": "min_versions",
    "hurried": "fast",
    "rushed": "realtime",
    "thing": "piece",
    "things": "pieces",
}
"""Words that are no part of a name, and the words to use instead.

A word with a plain meaning that some name needs is not listed: `exact`, `waits`, `recent`, `where`, `pick`.
"""
TYPES = re.compile(r"^\s*(?:export )?(?:interface|type|class) (\w+)", re.MULTILINE)
"""The types that a TypeScript file or component defines."""
FIELDS = re.compile(r"^  (\w+)\??:", re.MULTILINE)
"""The fields of the generated types of messages."""


def words_of(name: str) -> set[str]:
    """The words of a name in any of the usual spellings."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)}


def names_in(path: Path) -> Iterator[tuple[str, int]]:
    """The names that a module defines: classes, functions, parameters, fields and variables, each with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno


def private(name: str) -> set[str]:
    return words_of(name) & NATIVE.keys()


def files(folder: str, *suffixes: str) -> list[Path]:
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and "node_modules" not in path.parts]


def test_words_of_a_name() -> None:
    assert words_of("MAX_lotsOf_HTTPTables3") == {"max", "lots", "of", "http", "tables3"}
    assert private("_told_apart") == {"told"}


def test_every_word_is_left_out_of_the_words_instead() -> None:
    assert [word for word, instead in NATIVE.items() if private(instead)] == []


@pytest.mark.parametrize("folder", ["src/icetable", "tests", "tools", "web/src"])
def test_names_of_files(folder: str) -> None:
    found = files(folder, ".py", ".ts", ".svelte")
    assert found
    assert [str(path.relative_to(ROOT)) for path in found if private(path.name)] == []


def test_names_in_the_package() -> None:
    names = [(path, *found) for path in files("src/icetable", ".py") for found in names_in(path)]
    assert len(names) > 10_000
    assert [f"{path.relative_to(ROOT)}:{line} {name}" for path, name, line in names if private(name)] == []


def test_types_of_the_page() -> None:
    names = [(path, name) for path in files("web/src", ".ts", ".svelte") for name in TYPES.findall(path.read_text())]
    assert len(names) > 300
    assert [f"{path.relative_to(ROOT)} {name}" for path, name in names if private(name)] == []


def test_fields_of_messages() -> None:
    names = FIELDS.findall((ROOT / "web/src/wire.ts").read_text(encoding="utf-8"))
    assert len(names) > 300
    assert [name for name in names if private(name)] == []
