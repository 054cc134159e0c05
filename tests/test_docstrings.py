"""The examples in the docstrings are true, and everything public has one."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

import icetable
from icetable.kernels import jit

MODULES = (
    "",
    ".analysis.positions",
    ".analysis.reviews",
    ".core.errors",
    ".core.game",
    ".core.options",
    ".core.record",
    ".envs.batch",
    ".envs.opponents",
    ".envs.openspiel",
    ".envs.pettingzoo",
    ".envs.policies",
    ".envs.realtime",
    ".envs.reference",
    ".envs.rendering",
    ".envs.search",
    ".envs.spaces",
    ".envs.gymnasium",
    ".games",
    ".lab.comparisons",
    ".lab.matches",
    ".lab.plan",
    ".lab.playouts",
    ".lab.questions",
    ".lab.runs",
)
CONSTANTS = {"CHANCE"}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain mode, which needs no compiler."""
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    results = doctest.testmod(import_module(f"icetable{name}"))
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("name", sorted(set(icetable.__all__) - CONSTANTS))
def test_everything_public_has_an_example(name: str) -> None:
    assert ">>> " in (getattr(icetable, name).__doc__ or "")


@pytest.mark.parametrize("name", [name for name in icetable.__all__ if isinstance(getattr(icetable, name), type)])
def test_examples_of_what_is_public(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of classes that name the package as their module, which `doctest` does not find in the file."""
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    public = getattr(icetable, name)
    names = dict(vars(import_module(public.__module__)))
    (examples,) = doctest.DocTestFinder(recurse=False).find(public, name, globs=names)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 0
    assert results.failed == 0
