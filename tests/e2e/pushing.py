"""`icetable` with notices that go to a push service of a test, at the port that the variable PUSH_PORT names."""

from __future__ import annotations

import os
import ssl
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from icetable import cli
from icetable.server.live import notices
from icetable.server.live.push import Push, load_keys

server: Any = import_module("icetable.server.http.server")
make_app = server.make_app


async def resolve(_host: str, _port: int) -> list[tuple[str, int]]:
    return [("127.0.0.1", int(os.environ["PUSH_PORT"]))]


def make_app_with_push(store: Any, bot_pool: Any, settings: Any) -> Any:
    folder = Path(os.environ["PUSH_FOLDER"])
    trusting = ssl.create_default_context(cafile=str(folder / "public.pem"))
    push = Push(load_keys(folder / "keys.pem"), "mailto:ann@example.org", resolve, trusting)
    return make_app(store, bot_pool, replace(settings, push=push))


if __name__ == "__main__":
    server.make_app = make_app_with_push
    notices.CHECK_DELAY_SECONDS, notices.CLOSED_PAGE_SECONDS, notices.MIN_INTERVAL_MS = 0.2, 2.0, 0
    sys.exit(cli.main())
