"""The same findings, whatever the order of files, the salt of hashes, the cache and the number of processes."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from places import TESTS

PROGRAMS = ("deadlock-03", "root-05", "request-05", "window-04", "barriername-03", "object-02", "count-02", "tag-03")


def lint(folder: Path, *arguments: str, salt: str) -> list[dict[str, Any]]:
    """The findings in the order in which they are printed."""
    command = [sys.executable, "-m", "jaxmpi_lint", "--output-format", "json", "--min-confidence", "low", *arguments]
    environment = {**os.environ, "PYTHONHASHSEED": salt}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.jobs
def test_every_way_of_running_finds_the_same(tmp_path: Path) -> None:
    for name in PROGRAMS:
        shutil.copytree(TESTS / "further_pairs" / name, tmp_path / name)
    (tmp_path / "pyproject.toml").write_text("[tool.jaxmpi-lint]\n")
    files = [str(path) for path in sorted(tmp_path.rglob("*.py"))]
    random.Random(5).shuffle(files)
    first = lint(tmp_path, "--no-cache", "--jobs", "1", ".", salt="1")
    assert first
    assert lint(tmp_path, "--no-cache", "--jobs", "2", ".", salt="2") == first
    assert lint(tmp_path, "--no-cache", *files, salt="3") == first
    assert lint(tmp_path, ".", salt="4") == first
    assert lint(tmp_path, ".", salt="5") == first
