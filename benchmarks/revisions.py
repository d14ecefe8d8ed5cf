"""One revision of a git clone in the benchmarks: its Python files in a temporary folder, and the findings in them."""

from __future__ import annotations

import re
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import trees

_PRINT = re.compile(rb"((?:^|[:;])[ \t]*)print([ \t]+>>|(?=[ \t]+[\w\"'`%(\[]))", re.MULTILINE)


def findings(clone: Path, revision: str, *, python2: bool, limit: float) -> tuple[list[dict[str, Any]], str]:
    """The findings in a revision, and the reason why they are unknown (empty on success)."""
    with tempfile.TemporaryDirectory() as temporary:
        problem = lay_out(clone, revision, Path(temporary))
        if problem:
            return [], problem
        if python2:
            convert_prints(Path(temporary))
        linted = trees.lint(Path(temporary), limit)
        return linted.findings, linted.failure or ""


def lay_out(clone: Path, revision: str, folder: Path) -> str:
    """Write the Python files of a revision into a folder; returns an error message, empty on success."""
    archive = folder / "archive.tar"
    command = ["git", "-C", str(clone), "archive", "-o", str(archive), revision, "--", "*.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        return f"git archive of {revision} failed: {done.stderr.strip().rpartition(chr(10))[2]}"
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    archive.unlink()
    return ""


def convert_prints(folder: Path) -> None:
    """Convert the ``print`` statements of a folder's files to tuples of the same width: `None,` in place of `print`."""
    for path in folder.rglob("*.py"):
        data = path.read_bytes()
        converted = _PRINT.sub(lambda match: match[1] + b"None," + b" " * len(match[2]), data)
        if converted != data:
            path.write_bytes(converted)
