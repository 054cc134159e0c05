"""A game is its file, its class and its source: what shares a name lives side by side, here and in other processes."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError, State, UnknownGame, games, lab
from icetable.cli import main
from icetable.workers import processes
from icetable.workshop import files, load_file
from icetable.workshop.files import info_of

RACE = '''
from goal import GOAL
from icetable.workshop import Game, option, squares


class Race(Game):
    """Who gets there first?

    **RA-1** The players take turns. A turn goes on by one or two.

    **RA-2** Who gets to the goal wins.
    """

    most = option(2, 3, rule="RA-1")

    def board(self):
        return squares(1, 1)

    def acts(self, table):
        return [str(step) for step in range(1, self.most + 1)]

    def play(self, table, act):
        table.gain(int(act))
        table.end_turn()

    def over(self, table):
        return "RA-2" if max(table.score) >= GOAL else None
'''
SPACE: dict[str, Any] = {"__name__": __name__}
exec(RACE.replace("from goal import GOAL", "GOAL = 3").replace("Race", "Kept"), SPACE)
Kept = SPACE["Kept"]
NOTEBOOK = """
import linecache, pickle, sys
import icetable
from icetable import bots, lab

def cell(number, text):
    name = f"<cell {number}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    exec(compile(text, name, "exec"), globals())
"""


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REGISTERED", {})


@pytest.fixture
def races(tmp_path: Path) -> tuple[Path, Path]:
    """Two files of one name, with equal classes: only a number in the files beside them differs."""
    return race_of(tmp_path / "v1", 4), race_of(tmp_path / "v2", 9)


def race_of(folder: Path, goal: int) -> Path:
    folder.mkdir()
    (folder / "goal.py").write_text(f"GOAL = {goal}\n", encoding="utf-8")
    (folder / "race.py").write_text(RACE, encoding="utf-8")
    return folder / "race.py"


def goal_of(state: State) -> int:
    """The goal that a state's game plays to, by the same acts on and on."""
    while not state.is_terminal:
        state = state.apply("1")
    return max(state.scores)


def goals_of(*states: State) -> tuple[list[int], list[str], bool]:
    """The goals of states and whether two are equal, as another process finds."""
    found = [str(icetable.games.info_of(state.game).identity) for state in states]
    return [goal_of(state) for state in states], found, states[0] == states[1]


def test_files_of_one_name_play_their_own_rules_side_by_side(races: tuple[Path, Path]) -> None:
    both = [icetable.load(path) for path in races]
    rng = np.random.default_rng(1)
    for _ in range(20):
        states = [game.start() for game in both]
        while not all(state.is_terminal for state in states):
            for at, (state, goal) in enumerate(zip(states, (4, 9), strict=True)):
                assert state.is_terminal == (max(state.scores) >= goal)
                if not state.is_terminal:
                    states[at] = state.apply(state.game.random_act(state, rng))
    assert both[0] != both[1]
    assert both[0].start() != both[1].start()
    assert len({*both, *map(icetable.load, races)}) == 2
    assert [eval(repr(game)) for game in both] == both


def test_they_stay_apart_in_pickles_and_in_other_processes(races: tuple[Path, Path]) -> None:
    states = [icetable.load(path, most=3).start().apply("1") for path in races]
    assert pickle.loads(pickle.dumps(states)) == states == copy.deepcopy(states)
    expected = [4, 9], [str(state.game.info.identity) for state in states], False
    with processes(1) as pool:
        assert pool.submit(goals_of, *states).result() == expected
        assert pool.submit(goals_of, *pickle.loads(pickle.dumps(states))).result() == expected


def test_an_older_version_plays_on_after_its_file_has_changed(races: tuple[Path, Path]) -> None:
    path, _ = races
    before = icetable.load(path).start()
    (path.parent / "goal.py").write_text("GOAL = 6\n", encoding="utf-8")
    after = icetable.load(path).start()
    assert (goal_of(before), goal_of(after)) == (4, 6)
    assert before.game != after.game
    assert [goal_of(state) for state in pickle.loads(pickle.dumps([before, after]))] == [4, 6]
    with processes(1) as pool:
        assert pool.submit(goal_of, after).result() == 6
        with pytest.raises(UnknownGame, match=r"race\.py is not as it was when its game was loaded: load it again"):
            pool.submit(goal_of, before).result()
        assert pool.submit(goal_of, after).result() == 6


