"""A browser of the system that is driven by its own protocol: as little as a person's mouse and eyes need."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import ExitStack
from typing import Any, Self

PATIENCE = 60.0
"""How many seconds an answer may take; a condition that never holds ends the test after that."""

FIND = """([selector, words]) => {
    const fits = (one) => new RegExp(words, 'i').test(one.getAttribute('aria-label') ?? one.textContent.trim());
    const found = [...document.querySelectorAll(selector)].filter((one) => fits(one) && !one.disabled);
    const box = found.map((one) => one.getBoundingClientRect()).find(({ width }) => width > 0);
    return box && [box.x, box.y, box.width, box.height];
}"""
UNTIL = """new Promise((resolve) => {{
    const look = (before) => {{
        const found = JSON.stringify(({what})({argument}) ?? null);
        if (found !== 'null' && found === before) resolve(found); else setTimeout(look, 50, found);
    }};
    look('');
}})"""


class OtherBrowser(ABC):
    """A headless browser with one window. `errors`: what its pages have thrown or logged as errors, if it tells."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self._parts = ExitStack()

    @abstractmethod
    def show(self, address: str) -> None:
        """Load a page."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the window's page this size."""

    @abstractmethod
    def run(self, expression: str) -> Any:
        """The value of an expression in JavaScript; of a promise, once it is kept."""

    @abstractmethod
    def click_at(self, x: float, y: float) -> None:
        """Click at a place of the page."""

    def wait_for(self, what: str, argument: object = None) -> Any:
        """The value of a function in JavaScript for an argument, once it is true and stays so for a moment."""
        return json.loads(self.run(UNTIL.format(what=what, argument=json.dumps(argument))))

    def box(self, selector: str, words: str = "") -> tuple[float, float, float, float]:
        """Where the first element is that is shown and has a name or text like that, once there is one."""
        x, y, width, height = self.wait_for(FIND, [selector, words])
        return x, y, width, height

    def click(self, selector: str, words: str = "") -> None:
        """Click an element in its middle."""
        x, y, width, height = self.box(selector, words)
        self.click_at(x + width / 2, y + height / 2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._parts.close()


def click(x: float, y: float) -> dict[str, Any]:
    """The actions of a mouse that clicks, as WebDriver and WebDriver BiDi both write them."""
    moves = [
        {"type": "pointerMove", "x": round(x), "y": round(y)},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
