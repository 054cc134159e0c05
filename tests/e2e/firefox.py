"""A Firefox of the system, driven over WebDriver BiDi."""

from __future__ import annotations

import itertools
import json
import os
import queue
import re
import shutil
import subprocess
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests.e2e.other_browser import PATIENCE, OtherBrowser, click

MISSING = "There is no Firefox here (on Debian: apt install firefox-esr)."
NAMES = ("firefox", "firefox-esr")
ADDRESS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# A test browser has nobody to call and asks nothing.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}


def program() -> Path | None:
    """Where Firefox is, if the system has one."""
    found = filter(None, map(shutil.which, NAMES))
    return next(map(Path, found), None)


def open_in(folder: Path) -> Firefox:
    """A Firefox with a profile of its own in an empty folder."""
    found = program()
    assert found is not None
    return Firefox(found, folder)


class Firefox(OtherBrowser):
    """A headless Firefox."""

    def __init__(self, program: Path, folder: Path) -> None:
        super().__init__()
        self._numbers = itertools.count(1)
        with ExitStack() as parts:
            process = parts.enter_context(start(program, folder))
            addresses: queue.SimpleQueue[str | None] = queue.SimpleQueue()
            reader = threading.Thread(target=follow, args=(process, addresses), daemon=True)
            reader.start()
            parts.callback(reader.join)
            parts.callback(process.kill)
            address = addresses.get(timeout=PATIENCE)
            assert address is not None, "Firefox ended before it listened"
            self._socket = parts.enter_context(connect(f"{address}/session", max_size=None))
            self.ask("session.new", capabilities={})
            self.ask("session.subscribe", events=["log.entryAdded"])
            self._window = self.ask("browsingContext.getTree")["contexts"][0]["context"]
            self._parts = parts.pop_all()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command; events before it are kept. AssertionError if it fails."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := json.loads(self._socket.recv(PATIENCE))).get("id") != number:
            if message.get("method") == "log.entryAdded":
                self._heed(message["params"])
        assert message["type"] == "success", message
        result: dict[str, Any] = message["result"]
        return result

    def _heed(self, entry: dict[str, Any]) -> None:
        """Firefox logs as an error that a page is left with its socket open, or while its worker loads something."""
        if entry["level"] == "error" and not any(word in entry["text"] for word in ("ws://", "ServiceWorker")):
            self.errors.append(entry["text"])

    def show(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        self.ask("browsingContext.setViewport", context=self._window, viewport={"width": width, "height": height})

    def run(self, expression: str) -> Any:
        target = {"context": self._window}
        outcome = self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert outcome["type"] == "success", outcome
        return outcome["result"].get("value")

    def click_at(self, x: float, y: float) -> None:
        self.ask("input.performActions", context=self._window, actions=[click(x, y)])


def start(program: Path, folder: Path) -> subprocess.Popen[str]:
    """A Firefox with a profile of its own in an empty folder."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (folder / "user.js").write_text("\n".join(lines))
    return subprocess.Popen(
        [program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", folder],
        env={**os.environ, "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def follow(process: subprocess.Popen[str], addresses: queue.SimpleQueue[str | None]) -> None:
    """Read what a Firefox says to its end, or it would stop for lack of a reader, and tell where it listens."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := ADDRESS.search(line):
            addresses.put(found[1])
    addresses.put(None)
