"""The image of the server and what runs beside it: what can be told of their files, and the rest with an engine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import uuid
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from icetable.cli import server
from tests.test_deploy import DEPLOY, ROOT, program

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVER, DATABASE, PROXY = (COMPOSE["services"][name] for name in ("server", "database", "proxy"))
RUNNING = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
OFFICIAL = re.compile(r"(python|postgres|caddy):[\w.-]+")
"""An image without the name of a registry."""


def instructions() -> list[tuple[str, str]]:
    """The instructions of the image in order, as words and what follows them."""
    text = re.sub(r"(?m)^#.*\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8")).replace("\\\n", " ")
    parts = (line.partition(" ") for line in text.splitlines() if line)
    return [(word, " ".join(rest.split())) for word, _, rest in parts]


STEPS = instructions()
LAST = dict(STEPS[max(number for number, (word, _) in enumerate(STEPS) if word == "FROM") :])
"""The last instruction of each kind in the stage that becomes the image."""
SETTINGS = dict(word.split("=", 1) for word in LAST["ENV"].split())


def test_all_included_files_exist() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for name in let_in - {".git"}:
        assert any(fnmatch(path, name) or path.startswith(f"{name}/") for path in tracked), name


def test_the_files_that_the_build_reads_are_included() -> None:
    """The README and the licence are named by pyproject.toml, the folders by the hook that builds the front end, and
    the repository says which commit it is.
    """
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    files = {"pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitattributes"}
    assert let_in == {*files, "tools", "web", "src", ".git"}


def test_the_image_runs_the_server_as_a_user_without_rights() -> None:
    assert json.loads(LAST["CMD"]) == ["icetable", "serve"]
    assert LAST["USER"] == "icetable"
    assert "useradd --uid 10001" in next(rest for word, rest in STEPS if "useradd" in rest)


def test_the_image_keeps_tables_and_kernels_on_volumes_of_its_user() -> None:
    volumes = LAST["VOLUME"].split()
    assert SETTINGS["ICETABLE_DB"].rpartition("/")[0] in volumes
    assert f"{SETTINGS['XDG_CACHE_HOME']}/icetable" in volumes
    made = next(rest for word, rest in STEPS if word == "RUN" and "install --directory" in rest)
    assert all(volume in made for volume in volumes)
    assert "--owner=icetable --mode=700" in made


@pytest.mark.parametrize("given", [SETTINGS, SERVER["environment"]], ids=["image", "compose"])
def test_its_settings_are_those_of_the_server(given: dict[str, str]) -> None:
    ours = {name: value for name, value in given.items() if name.startswith(server.PREFIX)}
    known = server.known_options()
    assert len(server.from_variables(ours, known)) == len(ours) > 0


def health(words: list[str]) -> str:
    """The address that a check of health asks."""
    compile(words[-1], "check", "exec")
    return str(re.findall(r"urlopen\('(.*?)'", words[-1])[0])


def test_both_ask_whether_the_server_is_well() -> None:
    checked = json.loads(LAST["HEALTHCHECK"].partition("CMD ")[2])
    kind, *again = SERVER["healthcheck"]["test"]
    assert (kind, again) == ("CMD", checked)
    assert health(checked) == f"http://127.0.0.1:{server.known_options()['port']}/healthz"


def test_a_database_that_is_being_set_up_is_not_ready() -> None:
    """The image's own server for that listens at no host, ends, and would take the first servers with it."""
    assert "--host=localhost" in DATABASE["healthcheck"]["test"]


def test_images_are_named_without_a_registry() -> None:
    stages = {rest.split(" AS ")[1] for word, rest in STEPS if word == "FROM" and " AS " in rest}
    bases = {rest.split()[0] for word, rest in STEPS if word == "FROM"} - stages - {"scratch"}
    for image in (*bases, DATABASE["image"], PROXY["image"]):
        assert OFFICIAL.fullmatch(image), image
    assert SERVER["image"] == "icetable"