def test_another_machine_finds_a_file_that_it_lists(races: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    state = icetable.load(races[0], most=3).start()
    races[0].parent.rename(races[0].parent.with_name("elsewhere"))
    monkeypatch.setenv("ICETABLE_GAMES", str(races[0].parent.with_name("elsewhere") / "race.py"))
    with processes(1) as pool:
        assert pool.submit(goal_of, state).result() == 4
    monkeypatch.setenv("ICETABLE_GAMES", str(races[1]))
    with processes(1) as pool, pytest.raises(UnknownGame, match="is not as it was"):
        pool.submit(goal_of, state).result()


def test_a_file_that_fails_leaves_the_game_before(races: tuple[Path, Path]) -> None:
    path, _ = races
    before = icetable.load(path).start()
    (path.parent / "goal.py").write_text("GOAL = 1 / 0\n", encoding="utf-8")
    with pytest.raises(icetable.GameError, match="division by zero"):
        icetable.load(path)
    assert icetable.load("race").start() == before
    assert goal_of(pickle.loads(pickle.dumps(before))) == 4


def test_a_name_that_several_files_have_is_refused_and_a_record_finds_its_own(races: tuple[Path, Path]) -> None:
    states = [icetable.load(path).start().apply("2").apply("1") for path in races]
    assert [icetable.replay(state.record()) for state in states] == states
    with pytest.raises(UnknownGame, match=r"several games are called 'race': give the path of .*v1.race\.py or .*v2"):
        icetable.load("race")
    with pytest.raises(UnknownGame, match="several games"):
        icetable.from_json(states[0].to_json())
    with pytest.raises(UnknownGame, match=r"two games are called 'race', .*v1.race\.py and .*v2.race\.py; give the"):
        games.check_names()


def test_a_file_may_have_a_name_of_the_house_but_not_on_a_server(tmp_path: Path) -> None:
    text = Path(icetable.load("squad").info.file).read_text(encoding="utf-8")  # type: ignore[attr-defined]
    (tmp_path / "mine.py").write_text(text.replace("need", "want"), encoding="utf-8")
    mine, house = icetable.load(tmp_path / "mine.py"), icetable.load("squad")
    assert mine.info.name == house.info.name == "squad"
    assert mine != house
    assert icetable.replay(mine.start().record()).game == mine
    assert icetable.replay(house.start().record()).game == house
    with pytest.raises(UnknownGame, match=r"two games are called 'squad', a built-in one and .*mine\.py"):
        games.check_names()


def test_a_server_names_the_files_whose_games_share_a_name(
    races: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *map(str, races), "--check"]) != 0
    assert "two games are called 'race'" in capsys.readouterr().err


def test_a_subclass_imports_the_file_beside_it(races: tuple[Path, Path], tmp_path: Path) -> None:
    """So it does if both are loaded, and if there is another file of that name in the folder of the program."""
    changed = "from race import Race\n\n\nclass Long(Race):\n    def acts(self, table):\n        return ['1']\n"
    for path in races:
        (path.parent / "long.py").write_text(changed, encoding="utf-8")
    long = [icetable.load(path.parent / "long.py") for path in races]
    assert [goal_of(game.start()) for game in long] == [4, 9]
    assert [game.start().legal_actions() for game in (long[0], icetable.load(races[0]))] == [["1"], ["1", "2"]]
    assert "RA-2" in long[0].info.rules()
    (races[0].parent / "goal.py").write_text("GOAL = 5\n", encoding="utf-8")
    assert icetable.load(races[0].parent / "long.py") != long[0]


def test_classes_of_one_name_and_source_are_told_apart() -> None:
    def race(goal: int) -> Any:
        space: dict[str, Any] = {"__name__": __name__}
        exec(RACE.replace("from goal import GOAL", f"GOAL = {goal}"), space)
        return space["Race"]

    one, other = race(3), race(7)
    states = [icetable.load(design).start() for design in (one, other)]
    assert states[0] != states[1]
    assert [goal_of(state) for state in states] == [3, 7]
    assert copy.deepcopy(states) == states


def test_two_classes_of_a_file_are_two_games(tmp_path: Path) -> None:
    text = RACE.replace("from goal import GOAL", "GOAL = 3") + "\n\nclass Short(Race):\n    players = 3\n"
    (tmp_path / "race.py").write_text(text, encoding="utf-8")
    short = load_file(tmp_path / "race.py")
    race = info_of(short.design.__bases__[0])
    assert (short.name, race.name, short.path == race.path) == ("short", "race", True)
    with processes(1) as pool:
        found = pool.submit(goals_of, race.load().start(), short.load().start()).result()
    assert found == ([3, 3], [str(race.identity), str(short.identity)], False)


def test_the_source_is_all_that_says_rules(races: tuple[Path, Path]) -> None:
    """Constants beside the class and imports in methods too, but not what the file does as a script."""
    path, _ = races
    text = RACE.replace('return "RA-2"', 'from later import LATER\n\n        return "RA-2"').replace("GOAL", "SOON")
    found = []
    for changed in (text, text + "\n\nif __name__ == '__main__':\n    print(1)\n", text.replace("gain(", "gain(1 * ")):
        path.write_text(changed, encoding="utf-8")
        (path.parent / "goal.py").write_text("SOON = 4\n", encoding="utf-8")
        found.append(load_file(path).source)
    (path.parent / "later.py").write_text("LATER = 3\n", encoding="utf-8")
    found.append(load_file(path).source)
    (path.parent / "goal.py").write_text("SOON = 5\n", encoding="utf-8")
    found.append(load_file(path).source)
    assert found[0] == found[1]
    assert len(set(found)) == 4


