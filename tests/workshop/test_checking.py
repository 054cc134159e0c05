"""The check of a game finds what breaks a promise, and nothing else."""

from __future__ import annotations

import pytest

from icetable import games
from icetable.workshop import Game
from icetable.workshop.checking import check
from icetable.workshop.examples.bastions import Bastions
from icetable.workshop.examples.beacons import Beacons
from icetable.workshop.examples.cairns import Cairns
from icetable.workshop.examples.canals import Canals
from icetable.workshop.examples.carousel import Carousel
from icetable.workshop.examples.divers import Divers
from icetable.workshop.examples.first import First
from icetable.workshop.examples.honeycomb import Honeycomb
from icetable.workshop.examples.rockfall import Rockfall
from icetable.workshop.files import WorkshopInfo, info_of
from tests.workshop.designs import Careless, Clumsy, Duel, Heap, Knockout, Lonely, Race, Restless

EXAMPLES = [Bastions, Beacons, Cairns, Canals, Carousel, Divers, First, Honeycomb, Rockfall]


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("design", [*EXAMPLES, Duel, Heap, Race, Lonely, Knockout])
def test_sound_games(design: type[Game]) -> None:
    assert check(info_of(design)).findings == []


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("name", [info.name for info in games.list_games() if isinstance(info, WorkshopInfo)])
def test_built_in_games_are_sound(name: str) -> None:
    """So are those with a kernel, which says what the class says."""
    info = games.info(name)
    assert isinstance(info, WorkshopInfo)
    assert [str(one) for one in check(info).findings if "may be out of reach" not in one.what] == []


@pytest.mark.parametrize(
    ("design", "what"),
    [
        (Restless, "a game of random acts has no end after 2000 acts"),
        (Careless, "changes the table: only start, play and reveal may"),
        (Clumsy, "has failed: AttributeError"),
    ],
)
def test_faults_are_found(design: type[Game], what: str) -> None:
    findings = [str(finding) for finding in check(info_of(design)).findings]
    assert any(what in finding for finding in findings)
    assert not any("out of reach" in finding for finding in findings)
