"""The review of a game that is over: its picture, its costliest moves, its table, and what they lead to."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.ahead import DRAW, play_ahead
from tests.e2e.axe import complaints_of_axe, look
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, acts_shown, resign
from tests.e2e.server import Server, Table, people

PROGRAM = "tests.e2e.quick_reviews"
REVIEWED = 60_000
"""Until a review is there: its processes have to start."""
NAMES = ("Ann", "Bob")


@functools.cache
def finished(server: Server, game: str, acts: int = 1000, **options: int) -> Table:
    """A table of a game that is over, played to its end or a draw after so many acts: its review is made once."""
    made = server.create_table(game, people(*NAMES), options={"players": len(NAMES), **options})
    play_ahead(made, acts, last=DRAW if acts < 1000 else None)
    return made


def finished_game(page: Page, server: Server, game: str, acts: int = 1000, **options: int) -> None:
    """Open a table on one screen whose game is over; it is shared by all tests."""
    page.goto(finished(server, game, acts, **options).link())
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


def click_middle(page: Page) -> None:
    """Click the picture in its middle."""
    box = course(page).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_review(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    finished_game(page, server, "squad")
    last = acts_shown(page)
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    assert page.evaluate("document.activeElement !== document.body")
    expect(course(page)).to_have_attribute(
        "aria-valuetext", re.compile(rf"^After move {last} of {last}: Ann .*%, Bob ")
    )

    # by keyboard
    course(page).press("ArrowLeft")
    expect(course(page)).to_have_attribute("aria-valuenow", str(last - 1))
    course(page).press("Home")
    expect(course(page)).to_have_attribute("aria-valuetext", re.compile("^Start: "))
    course(page).press("PageUp")
    expect(course(page)).to_have_attribute("aria-valuenow", "10")
    assert step(page) == 10

    # by mouse
    click_middle(page)
    expect(course(page)).to_have_attribute("aria-valuenow", re.compile(f"^({last // 2}|{(last + 1) // 2})$"))

    # the tables
    accounts = page.get_by_role("region", name="Where the result came from")
    expect(accounts.get_by_role("columnheader")).to_have_text(NAMES)
    expect(accounts.get_by_role("row", name=re.compile("^Share without luck")).get_by_role("cell")).to_have_count(2)
    named = page.get_by_role("region", name="Mistakes of each seat").get_by_role(
        "row", name=re.compile("^(Inaccuracies|Mistakes|Blunders)")
    )
    expect(named).to_have_count(3)
    page.get_by_text("Every position in figures").click()
    positions = page.get_by_role("region", name="Every position in figures")
    expect(positions.get_by_role("row")).to_have_count(last + 2)
    assert complaints_of_axe(page) == []

    # the costliest move
    listed = page.get_by_role("listitem").filter(has_text=re.compile("cut .* chance to win by .* point|threw away"))
    words = listed.first.inner_text()
    found = re.search(r"^(Ann|Bob).s move (\d+), (freshman|sophomore|junior|captain) on \w\d, (cut|threw)", words)
    assert found, words
    number = int(found[2])
    listed.first.get_by_role("button", name=re.compile("^Look")).click()
    assert step(page) == number - 1
    listed.first.get_by_role("link", name=re.compile("^Try it")).click()
    page.wait_for_url(re.compile(rf"/mistakes[?]move={number}$"))
    task = re.compile(f"^{found[1]}.s move {number} .* Find a better move for {found[1]}")
    expect(page.get_by_role("region", name=re.compile("^Mistake 1 ")).get_by_text(task)).to_be_visible()


def test_ones_own_costly_moves_come_first_and_only_they_are_tried_again(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    page.goto(finished(server, "squad").link(1))
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    expect(result(page)).to_have_count(0)
    listed = page.get_by_role("listitem").filter(has=page.get_by_role("button", name=re.compile("^Look at")))
    if page.get_by_role("button", name=re.compile("^Show all")).count():
        page.get_by_role("button", name=re.compile("^Show all")).click()
    own = [text.startswith("Your move") for text in listed.all_inner_texts()]
    assert own == sorted(own, reverse=True)
    tried = listed.get_by_role("link", name=re.compile("^Try it: find better than your move"))
    expect(tried).to_have_count(sum(own))


def change_review(page: Page, change: Callable[[Any], None]) -> None:
    """Let the page have the server's review with a change in it."""

    def answer(route: Route) -> None:
        found = route.fetch()
        if found.status != 200:
            return route.fulfill(response=found)
        review = found.json()
        change(review)
        return route.fulfill(response=found, json=review)

    page.route("**/api/tables/*/review", answer)


