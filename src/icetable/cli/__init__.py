"""The command `icetable`. Each of its commands is a module here, imported when it is called and not before."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from icetable.cli import parser
from icetable.core.errors import GameError

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


class Failure(Exception):
    """What is in the way on this machine, in one sentence."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default that of this process, and return its exit code."""
    prepare_streams()
    try:
        return flushing(lambda: run(arguments))
    except BrokenPipeError:
        give_up_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except GameError as error:
        return error_response(str(error), BAD_INPUT)
    except Failure as error:
        return error_response(str(error), FAILED)
    except MemoryError:
        return error_response("there is not enough memory for that", FAILED)
    except OSError as error:
        give_up_output()
        return error_response(": ".join(str(part) for part in (error.filename, error.strerror) if part), FAILED)


def run(arguments: Sequence[str] | None) -> int:
    """Read the command line and hand over to the command's module."""
    chosen = parser.build().parse_args(arguments)
    command: Callable[..., int] = import_module(f"icetable.cli.{chosen.command}").run
    return command(chosen)


def flushing(work: Callable[[], int]) -> int:
    """Do some work; whatever happens, what it printed is out before anybody hears of it."""
    try:
        return work()
    finally:
        sys.stdout.flush()


def prepare_streams() -> None:
    """Nothing that comes in or goes out is refused for its letters, and a closed stream is an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 (open for good)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def give_up_output() -> None:
    """Nobody takes what is still unwritten; without this Python would try again at the end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def error_response(message: str, code: int) -> int:
    """Say what is wrong, and return the exit code."""
    print(f"icetable: {message}", file=sys.stderr)
    return code
