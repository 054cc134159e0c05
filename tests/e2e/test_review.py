"""The review of a game that is over: its picture, its costliest moves, its table, and what they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.conftest import NewPage, running
from tests.e2e.hands import DESK, PHONE, acts_shown, play_unseen, status
from tests.e2e.server import Server
from tests.e2e.test_accessibility import complaints_of_axe, look

REVIEWED = 60_000
"""Until a review is there: its processes have to start."""
NAMES = ("Ann", "Bob")


class QuickReviews(Server):
    program = ("-m", "tests.e2e.quick_reviews")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(QuickReviews(tmp_path_factory.mktemp("server") / "tables.db")) as started:
        yield started


def finished_game(page: Page, server: Server, game: str, **options: int) -> None:
    """Open a table on one screen whose game was played to its end."""
    people = [{"kind": "person", "name": name, "level": None} for name in NAMES]
    made = server.create_table(game, people, options={"players": len(people), **options})
    codes = list(made["codes"].values())
    page.goto(f"{server.url}table/{made['table']}#seat={','.join(codes)}")
    expect(page.get_by_role("grid")).to_be_visible()
    play_unseen(page, made["table"], codes, 1000)
    expect(result(page)).to_be_visible()


def result(page: Page) -> Locator:
    return page.get_by_role("region", name="Result", exact=True)


def course(page: Page) -> Locator:
    """The picture of what the positions were worth."""
    return page.get_by_role("slider", name="What the position was worth")


def step(page: Page) -> int:
    """The number of acts after which the position on show arose."""
    counter = page.get_by_role("group", name="Steps through the game").locator("span")
    return int(counter.inner_text().split("/")[0])


@pytest.mark.parametrize("theme_and_size", [("light", DESK), ("dark", PHONE)], ids=["desk", "phone"])
def test_a_review(server: Server, new_page: NewPage, theme_and_size: tuple[Any, dict[str, int]]) -> None:
    page = new_page(bypass_csp=True)
    look(page, *theme_and_size)
    on_phone = theme_and_size[1] is PHONE
    finished_game(page, server, "squad")
    last = acts_shown(page)
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    assert page.evaluate("document.activeElement !== document.body")
    expect(course(page)).to_have_attribute(
        "aria-valuetext", re.compile(rf"^After move {last} of {last}: Ann .*%, Bob ")
    )
    assert complaints_of_axe(page) == []

    # by keyboard
    course(page).press("ArrowLeft")
    expect(course(page)).to_have_attribute("aria-valuenow", str(last - 1))
    course(page).press("Home")
    expect(course(page)).to_have_attribute("aria-valuetext", re.compile("^Start: "))
    course(page).press("PageUp")
    expect(course(page)).to_have_attribute("aria-valuenow", "10")
    assert step(page) == 10

    # by mouse
    box = course(page).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(course(page)).to_have_attribute("aria-valuenow", re.compile(f"^({last // 2}|{(last + 1) // 2})$"))

    # the tables
    accounts = page.get_by_role("region", name="Where the result came from")
    expect(accounts.get_by_role("columnheader")).to_have_text(NAMES)
    expect(accounts.get_by_role("row", name=re.compile("^Share without luck")).get_by_role("cell")).to_have_count(2)
    page.get_by_text("Every position in figures").click()
    positions = page.get_by_role("region", name="Every position in figures")
    expect(positions.get_by_role("row")).to_have_count(last + 2)
    assert complaints_of_axe(page) == []

    # the costliest move
    listed = page.get_by_role("listitem").filter(has_text=re.compile("cost .*% of the game; better was"))
    words = listed.first.inner_text()
    found = re.search(r"^(Ann|Bob).s move (\d+), \S+, cost", words)
    assert found, words
    number = int(found[2])
    listed.first.get_by_role("button", name=re.compile("^Look")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert step(page) == number - 1
    if on_phone:
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Review of the game").click()
    reviewed = page.url
    listed.first.get_by_role("button", name=re.compile("^Try")).click()
    page.wait_for_url(lambda url: url != reviewed)
    expect(status(page)).to_contain_text(re.compile(f"{found[1]}.s turn"))
    expect(page.get_by_text(re.compile("^0 / 0$"))).to_be_visible()


def test_strokes_of_luck_are_marked(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=ViewportSize(width=DESK["width"], height=DESK["height"]))
    finished_game(page, server, "wrecktangle", turn_limit=12)
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    expect(page.get_by_text("A stroke of luck")).to_be_visible()
    expect(course(page).locator(".stroke").first).to_be_visible()
    page.get_by_role("tab", name="Moves").click()
    expect(course(page)).to_have_count(0)
    page.get_by_role("tab", name="Moves").press("ArrowRight")
    expect(course(page)).to_have_count(0)
    page.get_by_role("tab", name="Analysis").press("ArrowRight")
    expect(course(page)).to_be_visible()
