"""The examples under the linter: what their markers say and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import EXAMPLES

MARK = re.compile(r"#! (JM\d{3}(?: JM\d{3})*)\s*$")


def marked() -> set[tuple[str, int, str]]:
    """File, row and code of every marker."""
    return {
        (path.relative_to(EXAMPLES).as_posix(), row, code)
        for path in EXAMPLES.rglob("*.py")
        for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := MARK.search(line))
        for code in match[1].split()
    }


@pytest.mark.jobs
def test_the_wrong_versions_are_found_and_the_right_ones_are_silent() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "jaxmpi_lint", "--no-cache", "--output-format", "json", "."],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    found = {(item["filename"], item["location"]["row"], item["code"]) for item in json.loads(run.stdout)}
    assert found == marked()
    assert not any(Path(name).name.startswith("right") for name, _, _ in found)
