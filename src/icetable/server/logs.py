"""JSON logging, one line per event, without secrets by default.

Error texts may quote client input, and anyone with a table's id can watch the table. So by default the log holds only
an error's type and where it was raised; level `debug` logs everything. An event is a fixed sentence; its details go
into fields (`about`).
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import threading
import time
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request."""
PRIORITIES = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
"""The priorities of the levels in journald."""
PRINTF_FIELD = re.compile(r"%[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[diouxXeEfFgGcrsa]")
PERIOD_SECONDS = 60.0
MAX_LINES_PER_PERIOD = 5
"""Maximum number of lines per event that a `RareLog` writes in a period."""
MAX_FACT_LENGTH = 300
"""Maximum length of a text that a `RareLog` writes."""


def about(cause: BaseException | str | None = None, *, table: str | None = None, **facts: object) -> dict[str, Any]:
    """Return the `extra` argument of a logging call: the facts of its event.

    Outside level debug, a `cause` that is an error shows only its type, a sentence is shown in full, and `table` is
    hidden.
    """
    secrets = {} if table is None else {"table": table}
    if isinstance(cause, BaseException):
        secrets["cause"] = str(cause)
        cause = type(cause).__name__
    if cause is not None:
        facts = {"cause": " ".join(cause.split()), **facts}
    return {"facts": facts, "secrets": secrets}


class JsonFormatter(logging.Formatter):
    """Formats records as lines of JSON, with the facts of `about` merged in."""

    def __init__(self, is_debug: bool, for_journal: bool = False) -> None:
        """`for_journal`: prefix each line with its priority, which journald strips."""
        super().__init__()
        self._is_debug = is_debug
        self._for_journal = for_journal

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": (record.getMessage() if self._is_debug else without_secrets(record)).strip(),
            **getattr(record, "facts", {}),
        }
        if self._is_debug:
            line |= getattr(record, "secrets", {})
        if record.exc_info and record.exc_info[1] is not None:
            line |= self._error(record.exc_info[1])
        if request := request_id.get():
            line["request"] = request
        text = json.dumps(line, ensure_ascii=False)
        return f"<{PRIORITIES[line['level']]}>{text}" if self._for_journal else text

    def _error(self, error: BaseException) -> dict[str, Any]:
        if self._is_debug:
            return {"error": "".join(traceback.format_exception(error))}
        frames = traceback.extract_tb(error.__traceback__)
        return {"error": type(error).__name__, "where": [f"{frame.name}:{frame.lineno}" for frame in frames]}


class PlainFormatter(logging.Formatter):
    """Formats records as sentences for the terminal of `icetable play`: the event, its cause and its other facts."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (overrides)
        facts = dict(getattr(record, "facts", {}))
        cause = f": {facts.pop('cause')}" if "cause" in facts else ""
        others = f" ({', '.join(f'{name}: {fact}' for name, fact in facts.items())})" if facts else ""
        return f"icetable: {record.getMessage()}{cause}{others}"


def without_secrets(record: logging.LogRecord) -> str:
    """The first line of a library's message. Of its arguments it shows only numbers and the types of errors."""
    arguments = iter(record.args if isinstance(record.args, tuple) else ())

    def format_argument(_: re.Match[str]) -> str:
        argument = next(arguments, None)
        if isinstance(argument, BaseException):
            return type(argument).__name__
        return str(argument) if isinstance(argument, int | float) else "…"

    return PRINTF_FIELD.sub(format_argument, str(record.msg).partition("\n")[0]) if record.args else str(record.msg)


class RareLog:
    """Logs warnings and errors that clients can trigger at any rate, without hiding other events.

    Writes each distinct line at most once per period, and at most MAX_LINES_PER_PERIOD per event. The next line that it
    writes states the number of suppressed ones.
    """

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger = logger
        self._clock = clock
        self._period_began = clock()
        self._lines: dict[str, set[tuple[object, ...]]] = {}
        self._suppressed = 0
        self._lock = threading.Lock()

    def warn(self, event: str, level: int = logging.WARNING, **facts: str | int) -> None:
        """Log an event with its facts, unless it is suppressed."""
        facts = {name: fact[:MAX_FACT_LENGTH] if isinstance(fact, str) else fact for name, fact in facts.items()}
        with self._lock:
            if self._clock() - self._period_began >= PERIOD_SECONDS:
                self._period_began = self._clock()
                self._lines.clear()
            line, lines = (*facts.items(),), self._lines.setdefault(event, set())
            if line in lines or len(lines) >= MAX_LINES_PER_PERIOD:
                self._suppressed += 1
                return
            lines.add(line)
            if self._suppressed:
                facts["more"], self._suppressed = self._suppressed, 0
        self._logger.log(level, event, extra=about(**facts))  # type: ignore[arg-type]


def is_journal_stderr() -> bool:
    """Whether stderr is connected to journald."""
    try:
        stat = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{stat.st_dev}:{stat.st_ino}"


def configure_terminal() -> None:
    """Show warnings and errors as sentences on stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter())
    logging.basicConfig(handlers=[handler], level="WARNING", force=True)


def configure(level: str, to: TextIO | None = None) -> None:
    """Log messages of at least this level, by default to stderr."""
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(JsonFormatter(level == "debug", to is None and is_journal_stderr()))
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    for library in ("websockets", "asyncio", "numba"):  # they log every message, and every step of the compiler
        logging.getLogger(library).setLevel(logging.WARNING)
