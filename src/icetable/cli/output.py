"""Standard output belongs to the answer of a command: what code of games and players prints goes to standard error."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

COMMANDS = "icetable.cli"


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
