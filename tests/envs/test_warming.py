"""Compiling is announced, once, and can be done in advance."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from icetable.envs import Batch, RealTime, warm_up
from icetable.games import load
from icetable.kernels import jit

COMPILED = """
from icetable.kernels import jit
import numpy as np

def plus(number):
    return number + 1

def minus(number):
    return number - 1

plus, minus = jit.kernel(plus), jit.kernel(minus)
jit.announce_compiling()
jit.announce_compiling()
assert (plus(1), minus(1)) == (2, 0)
"""


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="nothing is compiled")
def test_that_kernels_are_compiled_is_said_once_and_not_where_they_are_kept(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(COMPILED, encoding="utf-8")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, env=environment).stderr
        for _ in range(2)
    ]
    assert said == [jit.COMPILING, ""]
    assert "icetable warmup --environments" in jit.COMPILING


def test_environments_announce_that_they_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[None] = []
    monkeypatch.setattr(jit, "announce_compiling", lambda: calls.append(None))
    Batch("squad", 1)
    assert len(calls) == 1
    RealTime("icehouse")
    assert len(calls) == 2


@pytest.mark.parametrize("game", ["squad", "highrise", "icehouse"])
def test_a_game_can_be_warmed_up(game: str) -> None:
    warm_up(load(game))
