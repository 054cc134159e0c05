#!/usr/bin/env python3
"""Writes web/src/wire.ts: the messages of `icetable.server.messages` as TypeScript."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

from icetable.server import messages

FILE = Path(__file__).parent.parent / "web" / "src" / "wire.ts"
HEAD = """\
/** The messages between server and browser. Written by tools/wire_types.py from src/icetable/server/messages.py. */
"""
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
    list[Any]: "Value[]",  # msgspec knows no types that contain themselves
}


def main() -> None:
    FILE.write_text(written(), encoding="utf-8")


def written() -> str:
    """What belongs into the file."""
    return HEAD + "".join(f"\n{declaration(name, value)}" for name, value in declared().items())


def declared() -> dict[str, Any]:
    """What the module declares of messages and their parts, by name, in its order."""
    return {name: value for name, value in vars(messages).items() if not name.startswith("_") and is_declaration(value)}


def is_declaration(value: Any) -> bool:
    """Whether it is a type of the wire: no helper, and no Annotated that merely bounds a plain type."""
    if isinstance(value, type):
        return value.__module__ == messages.__name__ and (issubclass(value, msgspec.Struct) or is_typeddict(value))
    return isinstance(value, NewType) or get_origin(value) in (types.UnionType, Literal)


def declaration(name: str, value: Any) -> str:
    """The lines that declare a type."""
    if not isinstance(value, type):
        return f"export type {name} = {spell(value.__supertype__ if isinstance(value, NewType) else value)};\n"
    doc = f"/** {value.__doc__.strip()} */\n" if value.__doc__ else ""
    lines = "".join(f"  {line};\n" for line in (typed_dict(value) if is_typeddict(value) else struct(value)))
    return f"{doc}export interface {name} {{\n{lines}}}\n"


def typed_dict(value: type) -> list[str]:
    """The members of a dict of which only some keys are known."""
    members = [f"{key}: {use(kind)}" for key, kind in get_type_hints(value).items()]
    return [*members, "[own: string]: unknown"]


def struct(value: type[msgspec.Struct]) -> list[str]:
    """The members of a message or of a part of one."""
    tag = value.__struct_config__.tag
    members = [] if tag is None else [f"type: '{tag}'"]
    for field in msgspec.structs.fields(value):
        sort = types.UnionType if get_origin(field.type) is Union else get_origin(field.type)
        kinds = get_args(field.type) if sort is types.UnionType else (field.type,)
        known = tuple(kind for kind in kinds if kind is not msgspec.UnsetType)
        optional = "?" if len(known) < len(kinds) else ""
        members.append(f"{field.name}{optional}: {use(known[0] if len(known) == 1 else field.type)}")
    return members


def use(kind: Any) -> str:
    """A type where it is used: by its name, if it has one."""
    names = {value: name for name, value in declared().items()}
    return PLAIN.get(kind) or names.get(kind) or spell(kind)


def spell(kind: Any) -> str:
    """A type that is made of others."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return use(inner[0])
    if origin is Literal:
        return " | ".join(f"'{value}'" for value in inner)
    if origin in (types.UnionType, Union):
        return " | ".join(dict.fromkeys(use(part) for part in inner))
    if origin is list:
        return f"{use(inner[0])}[]"
    if origin is dict:
        return f"Record<string, {use(inner[1])}>"
    if origin is tuple:
        return f"[{', '.join(use(part) for part in inner)}]"
    raise TypeError(f"there is no TypeScript for {kind}")


if __name__ == "__main__":
    main()
