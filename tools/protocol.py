#!/usr/bin/env python3
"""Writes docs/protocol-reference.md: the HTTP interface and the WebSocket messages, each with an example.

The examples are instances of the types in `icetable.server.messages`, so their fields are always right.
"""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import wire_types

from icetable import games
from icetable.analysis.results import AnalysedAct, Review, ReviewedAct, ReviewedPosition, ReviewedSeat
from icetable.server import messages as m
from icetable.server.http.api.endpoints import ERRORS
from icetable.server.http.api.games import describe_game
from icetable.server.http.api.routes import ENDPOINTS

FILE = Path(__file__).parent.parent / "docs" / "protocol-reference.md"
MAX_WIDTH = 110
"""Maximum length of a line in an example, where it can be broken."""

INTRODUCTION = """\
# Protocol reference

Every path and every message of an icetable server, each with an example. [The protocol](protocol.md) is the guide: the
order of messages, secrets, and errors.

Written by `tools/protocol.py` from the types in `src/icetable/server/messages/` and the endpoints in
`src/icetable/server/http/api/routes.py`; please edit those. In the types `?` marks a field that may be left out.
"""


class Example(NamedTuple):
    """An answer of the endpoint's type, and the body and the query of the request."""

    answer: Any
    body: msgspec.Struct | None = None
    query: str = ""


# A short game of Squad for all examples

INFO = games.info("squad")
GAME = INFO.load()
START = GAME.start()
FIRST = START.apply("C@a1")

TABLE = "k7m2p9x4"
ANN, BOB, NEW = "3f" * 16, "a8" * 16, "5c" * 16
SECRET, COMMITMENT, LINK = "07" * 32, "b1" * 32, "9e" * 32
OPTIONS = m.Options(dict(GAME.options))
CLOCK = m.Clock("game", 300, 5)
SEATS = [
    m.Seat(seat=0, kind="person", name="Ann", level=None, colour=INFO.colours[0], mine=True, gone=False),
    m.Seat(seat=1, kind="person", name="Bob", level=None, colour=INFO.colours[1], mine=False, gone=False),
]
LINE = m.Line(1, 0, "C@a1", [m.Effect(effect.kind, list(effect.spaces), effect.value) for effect in FIRST.effects])
STANDING = m.Standing(1, [2, 5], [1], None)
PROPOSAL = m.Proposal(1, 1, "draw", 0, [0])


WIRE = wire_types.MESSAGES


def table_info(proposal: m.Proposal | None = None) -> m.TableInfo:
    return m.TableInfo(
        id=TABLE,
        game=INFO.name,
        title=INFO.title,
        options=OPTIONS,
        layout=m.Layout(dict(GAME.layout())),
        turns=True,
        seats=SEATS,
        local=False,
        commitment=COMMITMENT,
        solvable=False,
        analysable=True,
        insight="over",
        standing=None,
        started=True,
        public=True,
        host=True,
        guest=[],
        hidden=False,
        clock=CLOCK,
        paused=False,
        unattended=False,
        proposal=proposal,
        rules=None,
        pair=False,
        random_seats=False,
        record=False,
        explore=False,
        hands=False,
        prototype=False,
        match=None,
        tournament=None,
    )


def start_frame() -> m.Frame:
    legal = {"0": [str(act) for act in START.legal_actions(0)]}
    return m.Frame(seq=0, line=None, view=START.view(0), legal=legal, clocks=m.Clocks([300_000, 300_000], [0]))  # type: ignore[arg-type]


def first_frame() -> m.Frame:
    clocks = m.Clocks([298_140, 300_000], [1])
    return m.Frame(seq=1, line=LINE, view=FIRST.view(0), legal={}, undo=0, clocks=clocks, entry=1)  # type: ignore[arg-type]


