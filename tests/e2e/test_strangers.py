"""Three browsers that know nothing of each other, by clicks alone: an open table, a game of days with notices, a match,
a tournament with a bot. The server is killed or started again in each: nothing is lost, and each notice comes once.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import urllib.request
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import complaints_now, complaints_of_axe
from tests.e2e.conftest import NewPage, running
from tests.e2e.hands import DESK, PHONE, choose_game, resign, set_up, space, status, supply
from tests.e2e.server import Server, people
from tests.e2e.test_links import CLIPBOARD, copied, sit
from tests.server.push_service import Browser, PushService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PLAYING = re.compile("Your turn|\N{RIGHT SINGLE QUOTATION MARK}s turn")
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
    self.shown ??= [];
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


def wait_until(page: Page, holds: Callable[[], object]) -> None:
    """Wait, while the page goes on, until something holds."""
    for _ in range(int(PATIENCE * 20)):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it does not come about")


def messages(service: PushService, to: Browser, page: Page, count: int) -> list[Any]:
    """The notices to the browser, as soon as there are so many."""
    wait_until(page, lambda: len(service.received) >= count)
    return [to.read(one.body) for one in service.received]


def visitor(new_page: NewPage, size: dict[str, int], to: Browser | None = None) -> Page:
    """A browser, which may show notices where there is one whose push service is the test's."""
    page = new_page(viewport=size, service_workers="allow" if to else "block")
    page.add_init_script(CLIPBOARD)
    if to is None:
        return page
    told = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
    page.add_init_script(f"({SUBSCRIBES})({json.dumps(told)})")
    return page


def test_from_an_open_table_to_a_tournament(new_page: NewPage, tmp_path: Path, service: PushService) -> None:
    of_bob = Browser("bob")
    with running(Server(tmp_path / "tables.sqlite", program="tests.e2e.pushing")) as server:
        ann, bob, cem = visitor(new_page, DESK), visitor(new_page, PHONE, of_bob), visitor(new_page, PHONE)
        at_an_open_table(server, ann, bob, cem)
        in_a_game_of_days(server, ann, bob, of_bob, service)
        in_a_match(server, ann, bob)
        in_a_tournament(server, {"Ann": ann, "Bob": bob, "Cem": cem})


def at_an_open_table(server: Server, ann: Page, bob: Page, cem: Page) -> None:
    """Ann plays somebody, and waits; Bob finds her in the list and joins; Cem may watch."""
    for page, name in ((ann, "Ann"), (bob, "Bob"), (cem, "Cem")):
        choose_game(page, server, "IceFrogs")
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Your name").press("Tab")
    ann.get_by_role("button", name="Play somebody").click()
    expect(ann.get_by_role("heading", name="Waiting for somebody")).to_be_visible()
    join = bob.get_by_role("button", name="Join Ann at IceFrogs")
    expect(join).to_be_visible()
    server.kill()
    server.start()
    bob.reload()
    join.click()
    for page in (ann, bob):
        expect(status(page)).to_have_text(PLAYING, timeout=30_000)
    expect(cem.get_by_text("1 game to watch")).to_be_visible(timeout=30_000)
    resign(bob)
    expect(status(ann)).to_contain_text("Bob resigned")


def invited(server: Server, ann: Page, bob: Page, label: str, choice: str) -> str:
    """A table that Ann sets up with one choice, at which Bob has sat down by her link; its address."""
    choose_game(ann, server, "IceFrogs")
    set_up(ann)
    ann.get_by_role("radio", name="By link").last.check(force=True)
    ann.get_by_role("combobox", name=label).select_option(label=choice)
    ann.get_by_role("button", name="Create table").click()
    expect(status(ann)).to_have_text("Waiting for 1 player")
    bob.goto(copied(ann, "Share link"))
    sit(bob, "Bob")
    expect(status(ann)).to_have_text("Your turn")
    return ann.url


