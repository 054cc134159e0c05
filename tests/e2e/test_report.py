"""The report of a study in a browser, without a server: by day at a desk, by night on a phone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from icetable.lab import studies
from icetable.lab.intervals import Estimate
from icetable.lab.studies import Budget, keep, study
from tests.e2e.axe import complaints_of_axe, look
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE

MAX_BYTES = 2_000_000
NOTHING = "\N{EN DASH}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small study."""
    effort = Budget({"random": 12, "greedy": 8}, {}, (4, 2), (1, 4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(studies.BUDGETS, "quick", effort)
        found = study("squad", options={"trios": 3})
    folder = tmp_path_factory.mktemp("study")
    keep(found, folder)
    return folder


@pytest.fixture
def page(new_page: NewPage, folder: Path) -> Page:
    page = new_page(reduced_motion="reduce")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / "report.html").as_uri())
    expect(page.get_by_role("heading", name="Who's On The Squad?")).to_be_visible()
    assert asked == [page.url]
    return page


def test_it_is_small_and_everybody_can_read_it(page: Page, folder: Path) -> None:
    assert (folder / "report.html").stat().st_size < MAX_BYTES
    for summary in page.locator("summary").all():
        summary.click()
    for theme, size in (("light", DESK), ("dark", PHONE)):
        look(page, theme, size)
        assert complaints_of_axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        expect(page.locator(".chart svg").first).to_be_visible()


def test_its_numbers_are_those_of_the_figures(page: Page, folder: Path) -> None:
    told: dict[str, Any] = json.loads((folder / "estimates.json").read_text(encoding="utf-8"))
    for answer in told["answers"]:
        expect(page.get_by_text(answer, exact=True)).to_have_count(1)
    for cell in told["infobox"]:
        expect(page.locator("dd", has_text=cell["text"]).first).to_be_visible()
    expected = [
        figure
        for measures in told["strengths"].values()
        for figures in measures.values()
        for figure in figures.values()
    ]
    expected += [*told["luck"].values(), told["ladder"]["rungs"]]
    expected += [step[name] for step in told["ladder"]["steps"] for name in ("share", "elo", "pairing")]
    rows = page.locator("tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('.number')].map((cell) => cell.textContent))"
    )
    assert sorted(map(str, rows)) == sorted(str(numbers_of(figure)) for figure in expected)


def numbers_of(figure: dict[str, Any]) -> list[str]:
    """The numbers of a figure as the page writes them."""
    return [*(written(figure[name]) for name in ("value", "low", "high")), str(figure["blocks"])]


def written(value: float | None) -> str:
    if value is None:
        return NOTHING
    if value != 0 and abs(value) < 0.001:
        digits, _, exponent = f"{value:.1e}".partition("e")
        return f"{digits}e{int(exponent):+d}"
    return f"{float(f'{value:.4g}'):.15g}" if value != int(value) else str(int(value))


def test_an_estimate_without_bounds_is_written_so() -> None:
    unbounded = Estimate(1.0, float("-inf"), float("inf"), "none", 1)
    assert numbers_of(unbounded.described()) == ["1", NOTHING, NOTHING, "1"]