CREATED = m.TableCreated(TABLE, {"0": ANN}, {"1": BOB}, ANN)
STEP = m.LessonStep(
    name="place",
    title="A captain",
    instruction="Place your captain.",
    hint="Any corner is free.",
    praise="Well placed.",
    rules=["SQ-2"],
    seat=0,
)
LEVEL = m.Level("beginner", "Beginner", "Knows the rules and little else.")
TOURNAMENT = m.Tournament(
    name="Spring Cup",
    game=INFO.name,
    title=INFO.title,
    options=m.Options({"players": 2}),
    clock=CLOCK,
    kind="swiss",
    players=2,
    length=3,
    state="running",
    entrants=[m.Entrant("Ann", None, False), m.Entrant("Bob", None, False), m.Entrant("Frost", "casual", False)],
    rounds=[m.TournamentRound([m.TournamentTable(TABLE, [0, 1], [1.0, 0.0], [0, 0], 1)], [2])],
    standings=[
        m.TournamentLine(1, 0, 1.0, 1, [0.0, 0.0, 0.0, 0.0]),
        m.TournamentLine(1, 2, 1.0, 0, [0.0, 0.0, 0.0, 0.0]),
        m.TournamentLine(3, 1, 0.0, 1, [1.0, 0.0, 0.0, 0.0]),
    ],
)
LISTING = m.Listing(
    id=TABLE,
    game=INFO.name,
    title=INFO.title,
    created=1_795_300_000_000,
    seats=SEATS,
    started=True,
    live=True,
    options=m.Options({"board": 6}),
    clock=CLOCK,
    pair=False,
    match=m.Match("wins", 3),
    plays_like=None,
)
PUZZLE = m.PuzzleListed(
    name="1f6c0d2e",
    task="You play red. One move wins: find it.",
    seat=0,
    options=m.Options({}),
    waits=False,
    level="beginner",
    themes=["wins"],
)
VERDICT = m.PuzzleVerdict(is_right=None, explanation=PUZZLE.task, worth=None, best=None, reply=[], answer=[])

SUMMARY = m.Summary(
    id=TABLE,
    game=INFO.name,
    title=INFO.title,
    turns=True,
    seats=SEATS,
    started=True,
    hidden=False,
    paused=False,
    length=3,
    when=1_795_300_060_000,
    to_act=[1],
    over=False,
    winners=[],
    scores=[0, 0],
    ended_by=None,
    reason=None,
    explore=False,
    due=1_795_473_060_000,
    pair=False,
    match=m.Match("wins", 3),
    tournament=None,
    standing=STANDING,
    next=None,
)


def reviewed(seat: int, act: str, best: str, line: tuple[str, ...], regret: float, **fields: Any) -> ReviewedAct:
    """A reviewed act of a game for two without chance."""
    gifts = (regret, 0.0) if seat else (0.0, regret)
    fields = {"stake": 0.2, "luck": (0.0, 0.0), "drift": (0.0, 0.0), **fields}
    return ReviewedAct(seat=seat, act=act, kind="decision", best=best, line=line, regret=regret, gifts=gifts, **fields)


def account(share: float, start: float, gifts: float, regret: float, drift: float, accuracy: float) -> ReviewedSeat:
    """The review of a seat that made one decision."""
    causes = {"start": start, "luck": 0.0, "gifts": gifts, "regret": regret, "drift": drift, "end": 0.0}
    rates = {"luck_adjusted": share, "error_rate": 1000 * regret, "accuracy": accuracy}
    return ReviewedSeat(share=share, decisions=1, unforced=1, **causes, **rates)


REVIEW = Review(
    simulations=2000,
    seed=0,
    positions=(ReviewedPosition((0.55, 0.45)), ReviewedPosition((0.5, 0.5)), ReviewedPosition((1.0, 0.0))),
    acts=(
        reviewed(0, "C@a1", "C@b2", ("C@b2", "C@c3"), 0.06, drift=(0.01, -0.01), label="inaccuracy"),
        reviewed(1, "C@d4", "C@c3", ("C@c3",), 0.5, label="blunder"),
    ),
    seats=(account(1.0, 0.55, 0.5, 0.06, 0.01, 0.7), account(0.0, 0.45, 0.06, 0.5, -0.01, 0.0)),
    costliest=(1, 0),
    ended=None,
)
RETRIED = m.Retried(is_right=False, worth=0.31, best=0.61, reply=[], answer=[])
PLAYTEST = "w2t7k5m9"
PUSH_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
"""The example key of RFC 8291."""

NAMES = {
    "table": TABLE,
    "seq": "0",
    "game": INFO.name,
    "step": STEP.name,
    "puzzle": PUZZLE.name,
    "playtest": PLAYTEST,
    "tournament": "s5t8c2p9",
    "transfer": "9f2c41d07be35a6810cd",
}
"""The parameters of the paths."""

