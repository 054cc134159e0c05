"""Games, lessons and puzzles as messages for the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from icetable.server import messages

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.core.options import Option
    from icetable.extras import exercises


def describe_game(info: GameInfo, levels: list[messages.Level]) -> messages.GameInfo:
    """Describe a game for the lobby, with the levels of its bots."""
    measured = info.measured()
    usual = measured.get(info.default_players)
    return messages.GameInfo(
        name=info.name,
        title=info.title,
        summary=info.summary,
        players=info.players,
        turns=info.turns,
        default_players=info.default_players,
        options=[describe_option(option) for option in info.options],
        presets={name: messages.Options(dict(preset)) for name, preset in info.presets.items()},
        levels=levels,
        colours=list(info.colours[: info.players[1]]),
        lots=info.lots,
        measured={str(players): infobox.said for players, infobox in measured.items()},
        playing_time=usual.playing_time if usual else "",
        favours=usual.favours if usual else None,
        workshop=info.is_plain,
        teams={str(players): [*map(list, teams)] for players, teams in info.teams().items()},
    )


def describe_option(option: Option) -> messages.OptionSpec:
    """Describe an option for the lobby, leaving out the bounds that it does not have."""
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    return messages.OptionSpec(
        name=option.name,
        kind=option.kind,
        default=default,
        help=option.help,
        rule=option.rule,
        recommended=default if option.recommended is None else option.recommended,
        choices=list(option.choices) or UNSET,
        min=UNSET if option.least is None else option.least,
        max=UNSET if option.most is None else option.most,
        readings=[messages.Reading(reading.label, reading.about) for reading in option.readings] or UNSET,
        labels=list(option.labels) or UNSET,
    )


def describe_step(step: exercises.Step) -> messages.LessonStep:
    return messages.LessonStep(
        name=step.name,
        title=step.title,
        told=step.told,
        hint=step.hint,
        praise=step.praise,
        rules=list(step.rules),
        seat=step.seat,
    )


def describe_puzzle(puzzle: exercises.Puzzle) -> messages.PuzzleListed:
    """Describe a puzzle for the list, without its solution."""
    defaults = {option.name: option.default for option in puzzle.info.options if option.kind in ("choice", "bool")}
    unusual = {name: value for name, value in puzzle.options.items() if name in defaults and value != defaults[name]}
    return messages.PuzzleListed(
        name=puzzle.name,
        task=puzzle.task,
        seat=puzzle.seat,
        options=messages.Options(unusual),
        waits=puzzle.may_wait,
        level=puzzle.level,
        themes=list(puzzle.themes),
    )
