"""What is settled when a table is opened: the game, its seats, for whom it is, and what nature draws from."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.table import fairness
from icetable.server.table.seats import BadTable, Seat, checked_level, checked_name, hash_code

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from icetable.core.game import Game, State
    from icetable.server.table.state import TableState, Viewer

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12
CODE_BYTES = 16
WIN = 840
"""The parts of a win: it can be split among any number of seats up to eight."""


class Terms(msgspec.Struct, frozen=True):
    """For whom a table is. `host` is the SHA-256 of the host's code; None where every seat was taken at once.

    `public`: it stands in the lobby, and open seats are anybody's. `live`: who watches sees the game while it is
    played. `lots`: who sits where is drawn by lot when every seat is taken. `clock`: how long everybody may think.
    """

    host: str | None = None
    public: bool = False
    live: bool = True
    lots: bool = False
    clock: messages.Clock | None = None


class Series(msgspec.Struct, frozen=True):
    """The games before that of a table: the table that it follows, and what the games add up to by seat of this one.

    `ties` decide between equal `scores`. `wins` are counted in parts (`WIN`), so that a shared one can be split.
    """

    follows: str
    games: int
    scores: tuple[int, ...]
    ties: tuple[int, ...]
    wins: tuple[int, ...]


class TableSetup(msgspec.Struct, frozen=True):
    """What was settled when a table was opened.

    `options` are complete. `secret` is what nature draws from and leaves the server only when the game is over;
    `created` is in milliseconds since 1970. `start`: the saved position that the game begins from, where it is another
    than the game's own. `form`: of the chain of its log (`fair`).
    """

    id: str
    game: str
    options: Mapping[str, object]
    seats: tuple[Seat, ...]
    secret: bytes
    created: int
    series: Series | None = None
    terms: Terms = Terms()
    start: str | None = None
    form: int = 1

    def terms_told(self) -> str | None:
        """What the table's record says was settled; None where its chain does not bind that."""
        if self.form == 1:
            return None
        seats = tuple(fairness.Sitter(seat.kind, seat.name, seat.level) for seat in self.seats)
        return fairness.Terms(self.form, self.created, seats, self.terms.lots, self.terms.clock).text()


def create_setup(
    request: messages.TableRequest, game: Game, levels: Collection[str], now: int
) -> tuple[TableSetup, messages.TableCreated]:
    """The charter of a new table of `game`, and the codes of its seats and its host. Raises GameError."""
    if len(request.seats) != game.players:
        raise BadTable(f"{game.info.title} for {game.players} needs {game.players} seats, not {len(request.seats)}")
    if request.public is True:
        game.check_public()
    seats: list[Seat] = []
    codes: dict[str, str] = {}
    invites: dict[str, str] = {}
    for number, one in enumerate(request.seats):
        code = None if one.kind == "bot" else secrets.token_hex(CODE_BYTES)
        if code is not None:
            (codes if one.kind == "person" else invites)[str(number)] = code
        lock = None if code is None else hash_code(code)
        name = "" if one.kind == "open" else checked_name(one.name, seats)
        seats.append(Seat(one.kind, name, _checked_level(one, levels), game.info.colours[number], lock))
    host = secrets.token_hex(CODE_BYTES) if invites else None
    terms = Terms(
        None if host is None else hash_code(host),
        request.public is True,
        request.live is not False,
        request.lots is True,
        _checked_clock(request.clock or None, game),
    )
    secret = secrets.token_bytes(fairness.SECRET_BYTES)
    setup = TableSetup(
        _new_id(), game.info.name, game.options, tuple(seats), secret, now, terms=terms, form=fairness.FORM
    )
    return setup, messages.TableCreated(setup.id, codes, invites, host)


def follow(table_state: TableState, viewer: Viewer, rotate: bool, now: int) -> tuple[TableSetup, messages.TableCreated]:
    """The charter of the next game of a series, and the code of each person's seat. Raises BadTable.

    With `rotate` everybody sits one seat further on, and the second seat begins. Where several people play, the codes
    of this table hold their seats there, and there is only one next game, whoever asks for it.
    """
    if not viewer.seats:
        raise BadTable("the next game is opened by who holds a seat")
    if not table_state.is_over:
        raise BadTable("the next game begins when this one is over")
    local = table_state.is_local(viewer)
    before = table_state.series()
    order = [(seat + rotate) % table_state.game.players for seat in range(table_state.game.players)]
    sitting = [table_state.seating.seats[seat] for seat in order]
    codes = {
        str(seat): secrets.token_hex(CODE_BYTES) for seat, one in enumerate(sitting) if local and one.kind == "person"
    }
    setup = msgspec.structs.replace(
        table_state.setup,
        id=_new_id() if local else _id_after(table_state.setup),
        seats=tuple(
            msgspec.structs.replace(
                one,
                colour=table_state.game.info.colours[seat],
                lock=hash_code(codes[str(seat)]) if str(seat) in codes else one.lock,
            )
            for seat, one in enumerate(sitting)
        ),
        secret=secrets.token_bytes(fairness.SECRET_BYTES),
        created=now,
        series=msgspec.structs.replace(
            before,
            scores=tuple(before.scores[seat] for seat in order),
            ties=tuple(before.ties[seat] for seat in order),
            wins=tuple(before.wins[seat] for seat in order),
        ),
        terms=msgspec.structs.replace(table_state.setup.terms, lots=False),
        start=None,
        form=fairness.FORM,
    )
    return setup, messages.TableCreated(setup.id, codes, {}, None)


def set_up(state: State, names: Sequence[str], now: int) -> tuple[TableSetup, messages.TableCreated]:
    """The charter of a table that begins from a position, all of whose seats are one browser's, to try things there.

    The table's time goes on from when the last act was made. Raises BadTable where nothing is left to try.
    """
    if state.is_terminal:
        raise BadTable("the game is over there, so there is nothing to try")
    codes = [secrets.token_hex(CODE_BYTES) for _ in names]
    colours = state.game.info.colours
    seats = [Seat("person", names[seat], None, colours[seat], hash_code(code)) for seat, code in enumerate(codes)]
    secret, created = secrets.token_bytes(fairness.SECRET_BYTES), now - (state.at or 0)
    setup = TableSetup(
        _new_id(),
        state.game.info.name,
        state.game.options,
        tuple(seats),
        secret,
        created,
        start=state.to_json(),
        form=fairness.FORM,
    )
    return setup, messages.TableCreated(setup.id, {str(seat): code for seat, code in enumerate(codes)}, {}, None)


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def _id_after(setup: TableSetup) -> str:
    """The id of the one game that follows, the same for all who ask for it."""
    digest = hmac.digest(setup.secret, b"next", "sha256")
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:ID_LENGTH])


def _checked_level(seat: messages.SeatRequest, levels: Collection[str]) -> str | None:
    if seat.kind == "bot":
        return checked_level(seat.level, levels)
    if seat.level is not None:
        raise BadTable(f"a person has no level, so it is null, not {short_repr(seat.level)}")
    return None


def _checked_clock(clock: messages.Clock | None, game: Game) -> messages.Clock | None:
    if clock is not None and not game.info.turns:
        raise BadTable(f"{game.info.title} has no turns, so no clock runs for who is to act")
    return clock
