#!/usr/bin/env python3
"""Writes the types of all data between server and browser as TypeScript.

The messages of `icetable.server.messages`, with the results of `icetable.analysis` in them, go to web/src/wire.ts. The
layout and the views of games of turns, in `icetable.workshop.view`, go to web/src/games/turns/wire.ts; those in the
module `view` of a game without turns to web/src/games/<name>/wire.ts, and the types in its module `review.page`, if it
has one, to web/src/games/<name>/review/wire.ts.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
import textwrap
import types
from dataclasses import is_dataclass
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from icetable.analysis import results
from icetable.games import list_games
from icetable.server import messages
from icetable.workshop import view as turns

WEB = Path(__file__).parent.parent / "web" / "src"
HEAD = """\
/** {what} between server and browser. Written by tools/wire_types.py from {source}. */
"""
COMMON = "\nimport type * as wire from '../../wire';\nimport type { LineOf } from '../../board/game-view';\n"
WIRE = """
/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
"""
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    bytes: "string",  # in base64
    type(None): "null",
    Any: "unknown",
    list[Any]: "Value[]",  # msgspec does not support recursive types
}


NAME = re.compile(r"\w+")


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


def files() -> dict[Path, str]:
    """The text of each file by its path."""
    games = {
        WEB / "games" / info.name / "wire.ts": game_file(info.title, view)
        for info in list_games()
        if (view := info.part("view"))
    }
    games[WEB / "games" / "turns" / "wire.ts"] = game_file("Any game of turns", turns)
    reviews = {
        WEB / "games" / info.name / "review" / "wire.ts": Declarations(page).render(f"The review of {info.title}")
        for info in list_games()
        if info.part("review") and (page := info.part("review.page"))
    }
    return {WEB / "wire.ts": MESSAGES.render("The messages"), **games, **reviews}


def game_file(title: str, view: types.ModuleType | None) -> str:
    assert view is not None
    return Declarations(view, {"View": "wire.View"}, COMMON).render(title) + WIRE


def field_docs(kind: type) -> dict[str, str]:
    """The docstrings of a type's fields, each in one line."""
    (declared,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(declared, ast.ClassDef)
    docs = {}
    for field, doc in itertools.pairwise(declared.body):
        match field, doc:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                docs[name] = " ".join(text.split())
    return docs


def jsdoc(text: str | None) -> str:
    """Render the docstring of a field."""
    return "" if text is None else f"  /** {text} */\n"


class Declarations:
    """The types in a module that are sent. `bases`: base interfaces of some types. `imports`: the head of the file.

    `below`: another module whose types are included.
    """

    def __init__(
        self,
        module: types.ModuleType,
        bases: dict[str, str] | None = None,
        imports: str = "",
        below: types.ModuleType | None = None,
    ) -> None:
        self.module = module
        self.modules = tuple(each.__name__ for each in (module, below) if each)
        self.bases = bases or {}
        self.imports = imports
        own = {**vars(below or module), **vars(module)}.items()
        self.types = {name: value for name, value in own if not name.startswith("_") and self.declares(value)}
        self.names = {value: name for name, value in self.types.items()}

    def render(self, what: str) -> str:
        """Render the whole file."""
        head = HEAD.format(what=what, source=self.module.__name__)
        return head + self.imports + "".join(f"\n{self.declaration(*item)}" for item in self.types.items())

    def declares(self, value: Any) -> bool:
        """Whether a value is a type to declare, and not a helper or an Annotated that limits a plain type."""
        if isinstance(value, type) and get_origin(value) is None:
            sent = issubclass(value, msgspec.Struct) or is_typeddict(value) or is_dataclass(value)
            return sent and value.__module__.startswith(self.modules)
        return isinstance(value, NewType) or get_origin(value) in (types.UnionType, Literal, dict)

    def declaration(self, name: str, value: Any) -> str:
        """Render the declaration of a type."""
        if not isinstance(value, type) or get_origin(value) is not None:
            spelt = self.spell(value.__supertype__ if isinstance(value, NewType) else value)
            return f"export type {name} = {spelt};\n"
        doc = f"/** {value.__doc__.strip()} */\n" if value.__doc__ else ""
        extends = f" extends {self.bases[name]}" if name in self.bases else ""
        members = self.struct(value) if issubclass(value, msgspec.Struct) else self.members(value)
        docs = field_docs(value)
        lines = "".join(f"{jsdoc(docs.get(NAME.match(member)[0]))}  {member};\n" for member in members)  # type: ignore[index]
        return f"{doc}export interface {name}{extends} {{\n{lines}}}\n"

    def members(self, value: type) -> list[str]:
        """The members of a TypedDict or an effect."""
        extras = get_type_hints(value, include_extras=True)
        optional = {name for name, kind in extras.items() if get_origin(kind) is NotRequired}
        optional |= getattr(value, "__optional_keys__", frozenset())
        hints = get_type_hints(value).items()
        return [f"{name}{'?' if name in optional else ''}: {self.use(kind)}" for name, kind in hints]

    def struct(self, value: type[msgspec.Struct]) -> list[str]:
        """The members of a message or a part of one."""
        tag = value.__struct_config__.tag
        members = [] if tag is None else [f"type: '{tag}'"]
        for field in msgspec.structs.fields(value):
            origin = types.UnionType if get_origin(field.type) is Union else get_origin(field.type)
            kinds = get_args(field.type) if origin is types.UnionType else (field.type,)
            known = tuple(kind for kind in kinds if kind is not msgspec.UnsetType)
            optional = "?" if len(known) < len(kinds) else ""
            members.append(f"{field.name}{optional}: {self.use(known[0] if len(known) == 1 else field.type)}")
        return members

    def use(self, kind: Any) -> str:
        """Render the use of a type, by its name if it has one."""
        return PLAIN.get(kind) or self.names.get(kind) or self.spell(kind)

    def spell(self, kind: Any) -> str:
        """Render a composite type."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.use(inner[0])
        if origin is Literal:
            return " | ".join(f"'{value}'" for value in inner)
        if origin in (types.UnionType, Union):
            return " | ".join(dict.fromkeys(self.use(part) for part in inner))
        if origin is list:
            item = self.use(inner[0])
            return f"({item})[]" if " | " in item else f"{item}[]"
        if origin is dict:
            return f"Record<{self.use(inner[0])}, {self.use(inner[1])}>"
        if origin is tuple:
            return f"{self.use(inner[0])}[]" if ... in inner else f"[{', '.join(self.use(part) for part in inner)}]"
        raise TypeError(f"there is no TypeScript for {kind}")


MESSAGES = Declarations(messages, below=results)


if __name__ == "__main__":
    main()
