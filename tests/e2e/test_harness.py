"""The end-to-end tests' own browser: if it draws nothing, the other tests see nothing."""

from __future__ import annotations

from tests.e2e.browser import picture
from tests.e2e.conftest import NewPage


def test_text_is_drawn(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 320, "height": 200})
    page.set_content("<p>icetable</p>")
    with_text = picture(page)
    page.set_content("<p>&nbsp;</p>")
    assert with_text != picture(page)
    page.set_content("<b id=a>ill</b> <b id=b>WWW</b>")
    narrow, wide = page.locator("#a").bounding_box(), page.locator("#b").bounding_box()
    assert narrow is not None
    assert wide is not None
    assert 0 < narrow["width"] < wide["width"]


def test_svg_shapes_are_drawn(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 100, "height": 100})
    page.set_content('<body style="margin:0"><svg width=100 height=100 id="s"></svg>')
    empty = picture(page)
    page.evaluate("""() => {
        const shape = document.createElementNS('http://www.w3.org/2000/svg', 'polygon');
        shape.setAttribute('points', '0,100 50,0 100,100');
        document.getElementById('s').append(shape);
    }""")
    assert picture(page) != empty