EXAMPLES = {
    "GET /api/games": Example(
        [
            msgspec.structs.replace(
                describe_game(INFO, [LEVEL]),
                measured={"2": "About 18 turns. No luck."},
                playing_time="2 to 4 minutes",
                favours=0,
            )
        ]
    ),
    "GET /api/rules/{game}": Example(m.RulesText(INFO.title, '<h1>Squad</h1>\n<p id="SQ-1">…</p>', INFO.colours)),
    "GET /api/games/{game}/picture.svg": Example("<svg …"),
    "GET /api/addresses": Example(
        m.Addresses([], openable=True, networks=[m.Network("192.168.0.7", "wifi", "wlan0", None)])
    ),
    "POST /api/addresses": Example(
        m.Addresses(
            ["http://192.168.0.7:8421/"],
            networks=[m.Network("192.168.0.7", "wifi", "wlan0", "http://192.168.0.7:8421/")],
        ),
        m.NetworkRequest("192.168.0.7"),
    ),
    "GET /api/tables": Example([LISTING]),
    "POST /api/seeks": Example(
        m.Seated(TABLE, 1, None, {}),
        m.SeekRequest(
            m.TableRequest(
                INFO.name,
                m.Options({"players": 2}),
                [m.SeatRequest("person", "Bob", None), m.SeatRequest("open", "", None)],
                public=True,
                plays_like="casual",
            ),
            BOB,
        ),
    ),
    "POST /api/tables/{table}/join": Example(m.Seated(TABLE, 1, None, {}), m.JoinRequest("Bob", BOB)),
    "POST /api/tables/{table}/hold": Example(SUMMARY, m.HoldRequest([BOB])),
    "POST /api/tables": Example(
        CREATED,
        m.TableRequest(
            INFO.name,
            m.Options({"players": 2}),
            [m.SeatRequest("person", "Ann", None), m.SeatRequest("open", "", None)],
            public=True,
            live=True,
            clock=CLOCK,
        ),
    ),
    "POST /api/records": Example(
        m.TableCreated(TABLE, {}, {}, None), m.RecordRequest("icetable record 1\ngame squad\n…")
    ),
    "GET /api/tables/{table}": Example(SUMMARY),
    "GET /api/tables/{table}/picture.svg": Example("<svg …"),
    "GET /api/summaries": Example([SUMMARY], query=f"tables={TABLE},d4h6j2v7"),
    "POST /api/tables/{table}/next": Example(
        m.TableCreated("q3w8n5t6", {}, {}, None), m.NextRequest([ANN], rotate=True)
    ),
    "GET /api/push": Example(m.PushKey(PUSH_KEY)),
    "POST /api/tables/{table}/notices": Example(
        m.Notices(on=True),
        m.NoticesRequest([ANN], "https://push.example.org/k7m2", PUSH_KEY, "d9rIbxDb0xjRhVvUQ3v0ag", on=True),
    ),
    "POST /api/tables/{table}/copy": Example(
        m.TableCreated("d4h6j2v7", {"0": ANN, "1": BOB}, {}, None), m.CopyRequest([ANN], 1)
    ),
    "GET /api/tables/{table}/record": Example(FIRST.record(), query="talk=1"),
    "GET /api/tables/{table}/review": Example(REVIEW),
    "GET /api/tables/{table}/review/{seq}": Example(RETRIED, query="act=C@d4"),
    "GET /api/lessons/{game}": Example(m.Lesson(INFO.name, INFO.title, [STEP])),
    "POST /api/lessons/{game}/{step}": Example(m.TableCreated("z5r7c3b8", {"0": ANN, "1": BOB}, {}, None)),
    "GET /api/lessons/{game}/{step}/{table}": Example(m.Learned(done=True)),
    "GET /api/puzzles/{game}": Example(m.PuzzleCollection(INFO.name, INFO.title, [LEVEL], [PUZZLE])),
    "GET /api/puzzles/{game}/{puzzle}/picture.svg": Example("<svg …"),
    "POST /api/puzzles/{game}/{puzzle}": Example(m.TableCreated("n9s4v8b2", {"0": ANN}, {}, None)),
    "GET /api/puzzles/{game}/{puzzle}/{table}": Example(VERDICT),
    "POST /api/playtests": Example(
        m.PlaytestCreated(PLAYTEST, NEW),
        m.TableRequest(
            INFO.name,
            m.Options({"players": 2}),
            [m.SeatRequest("open", "", None), m.SeatRequest("bot", "", LEVEL.name)],
        ),
    ),
    "GET /api/playtests/{playtest}": Example(m.Playtest(INFO.name, INFO.title, INFO.summary)),
    "POST /api/playtests/{playtest}/tables": Example(m.PlaytestVisit(TABLE)),
    "GET /api/playtests/{playtest}/report": Example(
        m.PlaytestReport(
            INFO.title,
            {"players": 2},
            [
                m.PlaytestTable(
                    table=TABLE,
                    created=1_795_300_000_000,
                    seats=SEATS,
                    acts=1,
                    over=False,
                    winners=[],
                    scores=[0, 0],
                    thinking=[6.5, None],
                    remarks=[m.PlaytestRemark("Ann", 1, "C@a1", "Too long", 1_795_300_060_000)],
                )
            ],
            m.BotGames(20, 14.5, [0.4, 0.6]),
        )
    ),
    "POST /api/transfers": Example(
        m.TransferLeft(600), m.TransferRequest(NAMES["transfer"], b"encrypted in the browser")
    ),
    "POST /api/transfers/{transfer}": Example(m.Transfer(b"encrypted in the browser")),
    "POST /api/tournaments": Example(
        m.TournamentCreated(NAMES["tournament"], NEW),
        m.TournamentRequest("Spring Cup", INFO.name, m.Options({"players": 2}), "swiss", 3, CLOCK),
    ),
    "GET /api/tournaments": Example(
        [
            m.TournamentListing(
                id=NAMES["tournament"],
                name=TOURNAMENT.name,
                game=INFO.name,
                title=INFO.title,
                clock=CLOCK,
                kind="swiss",
                players=2,
                length=3,
                state="open",
                entrants=2,
                round=0,
                created=1_795_300_000_000,
            )
        ]
    ),
    "GET /api/tournaments/{tournament}": Example(TOURNAMENT),
    "POST /api/tournaments/{tournament}/entrants": Example(m.Entered(1), m.EnterRequest("Bob", BOB)),
    "POST /api/tournaments/{tournament}/orders": Example(TOURNAMENT, m.OrganizerRequest("forfeit", 1, TABLE)),
    "GET /api/openapi.json": Example({"openapi": "3.1.0", "info": {"title": "icetable"}}),
}

