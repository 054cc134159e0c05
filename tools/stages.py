"""The stages of ./test: their commands, and the summary at the end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from frontend import Node

CHECKS = ("ruff", "format", "mypy", "eslint", "prettier", "svelte-check", "vitest", "docs", "front-end", "kernels")
"""Independent stages, which run in parallel."""
NAMES = (*CHECKS, "package", "pytest")
IN_WEB = ("eslint", "prettier", "svelte-check", "vitest")
PROCESSES = min(2 * (os.cpu_count() or 1), 8)
"""Two per core: with one, cores idle half of the time, while tests wait for a browser or a clock."""
PYTEST_PARALLEL = ["-n", str(PROCESSES), "--dist=loadfile", "--no-loadscope-reorder"]
"""Tests of a module stay together, as they share fixtures. Files keep their order: slow ones come early."""
HELP = f"""usage: ./test [STAGE ...] [-- ARGUMENT ...]

Runs the stages in order and continues after failures. Without names all of them run.
Arguments after -- go to pytest.

stages: {", ".join(NAMES)}"""


@dataclass(frozen=True)
class Stage:
    name: str
    command: list[str]
    folder: Path


def parse(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Parse the names of the stages and the arguments for pytest. Exits on an unknown name."""
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    names, pytest_arguments = arguments[:cut], arguments[cut + 1 :]
    if {"-h", "--help"} & set(names):
        print(HELP)
        sys.exit(0)
    for name in names:
        if name not in NAMES:
            print(f"./test: there is no stage {name!r}.\n\n{HELP}", file=sys.stderr)
            sys.exit(2)
    return names or list(NAMES), pytest_arguments


def all_stages(root: Path, programs: Path, node: Node, pytest_arguments: list[str]) -> list[Stage]:
    """All stages in the order of NAMES: quick ones first, so that errors show early."""
    web = root / "web"
    commands = {
        "ruff": [str(programs / "ruff"), "check"],
        "format": [str(programs / "ruff"), "format", "--check"],
        "mypy": [str(programs / "mypy")],
        "eslint": node.tool(web, "eslint/bin/eslint.js", "--max-warnings=0"),
        "prettier": node.tool(web, "prettier/bin/prettier.cjs", "--check", "--log-level=warn", "."),
        "svelte-check": node.tool(web, "svelte-check/bin/svelte-check", "--fail-on-warnings"),
        "vitest": node.tool(web, "vitest/vitest.mjs", "run"),
        "docs": [str(programs / "mkdocs"), "build", "--quiet"],
        "front-end": [str(programs / "python"), str(root / "tools" / "frontend.py"), str(node.folder)],
        "kernels": [str(programs / "icetable"), "warmup", "--environments"],
        "package": [str(programs / "python"), str(root / "tools" / "package.py")],
        "pytest": [str(programs / "python"), "-m", "pytest", *PYTEST_PARALLEL, *pytest_arguments],
    }
    return [Stage(name, commands[name], web if name in IN_WEB else root) for name in NAMES]


def run(stages: list[Stage], variables: dict[str, str]) -> int:
    """Run the checks in parallel, then the other stages one by one. Returns 0 if all of them passed, otherwise 1."""
    if not sys.stdout.isatty():
        variables = {**variables, "NO_COLOR": "1"}
    variables = {**variables, "NO_MKDOCS_2_WARNING": "1"}  # Material for MkDocs is maintained until May 2027
    checks = [stage for stage in stages if stage.name in CHECKS]
    results = []
    started_at = time.monotonic()
    with ThreadPoolExecutor(max(2, os.cpu_count() or 1)) as pool:
        longest_first = sorted(checks, key=lambda stage: stage.name != "kernels")
        running = {stage.name: pool.submit(run_quietly, stage, variables) for stage in longest_first}
        for stage in checks:
            result, output = running[stage.name].result()
            print(f"\n== {stage.name} ==\n{output}", end="", flush=True)
            results.append(result)
    for stage in stages:
        if stage not in checks:
            print(f"\n== {stage.name} ==", flush=True)
            start = time.monotonic()
            code = subprocess.call(stage.command, cwd=stage.folder, env=variables, stdin=subprocess.DEVNULL)
            results.append((stage.name, code, time.monotonic() - start))

    print("\n== summary ==")
    for name, code, seconds in results:
        print(f"{name:14}{'ok' if code == 0 else f'FAILED ({code})':14}{seconds:6.1f} s")
    failed = sum(code != 0 for _, code, _ in results)
    total = time.monotonic() - started_at
    print(f"{len(results) - failed} of {len(results)} stages passed in {total:.0f} s", flush=True)
    return 1 if failed else 0


def run_quietly(stage: Stage, variables: dict[str, str]) -> tuple[tuple[str, int, float], str]:
    """Run a stage; return its name, exit code and seconds, and its output."""
    start = time.monotonic()
    done = subprocess.run(
        stage.command,
        cwd=stage.folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return (stage.name, done.returncode, time.monotonic() - start), done.stdout
