"""Players' names: visible and distinct. The terms are Unicode's."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_NAME_LENGTH = 40
MAX_MARKS = 5
"""Maximum number of combining marks on a letter: Burmese needs this many, longer stacks only cover other text."""

# They reverse the direction of text or break lines, so that one text could pass for another.
TEXT_CONTROLS = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")

JOINERS = "\u200c\u200d"
EMOJI_STYLE = "\ufe0f"
LOOSE_STYLE = re.compile(f"(?<![^ {JOINERS}{EMOJI_STYLE}]){EMOJI_STYLE}")
LOOSE_JOINER = re.compile(f"(?<![^ {JOINERS}])[{JOINERS}]|[{JOINERS}](?![^ {JOINERS}])")

INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs"})
UNKNOWN_CATEGORIES = frozenset({"Cn", "Co"})
# Default_Ignorable_Code_Point beyond the categories above, then characters with a blank glyph.
INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2065, 0x2065),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8),
        (0xE0000, 0xE0FFF),
        (0x2800, 0x2800),
        (0x13441, 0x13442),
        (0x1D159, 0x1D159),
    )
    for code in range(first, last + 1)
)

# Letters are listed in both cases even if only one looks Latin, since names are compared case-insensitively.
# (Greek eta, nu and upsilon look like one Latin letter in upper case and like another in lower case.)
_CYRILLIC = "АВЕЅІЈКМНОРСТУХҮԌԚԜѴԀҺӀ", "авеѕіјкмнорстухүԍԛԝѵԁһӏ"
_GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ", "αβεζηικμνορτυχϳ"  # noqa: RUF001
LOOKALIKES = str.maketrans(
    "".join(_CYRILLIC + _GREEK),
    "ABESIJKMHOPCTYXYGQWVDHL" + "abesijkmhopctyxygqwvdhl" + "ABEZHIKMNOPTYXJ" + "abeznikmvoptuxj",
)
"""Cyrillic and Greek letters that look like Latin ones."""


def has_controls(name: str) -> bool:
    """Whether a name contains control characters, TEXT_CONTROLS included."""
    return any(unicodedata.category(letter) == "Cc" or letter in TEXT_CONTROLS for letter in name.strip())


def has_visible(text: str) -> bool:
    """Whether a text contains a visible character."""
    return any(_is_visible(letter) and not _is_mark(letter) for letter in text)


def cleaned(name: str) -> str:
    """A name in NFC, without invisible characters and excess marks; "" if nothing is left.

    Joiners between two characters stay, and so does the emoji style after a character.
    """
    letters: list[str] = []
    marks = MAX_MARKS  # there is no letter yet that could carry one
    for letter in unicodedata.normalize("NFC", name):
        if letter.isspace():
            letters.append(" ")
            marks = MAX_MARKS
        elif letter in JOINERS or letter == EMOJI_STYLE:
            letters.append(letter)
        elif _is_visible(letter) and unicodedata.category(letter) not in UNKNOWN_CATEGORIES:
            marks = marks + 1 if _is_mark(letter) else 0
            if marks <= MAX_MARKS:
                letters.append(letter)
    text = LOOSE_JOINER.sub("", LOOSE_STYLE.sub("", "".join(letters)))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def skeleton(name: str) -> str:
    """A key that is equal for names that look the same."""
    letters = unicodedata.normalize("NFKD", name).translate(LOOKALIKES).casefold()
    return "".join(filter(_is_visible, letters)).translate(LOOKALIKES)  # again, for letters changed by folding


def distinct(name: str, others: Iterable[str]) -> str:
    """A cleaned name, with a number appended if it looks like one of the others."""
    taken = set(map(skeleton, others))
    return next(candidate for candidate in _numbered(name) if skeleton(candidate) not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in itertools.count(2):
        suffix = f" {number}"
        yield cleaned(name[: MAX_NAME_LENGTH - len(suffix)]) + suffix


def _is_visible(letter: str) -> bool:
    """Whether a character is visible, if only as a mark on another one or as a box."""
    hidden = letter.isspace() or letter in INVISIBLE or unicodedata.category(letter) in INVISIBLE_CATEGORIES
    return not hidden


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")
