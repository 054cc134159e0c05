"""Puzzles as people solve and fail them: in a real browser, by mouse, by finger and by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, Response, ViewportSize, expect

from icetable import games
from icetable.bots.levels import levels
from icetable.core.game import Action
from icetable.extras import exercises
from tests.e2e.axe import LOOKS, complaints
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, drag_by_finger, space, supply, tab_to
from tests.e2e.server import Server
from tests.e2e.sizes import HALVES, flaws
from tests.e2e.test_squad import KINDS, by_key, by_mouse

INFO = games.info("squad")
COLLECTION = exercises.collection(INFO)


def refuted(puzzle: exercises.Puzzle) -> Action | None:
    """A wrong act that one reply refutes, whose friend stands on the board after it."""
    for act, reply in puzzle.replies.items():
        if len(reply.line) == 1:
            state = puzzle.state().apply(act).apply(reply.line[0])
            if state.seat != puzzle.seat and reply.line[0].partition("@")[2] in state.view()["stacks"]:
                return act
    return None


PUZZLE, WRONG = next((one, act) for one in COLLECTION if (act := refuted(one)) is not None)
RIGHT, REPLY = PUZZLE.answer[0], PUZZLE.replies[WRONG].line[0]
NUMBER = COLLECTION.index(PUZZLE) + 1
TITLE = next((level.title for level in levels(INFO.name) if level.name == PUZZLE.level), "Beyond")


def words(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Puzzle"))


def of_its_level(page: Page) -> Locator:
    """Open the puzzles as difficult as ours, all of them; they come with how many are solved."""
    group = page.get_by_role("group").filter(has=page.get_by_role("heading", name=TITLE, exact=True))
    expect(group.get_by_role("heading")).to_be_visible()
    if not group.get_by_role("list").is_visible():
        group.get_by_role("heading").click()
    more = group.get_by_role("button", name="Show all")
    if more.count():
        more.click()
    return group


def friend_of(page: Page, act: str) -> Locator:
    """The square of an act with its friend on it."""
    kind, square = act.split("@")
    return page.get_by_role("gridcell", name=re.compile(rf"^{square}: \w+ {KINDS[kind]}"))


def heard(page: Page) -> list[str]:
    """The answers of the server to the page from now on."""
    told: list[str] = []

    def hear(answer: Response) -> None:
        if "/api/" in answer.url:
            told.append(answer.text())

    page.on("response", hear)
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(str(frame))))
    return told


def open_puzzle(page: Page, server: Server) -> None:
    page.goto(f"{server.url}puzzles/squad/{PUZZLE.name}")
    expect(words(page).get_by_text(PUZZLE.task)).to_be_visible()
    expect(page.get_by_role("grid")).to_be_visible()


def expect_refutation(page: Page) -> None:
    """The words tell what is answered, and the board shows it."""
    expect(words(page).get_by_text("replies: ")).to_be_visible()
    expect(words(page).locator("[aria-current=step]")).to_have_count(1)
    expect(friend_of(page, REPLY)).to_be_visible()


def expect_solved(page: Page, act: str = RIGHT) -> None:
    expect(words(page).get_by_text(re.compile("^Right"))).to_be_visible()
    expect(page.get_by_role("gridcell", name=re.compile(rf"^{act.partition('@')[2]}\b"))).to_be_visible()


def test_failed_and_solved_by_mouse(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    told = heard(page)
    page.goto(f"{server.url}?game=squad")
    page.get_by_role("link", name="solve puzzles").click()
    of_its_level(page)
    page.get_by_role("link", name=re.compile(f"^Puzzle {NUMBER}:")).click()
    expect(words(page).get_by_text(PUZZLE.task)).to_be_visible()
    expect(page.get_by_role("grid")).to_be_visible()
    assert any(PUZZLE.task in text for text in told)
    assert not any(f'"{secret}"' in text for text in told for secret in ("answer", "worth", "reply", 'line":['))

    by_mouse(page, WRONG)
    expect_refutation(page)
    words(page).get_by_role("button", name="View the solution").click()
    expect(words(page).get_by_text("The solution", exact=True)).to_be_visible()
    expect(friend_of(page, RIGHT)).to_be_visible()
    words(page).get_by_role("button", name="Try again").click()
    expect(words(page).get_by_text(PUZZLE.task)).to_be_visible()
    by_mouse(page, RIGHT)
    expect_solved(page)
    words(page).get_by_role("link", name="All puzzles").click()
    of_its_level(page)
    expect(page.get_by_role("link", name=re.compile(f"^Puzzle {NUMBER}:.*, solved after a mistake$"))).to_be_visible()
    expect(page.get_by_text(f"You have tried 1 of {len(COLLECTION)} puzzles")).to_be_visible()


def test_failed_and_solved_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    open_puzzle(page, server)
    kind, square = WRONG.split("@")
    supply(page, KINDS[kind]).tap()
    space(page, square).tap()
    expect_refutation(page)
    words(page).get_by_role("button", name="Try again").tap()
    expect(words(page).get_by_text(PUZZLE.task)).to_be_visible()
    kind, square = RIGHT.split("@")
    drag_by_finger(page, supply(page, KINDS[kind]), space(page, square))
    expect_solved(page)


def test_failed_and_solved_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    open_puzzle(page, server)
    in_board = "document.activeElement.getAttribute('role') === 'gridcell'"
    tab_to(page, in_board)
    by_key(page, WRONG)
    expect(page.locator("[aria-live=polite]").get_by_text("replies: ")).to_be_attached()
    expect_refutation(page)
    tab_to(page, "document.activeElement.textContent.trim() === 'Try again'")
    page.keyboard.press("Enter")
    expect(words(page).get_by_text(PUZZLE.task)).to_be_visible()
    tab_to(page, in_board)
    by_key(page, RIGHT)
    expect(page.locator("[aria-live=polite]").get_by_text(re.compile("^Right"))).to_be_attached()
    expect_solved(page)
    tab_to(page, "document.activeElement.textContent.trim() === 'Next puzzle'")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: PUZZLE.name not in url)
    expect(words(page)).to_be_visible()
    assert page.evaluate("document.activeElement.localName") == "main"


def test_a_puzzle_of_several_acts(server: Server, new_page: NewPage) -> None:
    """An act that does not decide it is not judged, and the try can begin again; in other puzzles one may wait."""
    some = exercises.collection(games.info("icehouse"))
    ice = next(one for one in some if one.goal == "ice")
    page = new_page(viewport=PHONE)
    page.goto(f"{server.url}puzzles/icehouse/{ice.name}")
    expect(words(page).get_by_text(ice.task)).to_be_visible()
    again = words(page).get_by_role("button", name="Start again")
    expect(again).to_be_disabled()
    expect(page.get_by_role("application").get_by_text(str(ice.target).removeprefix("p"), exact=True)).to_have_count(1)
    page.get_by_role("button", name=re.compile(r"^\w+ \w+, [1-9]\d* left$")).first.click()
    expect(again).to_be_enabled()
    again.click()
    expect(again).to_be_disabled()
    call = next(one for one in some if one.goal == "call" and not one.answer)
    page.goto(f"{server.url}puzzles/icehouse/{call.name}")
    words(page).get_by_role("button", name="Wait").click()
    expect(words(page).get_by_text(re.compile("^Right"))).to_be_visible()


def test_chosen_by_difficulty_and_kept(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{server.url}puzzles/squad")
    alike = [one for one in COLLECTION if one.level == PUZZLE.level]
    group = of_its_level(page)
    expect(group.get_by_role("link")).to_have_count(len(alike))
    expect(group.get_by_text(f"0 of {len(alike)} puzzles solved")).to_be_visible()
    theme = alike[0].themes[0]
    page.get_by_role("radio", name=re.compile(rf"^{theme} \d", re.IGNORECASE)).check()
    fewer = [one for one in alike if theme in one.themes]
    expect(group.get_by_role("link")).to_have_count(len(fewer))
    group.get_by_role("link").first.click()
    expect(words(page).get_by_text(fewer[0].task)).to_be_visible()
    assert f"/puzzles/squad/{fewer[0].name}?level={PUZZLE.level}&theme=" in page.url
    page.go_back()
    expect(page.get_by_role("radio", name=re.compile(rf"^{theme} \d", re.IGNORECASE))).to_be_checked()
    easiest = next(one for one in COLLECTION if one.level == levels(INFO.name)[0].name and theme in one.themes)
    page.get_by_role("link", name="Solve the next one").click()
    expect(words(page).get_by_text(easiest.task)).to_be_visible()


def test_the_puzzle_of_the_day(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    link = page.get_by_role("link", name=f"Solve it ({INFO.title})")
    found = []
    for day in (24, 23):
        page.clock.set_fixed_time(f"2026-11-{day}T12:00:00")
        page.goto(f"{server.url}puzzles")
        expect(link).to_be_visible()
        found.append(str(link.get_attribute("href")).rpartition("/")[2])
    assert found[0] != found[1]
    link.click()
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
    answer = exercises.puzzle_of(INFO, found[1]).answer[0]
    by_mouse(page, answer)
    expect_solved(page, answer)
    page.goto(f"{server.url}puzzles")
    expect(page.get_by_text("You have solved one today")).to_be_visible()


def test_without_the_server(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.route("**/api/puzzles/**", lambda route: route.abort())
    page.goto(f"{server.url}puzzles/squad")
    expect(page.get_by_role("alert")).to_have_text(
        "Can\N{RIGHT SINGLE QUOTATION MARK}t reach the server. Try again in a moment."
    )
    page.unroute("**/api/puzzles/**")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("link", name=re.compile("^Puzzle 1")).first).to_be_visible()
    open_puzzle(page, server)
    page.route(f"**/api/puzzles/squad/{PUZZLE.name}/*", lambda route: route.abort())
    by_mouse(page, RIGHT)
    note = page.get_by_role("note").filter(has_text="reach the server")
    expect(note).to_be_visible()
    page.unroute(f"**/api/puzzles/squad/{PUZZLE.name}/*")
    note.get_by_role("button", name="Try again").click()
    expect_solved(page)
    page.goto(f"{server.url}puzzles/squad/none")
    expect(page.get_by_role("alert")).to_contain_text("has no such puzzle")


def test_axe_has_no_complaints_and_nothing_is_cut(server: Server, new_page: NewPage) -> None:
    page = new_page()
    for path, one in zip(("puzzles", "puzzles/squad"), LOOKS, strict=True):
        page.goto(server.url + path)
        expect(page.get_by_role("heading", name=re.compile("of the day"))).to_be_visible()
        assert complaints(page, [one]) == [], path
    for act, sizes, one in zip((WRONG, RIGHT), HALVES, LOOKS, strict=True):
        page.set_viewport_size(ViewportSize(width=DESK["width"], height=DESK["height"]))
        open_puzzle(page, server)
        if act == WRONG:
            assert complaints(page) + flaws(page, "open", HALVES[1]) == []
        by_mouse(page, act)
        (expect_refutation if act == WRONG else expect_solved)(page)
        assert complaints(page, [one]) + flaws(page, act, sizes) == []
    page.goto(f"{server.url}puzzles/squad")
    expect(page.get_by_role("link", name=re.compile("^Puzzle 1")).first).to_be_visible()
    assert complaints(page, LOOKS[:1]) == []
