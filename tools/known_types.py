#!/usr/bin/env python3
"""Tells how much of what the library promises has types that every type checker knows; fails where some has none.

Pyright judges (`--verifytypes`), in its newest version: it is fetched for this and not locked. What it says of modules
that promise nothing is left out.
"""

from __future__ import annotations

import json
import os
import site
import subprocess
from importlib import import_module

import bootstrap

PROMISE = ("icetable", *(f"icetable.{part}" for part in ("analysis", "bots", "envs", "lab")))
"""The modules whose `__all__` is promised."""


def main() -> int:
    """0 if all types are known."""
    command = [bootstrap.find_uv(), "tool", "run", "--from", "pyright[nodejs]", "pyright"]
    places = os.pathsep.join([str(bootstrap.ROOT / "src"), *site.getsitepackages()])
    done = subprocess.run(
        [*command, "--verifytypes", "icetable", "--ignoreexternal", "--outputjson"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": places},  # pyright looks around in the environment that it was put into
        check=False,
    )
    symbols = {one["name"]: one for one in json.loads(done.stdout)["typeCompleteness"]["symbols"]}
    names = [f"{module}.{name}" for module in PROMISE for name in import_module(module).__all__]
    unknown = [name for name in names if not symbols[name]["isTypeKnown"]]
    print(
        "\n".join([*unknown, f"{len(names) - len(unknown)} of {len(names)} promised names have types that are known"])
    )
    return 1 if unknown else 0


if __name__ == "__main__":
    raise SystemExit(main())