def in_a_game_of_days(server: Server, ann: Page, bob: Page, of_bob: Browser, service: PushService) -> None:
    """Bob is told that it is his turn, once; the lobby tells Ann until when he has time."""
    table = invited(server, ann, bob, "Time control", "2 days per move").rpartition("/")[2]
    expect(ann.get_by_role("timer")).to_have_text(["2 days", "2 days"])
    bob.evaluate("navigator.serviceWorker.ready.then(() => null)")  # which takes long on a busy machine
    bob.get_by_role("button", name=BUTTON).click()
    expect(bob.get_by_role("button", name="Stop")).to_be_enabled()
    expect(bob.get_by_text("even while this page is closed")).to_be_visible()
    assert complaints_of_axe(bob) == []
    bob.goto(server.url)
    supply(ann, "Small pyramid").click()
    space(ann, "b1").click()
    expect(ann.get_by_role("timer", name="Time of Bob")).to_have_text(re.compile(r"2 days\s*until \w+\W.*\d:\d\d"))
    assert complaints_of_axe(ann) == []
    told = {"table": table, "title": "IceFrogs", "text": "Your turn"}
    assert messages(service, of_bob, bob, 1) == [told]
    server.restart()
    bob.reload()
    bob.wait_for_timeout(3000)  # a look at all tables lies within
    assert messages(service, of_bob, bob, 1) == [told]
    show(bob, server.url, told)
    ann.goto(server.url)
    yours = ann.get_by_role("region", name="Your games")
    expect(yours).to_contain_text(re.compile("Bob.s turn"))
    expect(yours).to_contain_text(re.compile(r"2 days left, until \w+"))
    bob.goto(f"{server.url}table/{table}")
    supply(bob, "Small pyramid").click()
    space(bob, "h1").click()
    expect(status(bob)).to_have_text(re.compile("Ann.s turn"))
    bob.keyboard.press("i")
    bob.get_by_role("button", name="Stop").click()
    expect(bob.get_by_role("dialog").get_by_role("button", name=BUTTON)).to_be_visible()
    bob.keyboard.press("Escape")
    resign(bob)


def in_a_match(server: Server, ann: Page, bob: Page) -> None:
    """First to two wins: Ann gives up the first game, Bob the others, and each end says how the match stands."""
    invited(server, ann, bob, "Games", "First to 2 wins")
    for loser, stands in ((ann, "Bob leads 1\N{EN DASH}0"), (bob, "1\N{EN DASH}1")):  # seats change
        resign(loser)
        words = f"Match, first to 2 wins: {stands}"
        expect(ann.get_by_role("main").get_by_text(words)).to_be_visible()
        if loser is ann:
            server.restart()
        before = ann.url.rpartition("/")[2]
        ann.get_by_role("button", name="Next game").click(timeout=30_000)
        ann.wait_for_url(re.compile(rf"/table/(?!{before})"))
        bob.get_by_role("button", name="Next game").click(timeout=30_000)
        for page in (ann, bob):
            expect(status(page)).to_have_text(PLAYING)
    resign(bob)
    expect(ann.get_by_role("main").get_by_text("You win the match 2\N{EN DASH}1")).to_be_visible()
    expect(bob.get_by_role("main").get_by_text("Ann wins the match 2\N{EN DASH}1")).to_be_visible()


