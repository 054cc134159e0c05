"""The stories, which the oracle and the product both live through.

On axes, from the middle of a standing piece to its sides it is 500 (L), 391 (M) and 281 (S). From the middle of a
lying one to its tip it is 910, 715 and 520 when it points to the east or north, else 910, 714 and 519; its length is
1820, 1429 and 1039.

Acts are written as "0 lift L", or "0@1500 lift L" with a time in milliseconds, and parted by semicolons. `p2 is valid
at p1` says what a lying piece attacks, `p1 is iced` or `safe` how a standing one fares; `pad of 0` and `hands` tell
the kinds, one's own without a colour; `debts are 0 L since 40, 2 any since 90` who owes what; `grace` and `pauses`
until when calls are void.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.games.stories import Story, each_story, tell

from .oracle import COLOURS, Kind, Oracle
from .product import Paired, state_of

SEATED = ("pad_", "hand_")


@dataclass(frozen=True)
class Table:
    """A position in the middle of a story."""

    position: Oracle
    effects: list[str] = field(default_factory=list)

    def acts(self, text: str) -> list[str]:
        return text.split("; ")

    def legal(self) -> set[str]:
        return set().union(*map(self.position.legal, self.position.to_act))

    def fault(self, act: str) -> str | None:
        return self.position.fault(*attempt(act))

    def apply(self, act: str) -> Table:
        text, seat, at = attempt(act)
        after = self.position.apply(text, seat, at)
        effects = state_of(self.position).apply(text, seat, None if at is None else at / 1000).effects
        return Table(after, [str(effect) for effect in effects])

    def entry(self, name: str) -> Any:
        position, (what, *of) = self.position, name.split()
        if what == "pad":
            return pad(position, int(of[-1]))
        if what[1:].isdecimal():
            return fate(position, int(what[1:]))
        shown = {
            "clock": position.clock,
            "hands": " ".join(kind_of(kind, seat) if kind else "-" for seat, kind in enumerate(position.hands)),
            "field": " ".join(f"p{piece.id}" for piece in position.field),
            "icehouse": " ".join(map(str, sorted(position.in_icehouse))) or "nobody",
            "debts": ", ".join(debts(position)) or "none",
            "grace": f"until {position.grace_until}",
            "pauses": ", ".join(f"{seat} until {until}" for seat, until in sorted(position.pause_until.items())),
        }
        return shown[what] if shown[what] != "" else "none"


def attempt(act: str) -> tuple[str, int, int | None]:
    """The text of an act, its seat and its time."""
    who, text = act.split(" ", 1)
    seat, _, at = who.partition("@")
    return text, int(seat), int(at) if at else None


def kind_of(kind: Kind, seat: int) -> str:
    """A kind of piece as a seat calls it."""
    size, colour = kind
    return size if colour == seat else f"{size}:{COLOURS[colour]}"


def pad(position: Oracle, seat: int) -> str:
    """The pieces on a pad: the own ones, then those of others, small ones first."""
    kinds = sorted(+position.pads[seat], key=lambda kind: (kind[1] != seat, kind[1], "SML".index(kind[0])))
    return " ".join(f"{position.pads[seat][kind]}{kind_of(kind, seat)}" for kind in kinds) or "nothing"


def fate(position: Oracle, id_: int) -> str:
    """How a piece on the field fares."""
    status = position.statuses()[id_]
    if next(piece.stands for piece in position.field if piece.id == id_):
        return "iced" if status.iced else "safe"
    aim = f"at p{status.points_at}" if status.points_at else "at nothing"
    valid = f"valid {aim}" if status.valid else f"not valid {aim}" if status.points_at else aim
    return valid + ", redundant" * status.redundant


def debts(position: Oracle) -> list[str]:
    """The debts: who owes what since when."""
    return [
        f"{seat} {kind_of(debt.crashed, seat) if debt.crashed else 'any'} since {debt.since}"
        for seat, debt in sorted(position.debts.items())
    ]


def begin(drawing: str | None, in_icehouse: object = "", **settings: Any) -> Table:
    """The table of three, or as many as the settings say, with which a story begins."""
    options = {name: number(value) for name, value in settings.items() if not name.startswith(SEATED)}
    if drawing is None:
        return Table(Paired(**options))
    pads, hands = (seated(settings, kind) for kind in SEATED)
    frozen = [int(seat) for seat in str(in_icehouse).split()]
    position = Paired.laid(drawing, **{"players": 3, **options}, pads=pads or None, hands=hands, in_icehouse=frozen)
    return Table(position)


def seated(settings: dict[str, Any], kind: str) -> dict[int, str]:
    """The settings of a kind, by seat."""
    return {int(name.removeprefix(kind)): str(value) for name, value in settings.items() if name.startswith(kind)}


def number(value: Any) -> Any:
    """The value of an option, which may be a decimal number."""
    return float(value) if str(value).replace(".", "", 1).isdecimal() and "." in str(value) else value


@each_story(Path(__file__).parent)
def test_story(story: Story) -> None:
    tell(story, begin)
