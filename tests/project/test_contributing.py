"""CONTRIBUTING.md as a recipe: its commands run, and its edits fit the sources, in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from places import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HUNK = re.compile(r"^@@.*\n((?:[ +-].*\n|\n)+)", re.MULTILINE)
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", ".jax-older", "__pycache__", "*.so", "build", "dist", ".*_cache")
ONLY_COLLECTED = "python -m pytest -m unit\n"
"""The block of a whole tier: here its tests are collected, not run."""

FORGET_EDITABLE_INSTALL = """\
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in type(one).__module__]
"""
"""A ``sitecustomize``: an editable install imports the modules of this checkout, wherever a command runs."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the page, with its row."""

    row: int
    kind: str
    text: str


BLOCKS = [Block(TEXT.count("\n", 0, one.start()) + 1, one[1], one[2]) for one in BLOCK.finditer(TEXT)]


def test_page_has_blocks_that_the_test_knows() -> None:
    assert {one.kind for one in BLOCKS} == {"bash", "diff", "python"}
    assert sum(one.text == ONLY_COLLECTED for one in BLOCKS) == 1


def test_install_command_is_that_of_the_readme() -> None:
    (command,) = re.findall(r"^`(python3 -m venv .*?)` installs", TEXT, re.MULTILINE)
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, and ``python`` on the path."""
    folder = tmp_path_factory.mktemp("contributing")
    shutil.copytree(ROOT, folder / "copy", ignore=LEFT_OUT)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (folder / "bin" / "python").chmod(0o755)
    (folder / "bin" / "sitecustomize.py").write_text(FORGET_EDITABLE_INSTALL)
    return folder


@pytest.mark.soak
def test_blocks_work_in_their_order(checkout: Path) -> None:
    copy = checkout / "copy"
    for block in BLOCKS:
        match block.kind:
            case "bash":
                run(checkout, block)
            case "diff":
                edit(copy, block)
            case "python":
                write(copy, block)
        for path in (copy / "jaxmpi_lint" / "rules").glob("jm118_*.py"):
            path.write_text(path.read_text().replace("Write here: ", ""))
    rule = (copy / "docs" / "rules" / "JM118.md").read_text()
    assert rule.startswith("# JM118 barrier-in-program\n")


def run(checkout: Path, block: Block) -> None:
    """Run the commands; each has to succeed."""
    text = block.text.replace(ONLY_COLLECTED, f"{ONLY_COLLECTED.strip()} --collect-only -q\n")
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")},
        "PATH": os.pathsep.join([str(checkout / "bin"), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(checkout / "bin"), str(checkout / "copy")]),
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text], cwd=checkout / "copy", env=environment,
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"line {block.row}:\n{text}\n{done.stdout}{done.stderr}"


def edit(copy: Path, block: Block) -> None:
    """Apply the edits; the lines before each one occur once in its file."""
    for part in re.split(r"^(?=--- a/)", block.text, flags=re.MULTILINE)[1:]:
        name = part.partition("\n")[0].removeprefix("--- a/")
        path = copy / name
        for hunk in HUNK.findall(part):
            lines = [line or " " for line in hunk.removesuffix("\n").split("\n")]
            old = "".join(f"{line[1:]}\n" for line in lines if line[0] != "+")
            new = "".join(f"{line[1:]}\n" for line in lines if line[0] != "-")
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1, f"line {block.row}: {name} does not have these lines once:\n{old}"
            path.write_text(text.replace(old, new), encoding="utf-8")


def write(copy: Path, block: Block) -> None:
    """Write the file that the first line names."""
    name, _, text = block.text.partition("\n")
    path = copy / name.removeprefix("# ")
    assert not path.exists(), name
    path.write_text(text, encoding="utf-8")
