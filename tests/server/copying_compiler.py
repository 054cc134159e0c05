"""A program in place of `icetable.bots.compiler`: it takes what the cache named by $COMPILED has of all games."""

from __future__ import annotations

import os
import shutil
import sys

from icetable.kernels import jit

if __name__ == "__main__":
    own = jit.cache_folder()
    assert own is not None
    shutil.copytree(os.environ["COMPILED"], own, dirs_exist_ok=True)
    sys.stdout.write("1 1\n")
