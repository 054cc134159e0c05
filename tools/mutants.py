#!/usr/bin/env python3
"""Mutation testing: small changes to the code that its tests should catch, in a game's kernel or in a package.

    python tools/mutants.py squad --sample 40
    python tools/mutants.py icehouse --module games/icehouse/geometry.py
    python tools/mutants.py server/table --sample 25 --seed 1

A mutant differs in one place: an inverted comparison, a number one higher or lower, a negated condition, another
operator, or a removed statement. The tests of the game, in plain mode, or those about the package run on a copy of the
sources until one fails. Surviving mutants are listed with their lines; some have no observable effect.
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
from typing import Any, NamedTuple

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
TESTS_OF = {
    "server/table": (
        *("table_state", "seats", "clock", "clock_shown", "fairness", "seen", "positions"),
        *("luck", "matches", "thinking", "salted_names", "resume", "analyses", "live_table"),
    ),
    "server/names": ("names",),
    "server/chat": ("chat",),
    "server/tournament": ("pairing", "tournaments"),
    "server/store": ("store", "logs", "kept", "migrations", "copying", "backup", "damage", "postgres", "retention"),
    "lab": ("",),
}
"""Packages and modules, and the tests of their folder about them, quick and sensitive ones first; "" is all."""
REPLACEMENTS: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
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


class Target(NamedTuple):
    """What is mutated, and the arguments of the run of pytest that should notice."""

    name: str
    modules: list[Path]
    tests: list[str]
    environment: dict[str, str]


class Site(NamedTuple):
    """A place for a mutation: the number of a node in the order of `ast.walk`."""

    module: Path
    number: int
    mutation: str


def main() -> None:
    names = [*GAMES, *TESTS_OF]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*names, []], metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument(
        "--module", default="", metavar="PATH", help="the only module to change, relative to src/icetable"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="a random sample of N mutants per name")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--seconds", type=int, default=240, metavar="N", help="limit of processor time for the tests of a mutant"
    )
    args = parser.parse_args()
    for name in args.names or names:
        target = package_target(name) if name in TESTS_OF else game_target(name)
        if args.module:
            target = target._replace(modules=[SOURCES / "icetable" / args.module])
        sites = [site for module in target.modules for site in sites_of(module)]
        if not survives(target, target.modules[0], target.modules[0].read_text(encoding="utf-8"), args.seconds):
            sys.exit(f"the tests of {name} fail without a change, or take more than {args.seconds} s: see --seconds")
        if args.sample is not None:
            sample = np.random.default_rng(args.seed).permutation(len(sites))[: args.sample]
            sites = [sites[number] for number in sorted(sample)]
        alive = 0
        for site in sites:
            description, text = mutant_at(site)
            if survives(target, site.module, text, args.seconds):
                alive += 1
                print(f"{site.module.relative_to(ROOT)}:{description}", flush=True)
        print(f"{name}: {len(sites) - alive} of {len(sites)} mutants were killed", flush=True)


def game_target(game: str) -> Target:
    """The kernel of a game, and the tests of its rules in plain mode."""
    tests = [*FIRST_TESTS, f"tests/games/{game}", *LAST_TESTS, "-k", f"{game} and not ({EXCLUDED_TESTS})"]
    return Target(game, [SOURCES / f"icetable/games/{game}/rules.py"], tests, {"ICETABLE_JIT": "0"})


def package_target(package: str) -> Target:
    """The modules of a package, or one module, and the tests that are about it."""
    folder = f"tests/{package.partition('/')[0]}"
    tests = [f"{folder}/test_{name}.py" if name else folder for name in TESTS_OF[package]]
    path = SOURCES / "icetable" / package
    return Target(package, sorted(path.rglob("*.py")) or [path.with_suffix(".py")], tests, {})


def sites_of(module: Path) -> Iterator[Site]:
    for number, node in enumerate(ast.walk(ast.parse(module.read_text(encoding="utf-8")))):
        for mutation in mutations_of(node):
            yield Site(module, number, mutation)


def mutant_at(site: Site) -> tuple[str, str]:
    """A mutant's description, which begins with its line, and its text."""
    tree = ast.parse(site.module.read_text(encoding="utf-8"))
    changed: Any = list(ast.walk(tree))[site.number]
    before = ast.unparse(changed)
    mutate(tree, changed, site.mutation)
    after = "" if site.mutation == "removed" else f" becomes {ast.unparse(changed)}"
    return f"{changed.lineno}: {before.splitlines()[0]} {site.mutation}{after}", ast.unparse(tree)


def mutations_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in REPLACEMENTS:
        yield "inverted"
    if isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in REPLACEMENTS:
        yield "with another operator"
    if isinstance(node, ast.If | ast.While) and ast.unparse(node.test) != "TYPE_CHECKING":
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


def survives(target: Target, module: Path, text: str, seconds: int) -> bool:
    """Whether the tests pass with a changed module. Endless tests count as failed."""
    with tempfile.TemporaryDirectory(prefix="icetable-mutant-") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(SOURCES, sources, ignore=shutil.ignore_patterns("__pycache__"))
        (sources / module.relative_to(SOURCES)).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *target.tests]
        environment = os.environ | {"PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"} | target.environment
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds))
        run = subprocess.run(
            command, cwd=ROOT, env=environment, preexec_fn=limit, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    return run.returncode == 0


if __name__ == "__main__":
    main()
