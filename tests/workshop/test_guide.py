"""The games of docs/workshop.md are whole: they run as they stand, and their check finds nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from icetable import games
from icetable.workshop import files
from icetable.workshop.checking import check
from icetable.workshop.files import WorkshopInfo

GUIDE = Path(__file__).parent.parent.parent / "docs" / "workshop.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEST = re.compile(r"^```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.usefixtures("few_games")
def test_its_games_are_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REGISTERED", {})
    monkeypatch.chdir(tmp_path)
    text = GUIDE.read_text(encoding="utf-8")
    for name, source in zip(("cross", "harbours", "shallow", "gentle"), BLOCK.findall(text), strict=True):
        tests = TEST.findall(text) if name == "cross" else []
        Path(f"{name}.py").write_text("\n\n".join((source, *tests)), encoding="utf-8")
        info = games.register(f"{name}.py")
        assert isinstance(info, WorkshopInfo)
        assert info.name == name
        checked = check(info)
        assert [str(one) for one in checked.findings if "may be out of reach" not in one.what] == []
        assert checked.tests == len(tests)
