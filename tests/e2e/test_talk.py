"""People at browsers of their own talk, pause, agree on a draw and run out of time."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, space, status, supply
from tests.e2e.server import Server

SPOKEN = "[aria-live=polite]"
TIME = re.compile(r"Time of (Ann|Bob)")


def opened(server: Server, *names: str, **terms: Any) -> list[str]:
    """A table of IceFrogs for these people, and the address of each one's seat, then a watcher's."""
    seats = [{"kind": "person", "name": name, "level": None} for name in names]
    created = server.create_table("icefrogs", seats, **terms)
    page = f"{server.url}table/{created['table']}"
    return [*(f"{page}#seat={code}" for code in created["codes"].values()), page]


def visit(new_page: NewPage, address: str, **options: Any) -> Page:
    page = new_page(**options)
    page.goto(address)
    expect(status(page)).to_be_visible()
    return page


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Say something").fill(text)
    page.keyboard.press("Enter")


def remarks(page: Page) -> Locator:
    return page.get_by_role("list", name="What was said").get_by_role("listitem")


def choose(page: Page, entry: str) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name=entry).click()


def test_people_talk_and_mute_each_other(server: Server, new_page: NewPage) -> None:
    addresses = opened(server, "Ann", "Bob", "Cem")
    ann, eve = visit(new_page, addresses[0], viewport=DESK), visit(new_page, addresses[3], viewport=DESK)
    bob = visit(new_page, addresses[1], viewport=PHONE)
    expect(eve.get_by_role("tab")).to_have_count(0)  # nothing to read yet
    ann.keyboard.press("k")
    ann.keyboard.type("<b>Hello</b> https://example.org/ shut up")  # no letter of it is a key of the page
    ann.keyboard.press("Enter")
    expect(ann.get_by_role("textbox", name="Say something")).to_have_value("")
    expect(bob.locator(SPOKEN)).to_contain_text("Ann: <b>Hello</b> https://example.org/ shut up")

    bob.get_by_role("button", name="Table talk, 1 unread").click()
    expect(remarks(bob)).to_contain_text("<b>Hello</b> https://example.org/ shut up")
    expect(remarks(bob).get_by_role("link")).to_have_count(0)
    say(bob, "Good luck")
    expect(remarks(ann).last).to_contain_text("Good luck")

    eve.get_by_role("tab", name="Talk 2 unread").click()
    expect(remarks(eve)).to_have_count(2)
    expect(eve.get_by_role("textbox", name="Say something")).to_have_count(0)
    eve.get_by_role("button", name="Mute Bob").click()
    expect(remarks(eve)).to_have_count(1)
    eve.reload()
    eve.get_by_role("tab", name="Talk", exact=True).click()  # all but what is muted was read
    expect(eve.get_by_role("button", name="Mute Bob")).to_have_attribute("aria-pressed", "true")
    expect(remarks(eve)).to_have_count(1)

    bob.get_by_role("button", name="Turn talk off").click()
    expect(bob.get_by_role("dialog")).to_have_count(0)
    expect(bob.get_by_role("button", name="Table talk")).to_have_count(0)
    choose(bob, "Turn table talk on")
    expect(bob.get_by_role("button", name="Table talk", exact=True)).to_be_visible()


def test_who_talks_too_fast_keeps_what_they_wanted_to_say(server: Server, new_page: NewPage) -> None:
    ann = visit(new_page, opened(server, "Ann", "Bob")[0], viewport=DESK)
    ann.keyboard.press("k")
    for number in range(5):
        say(ann, f"one {number}")
        expect(remarks(ann)).to_have_count(number + 1)
    while remarks(ann).count() < 20 and not ann.get_by_text("That was too fast").count():
        say(ann, "one more")
    expect(ann.get_by_role("textbox", name="Say something")).to_have_value("one more")


def test_the_record_comes_with_the_talk_where_it_is_wanted(server: Server, new_page: NewPage) -> None:
    ann = visit(new_page, opened(server, "Ann", "Bob")[0], viewport=DESK)
    ann.keyboard.press("k")
    say(ann, "well met")
    expect(remarks(ann)).to_have_count(1)
    for wanted in (False, True):
        ann.get_by_role("button", name="Menu").click()
        ann.get_by_label("with table talk").set_checked(wanted)
        with ann.expect_download() as download:
            ann.get_by_role("link", name="Download the record").click()
        assert ("Ann: well met" in download.value.path().read_text()) == wanted


def test_a_pause_stops_the_clocks_and_the_game_until_all_go_on(server: Server, new_page: NewPage) -> None:
    addresses = opened(server, "Ann", "Bob", clock={"per": "game", "seconds": 600, "increment": 5})
    ann, bob = visit(new_page, addresses[0], viewport=DESK), visit(new_page, addresses[1], viewport=PHONE)
    expect(ann.get_by_role("timer", name=TIME)).to_have_text(["10:00", "10:00"])
    supply(ann, "Small pyramid").click()
    space(ann, "b1").click()
    expect(bob.get_by_role("timer", name="Time of Bob")).to_have_text(re.compile("^9:5"))
    choose(bob, "Pause")
    ann.get_by_role("button", name="Agree").click()
    expect(status(bob)).to_have_text("The game pauses")
    expect(ann.locator(SPOKEN)).to_contain_text("The game pauses.")
    stands = bob.get_by_role("timer", name="Time of Bob").inner_text()
    expect(supply(bob, "Small pyramid")).to_have_count(0)  # the board rests
    assert bob.get_by_role("timer", name="Time of Bob").inner_text() == stands
    ann.get_by_role("button", name="Go on").click()
    bob.get_by_role("button", name="Agree").click()
    expect(status(bob)).to_have_text("Your turn")
    expect(ann.locator(SPOKEN)).to_contain_text("The game goes on. Bob\N{RIGHT SINGLE QUOTATION MARK}s turn.")


def test_a_draw_by_agreement(server: Server, new_page: NewPage) -> None:
    addresses = opened(server, "Ann", "Bob")
    ann, bob = visit(new_page, addresses[0], viewport=DESK), visit(new_page, addresses[1], viewport=PHONE)
    choose(ann, "Offer a draw")
    bob.get_by_role("button", name="Decline").click()
    expect(ann.locator(SPOKEN)).to_contain_text("The proposal is off.")
    choose(ann, "Offer a draw")
    bob.get_by_role("button", name="Agree").click()
    for page in (ann, bob):
        expect(status(page)).to_have_text("A draw by agreement")
        expect(page.locator(SPOKEN)).to_contain_text("A draw by agreement.")


def test_a_clock_is_set_up_and_runs_out(server: Server, new_page: NewPage) -> None:
    ann = visit_lobby(new_page, server)
    ann.get_by_role("radio", name=re.compile("^IceFrogs")).check()
    ann.get_by_role("radio", name="Person").last.check(force=True)
    ann.get_by_label("Time to think").select_option(label="30 seconds an act")
    ann.get_by_label("Time to think").select_option(label="Own numbers …")
    ann.get_by_label("Seconds", exact=True).fill("2")
    ann.get_by_label("Seconds", exact=True).press("Tab")
    ann.get_by_role("button", name="Open the table").click()
    expect(ann.get_by_role("timer")).to_have_text(["2.0", "2.0"])
    supply(ann, "Small pyramid").click()
    space(ann, "b1").click()
    expect(status(ann)).to_have_text("Player 2 ran out of time: Player 1 wins")
    expect(ann.locator(SPOKEN)).to_contain_text("Player 2 has 1 second left.")
    expect(ann.locator(SPOKEN)).to_contain_text("Player 2 ran out of time: Player 1 wins.")
    expect(ann.get_by_role("timer").last).to_have_text("0.0")


def visit_lobby(new_page: NewPage, server: Server) -> Page:
    page = new_page(viewport=DESK)
    page.goto(server.url)
    expect(page.get_by_role("heading", name="Set up a table")).to_be_visible()
    return page