def test_compose_builds_this_image_and_names_what_is_there() -> None:
    build = SERVER["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).resolve() == DEPLOY / "Containerfile"
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", []):
            source, *_ = volume.split(":")
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in COMPOSE["volumes"]
    assert {volume.split(":")[1] for volume in SERVER["volumes"]} <= set(LAST["VOLUME"].split())


def test_no_engine_is_asked_for_what_it_may_not_be_able_to_grant() -> None:
    """One that may not raise limits would start no server, which raises its own as far as it may."""
    assert not any("ulimits" in service for service in COMPOSE["services"].values())


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["proxy"]
    caddyfile = (DEPLOY / "container.Caddyfile").read_text()
    assert f"reverse_proxy server:{server.known_options()['port']}\n" in caddyfile
    assert set(re.findall(r"\{\$(\w+)\}", caddyfile)) == PROXY["environment"].keys()


def test_no_secret_stands_in_the_file_and_none_has_a_default() -> None:
    secrets = [SERVER["environment"]["PGPASSWORD"], DATABASE["environment"]["POSTGRES_PASSWORD"]]
    assert set(secrets) == {"${POSTGRES_PASSWORD:?is to be set in deploy/.env}"}
    assert "/deploy/.env\n" in (ROOT / ".gitignore").read_text()
    assert f"{DATABASE['environment']['POSTGRES_USER']}@database/" in SERVER["environment"]["ICETABLE_DB"]


def test_the_docs_say_the_commands_of_the_files() -> None:
    for name in ("Containerfile", "compose.yaml"):
        (said,) = re.findall(r"(?m)^#     (.+)$", (DEPLOY / name).read_text())
        assert f"    {said}\n" in RUNNING
    for variable in ("POSTGRES_PASSWORD", "SITE"):
        assert f"{variable}=" in RUNNING


def test_caddy_reads_the_file_of_the_proxy() -> None:
    words = [program("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "container.Caddyfile")]
    said = subprocess.run(words, env={"SITE": "icetable.example.org"}, capture_output=True, check=False)
    assert said.returncode == 0, said.stderr


@pytest.fixture(scope="module")
def engine() -> str:
    """A program that builds and runs images here."""
    for name in ("podman", "docker"):
        found = shutil.which(name)
        if found and subprocess.run([found, "info"], capture_output=True, check=False).returncode == 0:
            return found
    pytest.skip("there is no podman, and no docker whose engine runs")


@pytest.fixture(scope="module")
def image(engine: str) -> Iterator[str]:
    """The image, built from this checkout."""
    base = next(rest.split()[0] for word, rest in STEPS if word == "FROM")
    get = (["image", "inspect", base], ["pull", base])
    if all(subprocess.run([engine, *words], capture_output=True, check=False).returncode for words in get):
        pytest.skip(f"no registry has {base} for this machine")
    tried = subprocess.run([engine, "run", "--rm", base, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"{engine} can't run containers here: {tried.stderr.strip()}")
    name = f"icetable-test-{uuid.uuid4().hex[:8]}"
    subprocess.run([engine, "build", "--tag", name, "--file", "deploy/Containerfile", "."], cwd=ROOT, check=True)
    yield name
    subprocess.run([engine, "rmi", "--force", name], check=False)


def test_the_image_serves(engine: str, image: str) -> None:
    def run(*words: str) -> str:
        return subprocess.run([engine, *words], check=True, capture_output=True, text=True).stdout.strip()

    name = run("run", "--detach", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", image)
    try:
        assert run("exec", name, "id", "--user") == "10001"
        check = [engine, "exec", name, *json.loads(LAST["HEALTHCHECK"].partition("CMD ")[2])]
        while subprocess.run(check, capture_output=True, check=False).returncode:
            assert run("inspect", "--format={{.State.Running}}", name) == "true", run("logs", name)
        run("stop", name)
        assert run("inspect", "--format={{.State.ExitCode}}", name) == "0"
    finally:
        run("rm", "--force", "--volumes", name)
