"""Files loaded by path, and the files beside them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from icetable.workshop.files import files_with_neighbours, labels_of, load_module

FILES = {
    "main.py": """
        from __future__ import annotations
        import json, net, package.deep.leaf
        import package.deep as renamed
        from net import net
        from folder.two import WHO as second
        from package import one
        import numpy

        def found():
            import main
            from later import WHO
            assert main.found is found and json.loads("1") == 1 and numpy.ones(1)
            return [net(), package.deep.leaf.WHO, renamed.leaf.WHO, second, one.WHO, one.WHO_TOO, WHO]
    """,
    "net.py": "from later import WHO\ndef net():\n    return WHO",
    "later.py": "import net\nWHO = {who!r}",
    "json.py": "1 / 0",
    "package/__init__.py": "from . import one",
    "package/one.py": "from .deep.leaf import WHO\nfrom later import WHO as WHO_TOO",
    "package/deep/__init__.py": "",
    "package/deep/leaf.py": "WHO = {who!r}",
    "folder/two.py": "WHO = {who!r}",
    "numpy/notes.txt": "a folder, no package",
}


def written(folder: Path, who: str, files: Mapping[str, str] = FILES) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        lines = text.replace("{who!r}", repr(who)).strip("\n").splitlines()
        (folder / name).write_text("\n".join(line.removeprefix(" " * 8) for line in lines) + "\n", encoding="utf-8")
    return folder / "main.py"


def test_each_file_has_its_own_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the folder of one of them is among those of the program."""
    monkeypatch.syspath_prepend(tmp_path / "a")
    known, before = set(sys.modules), list(sys.path)
    modules = [load_module(written(tmp_path / who, who), "icetable_test_") for who in "ab"]
    assert [module.found() for module in modules] == [["a"] * 7, ["b"] * 7]
    assert all(name.startswith("icetable_test_") for name in set(sys.modules) - known)
    assert sys.path == before
    assert not list(tmp_path.rglob("*.pyc"))


def test_they_are_loaded_again_with_the_file(tmp_path: Path) -> None:
    """Even if they are saved twice in a second. The modules of before go on with what they had."""
    before = load_module(written(tmp_path, "a"), "icetable_test_")
    assert before.found() == ["a"] * 7
    after = load_module(written(tmp_path, "b"), "icetable_test_")
    assert after.found() == ["b"] * 7
    assert before.net() == "a"


def test_a_file_that_fails_leaves_what_was_loaded(tmp_path: Path) -> None:
    file = written(tmp_path, "a")
    before = load_module(file, "icetable_test_")
    (tmp_path / "later.py").write_text("raise SystemExit\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        load_module(file, "icetable_test_")
    assert sys.modules[before.__name__] is before
    assert before.found() == ["a"] * 7


def test_installed_packages_are_no_neighbours(tmp_path: Path) -> None:
    """A file among them must not get a second copy of each."""
    files = {"main.py": "import numpy", "numpy/__init__.py": "1 / 0"}
    assert load_module(written(tmp_path / "site-packages", "a", files), "icetable_test_").numpy is sys.modules["numpy"]
    with pytest.raises(ZeroDivisionError):
        load_module(written(tmp_path / "mine", "a", files), "icetable_test_")


def test_the_files_of_a_file_are_all_that_it_imports(tmp_path: Path) -> None:
    found = [file.relative_to(tmp_path).as_posix() for file in files_with_neighbours(written(tmp_path, "a"))]
    assert found == [name for name in sorted(FILES) if name not in ("json.py", "numpy/notes.txt")]
    (tmp_path / "net.py").write_text("not Python", encoding="utf-8")
    assert tmp_path / "net.py" in files_with_neighbours(tmp_path / "main.py")


def test_labels_tell_files_apart() -> None:
    assert labels_of([Path("/a/x.py"), Path("/b/y.py"), Path("/a/x.py")]) == ["x.py", "y.py", "x.py"]
    assert labels_of([Path("/a/x.py"), Path("/a/b/x.py"), Path("/a/y.py")]) == ["x.py", "b/x.py", "y.py"]
