"""The weight of a first visit, and the app without its server or its bundles."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from playwright.sync_api import Page, Route, expect

import icetable
from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE
from tests.e2e.server import Server, person

BOARD = ".board :is([role=grid], [role=application])"
LOBBY_BYTES = 70_000
BOARDS_BYTES = 130_000
"""The pictures of the lobby, which come last."""
FONT_BYTES = 45_000
TABLE_BYTES = 129_000
OFFLINE = "You\N{RIGHT SINGLE QUOTATION MARK}re offline. Playing needs the server."
KEPT = """async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
}"""


class Weight(NamedTuple):
    """The bytes on the wire of a visit with an empty cache, heads included."""

    rest: int
    boards: int
    fonts: int


def weight(page: Page, address: str, there: str) -> Weight:
    session = page.context.new_cdp_session(page)
    kinds: dict[str, str] = {}
    lengths: dict[str, float] = {}

    def note(event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        kinds[event["requestId"]] = "boards" if "/boards/" in url else "fonts" if url.endswith(".woff2") else "rest"

    def count(event: dict[str, Any]) -> None:
        lengths[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", note)
    session.on("Network.loadingFinished", count)
    session.send("Network.enable")
    page.goto(address)
    expect(page.locator(there).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    sums = Counter[str]()
    for request, length in lengths.items():
        sums[kinds[request]] += round(length)
    return Weight(sums["rest"], sums["boards"], sums["fonts"])


def test_first_visits_are_light(server: Server, new_page: NewPage) -> None:
    page = new_page()
    lobby = weight(page, server.url, "input[name=game]")
    assert 0 < lobby.rest <= LOBBY_BYTES
    assert 0 < lobby.boards <= BOARDS_BYTES
    assert 0 < lobby.fonts <= FONT_BYTES
    assert page.evaluate("document.fonts.check('1rem \"Figtree Variable\"')")
    assert page.evaluate("[...document.images].every(({ naturalWidth }) => naturalWidth > 0)")
    for info in icetable.list_games():
        seats = [person(f"Player {number}") for number in range(max(2, info.players[0]))]
        address = server.create_table(info.name, seats).address
        assert 0 < weight(new_page(), address, BOARD).rest <= TABLE_BYTES, info.name


def test_the_app_opens_without_its_server(own_server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, service_workers="allow")
    page.goto(own_server.url)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    table = own_server.create_table("squad", [person("Ann"), person("Bob")])
    page.goto(table.link(0))
    expect(page.locator(BOARD).first).to_be_visible()
    for path in ("learn/squad", "rules/squad"):
        page.goto(own_server.url + path)
        expect(page.get_by_text("captain").first).to_be_visible()
    own_server.kill()
    page.reload()
    expect(page.get_by_role("heading", name="Who's On The Squad?")).to_be_visible()
    page.goto(own_server.url)
    expect(page.get_by_role("radio", name="IceFrogs")).to_be_visible()
    expect(page.get_by_text("reach the server.")).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text(OFFLINE)).to_be_visible()
    page.get_by_role("button", name="Play against the computer").click()
    expect(page.get_by_role("alert")).to_have_text(OFFLINE)
    page.goto(f"{own_server.url}rules/icehouse")
    expect(page.get_by_role("alert")).to_have_text(re.compile("been opened here before"))
    page.goto(table.address)
    expect(page.get_by_text(f"{OFFLINE} Reconnecting…")).to_be_visible()
    kept = page.evaluate(KEPT)
    assert {path for path in kept if not path.startswith("/assets/")} == {
        *("/", "/api/games", "/api/rules/squad", "/api/lessons/squad"),
    }
    page.context.set_offline(False)
    own_server.start()
    page.goto(own_server.url)
    expect(page.get_by_text("IceFrogs").first).to_be_visible()
    expect(page.get_by_text("server.")).to_have_count(0)


def test_the_page_is_loaded_anew_where_a_bundle_is_gone(server: Server, new_page: NewPage) -> None:
    """As after an update of the server; what is gone for good is told."""
    page = new_page()
    loads: list[str] = []
    page.on("load", lambda page: loads.append(page.url))
    page.goto(f"{server.url}rules/squad")
    expect(page.get_by_role("heading", name="Who's On The Squad?")).to_be_visible()

    def refuse(route: Route) -> None:
        route.fulfill(status=404)

    page.route("**/assets/Lobby-*.js", refuse)
    page.get_by_role("link", name="Play").click()
    expect(page.get_by_role("alert")).to_have_text("This page could not be loaded completely.")
    page.wait_for_load_state("load")
    assert loads == [f"{server.url}rules/squad", server.url]
    page.unroute("**/assets/Lobby-*.js", refuse)
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("radio", name="IceFrogs")).to_be_visible()
