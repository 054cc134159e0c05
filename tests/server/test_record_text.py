"""Records as people have them: what was done to a text is undone where that is certain, and never guessed."""

from __future__ import annotations

import html
import quopri
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from icetable import BadRecord
from icetable.core import record
from icetable.core.record_text import decoded, lines_of, select_record, starts_of
from icetable.server.table import fairness
from tests.vectors import record_files

RECORD = Path(__file__).with_name("played.record").read_text(encoding="utf-8")
"""Played at a table; its chain of hashes tells whether it was restored to the letter."""
LINES = RECORD.splitlines()
Change = Callable[[str], str]


def each_line(change: Change) -> Change:
    return lambda text: "\n".join(map(change, text.splitlines())) + "\n"


def outside_strings(old: str, new: str) -> Change:
    return each_line(
        lambda line: "".join(
            part if number % 2 else part.replace(old, new)
            for number, part in enumerate(re.split(r'("(?:[^"\\]|\\.)*")', line))
        )
    )


def flowed(text: str, mark: str = "") -> str:
    """As mails in format=flowed break long lines: behind a space."""
    lines = [
        textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False) or [""] for line in text.splitlines()
    ]
    return "".join(f"{mark}{part}{' ' if part is not parts[-1] else ''}\n" for parts in lines for part in parts)


def quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode()).decode()


def double_spaced(text: str) -> str:
    return text.replace("\n", "\n\n")


WHOLE: dict[str, Change] = {
    "as it is": lambda text: text,
    "windows": lambda text: text.replace("\n", "\r\n"),
    "old mac": lambda text: text.replace("\n", "\r"),
    "twice converted": lambda text: text.replace("\n", "\r\r\n"),
    "mixed": lambda text: text.replace("\n", "\r\n", 5).replace("\n0", "\r0"),
    "empty lines around": lambda text: f"\n\r\n \n{text}\n\n\n",
    "a mark of order": lambda text: f"\ufeff{text}",
    "the end of DOS": lambda text: f"{text}\x1a",
    "spaces behind": each_line(lambda line: f"{line}  \t"),
    "indented": each_line(lambda line: f"    {line}"),
    "form feeds": lambda text: "\f" + text.replace("\n0 ", "\n\f0 ").replace("\n1 ", "\f1 "),
    "fenced": lambda text: f"```\n{text}```\n",
    "fenced, with a word": lambda text: f"See this:\n\n~~~~ text\n{text}~~~~\nNice game!\n",
    "a fence that never ends": lambda text: f"```\n{text}",
    "a fence that only ends": lambda text: f"{text}```\n\n",
    "quoted": each_line(lambda line: f"> {line}"),
    "quoted twice": lambda text: "Ann wrote:\n" + each_line(lambda line: f">> {line}")(text) + "\nThanks!\n",
    "quoted with spaces between": each_line(lambda line: f"> > {line}".rstrip()),
    "quoted and fenced": lambda text: each_line(lambda line: f"> {line}")(f"```\n{text}```"),
    "in a mail": lambda text: f"Dear Bob,\n\nhere it is:\n\n{text}\n-- \nAnn\n1 Road\n",
    "flowed": flowed,
    "flowed and quoted": lambda text: flowed(text, "> "),
    "wrapped": lambda text: flowed(text).replace(" \n", "\n"),
    "quoted-printable": quoted_printable,
    "quoted-printable, with windows": lambda text: quoted_printable(text).replace("\n", "\r\n"),
    "hard spaces": outside_strings(" ", "\u00a0"),
    "hard spaces everywhere": lambda text: text.replace(" ", "\u00a0"),
    "tabs": outside_strings(" ", "\t"),
    "many spaces": outside_strings(" ", "   "),
    "unseen characters": lambda text: outside_strings(" ", "\u200b \u200e")(f"\u2060{text}"),
    "entities": lambda text: html.escape(text),
    "hard spaces as entities": outside_strings(" ", "&nbsp;"),
    "twice the lines": double_spaced,
    "an empty line behind the first": lambda text: text.replace("\n", "\n\n", 1),
}


