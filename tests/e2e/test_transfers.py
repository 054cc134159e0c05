"""Transfers of own data to another browser: encrypted here, decrypted there, and unreadable on the way."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, Request, expect

from tests.e2e.axe import LOOKS, complaints, complaints_of_axe
from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, quick_start
from tests.e2e.server import Server
from tests.e2e.test_links import WINDOW

KEPT = "() => Object.entries(localStorage).filter(([key]) => /[.](table|summary|puzzles|learned)[.]/.test(key)).sort()"
CODES = "() => Object.keys(localStorage).flatMap((key) => JSON.parse(localStorage[key]).codes ?? [])"
DONE = "localStorage['icetable.puzzles.squad'] = JSON.stringify([{ name: 'p1', result: 'solved' }])"


def requests_of(page: Page) -> list[str]:
    """All that the page asks for from now on: addresses, heads and bodies."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(f"{request.url} {request.headers} {request.post_data}")

    page.on("request", note)
    return asked


def move_out(page: Page, server: Server) -> str:
    """The link to what a browser leaves."""
    page.goto(server.url)
    page.get_by_text("Back up or move your games").click()
    page.get_by_role("button", name="Move to another device").click()
    return page.locator(".link").inner_text()


def test_games_and_profile_move_to_another_browser(own_server: Server, new_page: NewPage) -> None:
    here, there = new_page(viewport=WINDOW), new_page(viewport=PHONE)
    quick_start(here, own_server, "IceFrogs")
    here.evaluate(DONE)
    from_here, from_there = requests_of(here), requests_of(there)
    link = move_out(here, own_server)
    assert link.startswith(f"{own_server.url}move#")
    assert complaints_of_axe(here) == []
    code = link.partition("#")[2]
    there.goto(link)
    assert complaints_of_axe(there) == []
    there.get_by_role("button", name="Bring them here").click()
    expect(there.get_by_role("status")).to_have_text("1 game added. Your name, puzzles and lessons are here, too.")
    assert "#" not in there.url
    assert there.evaluate(KEPT) == here.evaluate(KEPT)
    there.get_by_role("link", name="To your games").click()
    yours = there.get_by_role("region", name="Your games")
    expect(yours.get_by_role("link", name=re.compile("IceFrogs"))).to_have_count(1)
    expect(yours).to_contain_text("Your turn")  # the server knows already who holds the seat

    # Neither the code nor what is in the transfer ever left a browser, and nothing is left of it on the server.
    asked = from_here + from_there
    transfers = [one for one in asked if "/api/transfers" in one]
    assert len(transfers) == 2
    for secret in (code, *here.evaluate(CODES)):
        assert not [one for one in transfers if secret in one]
    assert not [one for one in asked if code in one]
    database = b"".join(Path(f"{own_server.database}{end}").read_bytes() for end in ("", "-wal"))
    assert code.encode() not in database
    assert code not in own_server.output

    # It works once, and by typing the code too.
    there.goto(link)
    there.get_by_role("button", name="Bring them here").click()
    expect(there.get_by_role("alert")).to_contain_text("There is nothing under this code.")
    public = {"others": ["https://games.example/"], "openable": False}
    here.route("**/api/addresses", lambda route: route.fulfill(json=public))
    assert move_out(here, own_server).startswith("https://games.example/move#")
    expect(here.get_by_role("img", name="QR code of the link")).to_be_visible()
    assert complaints(here, LOOKS[1:]) == []
    typed = here.locator("code[translate=no]").inner_text()
    there.goto(f"{own_server.url}move")
    there.get_by_label("The code that your other device shows").fill("nonsense")
    there.get_by_role("button", name="Bring them here").click()
    expect(there.get_by_role("alert")).to_contain_text("codes have 20 letters and digits")
    there.get_by_label("The code that your other device shows").fill(typed.upper())
    there.get_by_role("button", name="Bring them here").click()
    expect(there.get_by_role("status")).to_have_text("There is nothing new in this list.")
