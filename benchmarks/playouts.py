#!/usr/bin/env python3
"""Acts per second of random playouts on one thread, against OpenSpiel's breakthrough (6 by 6) and chinese_checkers."""

from __future__ import annotations

import openspiel
from measure import Work, arguments, chosen_game, report, side_by_side

from icetable.core.turns import TurnGame
from icetable.lab import playouts

OURS = "icetable"
PEERS = ("breakthrough", "chinese_checkers")


def loops(peer: str) -> dict[str, Work]:
    """The ways to play random games of a peer: two native ones for breakthrough, Python for chinese_checkers."""
    if peer == "breakthrough":
        return {
            "breakthrough by rollouts": openspiel.by_rollouts(openspiel.BREAKTHROUGH),
            "breakthrough by bots": openspiel.by_bots(openspiel.BREAKTHROUGH),
        }
    return {"chinese_checkers from Python": openspiel.from_python(openspiel.CHINESE_CHECKERS)}


def ours(game: TurnGame) -> Work:

    def play(games: int, seed: int) -> float:
        return int(playouts(game, games, seed=seed, threads=1).acts.sum())

    return play


def main() -> None:
    parser = arguments(__doc__, rounds=21, slice_seconds=0.05)
    parser.add_argument("--peer", choices=(*PEERS, "all"), default=PEERS[0], help="game to compare with (%(default)s)")
    chosen = parser.parse_args()
    game = chosen_game(parser, chosen)
    by_peer = {peer: loops(peer) for peer in PEERS if chosen.peer in (peer, "all")}
    programs = {OURS: ours(game)}
    for by_name in by_peer.values():
        programs |= by_name
    speeds = side_by_side(programs, chosen.rounds, chosen.slice)
    for peer, by_name in by_peer.items():
        fastest = max(by_name, key=speeds.median)
        report(
            game,
            acts_per_s=round(speeds.median(OURS)),
            peer=peer,
            peer_acts_per_s=round(speeds.median(fastest)),
            ratio=round(speeds.ratio(OURS, fastest), 2),
            quartiles=speeds.spread(OURS, fastest),
            peer_loops={name: round(speeds.median(name)) for name in by_name},
            rounds=chosen.rounds,
        )


if __name__ == "__main__":
    main()
