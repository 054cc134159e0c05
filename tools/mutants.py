#!/usr/bin/env python3
"""Mutation testing of the kernels: small changes to the rules that the game's own tests should catch.

    python tools/mutants.py squad --sample 40
    python tools/mutants.py icehouse --module games/icehouse/geometry.py

A mutant differs in one place: an inverted comparison, a number one higher or lower, a negated condition, another
operator, or a removed statement. The tests of the game run in plain mode on a copy of the sources until one fails.
Surviving mutants are listed with their lines; some have no observable effect.
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
EXCLUDED_TESTS = (
    "evaluation or solve or puzzles or policy or review or themes or threats or drawing or lessons"
    " or forget or remembers or search"
)
"""Tests of the strength of play and of the display instead of the rules, which are slow in plain mode."""
FIRST_TESTS = ("tests/games/test_lockstep.py", "tests/envs/test_encodings.py")
LAST_TESTS = ("tests/conformance/test_modes.py::test_pick_draws_every_legal_act_alike",)
"""Tests of all games that run before and after the game's own ones; quick and sensitive ones come first."""
REPLACEMENTS: dict[type[ast.AST], Any] = {
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
    parser.add_argument(
        "--module", default="", metavar="PATH", help="a module instead of the kernel, relative to src/icetable"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="a random sample of N mutants per game")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--seconds", type=int, default=240, metavar="N", help="limit of processor time for the tests of a mutant"
    )
    args = parser.parse_args()
    for game in args.games or GAMES:
        module = SOURCES / "icetable" / (args.module or f"games/{game}/rules.py")
        text = module.read_text(encoding="utf-8")
        if not survives(game, module, text, args.seconds):
            sys.exit(f"the tests of {game} fail without a change, or take more than {args.seconds} s: see --seconds")
        mutants = list(mutants_of(text))
        if args.sample is not None:
            sample = np.random.default_rng(args.seed).permutation(len(mutants))[: args.sample]
            mutants = [mutants[number] for number in sorted(sample)]
        alive = 0
        for description, mutant in mutants:
            if survives(game, module, mutant, args.seconds):
                alive += 1
                print(f"{module.relative_to(ROOT)}:{description}", flush=True)
        print(f"{game}: {len(mutants) - alive} of {len(mutants)} mutants were killed", flush=True)


def mutants_of(text: str) -> Iterator[tuple[str, str]]:
    """The mutants of a module, each with a description that begins with its line, and its text."""
    for number, node in enumerate(ast.walk(ast.parse(text))):
        for mutation in mutations_of(node):
            tree = ast.parse(text)
            changed = list(ast.walk(tree))[number]
            before = ast.unparse(changed)
            mutate(tree, changed, mutation)
            after = "" if mutation == "removed" else f" becomes {ast.unparse(changed)}"
            yield f"{changed.lineno}: {before.splitlines()[0]} {mutation}{after}", ast.unparse(tree)  # type: ignore[attr-defined]


def mutations_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in REPLACEMENTS:
        yield "inverted"
    if isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in REPLACEMENTS:
        yield "with another operator"
    if isinstance(node, ast.If | ast.While):
        yield "negated"
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield from ("one higher", "one lower")
    if isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield "removed"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        yield "removed"


def mutate(tree: ast.AST, node: ast.AST, mutation: str) -> None:
    """Apply a mutation to a node."""
    if isinstance(node, ast.Compare):
        node.ops[0] = REPLACEMENTS[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and mutation == "with another operator":
        node.op = REPLACEMENTS[type(node.op)]()
    elif isinstance(node, ast.If | ast.While):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value += 1 if mutation == "one higher" else -1
    else:
        remove(tree, node)
    ast.fix_missing_locations(tree)


def remove(tree: ast.AST, statement: ast.AST) -> None:
    """Replace a statement by `pass`."""
    for parent in ast.walk(tree):
        for body in (getattr(parent, name, None) for name in ("body", "orelse")):
            if isinstance(body, list) and statement in body:
                body[body.index(statement)] = ast.Pass()


def survives(game: str, module: Path, text: str, seconds: int) -> bool:
    """Whether the game's tests pass with a changed module. Endless tests count as failed."""
    with tempfile.TemporaryDirectory(prefix="icetable-mutant-") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(SOURCES, sources, ignore=shutil.ignore_patterns("__pycache__"))
        (sources / module.relative_to(SOURCES)).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
        command += [*FIRST_TESTS, f"tests/games/{game}", *LAST_TESTS, "-k", f"{game} and not ({EXCLUDED_TESTS})"]
        environment = os.environ | {"PYTHONPATH": str(sources), "ICETABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds))
        run = subprocess.run(
            command, cwd=ROOT, env=environment, preexec_fn=limit, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    return run.returncode == 0


if __name__ == "__main__":
    main()