def one_stroke_of_luck(review: Any) -> None:
    """The second roll alone is luck."""
    rolls = [act for act in review["acts"] if act["kind"] == "chance"]
    for number, roll in enumerate(rolls):
        roll["luck"] = [-0.25, 0.25] if number == 1 else [0.0, 0.0]


def test_strokes_of_luck_are_marked(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    change_review(page, one_stroke_of_luck)
    finished_game(page, server, "wrecktangle", turn_limit=2)
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    expect(page.get_by_text("A stroke of luck")).to_be_visible()
    expect(course(page).locator(".stroke")).to_have_count(1)
    expect(course(page).locator(".stroke title")).to_have_text("Luck for Bob: 25%")
    page.get_by_role("tab", name="Moves").click()
    expect(course(page)).to_have_count(0)
    page.get_by_role("tab", name="Moves").press("ArrowRight")
    expect(course(page)).to_have_count(0)
    page.get_by_role("tab", name="Analysis").press("ArrowRight")
    expect(course(page)).to_be_visible()


def two_mistakes(review: Any) -> None:
    """The third act is a mistake and the sixth a blunder."""
    for number, act in enumerate(review["acts"]):
        act["label"] = {2: "mistake", 5: "blunder"}.get(number)
        if act["label"]:
            act["best"] = next(other["act"] for other in review["acts"] if other["act"] != act["act"])


def one_blunder(review: Any) -> None:
    """The only blunder is an act on the board with a better one elsewhere."""
    for act in review["acts"]:
        act["label"] = None
    places = re.compile(r"[a-h]\d$")
    found = next(
        act
        for act in review["acts"]
        if (best := places.search(act["best"] or "")) and (played := places.search(act["act"])) and best[0] != played[0]
    )
    found["label"] = "blunder"


def drawn(page: Page, rank: str) -> Locator:
    """The arrow or ring that marks an act on the board."""
    return page.locator(f".board svg .arrow.{rank}, .board svg .ring.{rank}")


@pytest.mark.parametrize("game", ["squad", "icefrogs", "highrise", "wrecktangle"])
def test_the_better_act_is_shown_on_the_board_and_spoken(server: Server, new_page: NewPage, game: str) -> None:
    """At the position after a mistake and at the one before it, and not at others."""
    page = new_page(viewport=DESK)
    change_review(page, one_blunder)
    finished_game(page, server, game, 8)
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    page.get_by_role("button", name="Previous mistake").click()
    heard = page.locator("[aria-live=polite]")
    bar = page.locator("main p").filter(has_text="Looking back")
    expect(bar).to_contain_text(re.compile(r"Blunder [?]{2} .+ was best\b"))
    expect(heard.get_by_text(re.compile("^Blunder: .+ was best[.]$"))).to_be_attached()
    for rank in ("best", "played"):
        expect(drawn(page, rank)).to_have_count(1)
    colours = [
        drawn(page, rank).evaluate("one => [getComputedStyle(one).fill, getComputedStyle(one).stroke]")
        for rank in ("best", "played")
    ]
    assert colours[0] != colours[1]
    if game == "squad":  # what points to acts is the same in all games
        assert complaints_of_axe(page) == []
    page.get_by_role("region", name="Review of the game").focus()
    page.keyboard.press("ArrowLeft")
    expect(bar).to_contain_text(re.compile(r"Next: blunder [?]{2} .+ is best\b"))
    expect(heard.get_by_text(re.compile("^Next, .+ is a blunder: .+ is best[.]$"))).to_be_attached()
    expect(drawn(page, "best")).to_have_count(1)
    page.get_by_role("tab", name="Moves").click()
    expect(drawn(page, "best")).to_have_count(1)
    page.keyboard.press("End")
    expect(drawn(page, "best")).to_have_count(0)
    expect(page.get_by_role("main").get_by_text("was best")).to_have_count(0)


def test_the_best_line_is_played_out_on_the_board(server: Server, new_page: NewPage) -> None:
    """By its moves, by the steps through the game, by keys and by itself; each move is spoken."""
    page = new_page(viewport=DESK)
    change_review(page, one_blunder)
    finished_game(page, server, "squad")
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    page.get_by_role("button", name="Previous mistake").click()
    before = step(page) - 1
    page.get_by_role("button", name="Play it out").first.click()
    line = page.get_by_role("region", name="Best line")
    moves = line.get_by_role("listitem").get_by_role("button")
    expect(moves.first).to_be_visible(timeout=REVIEWED)
    shown = line.locator("[aria-current=step]")
    expect(moves.last).to_have_attribute("aria-current", "step", timeout=REVIEWED)
    assert step(page) == before
    assert complaints_of_axe(page) == []

    # by a move, by the steps that lead through the game too, and by keys
    moves.first.click()
    expect(moves.first).to_have_attribute("aria-current", "step")
    placed = page.get_by_role("grid").inner_html()
    page.get_by_role("button", name="Next move").click()
    expect(moves.nth(1)).to_have_attribute("aria-current", "step")
    assert page.get_by_role("grid").inner_html() != placed
    expect(page.locator("[aria-live=polite]").get_by_text(re.compile("^(Ann|Bob).s .+[.]$")).last).to_be_attached()
    page.keyboard.press("[")
    expect(moves.first).to_have_attribute("aria-current", "step")
    page.keyboard.press("[")
    expect(shown).to_have_count(0)
    assert step(page) == before
    page.keyboard.press("[")
    expect(line).to_have_count(0)
    assert step(page) == before - 1

    # from the list, and on a phone
    from_list = page.get_by_role("button", name=re.compile("^Play out what was better than")).first
    from_list.click()
    back = line.locator("..").get_by_role("button", name="Back to the game")
    back.click()
    expect(line).to_have_count(0)
    look(page, "dark", PHONE)
    page.get_by_role("button", name="Details").click()
    from_list.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(line).to_be_in_viewport()
    expect(moves.last).to_have_attribute("aria-current", "step", timeout=REVIEWED)
    assert complaints_of_axe(page) == []
    back.click()
    expect(line).to_have_count(0)


def half_of_it(route: Route) -> None:
    """Answer that the first half of the positions is known."""
    worths = [[0.5, 0.5], [0.75, 0.25], None, [0.25, 0.75], None, None, None]
    route.fulfill(status=202, json={"done": 3, "of": 6, "ahead": 0, "worths": worths})


def test_the_picture_fills_in_while_the_review_is_worked_out(server: Server, new_page: NewPage) -> None:
    """The review goes on while something else is shown; its mistakes are marked and lead from one to the next."""
    page = new_page(viewport=DESK)
    change_review(page, two_mistakes)
    page.route("**/api/tables/*/review", half_of_it)
    finished_game(page, server, "squad")
    result(page).get_by_role("button", name="Review").click()
    expect(page.get_by_text("Reviewed 3 of 6 positions.")).to_be_visible()
    expect(course(page)).to_have_attribute("aria-valuemax", "6")
    widths = "areas => areas.map((area) => area.getBBox().width / area.ownerSVGElement.getBBox().width)"
    for width in course(page).locator(".area").evaluate_all(widths):
        assert width == pytest.approx(0.5, abs=0.02)
    course(page).press("Home")
    expect(course(page)).to_have_attribute("aria-valuetext", re.compile("^Start: Ann 50.*, Bob 50"))
    assert complaints_of_axe(page) == []
    page.get_by_role("tab", name="Moves").click()
    page.unroute("**/api/tables/*/review", half_of_it)
    marked = page.locator("button[data-seq] b")
    expect(marked).to_have_text(["?", "??"], timeout=REVIEWED)
    page.get_by_role("tab", name="Review").click()
    expect(page.get_by_role("row", name=re.compile("^Accuracy")).get_by_role("cell")).to_have_text(
        [re.compile(r"^(\d+%|\N{EN DASH})$")] * 2
    )

    expect(course(page).locator("circle")).to_have_count(2)
    page.keyboard.press("End")
    before, after = (page.get_by_role("button", name=f"{one} mistake") for one in ("Previous", "Next"))
    expect(after).to_be_disabled()
    for button, number in ((before, 6), (before, 3), (after, 6)):
        button.click()
        expect(course(page)).to_have_attribute("aria-valuenow", str(number))
    expect(page.get_by_text(re.compile(r"move 6\s+cut"))).to_contain_text("blunder ??")
    page.get_by_role("tab", name="Moves").click()
    expect(marked).to_have_text(["?", "??"])
    expect(page.locator("button[aria-current=step]")).to_have_accessible_name(re.compile("^6 .*blunder"))


def test_on_a_phone_the_review_stands_below_the_board(server: Server, new_page: NewPage) -> None:
    page = new_page()
    look(page, "dark", PHONE)
    change_review(page, two_mistakes)
    finished_game(page, server, "squad")
    last = acts_shown(page)
    result(page).get_by_role("button", name="Review").click()
    expect(course(page)).to_be_visible(timeout=REVIEWED)
    expect(result(page)).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('.moves') !== null")
    page.get_by_role("button", name="Previous mistake").click()
    assert step(page) == 6
    words = page.get_by_role("main").get_by_text(re.compile("was best"))
    further, details = (page.get_by_role("button", name=name) for name in ("Next move", "Details"))
    for size in (PHONE, {"width": 360, "height": 640}):
        look(page, "dark", size)
        for one in (course(page), page.get_by_role("grid"), words, further, details):
            expect(one).to_be_in_viewport(ratio=0.9)
    further.click()
    assert step(page) == 7
    click_middle(page)
    assert step(page) in (last // 2, (last + 1) // 2)
    assert complaints_of_axe(page) == []

    details.click()
    expect(page.get_by_role("region", name="Where the result came from").get_by_role("columnheader")).to_have_text(
        NAMES
    )
    assert complaints_of_axe(page) == []
    listed = page.get_by_role("listitem").filter(has_text=re.compile("cut .* chance to win by .* point|threw away"))
    listed.first.get_by_role("button", name=re.compile("^Look")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    details.click()
    expect(listed.first.get_by_role("link", name=re.compile("^Try"))).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Close the review").click()
    expect(course(page)).to_have_count(0)


ICEHOUSE = (
    *((0, "ready"), (1, "ready"), (0, "lift M"), (0, "place 12000,12000 stand 0.0")),
    *((1, "lift S"), (1, "place 1000,1000 stand 0.0"), (1, "lift S"), (1, "place 3000,1000 stand 0.0")),
    *((1, "lift L"), (1, "place 9800,12000 point 0.0"), (1, "icehouse")),
)
"""The second player ices the first one's only defender, and calls falsely."""


def test_the_review_of_icehouse(server: Server, new_page: NewPage) -> None:
    page = new_page()
    look(page, "light", PHONE)
    made = server.create_table("icehouse", people(*NAMES))
    play_ahead(made, texts=ICEHOUSE)
    page.goto(made.link())
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    assert server_answer(page, made.table) == 409
    resign(page)
    result(page).get_by_role("button", name="Review").click()
    scores = page.get_by_role("slider", name="The scores along the game")
    expect(scores).to_be_visible(timeout=REVIEWED)
    last = len(ICEHOUSE)
    expect(scores).to_have_attribute("aria-valuenow", str(last))
    expect(scores).to_have_attribute("aria-valuetext", re.compile(r"^\d:\d\d of \d:\d\d: Ann 0, Bob 5$"))

    # by keyboard and by mouse
    scores.press("ArrowLeft")
    expect(scores).to_have_attribute("aria-valuenow", str(last - 1))
    scores.press("Home")
    expect(scores).to_have_attribute("aria-valuetext", re.compile(": Ann 0, Bob 0$"))
    assert step(page) == 0
    box = scores.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    expect(scores).to_have_attribute("aria-valuenow", str(last))

    # what is told
    iced = chapter(page, "Who iced what").get_by_role("listitem")
    expect(iced).to_contain_text(re.compile("Bob iced Ann.s medium: .2 for Ann, [+]3 for Bob[.] It stayed iced[.]"))
    expect(chapter(page, "Calls, prisoners and crashes")).to_contain_text("Bob called Icehouse in vain.")
    expect(chapter(page, "Missed calls")).to_contain_text("No call was missed.")
    expect(chapter(page, "Pieces in danger")).to_contain_text("No piece was in danger.")
    points = page.get_by_role("region", name="Where the points came from: each seat").get_by_role("row")
    expect(points.filter(has_text="Score").get_by_role("cell")).to_have_text(["0", "5"])
    expect(
        page.get_by_role("region", name="How fast everyone played: each seat").get_by_role("columnheader")
    ).to_have_text(NAMES)
    page.get_by_text("Every change of the scores in figures").click()
    changes = page.get_by_role("region", name="Every change of the scores in figures").get_by_role("row")
    expect(changes.last).to_contain_text("5 (+3)")
    assert complaints_of_axe(page) == []

    # a moment
    iced.get_by_role("button", name=re.compile("^Look at")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert step(page) == ICEHOUSE.index((1, "place 9800,12000 point 0.0")) + 1

    # at a desk
    look(page, "dark", DESK)
    expect(scores).to_be_visible()
    expect(iced).to_be_visible()
    assert complaints_of_axe(page) == []


def chapter(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True).first


def server_answer(page: Page, table: str) -> int:
    """The status with which a table's review is answered now."""
    return int(page.evaluate("table => fetch(`/api/tables/${table}/review`).then(({ status }) => status)", table))
