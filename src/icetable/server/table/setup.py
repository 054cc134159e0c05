"""The setup of a table, fixed at its creation: the game, its seats, who may join, and the secret for random draws."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from icetable.core import record
from icetable.core.options import short_repr
from icetable.core.record import Head
from icetable.server import messages
from icetable.server.errors import BadTable
from icetable.server.table import fairness
from icetable.server.table.clock import SECONDS_PER_DAY
from icetable.server.table.log import SaltedName, salted, unless_erased
from icetable.server.table.seats import Seat, checked_level, checked_name, hash_code, name_for_bot, without_names

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from icetable.core.game import Game, GameInfo, State
    from icetable.server.table.log import Entry

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12
CODE_BYTES = 16
PARTS_PER_WIN = 840
"""Divisible by every number of seats up to eight, which can share a win."""
NO_WIN = Fraction()


class Terms(msgspec.Struct, frozen=True):
    """The terms of a table: access, time control, and series."""

    host: str | None = None
    """The SHA-256 of the host's code; None if every seat was taken from the start."""
    public: bool = False
    """Whether the lobby lists the table, and every client may take its open seats."""
    live: bool = True
    """Whether watchers see the game while it is played."""
    random_seats: bool = False
    """Whether the seats are assigned at random once all are taken."""
    clock: messages.Clock | None = None
    """The time control."""
    pair: bool = False
    """Whether the players change seats after every game."""
    explores: bool = False
    """Whether nobody competes here, and no position comes from a game that may be in progress (`insight`)."""
    hands: bool = True
    """In a game without turns, whether players see each other's hands over the board."""
    scripts: bool = False
    """Whether programs play, so no hand is too quick."""
    playtest: str | None = None
    """The id of the play-test that it belongs to, in which every client may take its open seats."""
    match: messages.Match | None = None
    """The length of its match."""
    plays_like: str | None = None
    """The level that the player who opened it claims to equal."""
    tournament: str | None = None
    """The id of the tournament that its game counts for."""
    source: str | None = None
    """The hash of the game's file when the table was created, if it has one."""


