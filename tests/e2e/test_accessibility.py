"""Every page, looked through by axe for what would keep somebody out: at a desk by day, on a phone by night."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bootstrap
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from icetable import games
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, choose, set_up
from tests.e2e.server import OPEN, Server, people

AXE = bootstrap.ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PEOPLE = people("Ann", "Bob")


QUICKLY = "{ selectors: false, preload: false, resultTypes: ['violations'] }"
"""No more is worked out than which rules are broken, and where first."""
RUN = f"""async () => {{
  const pictures = [...document.querySelectorAll('svg[role=img], .chart[role=img]')];
  const drawn = pictures.map((picture) => [...picture.childNodes]);
  for (const picture of pictures) picture.replaceChildren();
  const {{ violations }} = await axe.run({QUICKLY});
  pictures.forEach((picture, number) => picture.replaceChildren(...drawn[number]));
  return violations;
}}"""
"""axe looks through the page without what is drawn in pictures: it judges each by its name, and drawings take long."""
GAMES = [info.name for info in games.list_games()]
LOOKS = (("light", DESK), ("dark", PHONE))


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """axe is put into the page, which the server's own policy would not let in."""
    return new_page(bypass_csp=True, reduced_motion="reduce")


def look(page: Page, theme: Any, size: dict[str, int]) -> None:
    """Look at the page so, once its colours have changed."""
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
    page.wait_for_function("() => document.getAnimations().length === 0")


def complaints(page: Page, looks: Sequence[tuple[str, dict[str, int]]] = LOOKS) -> list[str]:
    """The complaints of axe in each look, once all has loaded, with the first element of each."""
    page.wait_for_load_state("networkidle")
    return complaints_now(page, looks)


def complaints_now(page: Page, looks: Sequence[tuple[str, dict[str, int]]] = LOOKS) -> list[str]:
    """The same of a page that may load for long, as one whose worker is just being installed."""
    found = []
    for theme, size in looks:
        look(page, theme, size)
        found += complaints_of_axe(page)
    return found


def complaints_of_axe(page: Page) -> list[str]:
    for made in ("main", "h1"):  # before the page is made there is nothing to judge
        expect(page.locator(made).first).to_be_attached()
    if page.evaluate("!window.axe"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}" for one in page.evaluate(RUN)]


def test_the_lobby_with_tables_and_without(own_server: Server, page: Page) -> None:
    page.goto(own_server.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert complaints(page, LOOKS[:1]) == []
    own_server.create_table("wrecktangle", [PEOPLE[0], OPEN], public=True)
    page.reload()
    expect(page.get_by_text("Ann").first).to_be_visible()
    set_up(page)
    page.get_by_text("Is it fair?").first.click()
    assert complaints(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_of_a_game(server: Server, page: Page, game: str) -> None:
    made = server.create_table(game, PEOPLE)
    for number, path in enumerate((made.link(), f"{server.url}learn/{game}", f"{server.url}rules/{game}")):
        page.goto(path)
        expect(page.get_by_role("main")).to_be_visible()
        assert complaints(page, [LOOKS[(GAMES.index(game) + number) % 2]]) == [], path


def test_a_table_that_waits_for_somebody(server: Server, page: Page) -> None:
    made = server.create_table("wrecktangle", [PEOPLE[0], OPEN])
    page.goto(f"{made.link(0)},{made.host}")
    expect(page.get_by_role("heading", name="Invite the others")).to_be_visible()
    assert complaints(page) == []


@pytest.mark.parametrize("theme_and_size", LOOKS, ids=["desk", "phone"])
def test_panels_beside_a_table(server: Server, page: Page, theme_and_size: tuple[str, dict[str, int]]) -> None:
    """At a desk also the panels that the menu opens, on a phone also the settings and the keys."""
    look(page, *theme_and_size)
    is_phone = theme_and_size[1] is PHONE
    made = server.create_table("icefrogs", PEOPLE, clock={"per": "game", "seconds": 300, "increment": 5})
    page.goto(made.link(0))
    if is_phone:
        choose(page, "Settings")
        expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    else:
        page.get_by_role("button", name="Menu").click()
        expect(page.get_by_role("button", name="Offer a draw")).to_be_visible()
    assert complaints_of_axe(page) == []
    page.keyboard.press("Escape")
    opens = {"k": "Chat", "i": "Seats and links", "r": "Rules of"} | ({"?": "Help"} if is_phone else {})
    for key, name in opens.items():
        page.keyboard.press(key)
        if is_phone:  # at a desk the chat takes the focus
            expect(page.get_by_role("dialog", name=name)).to_be_visible()
        assert complaints_of_axe(page) == [], key
        page.keyboard.press("Escape")
    choose(page, "Resign")
    if not is_phone:
        assert complaints_of_axe(page) == [], "about to resign"
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("region", name="Result", exact=True)).to_be_visible()
    assert complaints_of_axe(page) == [], "at the end"