def test_the_lab_compares_them_and_names_their_paths(
    races: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "compare", *map(str, races), "--blocks", "20", "--jobs", "2", "--json"]) == 0
    found = {row["measure"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["length"]["a"] < found["length"]["b"]
    assert lab.ask(str(races[0]), seconds=0, against=str(races[1])).title == "Race (v1/race.py) and Race (v2/race.py)"
    plans = [lab.Plan(str(path), blocks=2) for path in races]
    assert plans[0] != plans[1]
    assert plans[0] == lab.Plan(str(races[0]), blocks=2) == pickle.loads(pickle.dumps(plans[0]))
    kept = [lab.run(plan, tmp_path / f"run{number}").hash for number, plan in enumerate(plans)]
    assert [lab.open_run(tmp_path / f"run{number}").hash for number in range(2)] == kept
    assert lab.open_run(tmp_path / "run1").plan == plans[1]
    with pytest.raises(GameError, match="another version of race"):
        lab.run(plans[1], tmp_path / "run0")


def test_a_run_of_a_class_without_a_name_in_the_registry_goes_on(tmp_path: Path) -> None:
    first = lab.run(lab.Plan(Kept, blocks=2, seats=["random"]), tmp_path)
    again = lab.run(lab.Plan(Kept, blocks=4, seats=["random"]), tmp_path)
    assert again.rows[: len(first.rows)] == first.rows
    with pytest.raises(GameError, match="there is no game 'kept'"):
        lab.open_run(tmp_path)


def program(tmp_path: Path, text: str, *arguments: str, stdin: bool = False) -> str:
    """The output of a program that a notebook or an interpreter could have run."""
    command = [sys.executable, *(["-"] if stdin else ["-c", text]), *arguments]
    given = text if stdin else None
    done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("stdin", [False, True])
def test_a_class_without_a_file_plays_everywhere(tmp_path: Path, stdin: bool) -> None:
    text = (
        RACE.replace("from goal import GOAL", "GOAL = 4")
        + """
import icetable
from icetable import bots, envs, lab

state = icetable.load(Race).start()
assert state == icetable.load(Race).start()
print(bots.Bot(Race, "casual").choose(state, 0) in state.legal_actions())
print(len(lab.run(lab.Plan(Race, blocks=3)).rows), envs.Batch(Race, 4).n)
try:
    icetable.load(type("Broken", (Race,), {"acts": lambda self, table: 1 / 0})).start()
except icetable.GameError as error:
    print("ZeroDivisionError" in str(error))
before = state
class Race(Race):
    players = 3
print(icetable.load(Race).start() == before)
"""
    )
    assert program(tmp_path, text, stdin=stdin).split() == ["True", "3", "4", "True", "False"]


def test_a_class_of_a_notebook_is_taken_to_workers(tmp_path: Path) -> None:
    """With its globals, as they are: a cell that is run again makes another game."""
    text = (
        NOTEBOOK
        + f"""
race = {RACE.replace("from goal import GOAL", "")!r}
cell(1, "GOAL = 4")
cell(2, race)
first = Race
plan = lab.Plan(Race, blocks=25, seats=["random"])
print(lab.run(plan, jobs=2).rows == lab.run(plan).rows)
print(pickle.loads(pickle.dumps(plan)) == plan)
cell(3, race)
print(lab.Plan(Race, blocks=25, seats=["random"]) == plan, icetable.load(first) == icetable.load(Race))
from icetable.workshop.checking import rules_in_over
print(*rules_in_over(icetable.games.info_of(Race)))
sys.modules["cloudpickle"] = None
try:
    lab.run(plan, jobs=2)
except icetable.GameError as error:
    print(error)
"""
    )
    *found, refused = program(tmp_path, text).splitlines()
    assert found == ["True", "True", "False False", "RA-2"]
    assert refused.startswith("Race can't be sent to other processes, so use jobs=1: other processes can't import Race")
    assert "save it in a file" in refused


def test_a_script_with_a_class_takes_it_to_workers(tmp_path: Path) -> None:
    script = RACE.replace("from goal import GOAL", "GOAL = 4") + (
        "\n\nclass Other(Race):\n    players = 3\n\n\nif __name__ == '__main__':\n    from icetable import lab\n"
        "    plan = lab.Plan(Race, blocks=25, seats=['random'])\n"
        "    print(lab.run(plan, jobs=2).rows == lab.run(plan).rows)\n"
    )
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False
    )
    assert done.stdout.split() == ["True"], done.stderr
