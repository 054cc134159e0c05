#!/usr/bin/env python3
"""Mutation testing of the kernels: small changes to the rules, each of which the game's own tests should catch.

    python tools/mutants.py squad --sample 40
    python tools/mutants.py icehouse --module games/icehouse/geometry.py

A mutant differs in one place: a comparison turned round, a number one higher or lower, a condition negated, an operator
for another, or a statement left out. The tests of the game run in plain mode on a copy of the sources until one fails.
Mutants that survive are listed, each with its line; some change nothing that can be seen.
"""

from __future__ import annotations

import argparse
import ast
import functools
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src"
GAMES = ("highrise", "icefrogs", "icehouse", "squad", "wrecktangle")
NOT_OF_RULES = (
    "evaluation or solve or puzzles or policy or review or themes or threats or drawing or lessons"
    " or forget or remembers or search"
)
"""Tests that ask how well the game is played or shown, not by which rules; in plain mode they take long."""
FIRST = ("tests/games/test_lockstep.py", "tests/envs/test_encodings.py")
LAST = ("tests/conformance/test_modes.py::test_pick_draws_every_legal_act_alike",)
"""Tests of all games that the game's own ones stand between: quick ones that notice much come first."""
SWAPPED: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], metavar="GAME")
    parser.add_argument("--module", default="", metavar="PATH", help="in place of the kernel, from src/icetable")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many of each game, drawn at random")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--seconds", type=int, default=240, metavar="N", help="of processor time, for the tests of a mutant"
    )
    chosen = parser.parse_args()
    for game in chosen.games or GAMES:
        module = SOURCES / "icetable" / (chosen.module or f"games/{game}/rules.py")
        text = module.read_text(encoding="utf-8")
        if not survives(game, module, text, chosen.seconds):
            sys.exit(f"the tests of {game} fail without a change, or take more than {chosen.seconds} s: see --seconds")
        mutants = list(mutants_of(text))
        if chosen.sample is not None:
            drawn = np.random.default_rng(chosen.seed).permutation(len(mutants))[: chosen.sample]
            mutants = [mutants[number] for number in sorted(drawn)]
        alive = 0
        for what, mutant in mutants:
            if survives(game, module, mutant, chosen.seconds):
                alive += 1
                print(f"{module.relative_to(ROOT)}:{what}", flush=True)
        print(f"{game}: {len(mutants) - alive} of {len(mutants)} mutants were noticed", flush=True)


def mutants_of(text: str) -> Iterator[tuple[str, str]]:
    """What each mutant of a module changes, after the number of its line, and its text."""
    for number, node in enumerate(ast.walk(ast.parse(text))):
        for way in ways(node):
            tree = ast.parse(text)
            changed = list(ast.walk(tree))[number]
            before = ast.unparse(changed)
            change(tree, changed, way)
            after = "" if way == "left out" else f" becomes {ast.unparse(changed)}"
            yield f"{changed.lineno}: {before.splitlines()[0]} {way}{after}", ast.unparse(tree)  # type: ignore[attr-defined]


def ways(node: ast.AST) -> Iterator[str]:
    """In which ways a node of a module can be changed."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        yield "turned round"
    if isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in SWAPPED:
        yield "with another operator"
    if isinstance(node, ast.If | ast.While):
        yield "negated"
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield from ("one higher", "one lower")
    if isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield "left out"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        yield "left out"


def change(tree: ast.AST, node: ast.AST, way: str) -> None:
    """Change a node in one of its ways."""
    if isinstance(node, ast.Compare):
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and way == "with another operator":
        node.op = SWAPPED[type(node.op)]()
    elif isinstance(node, ast.If | ast.While):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value += 1 if way == "one higher" else -1
    else:
        leave_out(tree, node)
    ast.fix_missing_locations(tree)


def leave_out(tree: ast.AST, statement: ast.AST) -> None:
    """Put `pass` in the place of a statement."""
    for parent in ast.walk(tree):
        for body in (getattr(parent, name, None) for name in ("body", "orelse")):
            if isinstance(body, list) and statement in body:
                body[body.index(statement)] = ast.Pass()


def survives(game: str, module: Path, text: str, seconds: int) -> bool:
    """Whether the game's tests pass with another text of a module. Tests that never end count as failed."""
    with tempfile.TemporaryDirectory(prefix="icetable-mutant-") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(SOURCES, sources, ignore=shutil.ignore_patterns("__pycache__"))
        (sources / module.relative_to(SOURCES)).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
        command += [*FIRST, f"tests/games/{game}", *LAST, "-k", f"{game} and not ({NOT_OF_RULES})"]
        setting = os.environ | {"PYTHONPATH": str(sources), "ICETABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds))
        run = subprocess.run(
            command, cwd=ROOT, env=setting, preexec_fn=limit, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    return run.returncode == 0


if __name__ == "__main__":
    main()
