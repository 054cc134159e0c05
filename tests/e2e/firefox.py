"""A Firefox of the system, driven over WebDriver BiDi: as little of it as a person's mouse and eyes need."""

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
from typing import Any, Self

from websockets.sync.client import connect

NAMES = ("firefox", "firefox-esr")
ADDRESS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PATIENCE = 60.0
"""How many seconds an answer may take; a condition that never holds ends the test after that."""

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

FIND = """([selector, words]) => {
    const fits = (one) => new RegExp(words, 'i').test(one.getAttribute('aria-label') ?? one.textContent.trim());
    const found = [...document.querySelectorAll(selector)].filter((one) => fits(one) && !one.disabled);
    const box = found.map((one) => one.getBoundingClientRect()).find(({ width }) => width > 0);
    return box && [box.x, box.y, box.width, box.height];
}"""
UNTIL = """new Promise((resolve) => {{
    const look = (before) => {{
        const found = JSON.stringify(({what})({argument}) ?? null);
        if (found !== 'null' && found === before) resolve(found); else setTimeout(look, 50, found);
    }};
    look('');
}})"""


def program() -> Path | None:
    """Where Firefox is, if the system has one."""
    found = filter(None, map(shutil.which, NAMES))
    return next(map(Path, found), None)


class Firefox:
    """A headless Firefox with one window. `errors`: what its pages have thrown or logged as errors so far."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.errors: list[str] = []
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
        """Firefox logs as an error that a page is left with its socket open."""
        if entry["level"] == "error" and "ws://" not in entry["text"]:
            self.errors.append(entry["text"])

    def show(self, address: str) -> None:
        """Load a page."""
        self.ask("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Give the window's page this size."""
        self.ask("browsingContext.setViewport", context=self._window, viewport={"width": width, "height": height})

    def run(self, expression: str) -> Any:
        """The value of an expression in JavaScript; of a promise, once it is kept."""
        target = {"context": self._window}
        outcome = self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert outcome["type"] == "success", outcome
        return outcome["result"].get("value")

    def wait_for(self, what: str, argument: object = None) -> Any:
        """What a function in JavaScript gives for an argument, once that is something and stays so for a moment."""
        return json.loads(self.run(UNTIL.format(what=what, argument=json.dumps(argument))))

    def box(self, selector: str, words: str = "") -> tuple[float, float, float, float]:
        """Where the first element is that is shown and has a name or text like that, once there is one."""
        x, y, width, height = self.wait_for(FIND, [selector, words])
        return x, y, width, height

    def click(self, selector: str, words: str = "") -> None:
        """Click an element in its middle."""
        x, y, width, height = self.box(selector, words)
        self.click_at(x + width / 2, y + height / 2)

    def click_at(self, x: float, y: float) -> None:
        """Click at a place of the page."""
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self.ask("input.performActions", context=self._window, actions=[mouse])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._parts.close()


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
