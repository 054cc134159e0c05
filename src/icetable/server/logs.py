"""Logging in JSON, one line for each event, and without secrets by default.

The text of an error may quote what a client sent, and a table's id lets its reader watch the table. So by default the
log has only the type of an error and where it was raised; level `debug` has everything.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO


class JsonFormatter(logging.Formatter):
    """Formats records as lines of JSON. The dict `facts` of a record is merged into its line."""

    def __init__(self, shows_all: bool) -> None:
        super().__init__()
        self._shows_all = shows_all

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage() if self._shows_all else str(record.msg).partition("\n")[0],
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line |= self._error(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)

    def _error(self, error: BaseException) -> dict[str, Any]:
        if self._shows_all:
            return {"error": "".join(traceback.format_exception(error))}
        frames = traceback.extract_tb(error.__traceback__)
        return {"error": type(error).__name__, "where": [f"{frame.name}:{frame.lineno}" for frame in frames]}


def configure(level: str, to: TextIO | None = None) -> None:
    """Log everything from a level on, by default to stderr."""
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(JsonFormatter(level == "debug"))
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.getLogger("websockets").setLevel(logging.WARNING)  # it would log every message
    logging.getLogger("asyncio").setLevel(logging.WARNING)
