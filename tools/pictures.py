#!/usr/bin/env python3
"""Draws the pictures in `web/public` from the app's own logo and pyramids. `.venv/bin/python tools/pictures.py`

Run it after changes of the logo, the pieces or the boards, and after ./test front-end, which builds the pages.
"""

from __future__ import annotations

import base64
import struct
import sys
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright  # noqa: E402

from tests.e2e import browser as chromium  # noqa: E402
from tests.e2e.server import Server  # noqa: E402

PUBLIC = ROOT / "web" / "public"
LOGO = ROOT / "web" / "src" / "app" / "icon.svg"

ICONS = {
    "icon-192.png": (LOGO, 192),
    "icon-512.png": (LOGO, 512),
    "icon-touch.png": (PUBLIC / "icon-maskable.svg", 180),
}
"""The drawing and the width in pixels of each icon."""

BOARDS = PUBLIC / "boards"
POSITIONS = {
    "highrise": "ea86cc8a",
    "icefrogs": "b9558f91",
    "icehouse": "43f625b5",
    "squad": "858107b1",
    "wrecktangle": "03021632",
}
"""The puzzle of each game for its board in the lobby."""
SHOW_ONLY_BOARD = """() => {
    const cells = document.querySelector('.board :is([role=grid], [role=application])');
    const board = cells.closest('svg') ?? cells.querySelector('svg') ?? cells;
    board.classList.add('drawn');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
        body { background: none }
        body * { visibility: hidden }
        .drawn, .drawn * { visibility: visible }
    `);
    document.adoptedStyleSheets = [sheet];
    const parts = [...board.querySelectorAll('*')].map((one) => one.getBoundingClientRect());
    const boxes = parts.filter(({ width }) => width > 0);
    const side = (name, pick) => pick(...boxes.map((box) => box[name]));
    const [x, y] = [side('left', Math.min), side('top', Math.min)];
    return { x, y, width: side('right', Math.max) - x, height: side('bottom', Math.max) - y };
}"""
"""Hides everything but the board; returns the bounding box of the board."""
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
TO_WEBP = """async (png) => {
    const picture = await createImageBitmap(await (await fetch(png)).blob());
    const [width, height] = [480, 360];
    const scale = Math.min(width / picture.width, height / picture.height);
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const pen = canvas.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    const [w, h] = [scale * picture.width, scale * picture.height];
    pen.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h);
    return canvas.toDataURL('image/webp', 0.82).split(',')[1];
}"""

PREVIEW: ViewportSize = {"width": 1200, "height": 630}
COMPOSE = """() => {
    const [logo, pieces] = ['.home > *', '.picture svg'].map((where) => document.querySelector(where));
    const words = document.createElement('div');
    const title = document.createElement('h1');
    title.textContent = 'icetable';
    const line = document.createElement('p');
    line.textContent = 'Five games for Looney pyramids';
    words.append(logo, title, line);
    document.body.replaceChildren(words, pieces);
    const set = (one, style) => Object.assign(one.style, style);
    set(document.body, { display: 'flex', alignItems: 'center', height: '630px', background: '#0f141d' });
    set(words, { width: '470px', paddingLeft: '80px' });
    set(logo, { width: '120px', height: '120px' });
    set(title, { fontSize: '88px', margin: '16px 0 8px' });
    set(line, { fontSize: '36px', lineHeight: '1.25', textWrap: 'balance' });
    set(pieces, { width: '600px', height: '480px' });
}"""

DECODE = """async (png) => {
    const picture = await createImageBitmap(await (await fetch(png)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    return Array.from(data, (byte) => String.fromCharCode(byte)).join('');
}"""
MAX_COLOURS = 256

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")

Pixels = NDArray[np.uint8]
"""Rows of RGB pixels."""


def main() -> None:
    chromium.use_node_of_the_wheel()
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = chromium.launch(playwright)
        for name, (drawing, width) in ICONS.items():
            draw_icon(browser, drawing, width, PUBLIC / name)
        with Server(Path(folder) / "tables.sqlite") as server:
            page = browser.new_page(viewport=PREVIEW, color_scheme="dark")
            page.goto(server.url)
            page.locator(".picture svg").wait_for()
            page.evaluate(COMPOSE)
            (PUBLIC / "preview.png").write_bytes(with_palette(pixels_of(page, page.screenshot())))
            BOARDS.mkdir(exist_ok=True)
            for game, puzzle in POSITIONS.items():
                for theme in THEMES:
                    drawn = draw_board(browser, f"{server.url}puzzles/{game}/{puzzle}", theme)
                    (BOARDS / f"{game}-{theme}.webp").write_bytes(drawn)
        browser.close()


def draw_icon(browser: Browser, drawing: Path, width: int, target: Path) -> None:
    """Render a square drawing as PNG."""
    page = browser.new_page(viewport={"width": width, "height": width})
    page.set_content(f"<body style='margin: 0'>{drawing.read_text()}</body>")
    page.screenshot(path=target, omit_background=True)
    page.close()


def draw_board(browser: Browser, address: str, theme: Theme) -> bytes:
    """Render a puzzle's board on a transparent background as WebP."""
    page = browser.new_page(viewport=DESKTOP, color_scheme=theme, device_scale_factor=2, reduced_motion="reduce")
    page.goto(address)
    page.locator(".board").locator("[role=grid], [role=application]").first.wait_for()
    page.wait_for_load_state("networkidle")
    clip = page.evaluate(SHOW_ONLY_BOARD)
    png = base64.b64encode(page.screenshot(clip=clip, omit_background=True, animations="disabled")).decode()
    page.goto("about:blank")  # the app's own page fetches nothing from elsewhere
    webp: str = page.evaluate(TO_WEBP, f"data:image/png;base64,{png}")
    page.close()
    return base64.b64decode(webp)


def pixels_of(page: Page, png: bytes) -> Pixels:
    """Decode a picture of the size of the preview."""
    page.goto("about:blank")  # the app's own page fetches nothing from elsewhere
    data = page.evaluate(DECODE, f"data:image/png;base64,{base64.b64encode(png).decode()}").encode("latin-1")
    return np.frombuffer(data, np.uint8).reshape(PREVIEW["height"], PREVIEW["width"], 4)[:, :, :3]


def with_palette(pixels: Pixels) -> bytes:
    """Encode a PNG with a palette: a third of the size, with hardly a visible difference."""
    colours, numbers, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    boxes = [np.arange(len(colours))]
    while len(boxes) < min(MAX_COLOURS, len(colours)):
        widest = max(range(len(boxes)), key=lambda number: np.ptp(colours[boxes[number]], axis=0).max())
        box = boxes.pop(widest)
        channel = np.ptp(colours[box], axis=0).argmax()
        box = box[colours[box, channel].argsort()]
        boxes += [box[: len(box) // 2], box[len(box) // 2 :]]
    palette = np.array([np.average(colours[box], 0, counts[box]).round() for box in boxes], np.uint8)
    indices = np.empty(len(colours), np.uint8)
    for number, box in enumerate(boxes):
        indices[box] = number
    height, width, _ = pixels.shape
    rows = indices[numbers].reshape(height, width)
    body = zlib.compress(np.pad(rows, ((0, 0), (1, 0))).tobytes(), 9)  # each row begins with its filter: none
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", palette.tobytes())]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in [*parts, (b"IDAT", body), (b"IEND", b"")])


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


if __name__ == "__main__":
    main()
