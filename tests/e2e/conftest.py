"""What end-to-end tests ask for: `server`, a real icetable; `new_page`, a browser page; `browser` itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.e2e import browser as chromium
from tests.e2e.server import Server


class NewPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One headless Chromium for a module. While it is open an event loop runs, which other tests can't do with."""
    chromium.use_node_of_the_wheel()
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Opens pages that share nothing; takes the options of `Browser.new_page`, such as `viewport`.

    The test fails if one of its pages had an uncaught error or broke the Content-Security-Policy.
    """
    errors: list[str] = []

    def heed(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            errors.append(message.text)

    with ExitStack() as pages:

        def open_page(**options: Any) -> Page:
            page = browser.new_page(**options)
            pages.callback(page.close)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", heed)
            return page

        yield open_page
    assert errors == []


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running icetable with a database of its own. The test fails if the server printed a traceback."""
    with Server(tmp_path / "tables.db") as running:
        yield running
    assert "Traceback" not in running.output
