"""Strangers find each other: open tables, "Play somebody", and what a page says where nobody is there."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.axe import complaints_of_axe, look
from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, choose_game, set_up, status
from tests.e2e.server import Server
from tests.e2e.test_links import WINDOW

PLAYING = re.compile("Your turn|\N{RIGHT SINGLE QUOTATION MARK}s turn|Pick|Choose")


def visit(new_page: NewPage, server: Server, name: str, **options: object) -> Page:
    page = new_page(**options)
    choose_game(page, server, "IceFrogs")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your name").press("Tab")
    return page


def test_two_strangers_who_play_somebody_meet(own_server: Server, new_page: NewPage) -> None:
    """One of them plays a bot meanwhile; the list and who waits outlast a restart."""
    ann, bob = (visit(new_page, own_server, name, viewport=size) for name, size in (("Ann", PHONE), ("Bob", WINDOW)))
    open_tables = bob.get_by_role("region", name="Open tables")
    expect(open_tables.get_by_text("Nobody is waiting just now.")).to_be_visible()
    assert complaints_of_axe(bob) == []
    ann.get_by_role("button", name="Play somebody").click()
    expect(ann.get_by_role("heading", name="Waiting for somebody")).to_be_visible()
    assert complaints_of_axe(ann) == []
    with ann.context.expect_page() as opened:
        ann.get_by_role("button", name="Play a bot while you wait").click()
    expect(status(opened.value)).to_have_text(re.compile("turn"))
    opened.value.close()
    expect(ann.get_by_role("heading", name="Waiting for somebody")).to_be_visible()
    expect(open_tables.get_by_role("button", name="Join Ann at IceFrogs")).to_be_visible()
    expect(open_tables.get_by_text("15 min + 10 s per move \N{MIDDLE DOT} just opened")).to_be_visible()
    look(bob, "dark", WINDOW)
    assert complaints_of_axe(bob) == []
    own_server.restart()
    cem = new_page(viewport=PHONE)
    cem.goto(own_server.url)
    expect(cem.get_by_role("button", name="Join Ann at IceFrogs")).to_be_visible()
    bob.get_by_role("button", name="Play somebody").click()
    for page in (ann, bob):
        expect(status(page)).to_have_text(PLAYING, timeout=30_000)
    expect(cem.get_by_text("1 game to watch")).to_be_visible()
    expect(cem.get_by_role("button", name=re.compile("^Join"))).to_have_count(0)


def test_one_click_joins_and_a_table_that_nobody_waits_at_vanishes(own_server: Server, new_page: NewPage) -> None:
    """It is set up so that the lobby lists it, and once it is full the lobby leads watchers to it."""
    ann = new_page(viewport=WINDOW)
    choose_game(ann, own_server, "High Rise")
    set_up(ann)
    ann.get_by_label("Name at seat 1").fill("Ann")
    ann.get_by_role("radio", name="By link").last.check(force=True)
    ann.get_by_label("List the table here").check()
    ann.get_by_role("button", name="Create table").click()
    expect(ann.get_by_role("heading", name="Waiting for somebody")).to_be_visible()
    table = ann.url
    bob = visit(new_page, own_server, "Bob", viewport=PHONE)
    join = bob.get_by_role("button", name="Join Ann at High Rise")
    bob.reload()
    expect(join).to_be_in_viewport(ratio=1)
    assert bob.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    ann.goto("about:blank")
    expect(join).to_have_count(0, timeout=30_000)
    ann.goto(table)
    join.press("Enter", timeout=30_000)
    for page in (ann, bob):
        expect(page.locator(".board [role=grid]")).to_be_visible()
    expect(ann.get_by_text("Bob").first).to_be_visible()
    eve = new_page(viewport=PHONE)
    eve.goto(own_server.url)
    eve.get_by_text("1 game to watch").click()
    eve.get_by_role("link", name="in progress").click()
    expect(status(eve)).to_have_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(eve.get_by_role("button", name="Undo")).to_have_count(0)
