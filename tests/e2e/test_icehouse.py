"""Icehouse in a real browser: several people at once, by mouse, finger and keyboard."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from icetable import State
from tests.e2e.ahead import play_ahead, resigns
from tests.e2e.browser import picture
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    DESK,
    PHONE,
    choose_game,
    drag_by_finger,
    record,
    set_up,
    status,
    tab_to,
)
from tests.e2e.lines import Line
from tests.e2e.server import Server, Table, people

NAMES = ("Ann", "Ben", "Cem")
ENDED = re.compile("wins?\\b|You lose|A draw|Nobody wins")
WINDOW = {"width": 1000, "height": 700}
"""A window that is large enough for a mouse."""


def open_table(server: Server, bots: int = 0, **options: Any) -> tuple[str, list[str]]:
    """A table for so many bots, and people in the other seats; the codes of the people's seats."""
    seats = [{"kind": "person", "name": name, "level": None} for name in NAMES[: options["players"] - bots]]
    seats += [{"kind": "bot", "name": f"Robot {number}", "level": "merciless"} for number in range(bots)]
    made = server.create_table("icehouse", seats, options=options)
    return made.table, made.codes


def take_seats(new_page: NewPage, server: Server, table: str, codes: list[str], **options: Any) -> Page:
    """A browser of its own with these seats."""
    page = new_page(**options)
    page.goto(f"{server.url}table/{table}#seat={','.join(codes)}")
    expect(field(page)).to_be_visible()
    return page


SLIP_MS = 150
"""A tap on the call so soon after another touch asks again."""
READY = ((0, "ready"), (1, "ready"))


def two_are_ready(server: Server, acts: Sequence[tuple[int, str]] = ()) -> Table:
    """A table at which Ann and Ben play already, after these acts."""
    made = server.create_table("icehouse", people(*NAMES[:2]), options={"players": 2, "timer": 0})
    play_ahead(made, texts=[*READY, *acts])
    return made


def stands(seat: int, size: str, x: float, y: float) -> list[tuple[int, str]]:
    """The acts that stand a piece there, in inches from the middle."""
    return [(seat, f"lift {size}"), (seat, f"place {12_000 + round(1000 * x)},{12_000 + round(1000 * y)} stand 0.0")]


def points(seat: int, size: str, x: float, y: float, heading: int) -> list[tuple[int, str]]:
    """The acts that lay a piece there, in inches from the middle, pointing in a direction."""
    return [(seat, f"lift {size}"), (seat, stands(seat, size, x, y)[1][1].replace("stand 0.0", f"point {heading}.0"))]


LOUD = re.compile(r"\bloud\b")


def as_ann(new_page: NewPage, made: Table, **options: Any) -> Page:
    """Ann's browser at a table where all are ready."""
    page = new_page(**{"viewport": WINDOW, **options})
    page.goto(made.link(0))
    expect(page.get_by_role("button", name="Icehouse!")).to_be_enabled()
    return page


def field(page: Page) -> Locator:
    return page.get_by_role("application")


def get_ready(*pages: Page) -> None:
    for page in pages:
        page.get_by_role("button", name="I am ready").click()
    for page in pages:
        expect(page.get_by_role("button", name="Icehouse!")).to_be_enabled()


def kind(page: Page, name: str) -> Locator:
    """A kind of piece on one's own pad."""
    return page.get_by_role("group", name="Your pad").get_by_role("button", name=re.compile(f"^{name}"))


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where on the page a place of the field is, in inches from its middle."""
    box = field(page).bounding_box()
    assert box is not None
    inches = [float(side) for side in re.findall(r"[\d.]+", str(field(page).get_attribute("aria-label")))]
    left, top, width, _ = map(float, str(field(page).locator("svg").first.get_attribute("viewBox")).split())
    scale = box["width"] / width
    right, down = 1000 * (inches[0] / 2 + x) - left, 1000 * (inches[1] / 2 - y) - top
    return box["x"] + right * scale, box["y"] + down * scale


def click_at(page: Page, x: float, y: float) -> None:
    page.mouse.move(*at(page, x, y))
    page.mouse.down()
    page.mouse.up()


def stand(page: Page, name: str, x: float, y: float) -> None:
    """Take a piece and stand it there."""
    kind(page, name).click()
    if page.get_by_role("button", name="Stand up").is_visible():
        page.keyboard.press("Space")
    click_at(page, x, y)


def point(page: Page, name: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Take a piece and lay it with its base at a place, its tip towards another: by dragging from the base."""
    kind(page, name).click()
    if page.get_by_role("button", name="Lay down", exact=True).is_visible():
        page.keyboard.press("Space")
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, *end), steps=4)
    page.mouse.up()


