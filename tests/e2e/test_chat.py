"""Players at browsers of their own chat, pause, agree on a draw and run out of time."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, choose, choose_game, set_up, space, status, supply
from tests.e2e.server import Server, people
from tests.e2e.test_links import WINDOW

SPOKEN = "[aria-live=polite]"
TIME = re.compile(r"Time of (Ann|Bob)")


def opened(server: Server, *names: str, **terms: Any) -> list[str]:
    """A table of IceFrogs for these people, and the address of each one's seat, then a watcher's."""
    created = server.create_table("icefrogs", people(*names), **terms)
    return [*(created.link(seat) for seat in range(len(names))), created.address]


def visit(new_page: NewPage, address: str, **options: Any) -> Page:
    page = new_page(**options)
    page.goto(address)
    expect(status(page)).to_be_visible()
    return page


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Say something").fill(text)
    page.keyboard.press("Enter")


def messages(page: Page) -> Locator:
    return page.get_by_role("list", name="Messages").get_by_role("listitem")


def test_players_chat_and_mute_each_other(server: Server, new_page: NewPage) -> None:
    addresses = opened(server, "Ann", "Bob", "Cem")
    ann, eve = visit(new_page, addresses[0], viewport=WINDOW), visit(new_page, addresses[3], viewport=WINDOW)
    bob = visit(new_page, addresses[1], viewport=PHONE)
    expect(eve.get_by_role("tab")).to_have_count(0)  # nothing to read yet
    ann.keyboard.press("k")
    expect(ann.get_by_role("textbox", name="Say something")).to_be_focused()
    ann.keyboard.type("<b>Hello</b> https://example.org/ shut up")  # no letter of it is a key of the page
    ann.keyboard.press("Enter")
    expect(ann.get_by_role("textbox", name="Say something")).to_have_value("")
    expect(bob.locator(SPOKEN)).to_contain_text("Ann: <b>Hello</b> https://example.org/ shut up")

    bob.get_by_role("button", name="Chat, 1 unread").click()
    expect(messages(bob)).to_contain_text("<b>Hello</b> https://example.org/ shut up")
    expect(messages(bob).get_by_role("link")).to_have_count(0)
    say(bob, "Good luck")
    expect(messages(ann).last).to_contain_text("Good luck")

    eve.get_by_role("tab", name="Chat 2 unread").click()
    expect(messages(eve)).to_have_count(2)
    expect(eve.get_by_role("textbox", name="Say something")).to_have_count(0)
    eve.get_by_role("button", name="Mute Bob").click()
    expect(messages(eve)).to_have_count(1)
    eve.reload()
    eve.get_by_role("tab", name="Chat", exact=True).click()  # all but what is muted was read
    expect(eve.get_by_role("button", name="Mute Bob")).to_have_attribute("aria-pressed", "true")
    expect(messages(eve)).to_have_count(1)

    bob.get_by_role("button", name="Turn chat off").click()
    expect(bob.get_by_role("dialog")).to_have_count(0)
    expect(bob.get_by_role("button", name="Chat")).to_have_count(0)
    choose(bob, "Turn chat on")
    expect(bob.get_by_role("button", name="Chat", exact=True)).to_be_visible()


def test_the_chat_is_fetched_before_it_is_opened(server: Server, new_page: NewPage) -> None:
    address = opened(server, "Ann", "Bob")[0]
    for window in (WINDOW, PHONE):
        page = visit(new_page, address, viewport=window)
        page.wait_for_function(
            "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/ChatPanel'))"
        )


def test_the_record_comes_with_the_chat_where_it_is_wanted_and_a_hasty_message_is_kept(
    server: Server, new_page: NewPage
) -> None:
    ann = visit(new_page, opened(server, "Ann", "Bob")[0], viewport=WINDOW)
    ann.keyboard.press("k")
    say(ann, "well met")
    expect(messages(ann)).to_have_count(1)
    for wanted in (False, True):
        ann.get_by_role("button", name="Menu").click()
        ann.get_by_label("with chat").set_checked(wanted)
        with ann.expect_download() as download:
            ann.get_by_role("link", name="Download game record").click()
        assert ("Ann: well met" in download.value.path().read_text()) == wanted

    ann.keyboard.press("Escape")
    ann.keyboard.press("k")
    while messages(ann).count() < 20 and not ann.get_by_text("That was too fast").count():
        say(ann, "one more")
    expect(ann.get_by_text("That was too fast").first).to_be_visible()
    expect(ann.get_by_role("textbox", name="Say something")).to_have_value("one more")


def test_a_pause_stops_the_clocks_until_all_go_on_and_agree_on_a_draw(server: Server, new_page: NewPage) -> None:
    addresses = opened(server, "Ann", "Bob", clock={"per": "game", "seconds": 600, "increment": 5})
    ann, bob = visit(new_page, addresses[0], viewport=WINDOW), visit(new_page, addresses[1], viewport=PHONE)
    expect(ann.get_by_role("timer", name=TIME)).to_have_text(["10:00", "10:00"])
    supply(ann, "Small pyramid").click()
    space(ann, "b1").click()
    expect(bob.get_by_role("timer", name="Time of Bob")).to_have_text(re.compile("^9:5"))
    choose(bob, "Pause")
    ann.get_by_role("button", name="Accept").click()
    expect(status(bob)).to_have_text("Game paused")
    expect(ann.locator(SPOKEN)).to_contain_text("Game paused.")
    stands = bob.get_by_role("timer", name="Time of Bob").inner_text()
    expect(supply(bob, "Small pyramid")).to_have_count(0)  # the board rests
    assert bob.get_by_role("timer", name="Time of Bob").inner_text() == stands
    ann.get_by_role("button", name="Resume").click()
    bob.get_by_role("button", name="Accept").click()
    expect(status(bob)).to_have_text("Your turn")
    expect(ann.locator(SPOKEN)).to_contain_text("Game resumed. Bob\N{RIGHT SINGLE QUOTATION MARK}s turn.")

    # and they agree on a draw
    choose(ann, "Offer a draw")
    bob.get_by_role("button", name="Decline").click()
    expect(ann.locator(SPOKEN)).to_contain_text("Bob declined the draw.")
    choose(ann, "Offer a draw")
    bob.get_by_role("button", name="Accept").click()
    for page in (ann, bob):
        expect(status(page)).to_have_text("Draw by agreement")
        expect(page.locator(SPOKEN)).to_contain_text("Draw by agreement.")


def test_a_clock_is_set_up_and_runs_out(server: Server, new_page: NewPage) -> None:
    ann = new_page(viewport=WINDOW)
    choose_game(ann, server, "IceFrogs")
    set_up(ann)
    ann.get_by_role("radio", name="Person").last.check(force=True)
    ann.get_by_label("Time control").select_option(label="30 s per move")
    ann.get_by_label("Time control").select_option(label="Custom…")
    ann.get_by_label("Seconds", exact=True).fill("2")
    ann.get_by_label("Seconds", exact=True).press("Tab")
    ann.get_by_role("button", name="Create table").click()
    expect(ann.get_by_role("timer")).to_have_text(["2.0", "2.0"])
    supply(ann, "Small pyramid").click()
    space(ann, "b1").click()
    expect(status(ann)).to_have_text("Player 2 ran out of time: Player 1 wins")
    expect(ann.locator(SPOKEN)).to_contain_text("Player 2 has 1 second left.")
    expect(ann.locator(SPOKEN)).to_contain_text("Player 2 ran out of time: Player 1 wins.")
    expect(ann.get_by_role("timer").last).to_have_text("0.0")
