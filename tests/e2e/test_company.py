"""People at browsers of their own see of each other who is there, who thinks, and what is in hand."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, click_square, space, status, supply
from tests.e2e.server import Server, Table, people
from tests.e2e.test_links import WINDOW, visit

IN_HAND = re.compile(", in .*'s hand$")


def movable(page: Page) -> Locator:
    return page.locator("[role=gridcell].movable")


def seats_say(page: Page, words: str) -> Locator:
    return page.get_by_role("region", name="Seats").get_by_text(words)


def pick(page: Page, square: str) -> None:
    """Take the piece on a square; its lift shows that it is in hand."""
    click_square(page, square)
    expect(page.locator("[role=gridcell][aria-selected=true]")).to_have_accessible_name(re.compile(f"^{square}"))


def open_game(new_page: NewPage, made: Table) -> tuple[Page, Page]:
    """Two people, the first on a phone, at a new table; the first is to act."""
    ann = visit(new_page, made.link(0), viewport=PHONE)
    bob = visit(new_page, made.link(1), viewport=WINDOW)
    expect(status(ann)).to_have_text("Your turn")
    return ann, bob


def test_the_others_see_a_piece_in_hand(server: Server, new_page: NewPage) -> None:
    made = server.create_table("wrecktangle", people("Ann", "Bob"))
    ann, bob = open_game(new_page, made)
    eve = visit(new_page, made.address, viewport=PHONE)
    expect(movable(ann).nth(1)).to_be_attached()
    first, second = [(cell.get_attribute("aria-label") or "")[:2] for cell in movable(ann).all()[:2]]
    pick(ann, first)
    for page in (bob, eve):
        expect(space(page, first)).to_have_accessible_name(IN_HAND)
        expect(seats_say(page, "holding")).to_be_visible()
    ann.keyboard.press("Escape")  # a swap by the die would be an act
    pick(ann, second)
    late = visit(new_page, eve.url, viewport=WINDOW)
    for page in (bob, eve, late):
        expect(space(page, second)).to_have_accessible_name(IN_HAND)
        expect(page.get_by_role("gridcell", name=IN_HAND)).to_have_count(1)
    expect(ann.get_by_role("gridcell", name=IN_HAND)).to_have_count(0)

    ann.keyboard.press("Escape")
    for page in (bob, eve, late):
        expect(page.get_by_role("gridcell", name=IN_HAND)).to_have_count(0)
        expect(seats_say(page, "thinking")).to_be_visible()
    pick(ann, second)
    expect(bob.get_by_role("gridcell", name=IN_HAND)).to_have_count(1)
    ann.close()
    expect(bob.get_by_role("gridcell", name=IN_HAND)).to_have_count(0)
    expect(seats_say(bob, "away")).to_be_visible()


def test_the_others_see_which_piece_of_a_supply_is_in_hand(server: Server, new_page: NewPage) -> None:
    ann, bob = open_game(new_page, server.create_table("icefrogs", people("Ann", "Bob")))
    supply(ann, "Small pyramid").click()
    expect(bob.locator(".slot.theirs")).to_have_count(1)
    expect(ann.locator(".slot.theirs")).to_have_count(0)
    space(ann, "b1").click()
    expect(status(bob)).to_have_text("Your turn")
    expect(bob.locator(".slot.theirs")).to_have_count(0)
