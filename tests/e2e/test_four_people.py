"""Three people at Icehouse, one far away and one at a telephone, and one who watches: what they see of each other."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.axe import complaints_of_axe
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, choose, record, status
from tests.e2e.lines import Line
from tests.e2e.server import Server, people
from tests.e2e.test_icehouse import at, caption, click_at, get_ready, kind, pieces, take_seats

NAMES = ("Ann", "Ben", "Dora")
WIDTHS = (320, 390, 1280)


@pytest.fixture
def far(server: Server) -> Iterator[Line]:
    with Line(server.port, 0.2) as line:
        yield line


def too_wide(page: Page, state: str) -> list[str]:
    """The widths of windows that the page does not fit."""
    size = page.viewport_size
    assert size is not None
    found = []
    for width in WIDTHS:
        page.set_viewport_size(ViewportSize(width=width, height=800))
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{width} is too narrow")
    page.set_viewport_size(size)
    return [f"{state}: {flaw}" for flaw in found]


def test_a_whole_game(server: Server, far: Line, new_page: NewPage) -> None:
    made = server.create_table("icehouse", people(*NAMES), options={"players": 3, "timer": 0})
    codes, found = made.codes, list[str]()
    ann, ben = (
        take_seats(new_page, server, made.table, [code], viewport=size)
        for code, size in zip(codes, (DESK, PHONE), strict=False)
    )
    dora = new_page(viewport=DESK)
    dora.goto(f"{far.url}table/{made.table}#seat={codes[2]}")
    eve = new_page(viewport=DESK)
    eve.goto(made.address)
    everybody = (ann, ben, dora)
    get_ready(*everybody)

    # How far away the others are stands beside their names.
    lag = ann.get_by_role("region", name="Dora's pad").get_by_text(re.compile(r"^line\s\d"))
    expect(lag).to_have_text(re.compile(r"line\s0\.[45]\ss"))

    # All see where Dora aims and what with, and what comes of it; she herself sees her own piece.
    kind(dora, "large blue").click()
    dora.mouse.move(*at(dora, 4, 4))
    for page in (ann, ben, eve):
        expect(page.locator("g.hand")).to_have_count(1)
    expect(dora.locator("g.hand")).to_have_count(0)
    here = ann.locator("g.hand").bounding_box()
    assert here is not None
    x, y = at(ann, 4, 4)
    assert abs(here["x"] + here["width"] / 2 - x) < 10
    assert abs(here["y"] + here["height"] / 2 - y) < 10
    for page in (ann, ben):
        found += too_wide(page, "somebody aims")
    found += complaints_of_axe(ben)
    if dora.get_by_role("button", name="Stand up").is_visible():
        dora.keyboard.press("Space")
    click_at(dora, 4, 4)
    pieces(ann, 1)
    expect(ann.locator("g.hand")).to_have_count(0)

    # A call stops them all for a moment; what is taken meanwhile is in hand afterwards.
    ben.clock.install()
    ben.clock.pause_at(time.time() + 10)
    ann.keyboard.press("Shift+I")
    call = ben.get_by_role("region", name="Ann's pad").get_by_text("Icehouse!")
    expect(call).to_be_visible()
    kind(ben, "small green").click()
    expect(kind(ben, "small green")).to_have_attribute("aria-pressed", "false")
    ben.clock.run_for(1000)
    expect(kind(ben, "small green")).to_have_attribute("aria-pressed", "true")
    expect(call).to_have_count(0)
    found += too_wide(ann, "a debt") + complaints_of_axe(ann)
    gift = ann.get_by_role("group", name="Choose a piece to give away")
    gift.get_by_role("button", name="small red").click()
    gift.get_by_role("button", name="Ben").click()
    expect(kind(ben, "small red")).to_have_text("1")

    # The end, and the count.
    choose(ann, "Offer a draw")
    for page in (ben, dora):
        page.get_by_role("button", name="Accept").click()
    expect(status(ann)).to_have_text("Draw by agreement")
    found += too_wide(ann, "the end") + too_wide(ben, "the end") + complaints_of_axe(ann)
    assert found == []
    assert [str(one.act) for one in record(ann).history() if one.act and "icehouse" in str(one.act)] == ["icehouse"]


def test_hands_that_a_table_hides_stay_hidden(server: Server, new_page: NewPage) -> None:
    seats = [{"kind": "person", "name": name, "level": None} for name in NAMES[:2]]
    made = server.create_table("icehouse", seats, options={"players": 2, "timer": 0}, hands=False)
    ann, ben = (take_seats(new_page, server, made.table, [code], viewport=DESK) for code in made.codes)
    heard = list[str]()
    ben.on("websocket", lambda socket: socket.on("framereceived", lambda text: heard.append(str(text))))
    ben.reload()
    get_ready(ann, ben)
    kind(ann, "large red").click()
    ann.mouse.move(*at(ann, 4, 4))
    expect(caption(ann)).to_contain_text("stand")
    click_at(ann, 4, 4)
    pieces(ben, 1)
    expect(ben.locator("g.hand")).to_have_count(0)
    assert not any("aimed" in text for text in heard)
