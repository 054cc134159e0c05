"""The pages of a server under a prefix: a game by link, the app without its server, and nothing outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPage, running
from tests.e2e.hands import PHONE, choose_at_the_end, status
from tests.e2e.server import Server
from tests.e2e.test_invitations import open_for_somebody
from tests.e2e.test_links import copied, play_turn, visit
from tests.e2e.test_loading import BOARD, KEPT

SCOPE = "navigator.serviceWorker.ready.then(({ scope }) => scope)"
STORED = "Object.keys(localStorage).filter((key) => !key.startsWith('icetable/pyramids.'))"


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Server]:
    with running(Server(tmp_path / "tables.db", prefix="/pyramids")) as started:
        yield started


def test_a_game_by_link(below: Server, new_page: NewPage) -> None:
    ann = visit(new_page, below.url)
    asked: list[str] = []
    ann.on("request", lambda request: asked.append(request.url))
    ann.on("websocket", lambda socket: asked.append(socket.url))
    open_for_somebody(ann, below, turn_limit=1)
    link = copied(ann, "Share link")
    assert link.startswith(f"{below.url}table/")
    bob = visit(new_page, link, viewport=PHONE)
    bob.get_by_role("button", name="Take this seat").click()
    expect(status(bob)).to_have_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")
    play_turn(ann)
    for page in (ann, bob):
        expect(status(page)).to_have_text("A draw")
    choose_at_the_end(bob, "Another game")
    expect(bob.get_by_role("radio", name="IceFrogs")).to_be_visible()
    assert bob.url == below.url
    assert ann.evaluate(STORED) == []
    assert any(address.endswith("/pyramids/ws") for address in asked)
    assert [address for address in asked if "/pyramids/" not in address] == []


def test_the_app_opens_without_its_server_under_a_prefix(below: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, service_workers="allow")
    page.goto(below.url)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    assert page.evaluate(SCOPE) == below.url
    table = below.create_table("squad", [{"kind": "person", "name": name, "level": None} for name in ("Ann", "Bob")])
    page.goto(table.link(0))
    expect(page.locator(BOARD).first).to_be_visible()
    page.goto(f"{below.url}rules/squad")
    part = page.get_by_role("navigation", name="Contents").get_by_role("link").nth(3)
    part.click()
    assert page.url.startswith(f"{below.url}rules/squad#")
    expect(page.get_by_role("heading", name=part.inner_text())).to_be_in_viewport()
    below.kill()
    page.goto(table.address)
    expect(page.get_by_text("reach the server.")).to_be_visible()
    page.goto(f"{below.url}rules/squad")
    expect(page.get_by_text("captain").first).to_be_visible()
    assert all(path.startswith("/pyramids/") for path in page.evaluate(KEPT))
    below.start()
