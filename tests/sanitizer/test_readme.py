"""The report that the README shows is the one that its command prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.runs_mpi


def test_report_shown_in_the_readme(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text()
    found = re.search(r"^JAXMPI_SANITIZE=1 (mpirun [^\n]*)\n```\n\n```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    shown = [line.strip() for line in found[2].splitlines() if line.strip()]
    assert len(shown) > 12
    command = found[1].replace("python ", f"{sys.executable} ", 1).split()
    command[0] = str(Path(sys.executable).with_name("mpirun"))
    settings = {
        "JAXMPI_SANITIZE": "1", "JAXMPI_SANITIZE_OPTIONS": f"log_dir={tmp_path}", "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    }  # fmt: skip
    run = subprocess.run(
        command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 66, run.stderr
    said = [line.strip() for line in run.stderr.splitlines()]
    assert [line for line in shown if line not in said] == []