def pieces(page: Page, count: int) -> list[dict[str, Any]]:
    """The pieces on the field, once there are so many."""
    expect(page.get_by_role("group", name=f"{count} pieces on the field")).to_be_visible()
    found: list[dict[str, Any]] = record(page).view()["field"]
    return found


def caption(page: Page) -> Locator:
    """The caption about the piece in hand."""
    return page.locator("p.caption")


MEAN_COLOUR = """
async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  return [0, 1, 2].map((channel) => {
    let sum = 0;
    for (let at = channel; at < data.length; at += 4) sum += data[at];
    return (4 * sum) / data.length;
  });
}
"""


def test_two_people_play_at_once(server: Server, new_page: NewPage) -> None:
    table, codes = open_table(server, players=2, timer=0)
    ann = take_seats(new_page, server, table, codes[:1], viewport=DESK)
    ben = take_seats(new_page, server, table, codes[1:], viewport=DESK)
    get_ready(ann, ben)

    # Two defenders each, Ann's and Ben's by turns without waiting; Ann drags hers from the pad.
    for x, name in ((-6.0, "medium red"), (6.0, "small red")):
        kind(ann, name).hover()
        ann.mouse.down()
        ann.mouse.move(*at(ann, x, 3), steps=5)
        ann.mouse.up()
    for x, name in ((-6.0, "large green"), (6.0, "small green")):
        stand(ben, name, x, -3)
    pieces(ann, 4)

    # Ben ices Ann's medium with a large, and adds a small, without which it would be iced as well.
    point(ben, "large green", (-3, 3), (-6, 3))
    assert pieces(ben, 5)[-1]["points_at"] == "p1"
    point(ben, "small green", (-6, 5), (-6, 3))
    assert pieces(ben, 6)[0]["iced"]

    # Ann sees who holds what, and that her own hand full overlaps.
    kind(ben, "medium green").click()
    expect(ann.get_by_role("region", name="Ben's pad")).to_contain_text("holds a medium green")
    kind(ann, "large red").click()
    ann.mouse.move(*at(ann, -6, -2.4))
    expect(caption(ann)).to_contain_text("overlaps the large green piece")

    # The wheel turns it; she puts it back, and takes what glows.
    ann.keyboard.press("Space")
    ann.mouse.move(*at(ann, 3, -3))
    expect(caption(ann)).to_have_text("points at nothing: turn it towards a standing piece")
    for _ in range(3):
        ann.mouse.wheel(0, -600)
    expect(caption(ann)).to_contain_text("too far from the large green piece")
    ann.keyboard.press("Backspace")
    prey = next(piece for piece in record(ann).view()["field"] if piece["redundant"])
    click_at(ann, prey["x"] / 1000 - 12, prey["y"] / 1000 - 12)
    pieces(ann, 5)
    expect(kind(ann, "small green")).to_have_text("1")

    # A refusal says why with its rule, and the piece stays in hand.
    kind(ann, "large red").click()
    ann.keyboard.press("Space")
    click_at(ann, 0, 7)
    expect(ann.get_by_role("link", name="Rule IH-12")).to_be_attached()
    expect(kind(ann, "large red")).to_have_attribute("aria-pressed", "true")

    # With help on, what is iced still shows its colour.
    ben.get_by_role("button", name="Help for learners").click()
    x, y = at(ben, -6, 3)
    square = picture(ben, clip={"x": x - 14, "y": y - 14, "width": 28, "height": 28})
    red, _, blue = new_page().evaluate(MEAN_COLOUR, base64.b64encode(square).decode())
    assert red - blue > 40


