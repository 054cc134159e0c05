"""Reports of studies: the figures as JSON, and a page that works offline, built by the front end."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.lab import store
from icetable.lab.infobox import infobox
from icetable.lab.measures import Measure, measures_for
from icetable.lab.positions import states
from icetable.lab.running import manifest
from icetable.lab.studies import answers
from icetable.lab.usage import USAGE_MEASURES, spaces_of
from icetable.lab.worth import OPTION_MEASURES, WORTH_MEASURES

if TYPE_CHECKING:
    from icetable.lab.measures import Figures
    from icetable.lab.studies import Study

PAGE = Path(__file__).parent / "page" / "report.html"
DATA_START = '<script type="application/json" id="study">'
DATA_END = "</script>"


def keep(found: Study, folder: Path) -> None:
    """Write `estimates.json`, `report.html` and the sample games into a folder. Raises GameError and OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    content = described(found)
    store.write_json(folder / "estimates.json", content)
    for sample in found.records:
        (folder / f"{sample.name.replace(' ', '-')}.record").write_text(sample.record, encoding="utf-8")
    write_report(content, folder / "report.html")


def keep_answers(content: Mapping[str, Any], folder: Path) -> None:
    """Write `answers.json`, `report.html` and the games to watch into a folder. The content includes the title, the
    described verdicts and the command. Raises GameError and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    store.write_json(folder / "answers.json", content)
    keep_records(content["verdicts"], folder)
    write_report(content, folder / "report.html")


def keep_records(verdicts: Sequence[Mapping[str, Any]], folder: Path) -> list[Path | None]:
    """Write the games to watch into a folder, and return their paths. Raises OSError."""
    paths = [folder / f"{number}.record" if verdict["watch"] else None for number, verdict in enumerate(verdicts, 1)]
    for path, verdict in zip(paths, verdicts, strict=True):
        if path is not None:
            path.write_text(verdict["watch"]["record"], encoding="utf-8")
    return paths


def described(found: Study) -> dict[str, Any]:
    """A study as a JSON-able dict."""
    ladder, luck = found.ladder, found.luck
    return {
        "title": found.plan.game.info.title,
        "plan": found.plan.described(),
        "effort": found.effort,
        "until": found.until,
        "command": command_of(found),
        "versions": manifest(found.plan)["versions"],
        "answers": answers(found),
        "infobox": [cell._asdict() for cell in infobox(found)],
        "definitions": definitions(found),
        "strengths": {
            strength: {name: _described(figures) for name, figures in measures.items()}
            for strength, measures in found.strengths.items()
        },
        "lengths": {strength: sorted(counts.items()) for strength, counts in found.lengths.items()},
        "p_of_equal_seats": dict(found.p_values),
        "p_of_openings": dict(found.p_of_openings),
        "board": spaces_of(found.plan.game),
        "luck": None if luck is None else _described(luck._asdict()),
        "ladder": None if ladder is None else ladder.described(),
        "records": [sample._asdict() for sample in found.records],
    }


def definitions(found: Study) -> dict[str, str]:
    others = [Measure(each.__name__, each) for each in (states, *WORTH_MEASURES, *OPTION_MEASURES, *USAGE_MEASURES)]
    about = {measure.name: measure.about for measure in [*measures_for(found.plan.game), *others]}
    return {name: about[name] for name in found.best}


def _described(figures: Figures) -> dict[str, Any]:
    return {of: estimate.described() for of, estimate in figures.items()}


def command_of(found: Study) -> str:
    """The command that repeats a study."""
    game = found.plan.game
    usual = game.info.load(players=game.players).options
    changed = [f"--option {name}={value}" for name, value in game.options.items() if value != usual[name]]
    words = ["icetable lab study", shlex.quote(game.info.reference), f"--players {game.players}", *changed]
    precision = [] if found.until is None else [f"--until {found.until:g}"]
    return " ".join([*words, f"--effort {found.effort}", *precision, f"--seed {found.plan.seed}"])


def write_report(content: Mapping[str, Any], path: Path) -> None:
    """Write the page of a described study. Raises GameError if the page was never built, and OSError."""
    try:
        page = PAGE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise GameError("the page of the report is not built in this checkout; ./play builds it") from None
    before, _, rest = page.partition(DATA_START)
    _, _, after = rest.partition(DATA_END)
    data = json.dumps(content).replace("</", "<\\/")
    path.write_text(f"{before}{DATA_START}{data}{DATA_END}{after}", encoding="utf-8")
