"""What a server writes down: a line of JSON for each event, and by default nothing secret.

What an error says may quote what somebody sent, and a table's id lets watch it; so by default an error is told by its
kind and its place alone. `debug` tells everything.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO


class JsonFormatter(logging.Formatter):
    """Records as lines of JSON. What a record's `facts` hold, a dict, stands beside its message."""

    def __init__(self, tells_all: bool) -> None:
        super().__init__()
        self._tells_all = tells_all

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage() if self._tells_all else str(record.msg).partition("\n")[0],
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line |= self._trouble(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)

    def _trouble(self, error: BaseException) -> dict[str, Any]:
        if self._tells_all:
            return {"error": "".join(traceback.format_exception(error))}
        frames = traceback.extract_tb(error.__traceback__)
        return {"error": type(error).__name__, "where": [f"{frame.name}:{frame.lineno}" for frame in frames]}


def begin(level: str, to: TextIO | None = None) -> None:
    """Write down whatever this process logs from a level on, by default to stderr."""
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(JsonFormatter(level == "debug"))
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.getLogger("websockets").setLevel(logging.WARNING)  # it would write down every message
    logging.getLogger("asyncio").setLevel(logging.WARNING)
