"""Names of players: every one is seen, and no two of a table look the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from icetable.server import messages
from icetable.server.errors import BadTable
from icetable.server.names import LOOKALIKES, MAX_MARKS, MAX_NAME_LENGTH, cleaned, distinct, has_visible, skeleton
from icetable.server.table.seats import Seat, checked_name, name_for_bot

# Characters that act on their neighbours are rare in Unicode, so most of the text is made of them.
TROUBLE = "aA\u0410e\u0301\u0323\u0345\u302e\u093e\u094d\u1100\u1161\u11a8\u1f468 2\u00a0\u2028\t\x00\u00ad\u034f\u115f"
TROUBLE += "\u200b\u200c\u200d\u2060\u2800\u3164\ufe0e\ufe0f\uffa0\u2764\U0001f469\U000e0061\U000e0100\ue000\uffff"
TEXTS = st.text(st.sampled_from(TROUBLE) | st.characters(), max_size=60) | st.text(
    st.sampled_from(TROUBLE), max_size=60
)


def sat_down(names: list[str]) -> list[Seat]:
    """The seats of those whose names pass, taken one after the other."""
    seats: list[Seat] = []
    for name in names:
        try:
            checked = checked_name(name, seats)
        except BadTable:
            continue
        seats.append(Seat("person", checked, None, "red", None))
    return seats


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "李小龍",
        "علی\u200cرضا",  # noqa: RUF001
        "👨\u200d👩\u200d👧",
        "❤\ufe0f",
        "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3",
        "🇳🇵",
        "Zo\u00eb",
        "\u2019O\u2019Brien",
        "नेहा",
        "क्\u200dषमा",
        "র\u200d্যাম",  # a joiner before a mark
        "ශ්\u200dරී",
        "เก๋",
        "လျှို့",  # five marks on one letter
        "שָׁלוֹם",
        "Nguyễn Thị Ngọc",
        "🙂",
    ],
)
def test_real_names_stay_as_they_are(name: str) -> None:
    assert cleaned(unicodedata.normalize("NFC", name)) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("  Ann \t\u00a0\u2003 Lee\u3000", "Ann Lee"),
        ("Ann\nLee", "Ann Lee"),
        ("Ann\u2028Lee", "Ann Lee"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Zoe\u034f\u0308", "Zo\u00eb"),
        ("Ann\u200b", "Ann"),
        ("\u3164Ann\u2800", "Ann"),
        ("A\u00adn\x00n\x9b", "Ann"),
        ("evil\u202etxt", "eviltxt"),
        ("Ann\ue000\U000e0061\U000e0100\ufe0e\ud800\uffff", "Ann"),
        ("Ann\u200d", "Ann"),
        ("\u200dAnn \u200c Lee", "Ann Lee"),
        ("Ann\u200c\u200dLee", "AnnLee"),
        ("\ufe0fAnn", "Ann"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f"),
        ("❤\u200d\ufe0f🔥", "❤\u200d🔥"),
        ("\u0301Ann \u0301Lee", "Ann Lee"),  # marks that would stand on a margin
        ("x" + "\u0316" * 50, "x" + "\u0316" * MAX_MARKS),
        ("x" + "\u0316\u200d" * 40, "x" + "\u200d".join("\u0316" * MAX_MARKS)),
        *((blank, "") for blank in "\u200b\u3164\u2800\u2060\ufe0f\u200c\u0301\u115f\uffa0\U0001d159 "),
    ],
)
def test_invisible_characters_are_removed(name: str, clean: str) -> None:
    assert cleaned(name) == clean


@given(TEXTS)
@example("a" + "\u0301" * 5 + "\u200d\u200d\u302e" + "\u0301" * 5)
@example("a" + "\u0301" * 5 + "\u200d\u0301 b")
@example("a\u200d\ufe0f\u200d\u0301b")
def test_a_clean_name_stays_clean_and_is_seen(text: str) -> None:
    name = cleaned(text)
    assert cleaned(name) == name
    assert unicodedata.is_normalized("NFC", name)
    assert has_visible(name) == bool(name) == bool(skeleton(name))
    assert name == " ".join(name.split())
    assert not {unicodedata.category(letter) for letter in name} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert {letter for letter in name if unicodedata.category(letter) == "Cf"} <= {"\u200c", "\u200d"}


@given(st.lists(TEXTS, max_size=8))
@example(["Ann", "Ann", "Ann 2", "ann2"])
@example(["x" * MAX_NAME_LENGTH, "X" * MAX_NAME_LENGTH, "x" * 38 + " 2", "x" * 38])
@example(["👩\u200d" * 19 + "👩a"] * 2)
@example([*["a\u0301" * 38 + " x"] * 2, *["Computer"] * 6])
def test_no_two_names_of_a_table_look_the_same(texts: list[str]) -> None:
    seats = sat_down(texts)
    seats.append(Seat("bot", name_for_bot(seats), "easy", "red", None))
    names = [seat.name for seat in seats]
    assert len(set(map(skeleton, names))) == len(names)
    assert all(has_visible(name) and cleaned(name) == name and len(name) <= MAX_NAME_LENGTH for name in names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("Ann Lee", "AnnLee"),
        ("Straße", "STRASSE"),
        ("Zo\u00eb", "Zoe\u0308"),
        ("Ann", "\uff21\uff4e\uff4e"),
        ("Ann", "\u200bA\u034fnn\u3164"),
        ("علی\u200cرضا", "علیرضا"),  # noqa: RUF001
        ("❤\ufe0f", "❤"),
        ("Oscar", "\N{CYRILLIC CAPITAL LETTER O}sc\N{CYRILLIC SMALL LETTER A}r"),
        ("Oscar", "\N{GREEK CAPITAL LETTER OMICRON}scar"),
        ("Oscar", "\N{CYRILLIC SMALL LETTER NARROW O}scar"),
        ("Ivan", "I\N{GREEK SMALL LETTER NU}an"),
        ("Nick", "\N{GREEK CAPITAL LETTER NU}ick"),
        ("BEN", "\N{CYRILLIC CAPITAL LETTER VE}EN"),
        ("Zo\u00eb", "Zo\N{CYRILLIC SMALL LETTER IO}"),
        ("Анна", "АННА"),  # noqa: RUF001
    ],
)
def test_names_that_look_the_same_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert distinct(cleaned(other), [one]) == f"{cleaned(other)} 2"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Zo\u00eb", "Zoe"), ("Ann", "Anne"), ("Ann 2", "Ann 3"), ("李小龍", "李小"), ("Иван", "Ivan"), ("👨", "👩")],
)
def test_names_that_look_different_stay(one: str, other: str) -> None:
    assert distinct(other, [one]) == other


def test_the_look_alikes_are_cyrillic_and_greek_letters_for_latin_ones_in_the_same_case() -> None:
    for letter, latin in ((chr(one), chr(other)) for one, other in LOOKALIKES.items()):
        assert unicodedata.name(letter).split()[0] in ("CYRILLIC", "GREEK")
        assert latin.isascii()
        assert letter.isupper() == latin.isupper()
        assert {ord(letter.lower()), ord(letter.upper())} <= LOOKALIKES.keys()


def test_a_number_is_put_behind_a_name_that_leaves_it_no_room() -> None:
    name = "x" * MAX_NAME_LENGTH
    assert distinct(name, [name]) == "x" * 38 + " 2"
    assert distinct(name, [name, "x" * 38 + " 2"]) == "x" * 38 + " 3"


def test_a_name_is_measured_once_it_is_clean() -> None:
    assert checked_name("\u200b" * 100 + "e\u0301" * MAX_NAME_LENGTH, ()) == "\u00e9" * MAX_NAME_LENGTH
    with pytest.raises(BadTable, match="at most 40 characters, not 41"):
        checked_name("e\u0301" * (MAX_NAME_LENGTH + 1), ())


def test_open_seats_have_no_name_to_look_like() -> None:
    kind: messages.SeatKind = "open"
    assert checked_name("Ann", [Seat(kind, "", None, "red", None)] * 2) == "Ann"
