"""One revision of a git clone in the benchmarks: its Python files in a temporary folder, and the findings in them."""

from __future__ import annotations

import ast
import re
import subprocess
import tarfile
import tempfile
import warnings
from pathlib import Path
from typing import Any

import trees

_EXCEPT = re.compile(rb"^([ \t]*except[ \t]+(?:\([^()\n]*\)|[\w.]+))[ \t]*,[ \t]*(\w+)[ \t]*:", re.MULTILINE)
_RAISE = re.compile(rb"^([ \t]*raise[ \t]+[\w.]+)[ \t]*,[ \t]*((?:[^\n()]|\([^\n()]*\))*)$", re.MULTILINE)
_STATEMENTS = (
    (_EXCEPT, rb"\1 as \2:"),
    (_RAISE, rb"\1(\2)"),
    (re.compile(rb"`([^`\n]+)`"), rb"repr(\1)"),
    (re.compile(rb"^([ \t]*)exec[ \t]+(?=[\w\"'])", re.MULTILINE), rb"\1None, "),
    (re.compile(rb"<>"), rb"!="),
)
_PRINT = re.compile(rb"((?:^|[:;])[ \t]*)print([ \t]+>>|(?=[ \t]+[\w\"'`%(\[]))", re.MULTILINE)


def findings(clone: Path, revision: str, *, python2: bool, limit: float) -> tuple[list[dict[str, Any]], str]:
    """The findings in a revision, and the reason why they are unknown (empty on success).

    The folder has the name of the repository, which is the name of a package if the files lie directly in it.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / clone.name.rpartition("__")[2]
        folder.mkdir()
        problem = lay_out(clone, revision, folder)
        if problem:
            return [], problem
        if python2:
            convert_python2(folder)
        linted = trees.lint(folder, limit)
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


def convert_python2(folder: Path) -> None:
    """Rewrite what only Python 2 can read in a folder's files; every statement keeps its line."""
    for path in folder.rglob("*.py"):
        data = path.read_bytes()
        converted = _converted(data)
        if converted != data:
            path.write_bytes(converted)


def _converted(data: bytes) -> bytes:
    """``print`` statements as tuples of the same width; if that is no Python 3 yet, other statements too."""
    converted = _PRINT.sub(lambda match: match[1] + b"None," + b" " * len(match[2]), data)
    if _is_python3(converted):
        return converted
    for pattern, replacement in _STATEMENTS:
        converted = pattern.sub(replacement, converted)
    return converted


def _is_python3(data: bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(data)
        except (SyntaxError, ValueError):
            return False
    return True