def in_a_tournament(server: Server, pages: dict[str, Page]) -> None:
    """Three people and a bot, from the link to the end; one of them is the organizer."""
    organizer, guest = pages["Ann"], pages["Cem"]
    organizer.goto(f"{server.url}tournament?game=icefrogs")
    organizer.get_by_label("Name").fill("Spring Cup")
    assert complaints_now(organizer) == []
    organizer.get_by_role("radio", name=re.compile("^Round robin")).check()
    organizer.get_by_role("button", name="Create the tournament").press("Enter")
    expect(organizer.get_by_role("heading", name="Spring Cup")).to_be_visible()
    found = re.search(r"/tournament/(\w+)#", organizer.url)
    assert found is not None
    cup, address = found[1], f"{server.url}tournament/{found[1]}"
    for name, page in pages.items():
        if page is not organizer:
            page.goto(address)
        if page is guest:  # the first answer is lost, and the second attempt finds the same place
            page.route("**/entrants", lose_answer, times=1)
            page.get_by_label("Your name").fill(name)
            page.get_by_role("button", name="Join", exact=True).click()
            expect(organizer.get_by_text(name, exact=True)).to_be_visible()
            page.reload()
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_text(f"You\N{RIGHT SINGLE QUOTATION MARK}re in as {name}")).to_be_visible()
    organizer.get_by_role("button", name="Add a bot").click()
    expect(organizer.get_by_role("heading", name="4 players")).to_be_visible()
    assert complaints_of_axe(organizer) == []
    expect(organizer.get_by_role("button", name="Remove Cem")).to_be_visible()
    organizer.get_by_role("button", name="Start the tournament").click()
    expect(organizer.get_by_role("heading", name="Round 1, under way")).to_be_visible()

    play_round(pages, address, server, cup)
    server.kill()
    server.start()
    for number in (2, 3):
        expect(organizer.get_by_role("heading", name=f"Round {number}, under way")).to_be_visible()
        play_round(pages, address, server, cup)
    expect(organizer.get_by_text(re.compile("(wins|share) it"))).to_be_visible()
    over = shown(server, cup)
    assert (over["state"], len(over["rounds"])) == ("over", 3)
    assert sum(line["points"] for line in over["standings"]) == 6
    assert complaints_now(organizer) == []
    guest.goto(address)
    expect(guest.get_by_role("region", name="Standing in columns")).to_be_visible()
    assert guest.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(guest.get_by_role("button", name=re.compile("Start|Remove|does not play"))).to_have_count(0)


def lose_answer(route: Route) -> None:
    route.fetch()
    route.abort()


def shown(server: Server, cup: str) -> Any:
    with urllib.request.urlopen(f"{server.url}api/tournaments/{cup}") as answer:
        return json.load(answer)


def play_round(pages: dict[str, Page], address: str, server: Server, cup: str) -> None:
    """Resign each game of this round, one player at each table, by clicks."""
    number = len(shown(server, cup)["rounds"])
    for page in pages.values():
        names = [one["name"] for one in shown(server, cup)["entrants"]]
        own = next(name for name, other in pages.items() if other is page)
        table = next((one for one in tables_of(server, cup, number) if names.index(own) in one["seats"]), None)
        if table is None or table["wins"] is not None:
            continue
        page.goto(address)
        page.get_by_role("button", name="Play your game").click()
        expect(status(page)).to_be_visible()
        resign(page)
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        wait_until(page, partial(is_over, server, cup, number, table["table"]))
    pages["Ann"].goto(address)


def is_over(server: Server, cup: str, number: int, table: str) -> bool:
    return all(one["wins"] is not None for one in tables_of(server, cup, number) if one["table"] == table)


def tables_of(server: Server, cup: str, number: int) -> Any:
    return shown(server, cup)["rounds"][number - 1]["tables"]


def show(page: Page, origin: str, told: dict[str, str]) -> None:
    """The push service hands the browser a message: its worker shows it, and a click leads to the table."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"] if not one["isDeleted"]),
    )
    session.send("ServiceWorker.enable")
    wait_until(page, lambda: found)
    message = {"origin": origin, "registrationId": found[-1], "data": json.dumps(told)}

    def shown() -> Any:
        worker = page.context.service_workers[-1]  # another one, if it has slept meanwhile
        if worker.evaluate("() => !self.shown"):
            worker.evaluate(SHOWS)
            session.send("ServiceWorker.deliverPushMessage", message)
        return worker.evaluate("() => self.shown.map(({ title, tag }) => [title, tag])")

    wait_until(page, shown)
    assert shown() == [[f"{told['text']} \N{EN DASH} {told['title']}", told["table"]]]
    assert page.context.service_workers[-1].evaluate(CLICK) == f"{origin}table/{told['table']}"


def test_a_server_without_keys_offers_notices_of_an_open_page_alone(server: Server, new_page: NewPage) -> None:
    table = server.create_table("icefrogs", people("Ann", "Bob"), clock=DAYS)
    page = visitor(new_page, PHONE, Browser("bob"))
    with page.expect_response("**/api/push") as answer:
        page.goto(table.link(1))
    assert answer.value.json() == {"key": None}
    expect(status(page)).to_have_text(re.compile("Ann.s turn"))
    expect(page.get_by_role("button", name=BUTTON)).to_have_count(0)
