"""Pages that a browser's translator has gone through: it puts elements of its own in place of the texts."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import choose, resign
from tests.e2e.server import OPEN, Server, people, person
from tests.e2e.test_icehouse import READY, kind, stand, stands
from tests.e2e.test_links import WINDOW

ANN = person("Ann")
BOB, BEN = people("Bob", "Ben")

TRANSLATE = """
() => {
  const kept = 'script, style, textarea, svg, font, [translate=no]';
  const wrap = (text) => {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
  };
  const translate = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) if (text.data.trim() && !text.parentElement.closest(kept)) wrap(text);
  };
  translate();
  new MutationObserver(translate).observe(document.body, { childList: true, subtree: true, characterData: true });
}
"""
"""Wraps all texts, also those to come, as translators do. The words stay, so that pages can be compared."""

TEXT = "() => document.querySelector('main').textContent.replaceAll(/\\s+/g, ' ').replaceAll(/(:\\d)\\d/g, '$1')"
"""The text of a page; clocks without their last digit, since two pages aren't read at the same moment."""


def opened_twice(new_page: NewPage, *urls: str) -> tuple[Page, Page]:
    """A page that is translated, and one that is not, in browsers that have both visited these addresses."""
    page, twin = new_page(viewport=WINDOW), new_page(viewport=WINDOW)
    for one in (page, twin):
        for url in urls:
            one.goto(url)
            expect(one.get_by_role("heading", level=1)).to_be_attached()
            one.wait_for_load_state("networkidle")
    page.evaluate(TRANSLATE)
    assert page.locator("main font font").count() > 10
    expect_same(page, twin, "at first")
    return page, twin


def expect_same(page: Page, twin: Page, state: str) -> None:
    """Both pages say the same in the end."""
    for _ in range(100):
        if page.evaluate(TEXT) == twin.evaluate(TEXT):
            return
        page.wait_for_timeout(50)
    assert page.evaluate(TEXT) == twin.evaluate(TEXT), state


def test_a_table_says_what_is_true(server: Server, new_page: NewPage) -> None:
    clock = {"per": "game", "seconds": 3600, "increment": 0}
    made = server.create_table("icefrogs", [ANN, BOB], clock=clock)
    bob = new_page(viewport=WINDOW)
    bob.goto(made.link(1))
    ann, twin = opened_twice(new_page, made.link(0))
    for acts in (1, 2, 5):
        play_ahead(made, acts)
        for page in (ann, twin):
            expect(page.get_by_role("group", name="Steps")).to_contain_text(f"{acts} / {acts}")
        expect_same(ann, twin, f"after {acts} acts")
    for key in ("[", "["):
        for page in (ann, twin):
            page.keyboard.press(key)
        expect_same(ann, twin, "looking back")
    for page in (ann, twin):
        page.keyboard.press("End")
    bob.get_by_role("tab", name="Chat").click()
    bob.get_by_role("textbox", name="Say something").fill("Hello")
    bob.keyboard.press("Enter")
    expect_same(ann, twin, "somebody speaks")
    choose(bob, "Offer a draw")
    expect_same(ann, twin, "a draw is offered")
    ann.get_by_role("button", name="Decline").click()
    expect_same(ann, twin, "it is declined")
    bob.close()
    expect(twin.get_by_role("region", name="Seats")).to_contain_text("away")
    expect_same(ann, twin, "Bob goes away")
    resign(twin)
    expect(ann.get_by_role("region", name="Result", exact=True)).to_be_visible()
    expect_same(ann, twin, "the end")


def test_a_table_that_waits_for_somebody(server: Server, new_page: NewPage) -> None:
    made = server.create_table("squad", [ANN, OPEN], public=True)
    ann, twin = opened_twice(new_page, made.link(0))
    bob = new_page()
    bob.goto(made.address)
    bob.get_by_role("textbox", name="Your name").fill("Bob")
    bob.get_by_role("button", name="Take this seat").click()
    expect(twin.get_by_role("region", name="Seats")).to_contain_text("Bob")
    expect_same(ann, twin, "all are here")


def test_where_all_play_at_once(server: Server, new_page: NewPage) -> None:
    made = server.create_table("icehouse", [ANN, BEN], options={"players": 2, "timer": 0})
    ann, twin = opened_twice(new_page, made.link(0))
    play_ahead(made, texts=READY)
    expect(ann.get_by_role("button", name="Icehouse!")).to_be_enabled()
    expect_same(ann, twin, "ready")
    stand(ann, "large red", 0, 0)
    expect_same(ann, twin, "one stands")
    play_ahead(made, texts=stands(1, "L", 5, 0))
    expect_same(ann, twin, "two stand")
    ann.keyboard.press("Shift+I")
    ann.get_by_role("group", name="Choose a piece to give away").get_by_role("button", name="small red").click()
    ann.get_by_role("group", name="Choose a piece to give away").get_by_role("button", name="Ben").click()
    expect(kind(twin, "small red")).to_have_text("4")
    expect_same(ann, twin, "one is given")


def test_lobby_and_lists(own_server: Server, new_page: NewPage) -> None:
    tables = [own_server.create_table(game, [ANN, BOB]) for game in ("squad", "highrise")]
    visited = [made.link(0) for made in tables]
    lobby, twin = opened_twice(new_page, *visited, own_server.url)
    own_server.create_table("wrecktangle", [ANN, OPEN], public=True)
    for one in (lobby, twin):
        expect(one.get_by_role("button", name="Join Ann at WreckTangle")).to_be_visible()
    expect_same(lobby, twin, "a table is open")
    for game in ("Icehouse", "High Rise"):
        for one in (lobby, twin):
            one.get_by_role("radio", name=re.compile(f"^{game}")).check()
        expect_same(lobby, twin, game)
