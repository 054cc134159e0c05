"""Find a record in a text that was saved, edited, mailed or pasted.

Changes made by programs and mails are undone if that is certain. Any others are left to the rules and, in a table's
records, to the chain of hashes. Every line keeps the number that an editor shows.
"""

from __future__ import annotations

import html
import quopri
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from icetable.core.errors import BadRecord
from icetable.core.options import short_repr

FIRST_LINE = "icetable record 1"

MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
"""Byte order marks and their encodings. The longer of two similar marks comes first."""
ZEROS = {"0111": "utf-32-le", "1110": "utf-32-be", "0101": "utf-16-le", "1010": "utf-16-be"}
"""The zeros among the first four bytes of a text without a mark that begins with two ASCII characters."""
CONTROLS = re.compile(r"[\0-\x08\x0e-\x19\x1c-\x1f]")
LETTER = re.compile(r"[a-z]")
"""Needed because nearly any bytes are valid UTF-16."""

LINE_ENDS = re.compile(r"\r*\n|\r")
BREAKS = re.compile(r"[\f\v]")
START = re.compile(r"icetable record (\S+)")
QUOTED = re.compile(r"(?: ?> ?)*")
FENCE = re.compile(r"(`{3,}|~{3,})[^`]*")
SIGNATURE = "--"
"""The line before a mail's signature."""
STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)')
"""A string of JSON, or an unterminated one up to the end of the line."""
SOFT_BREAK = re.compile(r"=[ \t]*$")
ENCODED = re.compile(r"=(?:[0-9A-F]{2}|[ \t]*$)")
"""The only forms in which quoted-printable contains a `=`."""
ESCAPED_QUOTE = re.compile(r"&(?:quot|#34|#x22);")
ESCAPED_SPACE = re.compile(r"&(?:nbsp|#160|#xa0);")
HEAD_WORD = re.compile(r"(?:game|option|setup|nature|terms)(?: |$)")
WITH_JSON = re.compile(r"(?:option|setup|terms|log) ")
LINE_START = re.compile(r"(?:\*|\d{1,2}) \S|#|(?:log|end|game|option|setup|nature|terms)(?: |$)")
"""Matches the beginning of a record's lines. Any other line continues the wrapped line before it."""
MIN_WRAP_LENGTH = 64
"""Shorter lines are never wrapped."""
SMART_QUOTES = dict.fromkeys(map(ord, "“”„‟"), '"')
SPACES = dict.fromkeys([0x09, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
INVISIBLE = dict.fromkeys(
    [0x1A, 0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A), 0xFEFF]
)
DASHES = dict.fromkeys([*range(0x2010, 0x2014), 0x2212], "-")
UNPLAIN = re.compile(r"[\t\x1a&]|  ")
PLAIN = {**SPACES, **INVISIBLE, **DASHES}

NO_RECORD_ERROR = f"the first line of a record is {FIRST_LINE!r}"


class NumberedLine(NamedTuple):
    """A line of a text."""

    number: int
    """Its number, from 1."""
    text: str
    """The line."""


# Bytes


def decoded(content: bytes) -> str:
    """Decode a file in UTF-8, UTF-16 or UTF-32, with or without a byte order mark. Raises BadRecord."""
    mark, encoding = next((each for each in MARKS if content.startswith(each[0])), (b"", _unmarked(content)))
    try:
        text = content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8" or b"\0" in content:
            raise BadRecord("this is not text, so it is not a record") from None
        before = content[: len(mark) + error.start].decode()
        number = len(LINE_ENDS.findall(before)) + 1
        raise BadRecord(f"line {number} is not in UTF-8; save the record as a text in UTF-8 or UTF-16") from None
    if CONTROLS.search(text) or (encoding != "utf-8" and not LETTER.search(text)):
        raise BadRecord("this is not text, so it is not a record")
    return text


def _unmarked(content: bytes) -> str:
    return ZEROS.get("".join("0" if byte else "1" for byte in content[:4]), "utf-8")


# Lines


def starts_of(text: str) -> list[int]:
    """The numbers of the lines at which records begin."""
    return [line.number for line in _physical(text) if _is_start(line)]


def select_record(text: str, number: int) -> str:
    """A text with only one of its records, counted from 1. All lines keep their numbers.

    Raises BadRecord if there is no record with this number.
    """
    starts = starts_of(text)
    if not 1 <= number <= len(starts):
        raise BadRecord(f"there is no record {number}: {counted(starts) if starts else NO_RECORD_ERROR}")
    lines = LINE_ENDS.split(text)
    end = starts[number] - 1 if number < len(starts) else len(lines)
    return "\n" * (starts[number - 1] - 1) + "\n".join(lines[starts[number - 1] - 1 : end])


def lines_of(text: str) -> list[NumberedLine]:
    """The lines of the record in a text, restored to their original form.

    Raises BadRecord unless there is exactly one record with certain boundaries.
    """
    lines = list(_physical(text))
    starts = [index for index, line in enumerate(lines) if _is_start(line)]
    if not starts:
        raise BadRecord(NO_RECORD_ERROR)
    if len(starts) > 1:
        raise BadRecord(f"{counted([lines[start].number for start in starts])}; give one of them alone")
    first = lines[starts[0]]
    if _bare(first.text) != FIRST_LINE:
        raise BadRecord(f"{NO_RECORD_ERROR}, not {short_repr(_bare(first.text))}")
    depth = _depth(first.text)
    body = list(_unquoted(lines[starts[0] :], depth))
    body = list(_fenced(body, _fence_before(lines[: starts[0]])))
    body = _unescaped(_without_soft_breaks(body))
    return _single_spaced(list(_unwrapped(body)))


def counted(starts: list[int]) -> str:
    """The number of records and their lines, in words."""
    numbers = ", ".join(map(str, starts))
    return (
        f"there is 1 record, at line {numbers}"
        if len(starts) == 1
        else (f"there are {len(starts)} records, at lines {numbers}")
    )


def _physical(text: str) -> Iterator[NumberedLine]:
    """The lines, numbered as in editors. A form feed ends a line too, but editors do not count it."""
    for number, line in enumerate(LINE_ENDS.split(text), 1):
        for part in BREAKS.split(line):
            yield NumberedLine(number, part)


def _is_start(line: NumberedLine) -> bool:
    return "record" in line.text and START.fullmatch(_bare(line.text)) is not None


def _bare(text: str) -> str:
    """A line without quotation marks of mails and surrounding space."""
    return _plain(text[_quoting(text).end() :])


def _quoting(text: str) -> re.Match[str]:
    found = QUOTED.match(text)
    assert found is not None
    return found


def _depth(text: str) -> int:
    return _quoting(text)[0].count(">")


def _unquoted(lines: Iterable[NumberedLine], depth: int) -> Iterator[NumberedLine]:
    """The lines of a mail quoted to this depth, without the marks. Raises BadRecord if some lines lost their marks."""
    lines = iter(lines)
    for line in lines:
        found = _depth(line.text)
        if found < depth and line.text.strip():
            for other in lines:
                if _depth(other.text) >= depth > 0:
                    raise BadRecord(f"line {line.number}: the lines around it are quoted with '>', but it is not")
            return
        yield NumberedLine(
            line.number, re.sub(r" ?> ?", "", line.text, count=min(found, depth)) if depth else line.text
        )


def _fence_before(lines: list[NumberedLine]) -> str:
    """The Markdown fence directly before a record, or an empty text."""
    before = next((bare for line in reversed(lines) if (bare := _bare(line.text))), "")
    found = FENCE.fullmatch(before)
    return found[1] if found else ""


def _fenced(lines: list[NumberedLine], fence: str) -> Iterator[NumberedLine]:
    """The lines up to the end of the fence, or to a mail's signature.

    Raises BadRecord if a fence without a beginning is followed by more lines.
    """
    for index, line in enumerate(lines):
        bare = _plain(line.text)
        if bare == SIGNATURE or (fence and set(bare) == set(fence) and len(bare) >= len(fence)):
            return
        if not fence and FENCE.fullmatch(bare):
            if any(_plain(other.text) for other in lines[index + 1 :]):
                raise BadRecord(
                    f"line {line.number}: {bare[:3]} ends a block that did not begin, and more lines follow"
                )
            return
        yield line


def _without_soft_breaks(lines: list[NumberedLine]) -> list[NumberedLine]:
    """Decode quoted-printable mail, recognized by lines broken with `=` and no `=` of another form.

    Raises BadRecord.
    """
    texts = [line.text for line in lines]
    if not any(map(SOFT_BREAK.search, texts)) or any(ENCODED.sub("", text).count("=") for text in texts):
        return lines
    joined: list[tuple[int, list[str]]] = []
    continues = False
    for line in lines:
        text = SOFT_BREAK.sub("", line.text)
        if continues:
            joined[-1][1].append(text)
        else:
            joined.append((line.number, [text]))
        continues = text != line.text
    try:
        return [NumberedLine(number, quopri.decodestring("".join(parts).encode()).decode()) for number, parts in joined]
    except UnicodeDecodeError:
        raise BadRecord("this record is encoded as quoted-printable, but not from a text in UTF-8") from None


def _unescaped(lines: list[NumberedLine]) -> list[NumberedLine]:
    """Decode HTML entities if every quotation mark is one."""
    is_escaped = any(ESCAPED_QUOTE.search(line.text) for line in lines) and not any('"' in line.text for line in lines)
    if is_escaped:
        lines = [NumberedLine(number, html.unescape(text)) for number, text in lines]
    if not any(" " in text for _, text in lines):  # all spaces became no-break spaces, even in names
        lines = [NumberedLine(number, text.replace("\u00a0", " ")) for number, text in lines]
    return lines


def _unwrapped(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """Join lines that a mail has wrapped."""
    number, parts, before = 0, list[str](), ""
    for line in lines:
        text = _plain(line.text)
        if parts and parts[0] and text and not LINE_START.match(text) and _has_wrapped(before, text):
            parts.append(text)
        else:
            if parts:
                yield _joined(number, parts)
            number, parts = line.number, [text]
        before = line.text
    if parts:
        yield _joined(number, parts)


def _joined(number: int, parts: list[str]) -> NumberedLine:
    return NumberedLine(number, parts[0] if len(parts) == 1 else _plain(" ".join(parts)))


def _has_wrapped(before: str, text: str) -> bool:
    """Whether a line was wrapped before a text: it ends with a space, or would have been too long."""
    return before.endswith(" ") or len(before) + 1 + len(text.partition(" ")[0]) > MIN_WRAP_LENGTH


def _single_spaced(lines: list[NumberedLine]) -> list[NumberedLine]:
    """Remove empty lines after a record, and those that some programs insert after each line."""
    while lines and not lines[-1].text:
        lines.pop()
    if len(lines) < 2 or lines[1].text:
        return lines
    full = [line for line in lines if line.text]
    end = next((index for index, line in enumerate(full[1:], 1) if not HEAD_WORD.match(line.text)), len(full))
    return [*full[:end], NumberedLine(full[end - 1].number + 1, ""), *full[end:]]


def _plain(text: str) -> str:
    """A line with typographic spaces, quotation marks and hyphens made plain if their meaning is certain."""
    if text.isascii() and not UNPLAIN.search(text):  # true for nearly all lines
        return text.strip()
    if '"' not in text and WITH_JSON.match(text.translate(PLAIN).lstrip()):
        text = text.translate(SMART_QUOTES)
    parts, end = list[str](), 0
    for string in STRING.finditer(text):
        parts += [_plain_part(text[end : string.start()]), string[0]]
        end = string.end()
    return "".join([*parts, _plain_part(text[end:])]).strip()


def _plain_part(text: str) -> str:
    return re.sub(" {2,}", " ", ESCAPED_SPACE.sub(" ", text).translate(PLAIN))
