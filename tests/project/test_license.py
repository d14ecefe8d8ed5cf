"""The licence: the unmodified text, named in the metadata, and part of the wheel."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
import tomllib
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest
from places import ROOT
from sanitizer.environments import cannot_run

APACHE_2 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
"""SHA-256 of the text that the Apache Software Foundation publishes, with its appendix."""

BUILD = (
    "import sys; from scikit_build_core.build import build_wheel; build_wheel(sys.argv[1], {'wheel.cmake': 'false'})"
)


def test_license_is_the_unmodified_apache_2_text() -> None:
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == APACHE_2


def test_project_names_license_and_authors() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    assert project["license"] == "Apache-2.0"
    assert project["license-files"] == ["LICENSE"]
    assert project["authors"] == [{"name": "The jaxmpi-lint authors"}]
    assert "license-files" not in document["tool"]["scikit-build"].get("wheel", {})


@pytest.mark.jobs
def test_wheel_contains_the_license(tmp_path: Path) -> None:
    if importlib.util.find_spec("scikit_build_core") is None:
        cannot_run("not run here, missing: scikit-build-core")
    run = subprocess.run(
        [sys.executable, "-c", BUILD, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    (path,) = tmp_path.glob("*.whl")
    with ZipFile(path) as wheel:
        (license_file,) = (name for name in wheel.namelist() if name.endswith(".dist-info/licenses/LICENSE"))
        (metadata_file,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        assert hashlib.sha256(wheel.read(license_file)).hexdigest() == APACHE_2
        metadata = message_from_bytes(wheel.read(metadata_file))
    assert (metadata["License-Expression"], metadata["License-File"]) == ("Apache-2.0", "LICENSE")
    assert metadata["Author"] == "The jaxmpi-lint authors"
