"""Logging in JSON, one line for each event, and without secrets by default.

The text of an error may quote what a client sent, and a table's id lets its reader watch the table. So by default the
log has only the type of an error and where it was raised; level `debug` has everything. An event is a fixed sentence,
and what there is to know besides goes into fields (`about`).
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
"""The id of the request that is being answered."""
PRIORITIES = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
"""How journald ranks the levels."""
PLACE_OF_ARGUMENT = re.compile(r"%[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[diouxXeEfFgGcrsa]")
PERIOD_SECONDS = 60.0
MAX_A_PERIOD = 5
"""How many lines of an event a `RareLog` writes at most in each period."""
LONGEST_FACT = 300
"""How many characters a fact has at most that a `RareLog` writes."""


def about(cause: BaseException | str | None = None, *, table: str | None = None, **facts: object) -> dict[str, Any]:
    """What a call of a logger gives as `extra`: the facts beside its event.

    Of an error that is the cause only its type is shown below level debug, of a sentence all; a table is not shown.
    """
    secrets = {} if table is None else {"table": table}
    if isinstance(cause, BaseException):
        secrets["cause"] = str(cause)
        cause = type(cause).__name__
    if cause is not None:
        facts = {"cause": " ".join(cause.split()), **facts}
    return {"facts": facts, "secrets": secrets}


class JsonFormatter(logging.Formatter):
    """Formats records as lines of JSON. What a record is `about` is merged into its line."""

    def __init__(self, shows_all: bool, for_journal: bool = False) -> None:
        """`for_journal`: each line begins with its priority, which journald takes off."""
        super().__init__()
        self._shows_all = shows_all
        self._for_journal = for_journal

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": (record.getMessage() if self._shows_all else without_secrets(record)).strip(),
            **getattr(record, "facts", {}),
        }
        if self._shows_all:
            line |= getattr(record, "secrets", {})
        if record.exc_info and record.exc_info[1] is not None:
            line |= self._error(record.exc_info[1])
        if request := request_id.get():
            line["request"] = request
        written = json.dumps(line, ensure_ascii=False)
        return f"<{PRIORITIES[line['level']]}>{written}" if self._for_journal else written

    def _error(self, error: BaseException) -> dict[str, Any]:
        if self._shows_all:
            return {"error": "".join(traceback.format_exception(error))}
        frames = traceback.extract_tb(error.__traceback__)
        return {"error": type(error).__name__, "where": [f"{frame.name}:{frame.lineno}" for frame in frames]}


def without_secrets(record: logging.LogRecord) -> str:
    """The first line of what a library logs. Of its arguments only numbers are shown, and the types of errors."""
    arguments = iter(record.args if isinstance(record.args, tuple) else ())

    def shown(_: re.Match[str]) -> str:
        argument = next(arguments, None)
        if isinstance(argument, BaseException):
            return type(argument).__name__
        return str(argument) if isinstance(argument, int | float) else "…"

    return PLACE_OF_ARGUMENT.sub(shown, str(record.msg).partition("\n")[0]) if record.args else str(record.msg)


class RareLog:
    """Logs warnings and errors that may come at any rate: each at most once a minute, and MAX_A_PERIOD of an event.

    What strangers can have logged so hides no other event.

    The next line tells how many were not written, as clients choose how often they come and what is in them.
    """

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger = logger
        self._clock = clock
        self._begun_at = clock()
        self._written: dict[str, set[tuple[object, ...]]] = {}
        self._left_out = 0
        self._using = threading.Lock()

    def warn(self, event: str, level: int = logging.WARNING, **facts: str | int) -> None:
        """Log an event with its facts, unless there are too many."""
        facts = {name: fact[:LONGEST_FACT] if isinstance(fact, str) else fact for name, fact in facts.items()}
        with self._using:
            if self._clock() - self._begun_at >= PERIOD_SECONDS:
                self._begun_at = self._clock()
                self._written.clear()
            line, written = (*facts.items(),), self._written.setdefault(event, set())
            if line in written or len(written) >= MAX_A_PERIOD:
                self._left_out += 1
                return
            written.add(line)
            if self._left_out:
                facts["more"], self._left_out = self._left_out, 0
        self._logger.log(level, event, extra=about(**facts))  # type: ignore[arg-type]


def goes_to_journal() -> bool:
    """Whether journald reads what is written to stderr."""
    try:
        found = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def configure(level: str, to: TextIO | None = None) -> None:
    """Log everything from a level on, by default to stderr."""
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(JsonFormatter(level == "debug", to is None and goes_to_journal()))
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    for library in ("websockets", "asyncio", "numba"):  # they would log every message, and every step of the compiler
        logging.getLogger(library).setLevel(logging.WARNING)
