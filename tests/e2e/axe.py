"""axe, which finds what keeps people out of a page: at a desk by day, on a phone by night."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bootstrap
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.hands import DESK, PHONE

AXE = bootstrap.ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
QUICKLY = "{ selectors: false, preload: false, resultTypes: ['violations'] }"
"""No more is worked out than which rules are broken, and where first."""
RUN = f"""async () => {{
  const pictures = [...document.querySelectorAll('svg[role=img], .chart[role=img]')];
  const drawn = pictures.map((picture) => [...picture.childNodes]);
  for (const picture of pictures) picture.replaceChildren();
  const {{ violations }} = await axe.run({QUICKLY});
  pictures.forEach((picture, number) => picture.replaceChildren(...drawn[number]));
  return violations;
}}"""
"""axe looks through the page without what is drawn in pictures: it judges each by its name, and drawings take long."""
LOOKS = (("light", DESK), ("dark", PHONE))


def look(page: Page, theme: Any, size: dict[str, int]) -> None:
    """Look at the page so, once its colours have changed."""
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
    page.wait_for_function("() => document.getAnimations().length === 0")


def complaints(page: Page, looks: Sequence[tuple[str, dict[str, int]]] = LOOKS) -> list[str]:
    """The complaints of axe in each look, once all has loaded, with the first element of each."""
    page.wait_for_load_state("networkidle")
    return complaints_now(page, looks)


def complaints_now(page: Page, looks: Sequence[tuple[str, dict[str, int]]] = LOOKS) -> list[str]:
    """The same of a page that may load for long, as one whose worker is just being installed."""
    found = []
    for theme, size in looks:
        look(page, theme, size)
        found += complaints_of_axe(page)
    return found


def complaints_of_axe(page: Page) -> list[str]:
    for made in ("main", "h1"):  # before the page is made there is nothing to judge
        expect(page.locator(made).first).to_be_attached()
    if page.evaluate("!window.axe"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}" for one in page.evaluate(RUN)]
