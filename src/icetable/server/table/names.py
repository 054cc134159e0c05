"""Players' names: they can be seen and told apart. The terms are Unicode's."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_NAME = 40
MAX_MARKS = 5
"""The most combining marks on a letter of a name: Burmese needs this many, longer piles only hide other text."""

# They turn the direction of text round or break it into lines, so that one text could pass for another.
TRICKS = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")

JOINERS = "\u200c\u200d"
EMOJI_STYLE = "\ufe0f"
LOOSE_STYLE = re.compile(f"(?<![^ {JOINERS}{EMOJI_STYLE}]){EMOJI_STYLE}")
LOOSE_JOINER = re.compile(f"(?<![^ {JOINERS}])[{JOINERS}]|[{JOINERS}](?![^ {JOINERS}])")

INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs"})
UNKNOWN_CATEGORIES = frozenset({"Cn", "Co"})
# Default_Ignorable_Code_Point as far as the categories above lack it, then characters whose glyph is blank.
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

# A letter of which only one case looks like a Latin one stands here in both: names are compared without case.
# (Greek eta, nu and upsilon look like one Latin letter as capitals and like another as small letters.)
_CYRILLIC = "АВЕЅІЈКМНОРСТУХҮԌԚԜѴԀҺӀ", "авеѕіјкмнорстухүԍԛԝѵԁһӏ"
_GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ", "αβεζηικμνορτυχϳ"  # noqa: RUF001
LOOKALIKES = str.maketrans(
    "".join(_CYRILLIC + _GREEK),
    "ABESIJKMHOPCTYXYGQWVDHL" + "abesijkmhopctyxygqwvdhl" + "ABEZHIKMNOPTYXJ" + "abeznikmvoptuxj",
)
"""Cyrillic and Greek letters and the Latin ones that they look like."""


def has_tricks(name: str) -> bool:
    """Whether a name has characters in it that no name needs: controls, and those that turn its direction round."""
    return any(unicodedata.category(letter) == "Cc" or letter in TRICKS for letter in name.strip())


def has_visible(text: str) -> bool:
    """Whether a text has a visible character."""
    return any(_is_visible(letter) and not _is_mark(letter) for letter in text)


def cleaned(name: str) -> str:
    """A name in NFC, without invisible characters and long piles of marks; "" where nothing is left.

    Joiners stay where they join two characters, and the emoji style stays behind a character.
    """
    kept: list[str] = []
    marks = MAX_MARKS  # there is no letter yet that could carry one
    for letter in unicodedata.normalize("NFC", name):
        if letter.isspace():
            kept.append(" ")
            marks = MAX_MARKS
        elif letter in JOINERS or letter == EMOJI_STYLE:
            kept.append(letter)
        elif _is_visible(letter) and unicodedata.category(letter) not in UNKNOWN_CATEGORIES:
            marks = marks + 1 if _is_mark(letter) else 0
            if marks <= MAX_MARKS:
                kept.append(letter)
    text = LOOSE_JOINER.sub("", LOOSE_STYLE.sub("", "".join(kept)))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def skeleton(name: str) -> str:
    """What two names have in common when they look the same."""
    letters = unicodedata.normalize("NFKD", name).translate(LOOKALIKES).casefold()
    return "".join(filter(_is_visible, letters)).translate(LOOKALIKES)  # some letters are in the table once folded


def distinct(name: str, others: Iterable[str]) -> str:
    """A cleaned name, with a number behind it where it looks like one of the others."""
    taken = set(map(skeleton, others))
    return next(one for one in _numbered(name) if skeleton(one) not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in itertools.count(2):
        end = f" {number}"
        yield cleaned(name[: LONGEST_NAME - len(end)]) + end


def _is_visible(letter: str) -> bool:
    """Whether a character shows, if only as a mark on another or as a box."""
    hidden = letter.isspace() or letter in INVISIBLE or unicodedata.category(letter) in INVISIBLE_CATEGORIES
    return not hidden


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")
