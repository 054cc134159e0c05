#!/usr/bin/env python3
"""Makes every lock anew with the newest versions that work together. Run ./test once before it.

The locks hold versions and hashes and no addresses, so that a mirror of the registries serves as well.
"""

from __future__ import annotations

import bootstrap

PYPROJECT = str(bootstrap.ROOT / "pyproject.toml")
BENCH_LOCK = bootstrap.ROOT / "requirements-bench.lock"
COMPILE = ["pip", "compile", "--universal", "--python-version", "3.11", "--upgrade", "--no-sources"]
COMPILE += ["--generate-hashes", "--no-header", "--no-annotate"]


def main() -> None:
    uv = bootstrap.find_uv()
    newest_uv = bootstrap.TOOLS / "uv.in"
    newest_uv.write_text("uv\n")
    play, test, bench = bootstrap.PLAY_LOCK, bootstrap.TEST_LOCK, BENCH_LOCK

    def compile_lock(output: str, *arguments: str) -> None:
        bootstrap.step(output, [uv, *COMPILE, "--output-file", output, *arguments])

    # Each lock keeps to the versions of the one before: ./test installs everything that ./play does.
    compile_lock(str(bootstrap.UV_LOCK), str(newest_uv))
    compile_lock(str(play), PYPROJECT, "--group", f"{PYPROJECT}:build")
    compile_lock(str(test), PYPROJECT, "--group", f"{PYPROJECT}:test", "--constraints", str(play))
    compile_lock(str(bench), PYPROJECT, "--group", f"{PYPROJECT}:bench", "--constraints", str(test))
    npm_lock = [*bootstrap.find_node().npm, "install", "--package-lock-only"]
    for folder in (bootstrap.ROOT / "web", bootstrap.CHROMIUM):
        (folder / "package-lock.json").unlink(missing_ok=True)
        bootstrap.step(f"{folder}/package-lock.json", npm_lock, folder)


if __name__ == "__main__":
    with bootstrap.plain_words("tools/lock.py"):
        main()