CLIENT_MESSAGES: tuple[m.ClientMessage, ...] = (
    m.Join(TABLE, [ANN], m.Seen(1, 1)),
    m.Watch(),
    m.Ping(7),
    m.Pong(3),
    m.Look(0),
    m.History(501),
    m.Solve(1),
    m.Analyse(1),
    m.Hold(0, "C"),
    m.Aim(0, (12_000, 7500)),
    m.Say("ann-5", "Well played!"),
    m.Rules("ann-7", "back"),
    m.Act("ann-1", 0, "C@a1", 38),
    m.Undo("ann-2", 0),
    m.Sit("bob-1", 1, "Bob", BOB),
    m.Leave("bob-2", 1),
    m.Return("bob-3", 1),
    m.HandOver("ann-3", 0, NEW),
    m.Fill("ann-4", 1, "beginner"),
    m.Offer("bob-4", "draw"),
    m.Resign("bob-5", 1),
    m.Vote("ann-6", 1, agree=True),
)
SERVER_MESSAGES: tuple[m.ServerMessage, ...] = (
    m.Welcome(table_info(), [], start_frame(), None),
    m.Resumed(table_info(), [LINE], first_frame()),
    m.Listed([LISTING], [], whole=True),
    m.TournamentNews(TOURNAMENT),
    m.NewFrame(first_frame()),
    m.Rewound([], start_frame()),
    m.Over([LINE], m.Ending(SECRET, STANDING, "draw", LINK, reviewable=True)),
    m.Changed(table_info(PROPOSAL), first_frame()),
    m.Presence([0, 1], []),
    m.Held(1, "C"),
    m.Aimed(1, (12_000, 7500)),
    m.Said([m.ChatMessage(1, 1, "Bob", 1_795_300_060_000, "Hello!")]),
    m.Next("q3w8n5t6"),
    m.RoundNews(
        name="Spring Cup", number=2, length=3, unfinished=1, table="q3w8n5t6", against=["Ann"], bye=False, place=None
    ),
    m.Ping(3),
    m.Pong(7),
    m.Past(m.Frame(seq=0, line=None, view=START.view(0), legal={})),  # type: ignore[arg-type]
    m.HistoryPage([LINE]),
    m.Solved(1, {"C@d1": "draw", "C@d4": "win"}),
    m.Analysed(
        seq=1,
        simulations=4000,
        last=False,
        seat=1,
        worth=(0.41, 0.59),
        exact=False,
        candidates=(AnalysedAct("C@d4", (0.41, 0.59), 3120, False, ("C@d4", "F@a2")),),
        outcomes=(),
    ),
    m.Unanalysed(1, "Positions are analysed when the game is over."),
    m.Ack("ann-1", 1),
    m.Refused("ann-7", m.Fault("not-your-seat", "This browser does not hold that seat.", None, [])),
    m.Bots("thinking", 1, None),
    m.ErrorMessage("The first message joins a table."),
)


# The page


def main() -> None:
    FILE.write_text(generate(), encoding="utf-8")


