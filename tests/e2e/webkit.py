"""WebKit as GTK has it, driven over WebDriver, on a screen of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.other_browser import PATIENCE, OtherBrowser, click
from tests.ports import port_to_come_back_to

MISSING = "There is no WebKit here (on Debian: apt install webkit2gtk-driver xvfb)."
DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
BROWSERS = "/usr/lib/*/webkit2gtk-*/MiniBrowser"


def program() -> Path | None:
    """Where the browser of WebKit is, if the system has one and what drives it."""
    found = sorted(Path("/").glob(BROWSERS[1:]))
    return found[-1] if found and shutil.which(DRIVER) and shutil.which(SCREEN) else None


def open_in(folder: Path) -> WebKit:
    """A WebKit with an empty folder for what it keeps."""
    found = program()
    assert found is not None
    return WebKit(found, folder)


class WebKit(OtherBrowser):
    """A WebKit, which tells no errors of its pages."""

    def __init__(self, program: Path, folder: Path) -> None:
        super().__init__()
        with ExitStack() as parts:
            display = parts.enter_context(screen())
            port = port_to_come_back_to()
            driver = subprocess.Popen(
                [DRIVER, f"--port={port}"],
                env={**os.environ, "DISPLAY": display, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            parts.enter_context(driver)
            parts.callback(driver.kill)
            self._http = parts.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE))
            options = {"webkitgtk:browserOptions": {"binary": str(program), "args": ["--automation"]}}
            self._await_driver()
            session = self._ask("POST", "session", capabilities={"alwaysMatch": options})["sessionId"]
            self._session = f"session/{session}"
            parts.callback(self._ask, "DELETE", self._session)
            self._ask("POST", f"{self._session}/timeouts", script=int(1000 * PATIENCE))
            self._parts = parts.pop_all()

    def _await_driver(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                self._ask("GET", "status")
                return
            except httpx.ConnectError:
                time.sleep(0.05)
        raise AssertionError(f"{DRIVER} does not answer")

    def _ask(self, method: str, path: str, **parameters: Any) -> Any:
        """The answer to a command. AssertionError if it fails."""
        answer = self._http.request(method, path, json=parameters if method == "POST" else None)
        assert answer.status_code == httpx.codes.OK, answer.text
        return answer.json()["value"]

    def show(self, address: str) -> None:
        self._ask("POST", f"{self._session}/url", url=address)

    def resize(self, width: int, height: int) -> None:
        """The window has a frame, and takes its size a little later: what the page lacks is added until it fits."""
        asked, end = [width, height], time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self._ask("POST", f"{self._session}/window/rect", width=asked[0], height=asked[1])
            time.sleep(0.1)
            inner = self.run("[innerWidth, innerHeight]")
            if inner == [width, height]:
                return
            asked = [asked[0] + width - inner[0], asked[1] + height - inner[1]]
        raise AssertionError(f"the page is {inner}, not {[width, height]}")

    def run(self, expression: str) -> Any:
        script = f"Promise.resolve({expression}).then(arguments[arguments.length - 1])"
        return self._ask("POST", f"{self._session}/execute/async", script=script, args=[])

    def click_at(self, x: float, y: float) -> None:
        self._ask("POST", f"{self._session}/actions", actions=[click(x, y)])


@contextmanager
def screen() -> Iterator[str]:
    """A screen that nobody sees; gives the name of its display."""
    reads, writes = os.pipe()
    with subprocess.Popen(
        [SCREEN, "-displayfd", str(writes), "-screen", "0", "1920x1200x24", "-nolisten", "tcp"],
        pass_fds=[writes],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(writes)
        try:
            with os.fdopen(reads) as told:
                number = told.readline().strip()
            assert number, f"{SCREEN} shows nothing"
            yield f":{number}"
        finally:
            process.kill()
