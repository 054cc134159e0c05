#!/usr/bin/env python3
"""Checks that all public names have types known to type checkers.

It runs the newest Pyright (`--verifytypes`), which is downloaded and not locked. Its results for modules that are not
public are ignored.
"""

from __future__ import annotations

import json
import os
import site
import subprocess
from importlib import import_module

import bootstrap

PUBLIC_MODULES = ("icetable", *(f"icetable.{part}" for part in ("analysis", "bots", "envs", "lab")))
"""The modules whose `__all__` is public."""


def main() -> int:
    """Return 0 if all types are known."""
    command = [bootstrap.find_uv(), "tool", "run", "--from", "pyright[nodejs]", "pyright"]
    path = os.pathsep.join([str(bootstrap.ROOT / "src"), *site.getsitepackages()])
    done = subprocess.run(
        [*command, "--verifytypes", "icetable", "--ignoreexternal", "--outputjson"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},  # pyright would use its own environment
        check=False,
    )
    symbols = {symbol["name"]: symbol for symbol in json.loads(done.stdout)["typeCompleteness"]["symbols"]}
    names = [f"{module}.{name}" for module in PUBLIC_MODULES for name in import_module(module).__all__]
    unknown = [name for name in names if not symbols[name]["isTypeKnown"]]
    print("\n".join([*unknown, f"{len(names) - len(unknown)} of {len(names)} public names have known types"]))
    return 1 if unknown else 0


if __name__ == "__main__":
    raise SystemExit(main())
