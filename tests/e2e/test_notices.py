"""Notices to a browser that is closed: asked for at the table, sent by the server, shown by the service worker."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import running
from tests.e2e.hands import PHONE, status
from tests.e2e.server import Server, Table, people
from tests.e2e.test_accessibility import complaints_of_axe
from tests.server.push_service import Browser, PushService

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUTTON = re.compile("Tell me when it.s my turn")
DAYS = {"per": "act", "seconds": 2 * 86_400, "increment": 0}
PATIENCE = 20.0
SUBSCRIBES = """browser => {
    if (!('PushManager' in self)) return;
    PushManager.prototype.subscribe = async () => ({ toJSON: () => browser });
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
}"""
"""This Chromium, without a screen, allows no notices and reaches no push service."""
SHOWS = """() => {
    self.shown = [];
    self.registration.showNotification = async (title, { tag, data }) => self.shown.push({ title, tag, data });
}"""
CLICK = """async () => {
    let opened = null;
    self.clients.openWindow = async (address) => { opened = address; };
    const event = new Event('notificationclick');
    const work = [];
    event.notification = { data: self.shown.pop().data, close: () => undefined };
    event.waitUntil = (promise) => work.push(promise);
    self.dispatchEvent(event);
    await Promise.all(work);
    return opened;
}"""


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """A push service in a thread of its own."""
    service, loop, ready = PushService(folder), asyncio.new_event_loop(), threading.Event()

    async def serve() -> None:
        async with service:
            ready.set()
            await ended.wait()

    ended = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert ready.wait(PATIENCE)
    yield service
    loop.call_soon_threadsafe(ended.set)
    thread.join()
    loop.close()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    with push_service(tmp_path) as found:
        (tmp_path / "public.pem").write_text(found.certificate)
        monkeypatch.setenv("PUSH_FOLDER", str(tmp_path))
        monkeypatch.setenv("PUSH_PORT", str(found.port))
        yield found


@contextmanager
def closed_browser(browser: Chromium, to: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A browser that may show notices, whose push service is a test's."""
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", **options)
    told = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
    context.add_init_script(f"({SUBSCRIBES})({json.dumps(told)})")
    yield context
    context.close()


def play(table: Table, seat: int, acts: int) -> None:
    """A player acts elsewhere."""
    play_ahead(table._replace(codes=[table.codes[seat]]), acts)


def messages(service: PushService, to: Browser, page: Page, count: int) -> list[Any]:
    """What the browser was told, as soon as there are so many."""
    for _ in range(int(PATIENCE * 20)):
        if len(service.received) >= count:
            break
        page.wait_for_timeout(50)
    return [to.read(one.body) for one in service.received]


def test_a_closed_browser_is_told_its_turn_once_across_restarts(
    browser: Chromium, tmp_path: Path, service: PushService
) -> None:
    bob = Browser("bob")
    with (
        running(Server(tmp_path / "tables.sqlite", program="tests.e2e.pushing")) as server,
        closed_browser(browser, bob, viewport=PHONE) as context,
    ):
        table = server.create_table("icefrogs", people("Ann", "Bob"), clock=DAYS)
        page = context.new_page()
        page.goto(table.link(1))
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")  # which takes long on a busy machine
        page.get_by_role("button", name=BUTTON).click()
        expect(page.get_by_role("button", name="Stop")).to_be_enabled()
        expect(page.get_by_text("also while this page is closed")).to_be_visible()
        assert complaints_of_axe(page) == []
        page.goto(server.url)
        play(table, 0, 1)
        told = {"table": table.table, "title": "IceFrogs", "text": "Your turn"}
        assert messages(service, bob, page, 1) == [told]
        server.restart()
        page.reload()
        page.wait_for_timeout(3000)  # a look at all tables lies within
        assert messages(service, bob, page, 1) == [told]
        show(context, page, server.url, told)
        play(table, 1, 2)
        play(table, 0, 3)
        assert messages(service, bob, page, 2) == [told, told]
        page.goto(table.address)
        expect(status(page)).to_have_text("Your turn")
        page.keyboard.press("i")
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("dialog").get_by_role("button", name=BUTTON)).to_be_visible()


def show(context: BrowserContext, page: Page, origin: str, told: dict[str, str]) -> None:
    """The push service hands the browser a message: its worker shows it, and a click leads to the table."""
    worker = context.service_workers[0]
    session = context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    message = {"origin": origin, "registrationId": found[0], "data": json.dumps(told)}
    worker.evaluate(SHOWS)
    session.send("ServiceWorker.deliverPushMessage", message)
    while not (shown := worker.evaluate("() => self.shown.map(({ title, tag }) => [title, tag])")):
        page.wait_for_timeout(20)
    assert shown == [[f"{told['text']} \u2013 {told['title']}", told["table"]]]
    assert worker.evaluate(CLICK) == f"{origin}table/{told['table']}"


def test_a_server_without_keys_offers_notices_of_an_open_page_alone(browser: Chromium, tmp_path: Path) -> None:
    with (
        running(Server(tmp_path / "tables.sqlite")) as server,
        closed_browser(browser, Browser("bob"), viewport=PHONE) as context,
    ):
        table = server.create_table("icefrogs", people("Ann", "Bob"), clock=DAYS)
        page = context.new_page()
        with page.expect_response("**/api/push") as answer:
            page.goto(table.link(1))
        assert answer.value.json() == {"key": None}
        expect(status(page)).to_have_text(re.compile("Ann.s turn"))
        expect(page.get_by_role("button", name=BUTTON)).to_have_count(0)
