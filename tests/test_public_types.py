"""The types of the public interface, which are written from the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import public_types

import icetable

if TYPE_CHECKING:
    from typing import assert_type

    state = icetable.load("squad").start().apply("C@a1")
    assert_type(state.view()["stacks"], dict[str, list[str]])
    assert_type(state.effects, tuple[icetable.Effect, ...])
    assert_type(icetable.load(input()), icetable.Game)


def test_the_file_of_types_is_of_the_registry() -> None:
    kept = public_types.FILE.read_text(encoding="utf-8")
    assert kept == public_types.generate()
    assert all(f'"{info.name}"' in kept for info in icetable.list_games())
