"""A name that the operator erases while people are at the table."""

from __future__ import annotations

from playwright.sync_api import expect

from icetable.cli.admin import encode_order, execute
from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE
from tests.e2e.server import Server, people


def test_an_erased_name_is_seen_no_more(own_server: Server, new_page: NewPage) -> None:
    """The game goes on, and what was said stands under no name."""
    table = own_server.create_table("icefrogs", people("Unmistakable", "Bob"))
    ann, bob = new_page(), new_page(viewport=PHONE)
    ann.goto(table.link(0))
    bob.goto(table.link(1))
    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_role("textbox").fill("Good morning")
    ann.keyboard.press("Enter")
    for page in (ann, bob):
        expect(page.get_by_role("main")).to_contain_text("Unmistakable")
    execute(str(own_server.database), encode_order("erase-seat", f"{table.table}:0"))
    expect(bob.get_by_text("Red’s turn", exact=True)).to_be_visible()
    expect(ann.get_by_role("list", name="Messages")).to_contain_text("Somebody")
    expect(ann.get_by_role("list", name="Messages")).to_contain_text("Good morning")
    for page in (ann, bob):
        expect(page.get_by_role("main")).not_to_contain_text("Unmistakable")
        expect(page.locator("main [title='Unmistakable']")).to_have_count(0)
    bob.reload()
    expect(bob.get_by_text("Red’s turn", exact=True)).to_be_visible()
    bob.goto(own_server.url)
    expect(bob.get_by_role("region", name="Your games")).to_contain_text("Red")
    expect(bob.get_by_role("main")).not_to_contain_text("Unmistakable")
