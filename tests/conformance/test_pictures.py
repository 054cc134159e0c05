"""Games as SVG files: each draws its view and no more, well formed, small, and in the colours of the pages."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import icetable
from icetable.extras.picture import BOARD, GLASS, Tone
from tests.conformance.cases import Case, each_case, some_states
from tests.conformance.material import material

SVG = "{http://www.w3.org/2000/svg}"
PALETTE = (Path(__file__).parents[2] / "web" / "src" / "pieces" / "palette.css").read_text(encoding="utf-8")
USUAL_BYTES, MAX_BYTES = 16_000, 50_000
"""The largest size of a picture of one of the usual boards, and of any."""


@each_case
def test_pictures(case: Case) -> None:
    for state in some_states(case):
        view = state.view()
        for draw in (case.game.svg, case.game.thumbnail):
            text = draw(view)
            assert draw(json.loads(json.dumps(view))) == text
            picture = ET.fromstring(text)
            ids = [element.get("id") for element in picture.iter() if element.get("id")]
            assert len(ids) == len(set(ids))
            assert {name.removeprefix("#") for name in re.findall('href="(.*?)"', text)} <= set(ids)
            assert "url(" not in text
            if drawn := material(case.name).drawn:
                titles = [title.text or "" for title in picture.iterfind(f".//{SVG}g/{SVG}title")]
                assert sorted(title.split(":")[0] for title in titles) == sorted(drawn(view))
                assert len(text.encode()) < (USUAL_BYTES if is_usual(case) else MAX_BYTES)


def is_usual(case: Case) -> bool:
    """Whether only the number of players is chosen."""
    return case.game == icetable.load(case.name, players=case.game.players)


def test_the_colours_are_those_of_the_pages() -> None:
    for colour, glass in GLASS.items():
        rim = f"{colour}-rim" if f"--piece-{colour}-rim:" in PALETTE else f"{colour}-light"
        assert glass == (tone(f"piece-{colour}"), tone(f"piece-{rim}"), tone(f"piece-{colour}-mark"))
    assert BOARD["water"] == {"fill": tone("board-water"), "stroke": tone("board-water-edge")}
    assert BOARD["space"] == {"fill": tone("board-space"), "stroke": tone("board-space-edge")}
    assert BOARD["die"] == {"fill": tone("die-lit"), "stroke": tone("die-edge")}
    assert BOARD["ink"] == {"fill": tone("die-ink")}


def tone(name: str) -> Tone:
    """A tone of the pages' palette as the pictures have it."""
    value = re.search(rf"--{name}: (.*?);", PALETTE)
    assert value, name
    either = re.fullmatch(r"light-dark\((.*\)|.*?), (.*)\)", value[1])
    return (either[1], either[2]) if either else value[1]