def test_calls_and_what_they_cost(server: Server, new_page: NewPage) -> None:
    table, codes = open_table(server, players=3, timer=0)
    ann, ben, cem = (take_seats(new_page, server, table, [code], viewport=WINDOW) for code in codes)
    get_ready(ann, ben, cem)

    # Too early an attack, and somebody notices.
    stand(ben, "large green", 0, 0)
    pieces(ben, 1)
    point(ann, "large red", (-3, 0), (0, 0))
    pieces(ann, 2)
    ben.get_by_role("button", name="Meltdown").click()
    ben.get_by_role("group", name="Meltdown of").get_by_role("button", name="Ann").click()
    pieces(ben, 1)
    expect(ann.get_by_text("1 attacker goes back to your pad.", exact=True)).to_be_attached()

    # A crash costs the piece; whoever owes it chooses who gets it.
    kind(ann, "medium red").click()
    ann.mouse.move(*at(ann, 0, 0.3))
    expect(caption(ann)).to_contain_text("a crash would cost you this piece")
    ann.keyboard.press("Enter")
    expect(ann.get_by_text("You must give away the medium red.")).to_be_visible()
    expect(ben.get_by_role("region", name="Ann's pad")).to_contain_text("Owes a medium red")
    ann.get_by_role("group", name="Choose a piece to give away").get_by_role("button", name="Cem").click()
    expect(kind(cem, "medium red")).to_have_text("1")

    # A false call costs any piece.
    cem.keyboard.press("Shift+I")
    cem.get_by_role("group", name="Choose a piece to give away").get_by_role("button", name="small blue").click()
    cem.get_by_role("group", name="Choose a piece to give away").get_by_role("button", name="Ann").click()
    expect(kind(ann, "small blue")).to_have_text("1")
    expect(cem.get_by_role("button", name="Icehouse!")).to_be_enabled()


def test_after_a_call_keys_are_for_the_field(server: Server, new_page: NewPage) -> None:
    """Enter lets a piece go, whichever button was clicked before."""
    made = server.create_table("icehouse", people(*NAMES[:2]), options={"players": 2, "timer": 0})
    play_ahead(made._replace(codes=made.codes[1:]), texts=READY[1:])
    ann = take_seats(new_page, server, made.table, made.codes[:1], viewport=WINDOW)
    get_ready(ann)
    expect(field(ann)).to_be_focused()
    ann.get_by_role("button", name="Icehouse!").click()
    expect(field(ann)).to_be_focused()
    ann.get_by_role("button", name="Click again to call").click()
    expect(field(ann)).to_be_focused()
    debt = ann.get_by_role("group", name="Choose a piece to give away")
    debt.get_by_role("button", name="small red").click()
    debt.get_by_role("button", name="Ben").click()
    expect(field(ann)).to_be_focused()

    ann.get_by_role("button", name="Icehouse!").focus()
    kind(ann, "large red").click()
    expect(field(ann)).to_be_focused()
    for button in ("Lay down", "Stand up", "Turn left"):
        ann.get_by_role("button", name=button).click()
        expect(field(ann)).to_be_focused()
    ann.keyboard.press("n")
    ann.keyboard.press("Enter")
    pieces(ann, 1)
    assert [str(later.act) for later in record(ann).history()].count("icehouse") == 1


def test_the_field_turns(server: Server, new_page: NewPage) -> None:
    """By F; what is done by mouse and keys is done where it is seen, and the record knows nothing of it."""
    ann = as_ann(new_page, two_are_ready(server))
    ann.keyboard.press("f")
    stand(ann, "large red", 5, 2)
    pieces(ann, 1)
    ann.keyboard.press("1")
    expect(kind(ann, "small red")).to_have_attribute("aria-pressed", "true")
    field(ann).focus()
    ann.mouse.move(*at(ann, 6, -3))
    for key in ("ArrowLeft", "ArrowUp"):
        for _ in range(5):
            ann.keyboard.press(key)
    ann.keyboard.press("Enter")
    stood, nudged = pieces(ann, 2)
    assert (stood["x"], stood["y"]) == pytest.approx((14_000, 7_000), abs=200)
    assert (nudged["x"], nudged["y"]) == pytest.approx((9_500, 6_500), abs=200)
    ann.mouse.move(*at(ann, 5, 2))
    expect(caption(ann)).to_contain_text("your large piece")