def generate() -> str:
    parts = [
        INTRODUCTION,
        http_section(),
        *(endpoint_section(endpoint) for endpoint in ENDPOINTS),
        "### GET /healthz, GET /readyz\n\nPlain text for load balancers: see [Running a server](running.md).",
        "## Messages of the client",
        *(message_section(message) for message in CLIENT_MESSAGES),
        "## Messages of the server",
        *(message_section(message) for message in SERVER_MESSAGES),
        "## Types\n\nAs TypeScript. The examples above show values of them.",
        *(code("ts", WIRE.declaration(name, kind)) for name, kind in other_types().items()),
    ]
    return "\n".join(f"{part.strip()}\n" for part in parts)


def http_section() -> str:
    """The errors of all endpoints."""
    rows = [f"| {status} | {error} |" for status, error in ERRORS.items()]
    table = "\n".join(["| Status | Error |", "|--------|-------|", *rows])
    return f"## HTTP\n\nThe body of each error is an `ErrorBody`, a sentence for the player.\n\n{table}"


def endpoint_section(endpoint: Any) -> str:
    """An endpoint with its errors and an example."""
    name = f"{endpoint.method} {endpoint.path}"
    example = EXAMPLES[name]
    queries = [f"`{query.name}`{choices(query)}: {query.about}." for query in endpoint.query]
    errors = ", ".join(map(str, endpoint.statuses))
    path = "?".join(filter(None, (endpoint.path.format(**NAMES), example.query)))
    sent = f"{endpoint.method} {path}\n" + (pretty(example.body) if example.body else "")
    answer = example.answer if isinstance(example.answer, str) else pretty(example.answer)
    return "\n\n".join(
        [
            f"### {name}",
            f"{endpoint.summary}. {kinds(endpoint)}",
            *queries,
            f"Errors: {errors}.",
            code("http", sent),
            code("text" if isinstance(example.answer, str) else "json", answer),
        ]
    )


def choices(query: Any) -> str:
    return f" ({' or '.join(query.choices)})" if query.choices else ""


def kinds(endpoint: Any) -> str:
    """The types of the body and of the answer."""
    text = "plain text" if endpoint.media == "text/plain" else f"`{endpoint.media}`"
    answer = text if endpoint.answer is str else f"`{named(endpoint.answer)}`"
    body = "" if endpoint.body is None else f"Body: `{named(endpoint.body)}`. "
    until = "" if endpoint.progress is None else f" Until then 202: `{named(endpoint.progress)}`; ask again."
    return f"{body}Answer {endpoint.status}: {answer}.{until}"


def named(kind: Any) -> str:
    """The name of a type, or of a list of it."""
    inner = get_args(kind)
    if isinstance(kind, types.UnionType):
        return " | ".join(map(named, inner))
    if not inner:
        return str(kind.__name__)
    return f"{inner[0].__name__}[]" if len(inner) == 1 else "object"


def message_section(message: msgspec.Struct) -> str:
    """A message with its meaning, its fields and an example."""
    kind = type(message)
    fields = "".join(f"{member}\n" for member in WIRE.struct(kind))
    about = "\n".join(line.strip() for line in (kind.__doc__ or "").strip().splitlines())
    if docs := wire_types.field_docs(kind):
        about += "\n\n" + "\n".join(f"- `{name}`: {doc}" for name, doc in docs.items())
    return f"### {kind.__struct_config__.tag}\n\n{about}\n\n{code('ts', fields)}\n\n{code('json', pretty(message))}"


def other_types() -> dict[str, Any]:
    """The types other than messages."""
    sent = {type(message) for message in (*CLIENT_MESSAGES, *SERVER_MESSAGES)}
    unions = (m.Request, m.ClientMessage, m.ServerMessage)
    declared = WIRE.types.items()
    return {name: kind for name, kind in declared if not (kind in unions or (isinstance(kind, type) and kind in sent))}


def code(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```"


def pretty(value: Any, indent: int = 0) -> str:
    """Format a value as JSON, in several lines only if it is too long for one."""
    plain = msgspec.to_builtins(value)
    short = json.dumps(plain, ensure_ascii=False)
    if len(short) + indent <= MAX_WIDTH or not isinstance(plain, dict | list | tuple):
        return short
    inner, outer = " " * (indent + 2), " " * indent
    if isinstance(plain, list | tuple):
        lines = [f"{inner}{pretty(one, indent + 2)}" for one in plain]
        return "[\n" + ",\n".join(lines) + f"\n{outer}]"
    lines = [f'{inner}"{name}": {pretty(one, indent + 2)}' for name, one in plain.items()]
    return "{\n" + ",\n".join(lines) + f"\n{outer}}}"


if __name__ == "__main__":
    main()