def told(text: str) -> list[str]:
    """The lines of a record, without comments."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("change", WHOLE.values(), ids=WHOLE.keys())
def test_a_record_survives(change: Change) -> None:
    changed = change(RECORD)
    cleaned = record.normalized(changed)
    assert fairness.verify(cleaned) == fairness.verify(changed) == fairness.verify(RECORD)
    assert told(cleaned) == told(RECORD)
    assert record.normalized(cleaned) == cleaned


def test_smart_marks_are_restored_where_they_mean_nothing_else() -> None:
    simple = 'icetable record 1\ngame toy\noption winner "last"\noption names ["a", "b"]\noption least -1\n\n0 b2-c3\n'
    smart = simple.replace(' "', " “").replace('["', "[“").replace('"', "”").replace("-", "\u2013")
    smart = smart.replace("b2\u2013", "b2\u2011")
    assert record.normalized(smart) == simple
    kept = simple.replace("last", "a “last” \u2013 one")
    assert record.normalized(kept) == kept


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (f"\n\n{RECORD}", 3),
        (RECORD.replace("\n", "\r\n"), 1),
        (f"Hello\r```\r{RECORD}".replace("\n", "\r"), 3),
        (RECORD.replace("\n", "\n\f"), 1),
    ],
)
def test_lines_are_numbered_as_people_see_them(text: str, number: int) -> None:
    before = len(LINES[: LINES.index("")])
    assert lines_of(text)[0].number == number
    head = record.read_head(text)
    assert head.lines[0].number == number + before + 1
    with pytest.raises(BadRecord, match=f"^line {number + 2}: the value of 'players' can't be read"):
        record.read_head(text.replace("option players 2", "option players x"))


def test_a_wrapped_line_has_the_number_of_its_first_part() -> None:
    text = flowed(RECORD)
    numbers = {line.text: line.number for line in lines_of(text)}
    lines = text.splitlines()
    assert all(line.startswith(lines[number - 1].split(" ")[0]) for line, number in numbers.items() if line)


# Several records


def test_several_records_are_told_apart() -> None:
    other = RECORD.replace("game squad", "game icefrogs")
    text = f"{RECORD}\n> icetable record 1\n> game icefrogs\n\n```\n{other}```\n"
    second = len(LINES) + 2
    third = second + 4
    assert starts_of(text) == [1, second, third]
    numbers = f"1, {second}, {third}"
    with pytest.raises(BadRecord, match=f"^there are 3 records, at lines {numbers}; give one of them alone$"):
        record.read_head(text)
    assert fairness.verify(select_record(text, 1)) == fairness.verify(RECORD)
    assert record.read_head(select_record(text, 2)).game == "icefrogs"
    assert lines_of(select_record(text, 3))[0].number == third
    for number in (0, 4):
        with pytest.raises(BadRecord, match=f"^there is no record {number}: there are 3 records, at lines {numbers}$"):
            select_record(text, number)
    with pytest.raises(BadRecord, match=r"^there is no record 2: there is 1 record, at line 1$"):
        select_record(RECORD, 2)
    with pytest.raises(BadRecord, match=r"^there is no record 1: the first line of a record is"):
        select_record("nothing", 1)


# What is not certain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line of a record is 'icetable record 1'"),
        ("# icetable record 1\n", "the first line of a record is 'icetable record 1'"),
        ("Icetable record 1\n", "the first line of a record is 'icetable record 1'"),
        ("icetable record 2\n", "the first line of a record is 'icetable record 1', not 'icetable record 2'"),
        ("icetable record 1\nicetable record 2\n", "there are 2 records, at lines 1, 2; give one of them alone"),
        (
            "> icetable record 1\ngame toy\n> option a 1\n",
            "line 2: the lines around it are quoted with '>', but it is not",
        ),
        ("icetable record 1\n```\n\n0 pass\n", "line 2: ``` ends a block that did not begin, and more lines follow"),
        ("icetable record 1\ngame toy=\n2=C3\n", "this record is encoded as quoted-printable, but not from a text"),
        ('icetable record 1\noption a “b"\n', "line 2: the value of 'a' can't be read"),
        ("icetable record 1\noption a “b”c”\n", "line 2: the value of 'a' can't be read"),
    ],
)
def test_an_ambiguous_record_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadRecord) as caught:
        record.read_head(text)
    assert str(caught.value).startswith(message)


def test_strings_stay_as_they_are() -> None:
    name = "a\\u0041\u00a0\u200b\u2013 &amp; “=3D”"
    text = f'icetable record 1\noption name "{name}"\noption other "="\n'
    assert record.normalized(text) == text


def test_a_short_line_is_not_joined_to_the_one_before() -> None:
    assert [line.text for line in lines_of("icetable record 1\n\n0 pass\nnonsense")][2:] == ["0 pass", "nonsense"]


@pytest.mark.parametrize("evil", ['"', '\\"', '"\\', "> ", "=", " ", "&", "`", "x\n", "x \n", "x=\n", "> x \n"])
def test_no_text_takes_long(evil: str) -> None:
    """Work that grows with the square of the length would not end here, and lines are read one by one."""
    evil *= 20_000 if "\n" in evil else 100_000
    for text in (evil, f"icetable record 1\n{evil}", f"icetable record 1\nterms {evil}\n"):
        starts_of(text)
        try:
            lines_of(text)
        except BadRecord:
            continue


# Bytes


def test_files_are_read_as_the_browser_reads_them() -> None:
    written = Path(record_files.__file__).with_suffix(".json").read_text(encoding="utf-8")
    assert written == record_files.written()
    for content, text in record_files.files():
        if text is None:
            with pytest.raises(
                BadRecord, match=r"^(this is not text, so it is not a record|line \d is not in UTF-8; save)"
            ):
                decoded(content)
        else:
            assert decoded(content) == text


def test_a_file_in_another_encoding_is_told_by_its_line() -> None:
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(BadRecord, match=r"^line 3 is not in UTF-8; save the record as a text in UTF-8 or UTF-16$"):
            decoded(f"icetable record 1{end}game squad{end}# Zoë{end}".encode("latin-1"))
