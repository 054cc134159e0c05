"""Finds a Python new enough for icetable. Runs on Python 3.6, so that old versions can report the problem."""

import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
NAMES = ["python3.%d" % minor for minor in range(14, OLDEST[1] - 1, -1)]


def ensure():
    # type: () -> None
    """Return if this Python is new enough; otherwise continue in a newer one, or exit with a sentence."""
    if sys.version_info >= OLDEST:
        return
    newer = find()
    if newer is None:
        sys.exit(
            "./%s: icetable needs Python %d.%d or newer; this is %d.%d, and no newer one was found here."
            % (os.path.basename(sys.argv[0]), OLDEST[0], OLDEST[1], sys.version_info[0], sys.version_info[1])
        )
    sys.stdout.flush()
    sys.exit(subprocess.call([newer] + sys.argv))


def find():
    # type: () -> str | None
    """The path of a newer Python: one on PATH, otherwise one that uv finds."""
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and works(path):
            return path
    uv = shutil.which("uv")
    if uv is None:
        return None
    version = ">=%d.%d" % OLDEST
    process = subprocess.Popen(
        [uv, "python", "find", "--no-project", "--no-python-downloads", version],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        universal_newlines=True,
    )
    path = process.communicate()[0].strip()
    return path if process.returncode == 0 and works(path) else None


def works(path):
    # type: (str) -> bool
    """Whether the program starts and is new enough, which a version manager's shim may not be."""
    check = "import sys; sys.exit(sys.version_info < %r)" % (OLDEST,)
    return subprocess.call([path, "-c", check], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
