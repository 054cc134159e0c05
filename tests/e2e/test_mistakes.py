"""The costly moves of a game that is over, tried again: by mouse, by finger and by keyboard alone."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.axe import LOOKS, complaints, complaints_of_axe
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, space, supply, tab_to
from tests.e2e.server import Server
from tests.e2e.sizes import HALVES, flaws
from tests.e2e.test_review import REVIEWED, course, finished, result
from tests.e2e.test_squad import KINDS, by_key, by_mouse

IN_BOARD = "document.activeElement.getAttribute('role') === 'gridcell'"
FOCUSED = "document.activeElement.textContent.trim()"
LEAVES = re.compile("Not it: |Better: ")
PROGRAM = "tests.e2e.quick_reviews"


class Mistake(NamedTuple):
    """A move of Ann's that cost her much: its number in the game, what was played and what was better."""

    number: int
    act: str
    best: str


REVIEW = """async (table) => {
    for (;;) {
        const answer = await fetch(`/api/tables/${table}/review`);
        if (answer.status === 200) return answer.json();
        await new Promise((go) => setTimeout(go, 100));
    }
}"""
"""The whole review: the page shows a part of it before."""


def reviewed_game(page: Page, server: Server) -> list[Mistake]:
    """Open the review of a game of Squad in which Ann made mistakes, and return these."""
    made = finished(server, "squad")
    page.goto(made.link(0))
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    review: dict[str, Any] = page.evaluate(REVIEW, made.table)
    return [
        Mistake(index + 1, act["act"], act["best"])
        for index, act in enumerate(review["acts"])
        if act["seat"] == 0 and act["label"]
    ]


def start(page: Page, found: list[Mistake]) -> Mistake:
    """Go from the review to the first of the mistakes."""
    page.get_by_role("link", name=f"Learn from your mistakes ({len(found)})").click()
    expect_task(page, 1, found)
    return found[0]


def expect_task(page: Page, number: int, found: list[Mistake]) -> None:
    mistake = found[number - 1]
    words(page).get_by_role("heading", name=f"Mistake {number} of {len(found)}").wait_for()
    expect(
        words(page).get_by_text(
            re.compile(f"^Your move {mistake.number} .*{square_of(mistake.act)}.* (cut your chance|threw away)")
        )
    ).to_be_visible()
    expect(page.get_by_role("grid")).to_be_visible()


def square_of(act: str) -> str:
    return act.partition("@")[2]


def words(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Mistake"))


def button(page: Page, name: str) -> Locator:
    return words(page).get_by_role("button", name=name)


def heard(page: Page, told: str | re.Pattern[str]) -> None:
    expect(page.locator("[aria-live=polite]").get_by_text(told).last).to_be_attached()


def test_by_mouse(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    found = reviewed_game(page, server)
    table = page.url
    # the review hides what was better until it is asked for
    listed = page.get_by_role("listitem").filter(has_text=re.compile("chance to win by"))
    better = listed.first.locator("details p")
    expect(better).to_be_hidden()
    listed.first.get_by_text("What was better").click()
    expect(better).to_be_visible()

    first = start(page, found)
    assert "best" not in words(page).inner_text()
    expect(button(page, "Try again")).to_have_count(0)
    by_mouse(page, first.act)
    expect(words(page).get_by_text(LEAVES)).to_be_visible()
    assert complaints_of_axe(page) == []
    button(page, "Try again").click()
    expect_task(page, 1, found)
    by_mouse(page, first.best)
    expect(words(page).get_by_text(re.compile(f"^Right: .*{square_of(first.best)}.* is the best move"))).to_be_visible()
    assert complaints(page, LOOKS[1:]) == []
    page.set_viewport_size(ViewportSize(width=DESK["width"], height=DESK["height"]))

    # the solution of the second, and no more of the others
    button(page, "Next" if len(found) > 1 else "Finish").click()
    for number in range(2, len(found) + 1):
        expect_task(page, number, found)
        if number == 2:
            button(page, "View the solution").click()
            expect(words(page).get_by_text(re.compile(f"^The best move: .*{square_of(found[1].best)}"))).to_be_visible()
            expect(words(page).get_by_text("The solution", exact=True)).to_be_visible()
            button(page, "Next" if len(found) > 2 else "Finish").click()
        else:
            button(page, "Skip").click()
    expect(
        page.get_by_role("main").get_by_text(re.compile(rf"^Of {len(found)} moves? you found 1 after a mistake"))
    ).to_be_visible()
    assert complaints_of_axe(page) == []
    page.get_by_role("button", name="Once more").click()
    expect_task(page, 1, found)
    words(page).get_by_role("link", name="Back to your game").click()
    page.wait_for_url(table)
    expect(course(page)).to_be_visible()


def test_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    first = start(page, reviewed_game(page, server))
    kind, square = first.best.split("@")
    if kind in KINDS:
        supply(page, KINDS[kind]).tap()
    space(page, square).tap()
    expect(words(page).get_by_text("is the best move")).to_be_visible()
    assert flaws(page, "a verdict", HALVES[1]) == []


def test_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    """After every step the focus is where the next key is expected, and all is spoken."""
    page = new_page(viewport=DESK)
    found = reviewed_game(page, server)
    first = start(page, found)
    heard(page, re.compile(f"^Mistake 1 of {len(found)}.*{square_of(first.act)}"))
    assert page.evaluate("document.activeElement.localName") == "main"
    tab_to(page, IN_BOARD)
    by_key(page, first.act)
    heard(page, LEAVES)
    page.wait_for_function(f"() => {FOCUSED} === 'Try again'")
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => {IN_BOARD}")
    by_key(page, first.best)
    heard(page, re.compile("^Right"))
    last = len(found) == 1
    page.wait_for_function(f"() => {FOCUSED} === '{'Finish' if last else 'Next'}'")
    page.keyboard.press("Enter")
    for number in range(2, len(found) + 1):
        heard(page, re.compile(f"^Mistake {number} of {len(found)}"))
        page.wait_for_function(f"() => {IN_BOARD}")
        tab_to(page, f"{FOCUSED} === 'View the solution'")
        page.keyboard.press("Enter")
        heard(page, re.compile(f"^The best move: .*{square_of(found[number - 1].best)}"))
        page.wait_for_function(f"() => ['Next', 'Finish'].includes({FOCUSED})")
        page.keyboard.press("Enter")
    heard(page, re.compile(f"^Of {len(found)} move"))
    page.wait_for_function(f"() => {FOCUSED} === 'Back to your game'")


def test_a_watcher_has_no_mistakes(server: Server, new_page: NewPage) -> None:
    page, address = new_page(viewport=DESK), finished(server, "squad").address
    page.goto(address)
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    expect(page.get_by_role("link", name=re.compile("^Learn from your mistakes"))).to_have_count(0)
    page.goto(f"{address}/mistakes")
    expect(page.get_by_text("No move of yours")).to_be_visible()
