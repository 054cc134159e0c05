"""People at browsers of their own, who play by a link."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, space, status, supply
from tests.e2e.server import Server

CLIPBOARD = "navigator.clipboard.writeText = async (text) => { window.copied = text; }"


def visit(new_page: NewPage, url: str, **options: Any) -> Page:
    """A browser of its own at an address."""
    page = new_page(**options)
    page.add_init_script(CLIPBOARD)
    page.goto(url)
    return page


def copied(page: Page, button: str) -> str:
    """The link that a button of the page copies."""
    page.evaluate("window.copied = ''")
    page.get_by_role("button", name=button).click()
    page.wait_for_function("window.copied")
    return str(page.evaluate("window.copied"))


def sit(page: Page, name: str) -> None:
    page.get_by_role("textbox", name="Your name").fill(name)
    page.keyboard.press("Enter")


def act(page: Page, target: str) -> None:
    supply(page, "Small pyramid").click()
    space(page, target).click()


def seats_and_links(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Seats and links").click()


@pytest.mark.parametrize("viewport", [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone")])
def test_two_people_and_a_watcher_play_by_a_link(server: Server, new_page: NewPage, viewport: dict[str, int]) -> None:
    ann = visit(new_page, server.url, viewport=viewport)
    ann.get_by_role("button", name="Invite others by link").click()
    expect(status(ann)).to_have_text("Waiting for 1 player")
    link, watch = copied(ann, "Share link"), copied(ann, "Link to watch")
    assert link.startswith(f"{watch}#seat=")

    bob, eve = visit(new_page, link, viewport=viewport), visit(new_page, watch, viewport=viewport)
    expect(bob.get_by_role("heading", name="Take a seat")).to_be_visible()
    assert bob.url == watch  # the code does not stay in the address bar
    expect(eve.get_by_role("button", name="Take this seat")).to_have_count(0)
    sit(bob, "Bob")
    expect(status(ann)).to_have_text("Your turn")
    expect(status(eve)).to_have_text("Player 1\N{RIGHT SINGLE QUOTATION MARK}s turn")
    act(ann, "b1")
    expect(status(bob)).to_have_text("Your turn")

    ann.get_by_role("button", name="Undo").click()
    bob.get_by_role("button", name="Agree").click()
    expect(status(ann)).to_have_text("Your turn")
    act(ann, "b2")
    expect(status(bob)).to_have_text("Your turn")

    bob.context.set_offline(True)
    bob.evaluate("dispatchEvent(new Event('offline'))")
    expect(ann.get_by_text("away", exact=True)).to_be_attached()
    bob.context.set_offline(False)
    act(bob, "a1")
    expect(status(ann)).to_have_text("Your turn")

    late = visit(new_page, link, viewport=viewport)
    expect(status(late)).to_have_text("Player 1\N{RIGHT SINGLE QUOTATION MARK}s turn")  # the link is used up


def test_a_seat_moves_to_another_device_and_is_handed_over(server: Server, new_page: NewPage) -> None:
    ann = visit(new_page, server.url, viewport=DESK)
    ann.get_by_role("button", name="Invite others by link").click()
    bob = visit(new_page, copied(ann, "Share link"), viewport=DESK)
    sit(bob, "Bob")
    expect(status(ann)).to_have_text("Your turn")
    seats_and_links(ann)
    portable = copied(ann, "My seat on another device")
    phone = visit(new_page, portable, viewport=PHONE)
    expect(status(phone)).to_have_text("Your turn")
    act(phone, "b1")
    expect(status(bob)).to_have_text("Your turn")

    seats_and_links(bob)
    cem = visit(new_page, copied(bob, "Hand over"), viewport=DESK)
    sit(cem, "Cem")
    expect(status(cem)).to_have_text("Your turn")
    expect(status(ann)).to_have_text("Cem\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(status(bob)).to_have_text("Cem\N{RIGHT SINGLE QUOTATION MARK}s turn")


def test_a_public_table_is_joined_from_the_lobby(server: Server, new_page: NewPage) -> None:
    ann = visit(new_page, server.url, viewport=DESK)
    ann.get_by_role("radio", name="By link").last.check(force=True)
    ann.get_by_label("List the table here").check()
    ann.get_by_role("button", name="Open the table").click()
    expect(status(ann)).to_have_text("Waiting for 1 player")
    bob = visit(new_page, server.url, viewport=DESK)
    bob.get_by_role("link", name="1 open seat").click()
    sit(bob, "Bob")
    expect(status(ann)).to_have_text("Your turn")
