"""Games of the workshop on the board that they all have: by mouse, by keyboard, and on a phone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from icetable import games, workshop
from tests.e2e.ahead import play_ahead
from tests.e2e.axe import LOOKS, complaints, complaints_of_axe
from tests.e2e.conftest import NewPage, running
from tests.e2e.hands import (
    PHONE,
    SHOWS_ACTS_OR_MORE,
    acts_made,
    choose_game,
    click_square,
    go_to,
    record,
    space,
    status,
)
from tests.e2e.server import Server, people
from tests.e2e.test_links import WINDOW, copied, sit, visit

LIGHTS = '''
from icetable.workshop import ORTHOGONALS, Game, Look, Pyramid, squares


class Lights(Game):
    """Turn the light all round.

    **LI-1** Players take turns to turn the light. When all ways were lit both have won.
    """

    cooperative = True
    look = Look(beside="points")

    def board(self):
        return squares(3, 3)

    def start(self, table):
        table.put(Pyramid("M", "yellow", "n"), "b2")
        table.lit = []

    def acts(self, table):
        yield from (f"b2>{way}" for way in ORTHOGONALS if way not in table.lit)

    def play(self, table, act):
        way = act.split(">")[1]
        table.lit = [*table.lit, way]
        table.lay("b2", way)
        table.score = [len(table.lit)] * 2
        table.end_turn()

    def over(self, table):
        return "LI-1" if len(table.lit) == 4 else None

    def winners(self, table):
        return self.seats
'''

CANALS, FIRST = (Path(workshop.__file__).parent / "examples" / f"{name}.py" for name in ("canals", "first"))
SIGNALS = '''
from icetable.workshop import SIX, Game, Pyramid, Token, hexagons


class Signals(Game):
    """Lay a pyramid on ice, then both bid in secret.

    **SI-1** A turn lays a pyramid, moves it, adds one or passes. Then both bid in secret. After four turns it is over.
    """

    def board(self):
        return hexagons([2, 3, 2])

    def start(self, table):
        table.put(Token("stone", "black"), "b2")
        for seat, space in enumerate(("a1", "c2")):
            table.put(Pyramid("M", seat), space)
            table.put(Pyramid("S", seat), space)
            table.pad[seat] = [Pyramid(size, seat) for size in "SLL"]

    def acts(self, table):
        for here in table.where(table.seat):
            yield from (f"{here}>{way}" for way in SIX)
            yield from (f"{here}-{there}" for there in table.neighbours(here))
        for size in {piece.size for piece in table.pad[table.seat]}:
            yield from (f"{size}@{space}" for space in ("b1", "b3"))
        yield "pass"

    def play(self, table, act):
        if "@" in act:
            size, space = act.split("@")
            table.spend(Pyramid(size, table.seat))
            table.put(Pyramid(size, table.seat), space)
        elif ">" in act:
            table.lay(*act.split(">"))
        elif "-" in act:
            table.move(*act.split("-"))
        table.ask({seat: ("low", "high") for seat in self.seats})

    def reveal(self, table, choices):
        for seat, choice in choices.items():
            table.gain(len(choice), seat)
        table.end_turn()

    def over(self, table):
        return "SI-1" if table.turn == 4 else None
'''


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("workshop")
    signals = folder / "signals.py"
    signals.write_text(SIGNALS, encoding="utf-8")
    lights = folder / "lights.py"
    lights.write_text(LIGHTS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(games.GAMES_VARIABLE, os.pathsep.join(map(str, (CANALS, FIRST, signals, lights))))
        with running(Server(folder / "tables.db")) as started:
            yield started


def by_click(page: Page, act: str) -> None:
    for name in act.split("-"):
        click_square(page, name)


def by_key(page: Page, act: str) -> None:
    page.locator("[role=gridcell][tabindex='0']").focus()
    for name in act.split("-"):
        go_to(page, name)
        page.keyboard.press("Enter")


def test_two_people_meet_by_link_and_play(server: Server, new_page: NewPage) -> None:
    ann = visit(new_page, server.url, viewport=WINDOW)
    choose_game(ann, server, "Canals")
    expect(ann.get_by_text("Prototype", exact=True).first).to_be_visible()
    expect(ann.get_by_role("link", name="Tutorial")).to_have_count(0)
    ann.get_by_role("button", name="Invite others by link").click()
    bob = visit(new_page, copied(ann, "Share link"), viewport=PHONE)
    sit(bob, "Bob")
    expect(status(ann)).to_have_text("Your turn")

    for number in range(8):
        page, do = ((ann, by_click), (bob, by_key))[number % 2]
        expect(status(page)).to_have_text("Your turn")
        state = record(page)
        legal = [str(act) for act in state.legal_actions()]
        captures = [act for act in legal if act.split("-")[1] in state.view()["stacks"]]
        do(page, captures[0] if captures else legal[7 * number % len(legal)])
        page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=number + 1)
    assert record(ann).scores == (3, 4)
    for page in (ann, bob):
        expect(page.get_by_role("region", name="'s pad")).to_have_count(2)
        expect(page.get_by_role("region", name="Bob's pad")).to_contain_text("4 points")


def test_taps_and_keys_on_squares(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=WINDOW)
    page.goto(server.create_table("canals", people("Ann", "Bob")).link())
    expect(space(page, "b2")).to_have_accessible_name("b2: small red pyramid, Ann's half, can move")
    click_square(page, "b2")
    expect(space(page, "b2")).to_have_accessible_name(re.compile("chosen$"))
    expect(space(page, "c3")).to_have_accessible_name("c3: empty, Ann's half, legal destination")
    click_square(page, "b4")  # not as a small pyramid moves: the server says so
    expect(page.get_by_text("That is not a legal move here").first).to_be_visible()
    click_square(page, "b2")
    expect(page.locator("[role=gridcell][aria-selected=true]")).to_have_count(0)

    click_square(page, "c3")  # where an act ends
    expect(space(page, "b2")).to_have_accessible_name(re.compile("legal destination$"))
    click_square(page, "b2")
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=1)
    expect(status(page)).to_have_text(re.compile("^Bob.s turn"))

    space(page, "c6").focus()
    for key, there in (("ArrowDown", "c5"), ("ArrowLeft", "b5"), ("ArrowUp", "b6"), ("End", "d6"), ("ArrowLeft", "c6")):
        page.keyboard.press(key)
        expect(space(page, there)).to_be_focused()
    page.keyboard.press("Enter")
    expect(space(page, "c6")).to_have_accessible_name(re.compile("chosen$"))
    page.keyboard.press("Escape")
    expect(page.locator("[role=gridcell][aria-selected=true]")).to_have_count(0)


def test_a_piece_is_dragged_and_a_stack_is_looked_into(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=WINDOW)
    page.goto(server.create_table("signals", people("Ann", "Bob")).link())
    space(page, "a1").drag_to(space(page, "b1"))
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=1)
    space(page, "c2").focus()
    page.keyboard.press("e")
    expect(page.get_by_text("medium green pyramid").first).to_be_visible()
    expect(space(page, "c2")).to_have_accessible_name("c2: small green pyramid on medium green pyramid")
    expect(space(page, "b2")).to_have_accessible_name("b2: black stone")


def test_a_piece_of_the_pad_is_taken_and_put(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(server.create_table("signals", people("Ann", "Bob")).link())
    large = page.get_by_role("button", name="large red pyramid, 2 left")
    large.click()
    expect(large).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("gridcell", name=re.compile("legal destination$"))).to_have_count(2)
    page.keyboard.press("Escape")
    expect(large).to_have_attribute("aria-pressed", "false")
    large.click()
    space(page, "b3").click()
    expect(space(page, "b3")).to_have_accessible_name(re.compile("large red pyramid"))
    expect(page.get_by_role("region", name="Ann's pad")).to_contain_text("small red pyramid and large red pyramid")


def test_a_saved_file_is_told_and_asks(server: Server, new_page: NewPage) -> None:
    """A fault changes nothing; rules that refuse a move ask first, and what is taken back can be had again."""
    file = server.database.parent / "lights.py"
    text = file.read_text(encoding="utf-8")
    page = new_page(viewport=PHONE)
    page.goto(server.create_table("lights", people("Ann", "Bob")).link())
    click_square(page, "b2")
    page.get_by_role("button", name="North").click()
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=1)
    note = page.get_by_role("status").filter(has_text=re.compile("rules"))

    file.write_text(f"{text}\n9999 // 0\n", encoding="utf-8")
    expect(note).to_contain_text("continues with the old rules", timeout=20_000)
    expect(note).to_contain_text("(lights.py:")
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    expect(status(page)).to_have_text(re.compile("^Bob.s turn"))

    file.write_text(text.replace("for way in ORTHOGONALS", "for way in ORTHOGONALS[1:]"), encoding="utf-8")
    expect(note).to_contain_text("The new rules refuse move 1", timeout=20_000)
    expect(status(page)).to_have_text(re.compile("^Bob.s turn"))
    note.get_by_role("button", name="Take back").click()
    expect(note).to_contain_text("taken back")
    expect(status(page)).to_have_text(re.compile("^Ann.s turn"))

    file.write_text(text, encoding="utf-8")
    page.wait_for_timeout(3000)
    note.get_by_role("button", name="Put back").click()
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=1)
    expect(note).to_have_count(0)


def test_a_finished_act_leaves_no_note_over_the_board(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.goto(server.create_table("signals", people("Ann", "Bob")).link())
    space(page, "a1").tap()
    page.get_by_role("button", name="North-east", exact=True).tap()
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=1)
    expect(space(page, "a1")).to_be_focused()
    expect(page.locator(".caption", has_text="pyramid")).to_have_count(0)


def test_ways_and_secrets_have_buttons(server: Server, new_page: NewPage) -> None:
    """No other page shows a secret choice before all have chosen."""
    made = server.create_table("signals", people("Ann", "Bob"))
    ann, bob = (new_page(viewport=size) for size in (WINDOW, PHONE))
    ann.goto(made.link(0))
    bob.goto(made.link(1))
    expect(ann.get_by_role("button", name="Pass")).to_be_visible()
    space(ann, "a1").focus()
    ann.keyboard.press("Enter")
    expect(ann.get_by_role("button", name="North-east", exact=True)).to_be_visible()
    ann.keyboard.press("1")
    expect(space(ann, "a1")).to_have_accessible_name(re.compile("small red pyramid that points north-east on medium"))
    ann.get_by_role("button", name="High").click()
    expect(bob.get_by_role("main").get_by_text("Choose in secret")).to_be_visible()
    assert "high" not in bob.locator("main").inner_text().replace("High", "")
    expect(ann.get_by_role("main").get_by_text("Bob is still to choose in secret.")).to_be_visible()
    ann.reload()
    expect(ann.get_by_text("Moves are hidden while part of them is secret.")).to_be_visible()
    bob.get_by_role("button", name="Low").click()
    for page in (ann, bob):
        expect(page.locator(".facts")).to_contain_text(re.compile("Ann: high.*Bob: low"))
    expect(ann.get_by_role("region", name="Ann's pad")).to_contain_text("4 points")
    expect(bob.get_by_role("region", name="Bob's pad")).to_contain_text("3 points")
    assert acts_made(record(ann)) == 3
    expect(ann.locator("button[data-seq]").filter(has_text="You: high, Bob: low")).to_be_visible()


def test_players_who_play_together_win_together(server: Server, new_page: NewPage) -> None:
    """Directions come in the order of a compass, what is scored is told, and no pad lies there for nothing."""
    page = new_page(viewport=PHONE)
    page.goto(server.create_table("lights", people("Ann", "Bob")).link())
    for left in (["North", "East", "South", "West"], ["East", "South", "West"], ["South", "West"], ["West"]):
        click_square(page, "b2")
        if len(left) > 1:
            expect(page.locator(".tray button")).to_have_text(left)
            page.get_by_role("button", name=left[0]).click()
        told = f"Ann scores 1 point, and has {5 - len(left)}. Bob scores 1 point"
        expect(page.locator("[aria-live=polite]").get_by_text(re.compile(told))).to_be_attached()
    expect(status(page)).to_have_text("Everyone wins together")
    pad = page.get_by_role("region", name="Ann's pad")
    expect(pad).to_have_text(re.compile(r"^\s*Ann\s+4 points\s*$"))
    box = pad.bounding_box()
    assert box is not None
    assert box["height"] < 40
    assert complaints_of_axe(page) == []
    page.goto(server.url)
    expect(page.get_by_text("Won together").or_(page.get_by_text("Everyone wins together"))).to_be_visible()
    page.goto(server.create_table("first", people("Ann", "Bob")).link())
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.get_by_role("region", name="Ann's pad")).to_have_count(0)


def test_the_newest_move_is_in_sight_from_the_first(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    made = server.create_table("signals", people("Ann", "Bob"))
    play_ahead(made, 9, pick=1)
    page.goto(made.link())
    expect(page.locator("button[data-seq] .text").last).to_contain_text("Ann: ")  # in words, which are longer
    expect(page.locator("button[aria-current=step]")).to_be_in_viewport(ratio=0.9)


def test_an_open_table_goes_on_by_a_saved_file_and_after_a_kill(
    tmp_path: Path, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game of `icetable new`, on a board that grows while its table is open."""
    file = tmp_path / "first.py"
    file.write_text(FIRST.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv(games.GAMES_VARIABLE, str(file))
    with running(Server(tmp_path / "tables.db")) as server:
        page = new_page(viewport=WINDOW)
        page.goto(server.create_table("first", people("Ann", "Bob")).link())
        for number, there in enumerate(("b2", "c3", "b3"), 1):
            click_square(page, there)
            page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=number)
        saved = file.read_text(encoding="utf-8")
        file.write_text(saved.replace("ORTHOGONALS)", "DIAGONALS)").replace("ORTHOGONALS", "DIAGONALS"))
        page.get_by_role("button", name="Take back").click()
        expect(space(page, "b3")).to_have_accessible_name("b3: empty")
        expect(space(page, "c1")).to_have_accessible_name(re.compile("^c1: empty, can be chosen"))
        click_square(page, "c1")
        page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=3)
        server.kill()
        server.start()
        page.goto(page.url)
        expect(space(page, "c1")).to_have_accessible_name("c1: small red pyramid")
        file.write_text("class First(Game:", encoding="utf-8")
        expect(page.get_by_text("continues with the old rules").first).to_be_visible()


def test_axe_finds_nothing(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.url)
    expect(page.get_by_text("Prototype", exact=True).first).to_be_visible()
    assert complaints_of_axe(page) == []
    page.goto(f"{server.url}rules/canals")
    expect(page.get_by_text("A turn moves one pyramid")).to_be_visible()
    for game, taps, looks in (("canals", "b2", LOOKS[:1]), ("signals", "a1", LOOKS[1:])):
        page.goto(server.create_table(game, people("Ann", "Bob")).link())
        space(page, taps).focus()
        page.keyboard.press("Enter")
        expect(space(page, taps)).to_have_accessible_name(re.compile("chosen$"))
        assert complaints(page, looks) == [], game


def test_a_finger_that_rests_on_a_stack_looks_into_it(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.goto(server.create_table("signals", people("Ann", "Bob")).link())
    box = space(page, "a1").bounding_box()
    assert box is not None
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    caption = page.locator(".caption", has_text="medium red")
    expect(caption).to_be_visible()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(space(page, "a1")).to_have_accessible_name(re.compile("can move$"))
    page.touchscreen.tap(finger["x"], finger["y"])
    expect(space(page, "a1")).to_have_accessible_name(re.compile(", chosen$"))
