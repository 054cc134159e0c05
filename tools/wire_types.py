#!/usr/bin/env python3
"""Writes the types of all that goes between server and browser as TypeScript.

The messages of `icetable.server.messages` go into web/src/wire.ts, with the results of `icetable.analysis` that they
hold; what a game's module `view` declares, its layout, views and effects, goes into web/src/games/<name>/wire.ts (what
`icetable.workshop.view` does, into games/workshop/), and what its module `review.parts` declares, if it has one, into
web/src/games/<name>/review/wire.ts.
"""

from __future__ import annotations

import types
from dataclasses import is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

from icetable.analysis import results
from icetable.games import list_games
from icetable.server import messages
from icetable.workshop import view as workshop

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
    list[Any]: "Value[]",  # msgspec knows no types that contain themselves
}


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


def files() -> dict[Path, str]:
    """What belongs into which file."""
    games = {WEB / "games" / info.name / "wire.ts": game_file(info.title, info.part("view")) for info in list_games()}
    games[WEB / "games" / "workshop" / "wire.ts"] = game_file("Any game of the workshop", workshop)
    reviews = {
        WEB / "games" / info.name / "review" / "wire.ts": Declarations(parts).written(f"The review of {info.title}")
        for info in list_games()
        if info.part("review") and (parts := info.part("review.parts"))
    }
    return {WEB / "wire.ts": MESSAGES.written("The messages"), **games, **reviews}


def game_file(title: str, view: types.ModuleType | None) -> str:
    """The file of a game."""
    assert view is not None
    return Declarations(view, {"View": "wire.View"}, COMMON).written(title) + WIRE


class Declarations:
    """What a module declares of types that are sent. `bases`: what some of them extend; `imports` come first.

    `below`: another module, whose types it sends as they are.
    """

    def __init__(
        self,
        module: types.ModuleType,
        bases: dict[str, str] | None = None,
        imports: str = "",
        below: types.ModuleType | None = None,
    ) -> None:
        self.module = module
        self.places = tuple(place.__name__ for place in (module, below) if place)
        self.bases = bases or {}
        self.imports = imports
        own = {**vars(below or module), **vars(module)}.items()
        self.types = {name: value for name, value in own if not name.startswith("_") and self.declares(value)}
        self.names = {value: name for name, value in self.types.items()}

    def written(self, what: str) -> str:
        """The whole file."""
        head = HEAD.format(what=what, source=self.module.__name__)
        return head + self.imports + "".join(f"\n{self.declaration(*declared)}" for declared in self.types.items())

    def declares(self, value: Any) -> bool:
        """Whether it is a type of the module: no helper, and no Annotated that merely bounds a plain type."""
        if isinstance(value, type) and get_origin(value) is None:
            sent = issubclass(value, msgspec.Struct) or is_typeddict(value) or is_dataclass(value)
            return sent and value.__module__.startswith(self.places)
        return isinstance(value, NewType) or get_origin(value) in (types.UnionType, Literal, dict)

    def declaration(self, name: str, value: Any) -> str:
        """The lines that declare a type."""
        if not isinstance(value, type) or get_origin(value) is not None:
            spelt = self.spell(value.__supertype__ if isinstance(value, NewType) else value)
            return f"export type {name} = {spelt};\n"
        doc = f"/** {value.__doc__.strip()} */\n" if value.__doc__ else ""
        extends = f" extends {self.bases[name]}" if name in self.bases else ""
        members = self.struct(value) if issubclass(value, msgspec.Struct) else self.members(value)
        lines = "".join(f"  {member};\n" for member in members)
        return f"{doc}export interface {name}{extends} {{\n{lines}}}\n"

    def members(self, value: type) -> list[str]:
        """The members of a dict with known keys, or of an effect."""
        optional: frozenset[str] = getattr(value, "__optional_keys__", frozenset())
        hints = get_type_hints(value).items()
        return [f"{name}{'?' if name in optional else ''}: {self.use(kind)}" for name, kind in hints]

    def struct(self, value: type[msgspec.Struct]) -> list[str]:
        """The members of a message or of a part of one."""
        tag = value.__struct_config__.tag
        members = [] if tag is None else [f"type: '{tag}'"]
        for field in msgspec.structs.fields(value):
            sort = types.UnionType if get_origin(field.type) is Union else get_origin(field.type)
            kinds = get_args(field.type) if sort is types.UnionType else (field.type,)
            known = tuple(kind for kind in kinds if kind is not msgspec.UnsetType)
            optional = "?" if len(known) < len(kinds) else ""
            members.append(f"{field.name}{optional}: {self.use(known[0] if len(known) == 1 else field.type)}")
        return members

    def use(self, kind: Any) -> str:
        """A type where it is used: by its name, if it has one."""
        return PLAIN.get(kind) or self.names.get(kind) or self.spell(kind)

    def spell(self, kind: Any) -> str:
        """A type that is made of others."""
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