class Series(msgspec.Struct, frozen=True):
    """The games of a series so far: the last game's table, the number of games, and totals per seat.

    `ties` break ties between equal `scores`. `wins` are in parts of a win.
    """

    follows: str
    games: int
    scores: tuple[int, ...]
    ties: tuple[int, ...]
    wins: tuple[int, ...]

    def with_game(self, table: str, scores: Sequence[int], ties: Sequence[int], won: Sequence[int]) -> Series:
        """Add a table's game, whose win is shared by the seats with 1 in `won`."""
        wins = [PARTS_PER_WIN // max(1, sum(won)) * part for part in won]
        sums = ((self.scores, scores), (self.ties, ties), (self.wins, wins))
        return Series(table, self.games + 1, *(tuple(map(sum, zip(*pair, strict=True))) for pair in sums))

    def reordered(self, order: Sequence[int]) -> Series:
        """Reorder the totals for the next game, in which seat i has the player of seat `order[i]`."""
        scores, ties, wins = (tuple(sums[seat] for seat in order) for sums in (self.scores, self.ties, self.wins))
        return Series(self.follows, self.games, scores, ties, wins)

    @property
    def leaders(self) -> list[int]:
        """The seats with the highest score; among equals those with the best ties."""
        ranks = list(zip(self.scores, self.ties, strict=True))
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    def winners_of(self, match: messages.Match | None) -> list[int] | None:
        """The winners of a match; None if it is not decided or there is none."""
        if match is None:
            return None
        if match.until == "games":
            return self.leaders if self.games >= match.number else None
        best = max(self.wins)
        return (
            [seat for seat, wins in enumerate(self.wins) if wins == best]
            if best >= match.number * PARTS_PER_WIN
            else None
        )


class TableSetup(msgspec.Struct, frozen=True):
    """The setup of a table."""

    id: str
    """The table's id."""
    game: str
    """The name of the game."""
    options: Mapping[str, object]
    """All but those that are newer than the table."""
    seats: tuple[Seat, ...]
    """By number."""
    secret: bytes
    """The source of random draws, which is revealed when the game is over."""
    created: int
    """In milliseconds since 1970."""
    series: Series | None = None
    """The games before this one; None for the first."""
    terms: Terms = Terms()
    """Access, time control, and series."""
    start: str | None = None
    """The saved position that the game begins from; None for the usual one."""
    record: str | None = None
    """The text of the record shown, if any."""
    names: tuple[SaltedName | None, ...] = ()
    """The seats' names with their salts; None without a name and for an erased one."""
    bound: tuple[str, ...] = ()
    """The commitments to the names; "" without a name."""

    def with_salts(self) -> TableSetup:
        """The same with new salts for the names."""
        names = tuple(salted(seat.name) if seat.name else None for seat in self.seats)
        bound = tuple("" if name is None else name.commitment for name in names)
        return msgspec.structs.replace(self, names=names, bound=bound)

    def without_names(self, erased: Collection[str]) -> TableSetup:
        """The same without these names."""
        names = tuple(unless_erased(name, erased) for name in self.names)
        return msgspec.structs.replace(self, names=names, seats=without_names(self.seats, erased))

    def terms_in_record(self) -> str:
        """The terms in the table's record."""
        seats = tuple(
            fairness.SettledSeat(seat.kind, name, seat.level) for seat, name in zip(self.seats, self.bound, strict=True)
        )
        source = self.terms.source or UNSET
        return fairness.RecordedTerms(
            fairness.CHAIN_FORM, self.created, seats, self.terms.random_seats, self.terms.clock, source
        ).text()

    def chain_root(self, first: State) -> str:
        """The start of the log's chain, by the game's first position."""
        head, committed = self.head_of_record(first), fairness.commitment(self.secret)
        return fairness.root(committed, self.id, head, self.terms_in_record())

    @property
    def is_for_trying(self) -> bool:
        """Whether the table was opened for exploring, or from a position of another game."""
        return self.terms.explores or self.start is not None

    def head_of_record(self, first: State, source: str | None = None) -> Head:
        """The head of the table's record, by the game's first position. `source`: the hash of the file, if known."""
        start = None if first == first.game.start() else self.start
        return Head(self.game, self.options, start, source=source or first.game.info.source or None)

    def chain_end(self, log: Sequence[Entry], last: State) -> str:
        """The end of a finished game's chain, by its log up to the end."""
        newest = log[-1]
        return fairness.closing(newest.link, record.end_line(last) if last.is_terminal else newest.text)


def create_setup(
    request: messages.TableRequest, game: Game, levels: Collection[str], now: int
) -> tuple[TableSetup, messages.TableCreated]:
    """Create a table's setup and the codes of its seats and host. Raises GameError."""
    if len(request.seats) != game.players:
        raise BadTable(f"{game.info.title} for {game.players} needs {game.players} seats, not {len(request.seats)}")
    if request.public is True:
        game.check_public()
        if request.scripts is True:
            raise BadTable("at a table that is open to strangers nobody's hand may be as quick as a program's")
    if request.pair is True and game.players != 2:
        raise BadTable(f"a pair of games is for 2 players, not {game.players}")
    if request.explore is True:
        _check_exploring(request)
    seats: list[Seat] = []
    codes: dict[str, str] = {}
    invites: dict[str, str] = {}
    for number, seat in enumerate(request.seats):
        code = None if seat.kind == "bot" else secrets.token_hex(CODE_BYTES)
        if code is not None:
            (codes if seat.kind == "person" else invites)[str(number)] = code
        code_hash = None if code is None else hash_code(code)
        name = _name_of(seat, seats)
        seats.append(Seat(seat.kind, name, _checked_level(seat, levels), game.info.colours[number], code_hash))
    host = secrets.token_hex(CODE_BYTES) if invites else None
    terms = Terms(
        None if host is None else hash_code(host),
        request.public is True,
        request.live is not False,
        request.random_seats is True,
        _checked_clock(request.clock or None, game),
        request.pair is True,
        request.explore is True,
        request.hands is not False,
        request.scripts is True,
        match=_checked_match(request, game),
        plays_like=None if request.plays_like is UNSET else checked_level(request.plays_like, levels),
        source=game.info.source or None,
    )
    secret = secrets.token_bytes(fairness.SECRET_BYTES)
    setup = TableSetup(new_id(), game.info.name, game.options, tuple(seats), secret, now, terms=terms).with_salts()
    return setup, messages.TableCreated(setup.id, codes, invites, host)


def setup_of_next(
    setup: TableSetup, seats: Sequence[Seat], info: GameInfo, series: Series | None, is_local: bool, now: int
) -> tuple[TableSetup, messages.TableCreated]:
    """Create the setup of a series' next game, and new codes of its seats.

    `setup` is that of the previous game; `seats` and `series` are in the order of the new one. If
    `is_local`, one client holds all seats and gets new codes. Otherwise the old codes stay valid, and the next game has
    the same id for every client that requests it.
    """
    codes = {
        str(number): secrets.token_hex(CODE_BYTES)
        for number, seat in enumerate(seats)
        if is_local and seat.kind == "person"
    }
    hashes = {number: hash_code(code) for number, code in codes.items()}
    following = msgspec.structs.replace(
        setup,
        id=new_id() if is_local else id_after(setup),
        seats=tuple(
            msgspec.structs.replace(
                seat, colour=info.colours[number], code_hash=hashes.get(str(number), seat.code_hash)
            )
            for number, seat in enumerate(seats)
        ),
        secret=secrets.token_bytes(fairness.SECRET_BYTES),
        created=now,
        series=series,
        terms=msgspec.structs.replace(
            setup.terms, random_seats=False, explores=False, tournament=None, source=info.source or None
        ),
        start=None,
    ).with_salts()
    return following, messages.TableCreated(following.id, codes, {}, None)


def setup_from_position(
    state: State, names: Sequence[str], now: int, explores: bool
) -> tuple[TableSetup, messages.TableCreated]:
    """Create the setup of a table that begins from a position, where one client holds all seats to try moves.

    Its time continues from the last act. `explores`: the position is not from a game that may be in progress. Raises
    BadTable if the game is over in that position.
    """
    if state.is_terminal:
        raise BadTable("the game is over there, so there is nothing to try")
    codes = [secrets.token_hex(CODE_BYTES) for _ in names]
    colours = state.game.info.colours
    seats = [Seat("person", names[seat], None, colours[seat], hash_code(code)) for seat, code in enumerate(codes)]
    secret, created = secrets.token_bytes(fairness.SECRET_BYTES), now - (state.at or 0)
    setup = TableSetup(
        new_id(),
        state.game.info.name,
        state.game.options,
        tuple(seats),
        secret,
        created,
        terms=Terms(explores=explores, source=state.game.info.source or None),
        start=state.to_json(),
    ).with_salts()
    return setup, messages.TableCreated(setup.id, {str(seat): code for seat, code in enumerate(codes)}, {}, None)


def _check_exploring(request: messages.TableRequest) -> None:
    """Raise BadTable if somebody else could play at a table for exploring."""
    if any(seat.kind != "person" for seat in request.seats):
        raise BadTable("a table for exploring has a person on each seat, and one client holds them all")
    if request.public is True or request.clock or request.pair is True:
        raise BadTable("a table for exploring is not public, and it has no clock and no second game")


def for_seeker(setup: TableSetup, code: str) -> TableSetup:
    """Give the person's seat at a public table with open seats this code. Raises BadTable for other tables."""
    kinds = [seat.kind for seat in setup.seats]
    if not setup.terms.public or kinds.count("person") != 1 or "open" not in kinds:
        raise BadTable("a table for finding opponents is public, and has one person and open seats")
    seats = tuple(
        msgspec.structs.replace(seat, code_hash=hash_code(code)) if seat.kind == "person" else seat
        for seat in setup.seats
    )
    return msgspec.structs.replace(setup, seats=seats)


def matchmaking_key(setup: TableSetup) -> str:
    """A digest of everything that players must agree on to be matched."""
    terms = msgspec.structs.replace(setup.terms, host=None, plays_like=None)
    others = sorted((seat.kind, seat.level or "") for seat in setup.seats)
    agreed = msgspec.json.encode((setup.game, dict(setup.options), others, terms), order="sorted")
    return hashlib.sha256(agreed).hexdigest()


def for_playtest(setup: TableSetup, playtest: str) -> TableSetup:
    """Assign a table to a play-test."""
    return msgspec.structs.replace(setup, terms=msgspec.structs.replace(setup.terms, playtest=playtest))


def new_id() -> str:
    """A random id for a table."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def id_after(setup: TableSetup) -> str:
    """The id of the next game's table, derived from this table's secret."""
    digest = hmac.digest(setup.secret, b"next", "sha256")
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:ID_LENGTH])


def _name_of(seat: messages.SeatRequest, others: Collection[Seat]) -> str:
    if seat.kind == "open":
        return ""
    return name_for_bot(others) if seat.kind == "bot" and not seat.name else checked_name(seat.name, others)


def _checked_level(seat: messages.SeatRequest, levels: Collection[str]) -> str | None:
    if seat.kind == "bot":
        return checked_level(seat.level, levels)
    if seat.level is not None:
        raise BadTable(f"a person has no level, so it is null, not {short_repr(seat.level)}")
    return None


def _checked_match(request: messages.TableRequest, game: Game) -> messages.Match | None:
    match = request.match or None
    if match is not None and (request.pair is True or request.explore is True):
        raise BadTable("a match can't be a pair of games or a table for exploring")
    if match is not None and match.until == "wins" and game.players == 1:
        raise BadTable("a match for one player has a fixed number of games, whose scores add up")
    return match


def _checked_clock(clock: messages.Clock | None, game: Game) -> messages.Clock | None:
    if clock is not None and not game.info.turns:
        raise BadTable(f"{game.info.title} has no turns, so no clock can run")
    if clock is not None and clock.per == "game" and clock.seconds > SECONDS_PER_DAY:
        raise BadTable(f"a clock of more than a day is per act; one per game has up to {SECONDS_PER_DAY} seconds")
    return clock
