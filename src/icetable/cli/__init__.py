"""The command `icetable`. Its subcommands are in the modules of this package, which are imported on use."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default that of the process, and return the exit code."""
    prepare_streams()
    try:  # includes the imports, which are slow enough for a Ctrl-C
        from icetable.cli.output import Failure, reserved
        from icetable.core.errors import GameError

        with reserved():
            return flushing(lambda: run(arguments))
    except BrokenPipeError:
        give_up_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except GameError as error:
        return report_error(str(error), BAD_INPUT)
    except Failure as error:
        return report_error(str(error), FAILED)
    except MemoryError:
        return report_error("there is not enough memory for that", FAILED)
    except OSError as error:
        give_up_output()
        return report_error(": ".join(str(part) for part in (error.filename, error.strerror) if part), FAILED)


def run(arguments: Sequence[str] | None) -> int:
    """Parse the command line and run the command."""
    from icetable.cli import parser

    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["serve"]:
        from icetable.cli.server import with_settings

        given = with_settings(given)
    return parser.run(parser.build(given).parse_args(given))


def flushing(work: Callable[[], int]) -> int:
    """Run a function, and flush its output before an error is reported."""
    try:
        return work()
    finally:
        sys.stdout.flush()


def prepare_streams() -> None:
    """Make streams replace characters that they can't encode, and replace closed streams by empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 (never closed)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def give_up_output() -> None:
    """Discard unwritten output: without a reader, Python would retry the write at exit and report an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def report_error(message: str, code: int) -> int:
    """Print an error, and return the exit code."""
    print(f"icetable: {message}", file=sys.stderr)
    return code