COUNT_REPEATS = """
window.repeats = new Set();
const { setTimeout: later, clearTimeout: never } = window;
window.setTimeout = (act, wait) => {
  const id = later(() => { repeats.delete(id); act(); }, wait);
  if (wait === 45) repeats.add(id);
  return id;
};
window.clearTimeout = (id) => { repeats.delete(id); never(id); };
"""
"""Counts what is to be done again while a button is held."""


def test_a_held_button_stops_when_the_game_ends(server: Server, new_page: NewPage) -> None:
    made = two_are_ready(server)
    ann = new_page(viewport=WINDOW)
    ann.add_init_script(COUNT_REPEATS)
    ann.goto(made.link(0))
    kind(ann, "large red").click()
    ann.get_by_role("button", name="Turn left").hover()
    ann.mouse.down()
    ann.wait_for_function("() => repeats.size === 1")
    play_ahead(made, 0, last=resigns(1))
    expect(status(ann)).to_have_text(ENDED)
    expect(ann.get_by_role("button", name="Turn left")).to_have_count(0)
    ann.wait_for_function("() => repeats.size === 0")


def test_by_finger(server: Server, new_page: NewPage) -> None:
    ann = as_ann(new_page, two_are_ready(server), viewport=PHONE, has_touch=True, is_mobile=True)

    # From the pad by a tap, to a place by taps, none of which lets go of it: that does its button alone.
    kind(ann, "large red").tap()
    expect(caption(ann)).to_have_text("OK to stand here")
    for _ in range(2):
        ann.touchscreen.tap(*at(ann, 4, 5))
        ann.wait_for_timeout(50)
    expect(caption(ann)).to_have_text("OK to stand here")
    ann.get_by_role("button", name="Let go").tap()
    (placed,) = pieces(ann, 1)
    assert abs(placed["x"] - 16_000) < 200
    assert abs(placed["y"] - 17_000) < 200

    # The next one is first seen beside it; the nudge pad, and letting go by its button.
    kind(ann, "small red").tap()
    expect(caption(ann)).to_have_text("OK to stand here")
    for _ in range(4):
        ann.get_by_role("button", name="Up").tap()
    ann.get_by_role("button", name="Let go").tap()
    placed, nudged = pieces(ann, 2)
    assert 0 < abs(nudged["x"] - placed["x"]) + abs(nudged["y"] - placed["y"]) < 2000
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # A finger that slides has a magnifier beside it, which is gone when it lets go; the mouse has none.
    kind(ann, "medium red").tap()
    (x, y), fingers = at(ann, 0, -6), ann.context.new_cdp_session(ann)
    for event, dx in (("touchStart", 0), ("touchMove", 20), ("touchMove", 30)):
        fingers.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": [{"x": x + dx, "y": y}]})
    lens = ann.locator(".lens")
    expect(lens).to_contain_text("OK to stand here")
    box = lens.locator(".glass").bounding_box()
    assert box is not None
    assert not (box["x"] < x + 30 < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(lens).to_have_count(0)
    ann.get_by_role("button", name="Put back").tap()

    # A call stands apart from letting go; one that would be false asks again, and says what it costs.
    call, let_go = (ann.get_by_role("button", name=name) for name in ("Icehouse!", "Let go"))
    upper, lower = call.bounding_box(), let_go.bounding_box()
    assert upper is not None
    assert lower is not None
    assert lower["y"] - upper["y"] - upper["height"] >= 40
    expect(call).to_contain_text("a false call costs a piece")
    call.tap()
    again = ann.get_by_role("button", name="Tap again to call")
    expect(again).to_have_text(re.compile("nobody to catch"))
    again.tap()
    ann.get_by_role("group", name="Choose a piece to give away").get_by_role("button", name="small red").tap()
    ann.get_by_role("group", name="Choose a piece to give away").get_by_role("button", name="Ben").tap()
    expect(call).to_be_visible()

    # Dragged from the pad it stays in hand; a second finger turns it.
    ann.get_by_role("button", name="No more hints").tap()
    drag_by_finger(ann, kind(ann, "large red"), field(ann))
    expect(caption(ann)).to_have_text("OK to stand here")
    ann.get_by_role("button", name="Lay down", exact=True).tap()
    (x, y), fingers = at(ann, -6, -6), ann.context.new_cdp_session(ann)
    for event, dx, dy in (("touchStart", 100, 0), ("touchMove", 70, -70), ("touchMove", 0, -100)):
        touches = [{"x": x, "y": y, "id": 0}, {"x": x + dx, "y": y + dy, "id": 1}]
        fingers.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": touches})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    ann.get_by_role("button", name="Stand up").tap()
    ann.get_by_role("button", name="Let go").tap()
    assert pieces(ann, 3)[-1]["heading"] == 180


ICED = [
    *stands(1, "S", -3, 0),
    *stands(1, "S", 3, 0),
    *stands(0, "S", -6, -6),
    *stands(0, "L", 0, -6),
    *points(1, "L", 2.2, -6, 180),
    *points(1, "L", -2.2, -6, 0),
    *points(1, "L", 0, -3.8, 270),
    *points(1, "L", 0, -8.2, 90),
    *points(1, "M", 1.6, -4.4, 225),
    *points(1, "M", -1.6, -4.4, 315),
    *points(0, "L", -3, 2, 270),
]
"""Acts after which Green has seven pieces left to play, and only one that stands free."""


def test_a_call_that_catches_takes_one_tap(server: Server, new_page: NewPage) -> None:
    """For learners the button is lit only then; others find out themselves."""
    made = two_are_ready(server, ICED)
    ann = as_ann(new_page, made, viewport=PHONE, has_touch=True, is_mobile=True)
    call, switch = (ann.get_by_role("button", name=name) for name in ("Icehouse!", "Help for learners"))
    expect(call).not_to_have_class(LOUD)
    play_ahead(made._replace(codes=made.codes[:1]), texts=points(0, "L", 3, 2, 270))
    expect(call).to_have_class(LOUD)
    expect(call).to_contain_text("catches Ben")
    switch.tap()
    expect(call).not_to_have_class(LOUD)
    switch.tap()
    ann.wait_for_timeout(2 * SLIP_MS)
    call.tap()
    expect(ann.get_by_role("region", name="Ben's pad")).to_contain_text("In the icehouse")
    expect(
        ann.get_by_text(
            "You catch Ben: no points for Ben, and you play Ben\N{RIGHT SINGLE QUOTATION MARK}s last 7 pieces.",
            exact=True,
        )
    ).to_be_attached()
    expect(call).not_to_have_class(LOUD)
    # Under a quick finger, no other piece moves into the place of one that is used up.
    medium, large = kind(ann, "medium green"), kind(ann, "large green")
    place = medium.bounding_box()
    expect(large).to_have_text("1")
    play_ahead(made._replace(codes=made.codes[:1]), texts=stands(0, "L:green", 8, 8))
    expect(large).to_have_text("0")
    assert medium.bounding_box() == place


def test_a_call_right_after_the_last_attack_is_not_held_up(server: Server, new_page: NewPage) -> None:
    """The server has not answered the placement yet, so the page can't know that the call is a true one."""
    made = two_are_ready(server, ICED)
    with Line(server.port, 0.4) as line:
        ann = new_page(viewport=WINDOW)
        ann.goto(f"{line.url}table/{made.table}#seat={made.codes[0]}")
        pieces(ann, 11)
        kind(ann, "large red").click()
        for _ in range(2):
            click_at(ann, 3, 0)
        ann.get_by_role("button", name="Icehouse!").click()
        expect(ann.get_by_role("region", name="Ben's pad")).to_contain_text("In the icehouse")


def test_losses_are_told_and_marked(server: Server, new_page: NewPage) -> None:
    """And a refusal is seen, whatever the news are."""
    made = two_are_ready(server, [*stands(0, "S", -6, -6), *stands(1, "S", 3, 0), *stands(1, "L", 6, 0)])
    ann = as_ann(new_page, made)
    pieces(ann, 3)
    play_ahead(made._replace(codes=made.codes[1:]), texts=points(1, "L", -4, -6, 180))
    expect(ann.locator(".news")).to_contain_text("Ben ices your small: it scores nothing until it is free.")
    expect(ann.locator("path.loss")).to_have_count(1)

    # Not over the field, and without room.
    kind(ann, "large red").click()
    ann.get_by_role("button", name="Let go").click()
    expect(ann.get_by_role("note")).to_contain_text("not over the field: point at the place")
    ann.keyboard.press("Shift+I")
    expect(ann.locator(".news")).to_contain_text("False call!")
    debt = ann.get_by_role("group", name="Choose a piece to give away")
    debt.get_by_role("button", name="small red").click()
    debt.get_by_role("button", name="Ben").click()
    kind(ann, "large red").click()
    expect(kind(ann, "large red")).to_have_attribute("aria-pressed", "true")
    ann.keyboard.press("Space")
    click_at(ann, 0, 7)
    expect(ann.get_by_role("note")).to_contain_text("Nothing to attack there")
    expect(ann.locator(".news p")).to_have_count(0)


def test_a_player_without_pieces_waits_for_the_end(server: Server, new_page: NewPage) -> None:
    made = server.create_table("icehouse", people(*NAMES[:2]), options={"players": 2})
    fifteen = [act for row, size in enumerate("SML") for n in range(5) for act in stands(0, size, 2 * n, 2 * row)]
    play_ahead(made, texts=[*READY, *fifteen])
    ann = as_ann(new_page, made)
    expect(ann.locator("main p .step")).to_have_text(
        "All your pieces are placed. Until the bell rings or all have placed theirs, you can still call, and capture "
        "an attacker that glows."
    )


def test_a_tap_on_a_piece_aims_at_it(server: Server, new_page: NewPage) -> None:
    made = two_are_ready(server)
    page = as_ann(new_page, made, viewport=PHONE, has_touch=True, is_mobile=True)
    next_target, let_go = (page.get_by_role("button", name=name) for name in ("Next target", "Let go"))
    kind(page, "medium red").tap()
    expect(page.get_by_role("button", name="Put back")).to_be_enabled()
    expect(next_target).to_be_disabled()
    play_ahead(made._replace(codes=made.codes[1:]), texts=[*stands(1, "S", -3, 0), *stands(1, "L", 3, 0)])
    pieces(page, 2)

    # Again from another side; beside all pieces the piece in hand only moves.
    large = at(page, 3, 0)
    sides = set()
    for _ in range(2):
        page.touchscreen.tap(*large)
        expect(caption(page)).to_contain_text("attacks the large green piece")
        sides.add(page.locator(".ray").get_attribute("d"))
    assert len(sides) == 2
    page.touchscreen.tap(*at(page, 0, 5))
    expect(caption(page)).not_to_contain_text("attacks")

    # What it ices comes first.
    next_target.tap()
    expect(caption(page)).to_contain_text("attacks the small green piece, and ices it")
    expect(page.get_by_text(re.compile(r"^1 of \d+: attacks .*number 1;"))).to_be_attached()
    next_target.tap()
    expect(caption(page)).to_contain_text("attacks the large green piece")
    let_go.tap()
    assert pieces(page, 3)[-1]["points_at"] == "p2"
    kind(page, "medium red").tap()
    next_target.tap()
    expect(caption(page)).to_contain_text("attacks the large green piece, and ices it")


def test_a_click_on_a_piece_aims_at_it(server: Server, new_page: NewPage) -> None:
    """Nobody loses a piece by clicking what it is to attack: the first click aims, the second lets go."""
    green = [*stands(1, "S", -3, 0), *stands(1, "L", 3, 0)]
    red = [*stands(0, "S", -6, -6), *stands(0, "S", 6, -6)]
    ann = as_ann(new_page, two_are_ready(server, green + red))
    pieces(ann, 4)

    # It stays aimed, whether the mouse goes to a button or to another piece.
    let_go = ann.get_by_role("button", name="Let go")
    kind(ann, "large red").click()
    click_at(ann, 3, 0)
    expect(caption(ann)).to_contain_text("attacks the large green piece")
    click_at(ann, -3, 0)
    expect(caption(ann)).to_have_text(re.compile("small green piece, and ices it . click that piece again to let go$"))
    let_go.hover()
    click_at(ann, -3, 0)
    assert pieces(ann, 5)[-1]["points_at"] == "p1"

    kind(ann, "medium red").click()
    click_at(ann, 3, 0)
    let_go.click()
    assert pieces(ann, 6)[-1]["points_at"] == "p2"

    # A click beside fetches it.
    kind(ann, "small red").click()
    click_at(ann, 3, 0)
    expect(caption(ann)).to_contain_text("attacks the large green piece")
    click_at(ann, 0, 6)
    expect(caption(ann)).to_contain_text("points at nothing")
    ann.keyboard.press("Space")
    click_at(ann, 0, 6)
    assert pieces(ann, 7)[-1]["standing"]


WINDOWS = ((360, 740), (390, 844), (844, 390), (820, 1180), (1280, 720), (2560, 1440), (1440, 900))


HAS_ROOM = """
() => {
  const { width, height, bottom } = document.querySelector('[role=application]').getBoundingClientRect();
  return Math.min(width, height) > 220 && bottom <= innerHeight && document.documentElement.scrollWidth <= innerWidth;
}
"""


def check_room(page: Page, sizes: Sequence[tuple[int, int]]) -> None:
    """In such windows the field is in sight as a whole and not too small, and nothing is scrolled sideways."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(HAS_ROOM)


@pytest.mark.parametrize("players", [4, 8])
def test_many_have_room_while_they_play(server: Server, new_page: NewPage, players: int) -> None:
    """For a newcomer too, who is told what to do next, and with prisoners of several kinds."""
    names = [f"Player {number}" for number in range(1, players + 1)]
    options = {"players": players, "timer": 0, "call_pause": 0, "false_call": "gift"}
    made = server.create_table("icehouse", people(*names), options=options)
    gifts = [(seat, act) for size in "SL" for seat in (1, 2) for act in ("icehouse", f"give {size} red")]
    play_ahead(made, texts=[*((seat, "ready") for seat in range(players)), *gifts])
    page = as_ann(new_page, made, viewport=PHONE)
    expect(page.locator("div.first")).to_be_visible()
    kind(page, "large red").click()
    for width, height in (360, 740), (320, 640), (390, 844):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(HAS_ROOM)
        assert page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('h1'))"
        )
        for name in ("Icehouse!", "Meltdown", "Let go", "Put back", "What is in play", "Help for learners"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        for name in names[1:]:
            expect(page.get_by_role("region", name=f"{name}'s pad")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_function("([one]) => one.scrollHeight <= one.clientHeight", arg=page.query_selector_all(".rivals"))


def test_a_first_game(server: Server, new_page: NewPage) -> None:
    """A newcomer is offered a gentle one, with help on, and told what to do next."""
    page = new_page(viewport=DESK)
    choose_game(page, server, "Icehouse")
    offer = page.get_by_role("button", name="Try a first game: 5 minutes, gentle opponents")
    expect(offer).to_have_class(re.compile(r"\bmain\b"))
    offer.click()
    page.wait_for_url("**/table/*")
    state = record(page)
    assert state.game.options.items() >= {"players": 3, "timer": 300.0, "crash": "refuse", "false_call": "free"}.items()

    # The bots may still wait for their kernels: what is told next is told to somebody who plays against a person.
    ann = as_ann(new_page, two_are_ready(server))
    told = ann.locator("div.first")
    expect(told).to_contain_text("Take a piece")
    expect(ann.get_by_role("button", name="Help for learners")).to_have_attribute("aria-pressed", "true")
    kind(ann, "large red").click()
    expect(told).to_contain_text("Click the field")
    click_at(ann, 0, 0)
    expect(told).to_contain_text("Stand a second piece")
    stand(ann, "small red", 4, 4)
    expect(told).to_contain_text("Attack")
    ann.reload()
    expect(told).to_contain_text("Attack")
    ann.get_by_role("button", name="No more hints").click()
    expect(told).to_have_count(0)
    ann.reload()
    expect(ann.get_by_role("button", name="Icehouse!")).to_be_enabled()
    expect(told).to_have_count(0)
    expect(ann.get_by_role("button", name="Help for learners")).to_have_attribute("aria-pressed", "true")

    # Who has played already is offered the usual game first; its seats have no order.
    choose_game(ann, server, "Icehouse")
    expect(ann.get_by_role("button", name="Play against the computer")).to_have_class(re.compile(r"\bmain\b"))
    expect(ann.get_by_role("button", name="Try a first game")).not_to_have_class(re.compile(r"\bmain\b"))
    set_up(ann)
    expect(ann.get_by_role("group", name="Seats", exact=True)).to_be_visible()
    ann.get_by_role("radio", name="IceFrogs").check()
    expect(ann.get_by_role("group", name="Seats, in turn order")).to_be_visible()


@pytest.fixture
def compiled() -> None:
    """Seven bots that play simply, until their kernels are compiled, come to little before the bell."""
    subprocess.run([sys.executable, "-m", "icetable", "warmup", "icehouse"], check=True)


@pytest.mark.usefixtures("compiled")
def test_a_whole_game_against_seven_bots(server: Server, new_page: NewPage) -> None:
    """Until the bell rings.

    Who wins, and how many pieces each has placed by then, hangs on chance and on how busy the machine is; that a place
    is taken meanwhile does no harm, as crashes are refused.
    """
    table, codes = open_table(server, bots=7, players=8, timer=20, timer_spread=0, crash="refuse")
    ann = take_seats(new_page, server, table, codes, viewport=DESK)
    ann.get_by_role("button", name="I am ready").click()
    expect(ann.get_by_role("button", name="Icehouse!")).to_be_enabled(timeout=120_000)
    stand(ann, "large red", 0, 0)
    check_room(ann, WINDOWS[::-2])
    expect(status(ann)).to_have_text(ENDED, timeout=60_000)
    check_room(ann, WINDOWS[1::2])
    state = record(ann)
    assert state.is_terminal
    assert state.ended_by == "IH-31"
    made = {(one.seat, str(one.act).split()[0]) for one in state.history()}
    assert made >= {(0, "lift"), *((bot, "place") for bot in range(1, 8))}
    pieces(ann, len(state.view()["field"]))
    for score in state.scores:
        expect(ann.get_by_role("main")).to_contain_text(str(score))


def test_a_whole_game_by_keyboard(server: Server, new_page: NewPage) -> None:
    """Two seats of one browser place their last pieces by the keyboard alone, and then it ends."""
    made = server.create_table(
        "icehouse", people(*NAMES[:2]), options={"players": 2, "timer": 0, "width": 20, "height": 20}
    )
    page = take_seats(new_page, server, made.table, made.codes, viewport=WINDOW)
    for _ in NAMES[:2]:
        tab_to(page, "document.activeElement.textContent.trim() === 'I am ready'")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="I am ready")).to_have_count(0)
        page.wait_for_function("() => document.activeElement.getAttribute('role') === 'application'")
        change_hands(page)
    page.goto("about:blank")
    turns = [(turn, size, seat) for turn, size in enumerate(5 * "LM" + 3 * "S") for seat in (0, 1)]
    play_ahead(
        made,
        texts=[
            (seat, act)
            for turn, size, seat in turns
            for act in (
                f"lift {size}",
                f"place {1500 + 1900 * (turn % 10)},{1500 + 2000 * seat + 5000 * (turn // 10)} stand 0.0",
            )
        ],
    )
    page.goto(made.link())
    expect(page.get_by_role("group", name="26 pieces on the field")).to_be_visible()
    for number in range(2):
        for seat in (1, 2):
            place_by_keys(page, "1", number > 0, len(turns) + 2 * number + seat)
            change_hands(page)
    expect(status(page)).to_have_text(ENDED)
    state: State = record(page)
    assert state.is_terminal
    assert len(state.view()["field"]) == 30
    assert sum(not piece["standing"] for piece in state.view()["field"]) == 2


def change_hands(page: Page) -> None:
    """On to the other seat of this browser."""
    if page.get_by_role("radio", name="Ann").count() == 0:
        return
    tab_to(page, "document.activeElement.name === 'hand'")
    page.keyboard.press("ArrowDown")


def place_by_keys(page: Page, key: str, attacking: bool, count: int) -> None:
    """Take a piece and put it to the first proposed place, or attack the first target that can be attacked."""
    page.keyboard.press(key)
    expect(kind(page, {"1": "small", "2": "medium", "3": "large"}[key]).first).to_have_attribute("aria-pressed", "true")
    tab_to(page, "document.activeElement.getAttribute('role') === 'application'")
    if page.get_by_role("button", name="Stand up").is_visible():
        page.keyboard.press("Space")
    page.keyboard.press("t" if attacking else "n")
    expect(caption(page)).to_have_text(re.compile("^attacks" if attacking else "^OK"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name=f"{count} pieces on the field")).to_be_visible()
