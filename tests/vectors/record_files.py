"""Writes `record_files.json`: what files hold, in base64, and their text, or null where they are none.

Python and the browser read files by the same rules; this holds both to them.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

TEXT = "icetable record 1\r\ngame squad\r\n# Zoë\r\n"
OTHERS = ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
MARKED = {
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "utf-32-le": b"\xff\xfe\0\0",
    "utf-32-be": b"\0\0\xfe\xff",
}


def files() -> list[tuple[bytes, str | None]]:
    """Each file with its text."""
    whole = [(TEXT.encode(encoding), TEXT) for encoding in OTHERS]
    marked = [(mark + TEXT.encode(encoding), TEXT) for encoding, mark in MARKED.items()]
    broken = [
        TEXT.encode("latin-1"),
        TEXT.encode("utf-16-le")[:-1],
        TEXT.encode("utf-32-be")[:-2],
        b"\xff\xfe" + "i\ud800c".encode("utf-16-le", "surrogatepass"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\x1f\x8b\x08\0" + bytes(range(40)),
        b"icetable record 1\n\0\0\0",
        b"icetable\x01record",
        b"\xff\xfe\x00\x01" * 3,
    ]
    return [*whole, *marked, (b"", ""), (b"\xef\xbb\xbf", ""), (b"a", "a"), *((content, None) for content in broken)]


def written() -> str:
    """The content of the file."""
    told = [{"file": base64.b64encode(content).decode(), "text": text} for content, text in files()]
    return json.dumps(told, indent=1) + "\n"


if __name__ == "__main__":
    Path(__file__).with_suffix(".json").write_text(written(), encoding="utf-8")
