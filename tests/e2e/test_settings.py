"""Settings of a browser, which hold at once and are kept; sound, and alerts for a player who looks elsewhere."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, SHOWS_ACTS_OR_MORE, acts_shown, choose, go_to, space, status, supply, tab_to
from tests.e2e.server import Server, people

DASH = "\N{EN DASH}"
PEOPLE = people("Ann", "Bob")

HEARD = """
window.heard = 0;
const create = BaseAudioContext.prototype.createOscillator;
BaseAudioContext.prototype.createOscillator = function () { window.heard += 1; return create.call(this); };
"""
"""Counts the tones that are played."""

AWAY = """
window.away = false;
Object.defineProperty(Document.prototype, 'hidden', { get: () => window.away });
window.look = (away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); };
window.notices = [];
window.Notification = class {
    static permission = 'default';
    static async requestPermission() { return (window.Notification.permission = 'granted'); }
    constructor(title) { window.notices.push(title); }
    close() {}
};
"""
"""Lets a page be hidden, and keeps the notices that it shows."""


def table(server: Server, game: str = "highrise") -> tuple[str, list[str]]:
    """A new table for two, and the codes of its seats."""
    made = server.create_table(game, PEOPLE)
    return made.address, made.codes


def place(page: Page, target: str) -> None:
    supply(page, "Small pyramid").click()
    space(page, target).click()


def root(page: Page) -> Locator:
    return page.locator("html")


def choose_next(page: Page, choice: str, times: int) -> None:
    """Come to a switch by Tab, and go on from its value by arrow keys."""
    tab_to(page, f"document.activeElement.closest('fieldset')?.querySelector('legend')?.textContent === '{choice}'")
    for _ in range(times):
        page.keyboard.press("ArrowRight")


def test_settings_hold_at_once_and_are_kept(server: Server, new_page: NewPage) -> None:
    """By keyboard alone, first in the lobby, then at a table."""
    page = new_page(viewport=DESK, color_scheme="light")
    page.goto(server.url)
    tab_to(page, "document.activeElement.getAttribute('aria-label') === 'Settings'")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    choose_next(page, "Motion", 3)
    choose_next(page, "Contrast", 2)
    tab_to(page, "document.activeElement.labels?.[0]?.textContent === 'Confirm moves'")
    page.keyboard.press("Space")
    choose_next(page, "Colours", 2)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Settings")).to_be_focused()
    chosen = {"data-motion": "none", "data-contrast": "high", "data-theme": "dark"}
    for name, value in chosen.items():
        expect(root(page)).to_have_attribute(name, value)

    address, codes = table(server)
    page.goto(f"{address}#seat={','.join(codes)}")
    for name, value in chosen.items():
        expect(root(page)).to_have_attribute(name, value)

    expect(page.get_by_role("gridcell").first).to_be_visible()
    question = page.get_by_role("group", name="Confirm your move")
    tab_to(page, "document.activeElement.getAttribute('role') === 'gridcell'")
    for answer, acts in (("Escape", 0), ("Enter", 1)):
        page.keyboard.press("s")
        go_to(page, "b1")
        page.keyboard.press("Enter")
        expect(question).to_be_visible()
        assert acts_shown(page) == 1  # the roll
        page.keyboard.press(answer)
        expect(question).to_have_count(0)
        expect(page.get_by_role("gridcell", name=re.compile("^b1: 1 pyramid"))).to_have_count(acts)

    choose(page, "Settings")
    page.get_by_role("checkbox", name="Confirm moves").uncheck()
    page.get_by_role("radio", name="From above").check()
    page.keyboard.press("u")  # no shortcut of the table while its settings are open
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="View from the side")).to_be_visible()
    place(page, "c1")
    expect(page.get_by_role("gridcell", name=re.compile("^c1: 1 pyramid"))).to_be_visible()


def test_sound_goes_off_and_on_by_one_tap(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, reduced_motion="no-preference")
    page.add_init_script(HEARD)
    address, codes = table(server)
    page.goto(f"{address}#seat={','.join(codes)}")
    place(page, "b1")
    page.wait_for_function("() => window.heard > 0")
    page.get_by_role("button", name="Turn sound off").tap()
    before = page.evaluate("window.heard")
    place(page, "c1")
    expect(page.get_by_role("gridcell", name=re.compile("^c1: 1 pyramid"))).to_be_visible()
    page.reload()
    place(page, "a2")
    expect(page.get_by_role("gridcell", name=re.compile("^a2: 1 pyramid"))).to_be_visible()
    assert page.evaluate("window.heard") == 0
    assert before > 0
    page.get_by_role("button", name="Turn sound on").tap()
    place(page, "b2")
    page.wait_for_function("() => window.heard > 0")

    calm = new_page(viewport=PHONE, reduced_motion="reduce")
    calm.goto(address)
    expect(calm.get_by_role("button", name="Turn sound on")).to_be_visible()


def test_a_call_of_icehouse_is_confirmed_at_a_desk(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK, reduced_motion="reduce")
    page.add_init_script("localStorage.setItem('icetable.confirm', 'true')")
    address, codes = table(server, "icehouse")
    page.goto(f"{address}#seat={','.join(codes)}")
    for name in ("Ann", "Bob"):
        page.get_by_role("radio", name=name).check()
        page.get_by_role("button", name="I am ready").click()
    page.get_by_role("button", name="Icehouse!").click()
    again = page.get_by_role("button", name="Click again to call")
    expect(again).to_be_visible()
    before = acts_shown(page)
    again.click()
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=before + 1)


def test_a_player_who_looks_elsewhere_is_alerted(server: Server, new_page: NewPage) -> None:
    address, codes = table(server)
    ann, bob = (new_page(viewport=DESK, reduced_motion="reduce") for _ in codes)
    bob.add_init_script(AWAY)
    for page, code in zip((ann, bob), codes, strict=True):
        page.goto(f"{address}#seat={code}")
        expect(status(page)).to_be_visible()
    bob.keyboard.press("i")
    bob.get_by_role("button", name=re.compile("^Tell me when it.s my turn")).click()
    expect(bob.get_by_role("button", name=re.compile("^Tell me when it.s my turn"))).to_have_count(0)
    bob.keyboard.press("Escape")
    icon = bob.locator("link[rel=icon]")
    plain = icon.get_attribute("href")
    assert plain is not None

    bob.evaluate("look(true)")
    place(ann, "b1")
    expect(bob).to_have_title(re.compile(f"^\N{BLACK CIRCLE} Your turn {DASH} High Rise"))
    expect(icon).not_to_have_attribute("href", plain)
    assert bob.evaluate("notices") == [f"Your turn {DASH} High Rise against Ann"]
    bob.evaluate("look(false)")
    expect(bob).to_have_title(re.compile(f"^Your turn {DASH} High Rise"))
    expect(icon).to_have_attribute("href", plain)

    bob.evaluate("look(true)")
    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_role("textbox", name="Say something").fill("secret plans")
    ann.keyboard.press("Enter")
    bob.wait_for_function("() => notices.length === 2")
    assert bob.evaluate("notices[1]") == f"Ann wrote {DASH} High Rise against Ann"
