"""Fixtures of end-to-end tests: `server`, a real icetable, or `own_server`; `new_page`, a browser page; `browser`."""

from __future__ import annotations

import functools
from asyncio import AbstractEventLoop
from asyncio.events import _get_running_loop, _set_running_loop
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from icetable import games
from icetable.server.store import open_store
from icetable.server.table import fairness
from icetable.server.table.clock import now
from icetable.server.table.state import TableState
from icetable.server.table.views import TableViews
from tests.e2e import browser as chromium
from tests.e2e.server import Server

expect.set_options(timeout=20_000)  # ms; Playwright's 5 s are too short for a page on a busy machine


class NewPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


@pytest.fixture(scope="session")
def one_browser() -> Iterator[tuple[Browser, AbstractEventLoop]]:
    """One headless Chromium for a process, and the event loop that drives it, which stands still for now.

    A start of Playwright and of Chromium costs more than most tests.
    """
    chromium.use_node_of_the_wheel()
    playwright = sync_playwright().start()
    started, loop = chromium.launch(playwright), _get_running_loop()
    assert loop is not None
    _set_running_loop(None)
    yield started, loop
    _set_running_loop(loop)
    started.close()
    playwright.stop()


@pytest.fixture(scope="module")
def browser(one_browser: tuple[Browser, AbstractEventLoop]) -> Iterator[Browser]:
    """The browser. Its event loop runs for this module alone: tests of others have loops of their own, and no other."""
    started, loop = one_browser
    _set_running_loop(loop)
    yield started
    _set_running_loop(None)


SITS_FIRST = """{
    const fetched = window.fetch;
    window.fetch = (address, init) => {
        if (address !== 'api/tables' || init?.method !== 'POST') return fetched(address, init);
        return fetched(address, { ...init, body: JSON.stringify({ ...JSON.parse(init.body), random_seats: false }) });
    };
}"""


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Opens pages that share nothing; takes the options of `Browser.new_page`, such as `viewport`.

    Tests know who sits where: lots are drawn for the seats only where a test allows it (`lots=True`).
    No page keeps the app for later visits unless a test allows it (`service_workers="allow"`), and nothing moves unless
    it asks for that (`reduced_motion="no-preference"`): each frame costs what the test waits for.
    The test fails if one of its pages had an uncaught error or broke the Content-Security-Policy.
    """
    errors: list[str] = []

    def heed(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            errors.append(message.text)

    with ExitStack() as pages:

        def open_page(lots: bool = False, **options: Any) -> Page:
            page = browser.new_page(**{"service_workers": "block", "reduced_motion": "reduce", **options})
            pages.callback(page.close)
            if not lots:
                page.add_init_script(SITS_FIRST)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", heed)
            return page

        yield open_page
    assert errors == []


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A server that runs meanwhile. At its end it has printed no traceback, and the record of every game is sound."""
    with server:
        yield server
    assert "Traceback" not in server.output
    verify_records(server.database)


def verify_records(database: Path) -> None:
    """Verify the record of every game that is over."""
    with closing(open_store(database)) as store:
        for table in store.tables.finished():
            setup = store.tables.setup(table)
            assert setup is not None
            state = TableState(setup, games.info(setup.game).load(**setup.options), store.logs.entries(table))
            if state.is_over:
                sound = fairness.verify(TableViews(state, now).record())
                assert sound.link == state.closing


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """One running icetable for each program that Python is to run."""
    with ExitStack() as all_running:

        @functools.cache
        def started(program: str) -> Server:
            database = tmp_path_factory.mktemp("server") / "tables.db"
            return all_running.enter_context(running(Server(database, program=program)))

        yield started


@pytest.fixture(scope="module")
def server(servers: Callable[[str], Server], request: pytest.FixtureRequest) -> Server:
    """A running icetable, with tables of earlier tests; a module may name its `PROGRAM`."""
    return servers(getattr(request.module, "PROGRAM", "icetable"))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A running icetable for a test that kills it, or that needs a lobby without other tables."""
    with running(Server(tmp_path / "tables.db")) as started:
        yield started
