"""Legal spaces can be clicked: a piece in front of a space never takes its clicks.

In random positions, from both views and from all sides, a person takes a piece and clicks in the middle of what is
drawn of each space where it can go. `ICETABLE_POSITIONS` is how many positions of each game are tried.
"""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import ViewportSize, expect

from icetable import games
from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, SHOWS_ACTS
from tests.e2e.server import Server, people

POSITIONS = int(os.environ.get("ICETABLE_POSITIONS", "3"))
GAMES = {"icefrogs": 45, "squad": 12, "highrise": 36, "wrecktangle": 45}
"""The games of turns, and how many acts of each are tried."""
STAGES = 3
"""How many positions are tried of one game at a table."""

MISSED = """async (most) => {
  const APART = 12;  // CSS pixels from sample to sample, at most
  const ACROSS = 7;  // samples, at least
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const style = new CSSStyleSheet();
  style.replaceSync('.probing [role=grid] * { pointer-events: none !important }' +
    '.probing .art * { pointer-events: visiblePainted !important }');
  document.adoptedStyleSheets = [style];
  const cells = () => [...document.querySelectorAll('[role=gridcell]')];
  const nameOf = (cell) => cell.getAttribute('aria-label').match(/^\\w+/)[0];
  const spotOf = (one) => one?.getAttribute('transform')?.match(/^translate\\((\\S+) (\\S+?)\\)/)?.slice(1).map(Number);
  const picture = () => document.querySelector('[role=grid]').closest('svg');

  /** The space that a drawn thing stands on or marks: all are drawn round the middle of their space. */
  const ownerOf = (one, places) => {
    let spot, ground = false;
    for (let at = one; at && !at.classList.contains('art'); at = at.parentElement) {
      spot = spotOf(at) ?? spot;
      ground ||= /ground-(edge|shore|water)/.test(at.getAttribute('class') ?? '');
    }
    if (!spot || ground) return null;
    return places.find(({ x, y }) => Math.hypot(x - spot[0], y - spot[1]) < 0.01)?.name ?? null;
  };

  /** The middle of a space where that is seen, else of what is seen of it; undefined where nothing is. */
  const middles = (targets) => {
    const places = cells().map((cell) => {
      const [x, y] = spotOf(cell.querySelector('.hit'));
      return { name: nameOf(cell), x, y };
    });
    picture().classList.add('probing');
    const found = targets.map((cell) => {
      const own = ({ x, y }) => ownerOf(document.elementFromPoint(x, y), places) === nameOf(cell);
      const { x, y } = places.find(({ name }) => name === nameOf(cell));
      const middle = new DOMPoint(x, y).matrixTransform(picture().getScreenCTM());
      if (own(middle)) return middle;
      const { left, top, width, height } = cell.getBoundingClientRect();
      const step = Math.min(APART, width / ACROSS, height / ACROSS);
      const seen = [];
      for (let y = top + step / 2; y < top + height; y += step) {
        for (let x = left + step / 2; x < left + width; x += step) {
          if (own({ x, y })) seen.push({ x, y });
        }
      }
      const mean = (key) => seen.reduce((sum, one) => sum + one[key], 0) / seen.length;
      const far = (one) => Math.hypot(one.x - mean('x'), one.y - mean('y'));
      return seen.length ? seen.reduce((best, one) => (far(one) < far(best) ? one : best)) : undefined;
    });
    picture().classList.remove('probing');
    return found;
  };

  const missed = [];
  let tried = 0;
  const tryAll = (what) => {
    const targets = cells().filter((cell) => cell.matches('.takes:not([aria-selected])'));
    const points = middles(targets);
    targets.forEach((cell, i) => {
      tried += 1;
      const point = points[i];
      const hit = point && document.elementFromPoint(point.x, point.y)?.closest('[role=gridcell]');
      if (hit !== cell) missed.push(`${what} ${nameOf(cell)}: ${hit ? nameOf(hit) : point ? 'nothing' : 'unseen'}`);
    });
    return targets;
  };
  const click = async (one) => {
    one.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    await drawn();
  };
  const putBack = async () => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await drawn();
  };

  await drawn();
  const spread = (list) => list.filter((_, i) => i % Math.ceil(list.length / most) === 0);
  const own = spread(tryAll('own').filter((cell) => cell.matches('.movable')));
  for (const cell of own) {
    await click(cell);
    tryAll(`${nameOf(cell)} to`);
    await putBack();
  }
  for (const slot of spread([...document.querySelectorAll('.slot button:not([aria-disabled=true])')])) {
    await click(slot);
    tryAll(`${slot.getAttribute('aria-label')} to`);
    await putBack();
  }
  document.adoptedStyleSheets = [];
  return { missed, tried };
}"""
"""The spaces of the position on show that a click in the middle of what is drawn of them would miss, with nothing in
hand and with some pieces of each kind; and how many were tried."""


@pytest.mark.parametrize("game", GAMES)
def test_a_click_on_what_is_legal_is_never_taken_by_what_is_in_front(
    server: Server, new_page: NewPage, game: str
) -> None:
    page = new_page(viewport=DESK)
    missed: list[str] = []
    tried = 0
    for number in range(POSITIONS):
        series, stage = divmod(number, STAGES)
        if stage == 0:
            players = min(2 + series % 3, games.info(game).players[1])
            made = server.create_table(game, people(*("Ann", "Bob", "Cem", "Dee")[:players]))
        acts = play_ahead(made, 2 + GAMES[game] * stage // STAGES, pick=31 + 2 * series)
        if stage == 0:
            page.goto(made.link())
        else:
            page.reload()
        expect(page.get_by_role("grid")).to_be_visible()
        page.wait_for_function(SHOWS_ACTS, arg=acts)
        size = PHONE if number % 3 == 1 else DESK
        page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
        page.keyboard.press("f")
        if number % 3 == 2:
            page.keyboard.press("v")
        result = page.evaluate(MISSED, 3)
        missed += [f"{game}, series {series}, {acts} acts, {one}" for one in result["missed"]]
        tried += result["tried"]
    assert missed == []
    assert tried > 2 * POSITIONS
