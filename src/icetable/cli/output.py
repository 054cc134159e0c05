"""What commands print and write: answers, colours and drawings in a terminal, and files.

Standard output belongs to the answer of a command: what code of games and players prints goes to standard error. No
file is overwritten.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator
    from types import FrameType

    from icetable.core.game import GameInfo, Paint, State

COMMANDS = "icetable.cli"
INKS = {
    "red": "91",
    "green": "92",
    "blue": "94",
    "yellow": "93",
    "cyan": "96",
    "orange": "38;5;208",
    "purple": "95",
    "white": "97",
}
BOLD = "1"
SEAT = re.compile(r"((?:[Ss]eat|\b(?:out|turn|wins|controls [a-z]\d)) )(\d)|(?<!\d)(\d)(?=[A-Z])")
"""A seat number in a game's words and effects, and in the name of a pyramid: `seat 0`, `turn 0`, `0L`."""
STANDARD_OUTPUT = "-"


class Shared(io.TextIOBase):
    """A standard output that writes for commands, and passes to standard error whatever other code writes."""

    def __init__(self, answer: TextIO) -> None:
        self.answer = answer

    def _of_caller(self) -> TextIO:
        """The stream of the innermost module of icetable that calls; a thread of a game has none."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            if name.startswith("icetable."):
                return self.answer if f"{name}.".startswith(f"{COMMANDS}.") else sys.stderr
            frame = frame.f_back
        return sys.stderr

    def write(self, text: str) -> int:
        return self._of_caller().write(text)

    def writelines(self, lines: Any) -> None:
        self._of_caller().writelines(lines)

    @property
    def buffer(self) -> Any:
        return self._of_caller().buffer

    def flush(self) -> None:
        self.answer.flush()

    def fileno(self) -> int:
        return self.answer.fileno()

    def isatty(self) -> bool:
        return self.answer.isatty()

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.answer.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.answer.errors


@contextlib.contextmanager
def reserved() -> Iterator[None]:
    """Reserve standard output for what commands write.

    Unless it is a terminal, this includes what worker processes and other programs would write to its number.
    """
    before = sys.stdout
    number = None if before.isatty() else number_of(before)
    errors = number_of(sys.stderr)
    if number is None or errors is None:
        sys.stdout = Shared(before)
        try:
            yield
        finally:
            sys.stdout = before
        return
    kept = os.dup(number)
    answer = open(kept, "w", encoding=before.encoding, errors="replace")  # noqa: PTH123, SIM115 (closed below)
    before.flush()
    os.dup2(errors, number)
    sys.stdout = shared = Shared(answer)
    try:
        yield
    finally:
        sys.stdout = shared.answer = before  # some keep the stream that they have found
        with contextlib.suppress(OSError):  # its first error has been raised by the command
            before.flush()
        os.dup2(kept, number)
        with contextlib.suppress(OSError):
            answer.close()


def number_of(stream: TextIO) -> int | None:
    """The number of a standard stream of this process; None if it has been replaced, as in tests."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return None
    return number if number in (1, 2) else None


def has_colours() -> bool:
    """Whether the output is a terminal with colours that are not turned off."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def in_ink(text: str, ink: str) -> str:
    """Format a text in a colour or in bold, in a terminal with colours."""
    return f"\x1b[{ink}m{text}\x1b[0m" if has_colours() else text


def say(args: Namespace, text: str, **results: object) -> None:
    """Print a sentence, or with --json the results as a line of JSON."""
    print(json.dumps(results) if args.json else text, flush=True)


def painter(info: GameInfo) -> Paint:
    """The `Paint` with the colours of a game's seats."""
    return lambda text, seat: in_ink(text, INKS.get(info.colours[seat], BOLD))


def counted_from_one(text: str) -> str:
    """Renumber the seats in a text for people, who count from 1; records and programs count from 0."""
    return SEAT.sub(lambda found: f"{found[1] or ''}{int(found[2] or found[3]) + 1}", text)


def wipe() -> None:
    """Clear the terminal and its scrollback."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        print("\x1b[H\x1b[2J\x1b[3J", end="")


def picture(state: State, seat: int | None = None) -> str:
    """Draw a position as seen by a seat, or by a watcher for None, with the spaces that the last act touched marked."""
    touched = {space for effect in state.effects for space in effect.spaces}
    return state.game.draw(state.view(seat), touched, painter(state.game.info))


def new_output(name: str, what: str) -> Callable[[str], object]:
    """A function that writes text to standard output for `-`, otherwise to a new file. Raises GameError."""
    if name == STANDARD_OUTPUT:
        return sys.stdout.write
    return partial(new_file(name, what).write_text, encoding="utf-8")


def new_file(name: str, what: str) -> Path:
    """Create an empty file. Raises GameError with a message that calls the content `what`."""
    if name == STANDARD_OUTPUT:
        raise GameError(f"a {what} can't be written to standard output")
    path = Path(name)
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise GameError(f"{name} already exists; a {what} needs a new file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "invalid file name"
        raise GameError(f"the {what} can't be written to {name}: {reason}") from None
    return path


class Failure(Exception):
    """The command can't run on this machine. The message says why in one sentence."""
