"""The image of the server and what runs beside it: what can be told without an engine, and the rest where there is one."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from icetable.cli import parser, settings
from icetable.server.rate_limits import Limits
from tests.test_deploy import DEPLOY, ROOT

CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
RUNNING = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
SERVER, DATABASE, PROXY = (COMPOSE["services"][name] for name in ("server", "database", "proxy"))


def instructions() -> list[tuple[str, str]]:
    """The instructions of the image, in order: the word and the rest."""
    lines = re.sub(r"(?m)^#.*\n", "", CONTAINERFILE).replace("\\\n", " ").splitlines()
    return [(word, " ".join(rest.split())) for word, _, rest in (line.partition(" ") for line in lines if line)]


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    return found[max(number for number, (word, _) in enumerate(found) if word == "FROM") :]
