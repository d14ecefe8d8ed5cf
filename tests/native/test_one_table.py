"""A new code or option of the sanitizer needs one row of a table: Python, C++ and the pages follow from it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from places import ROOT, TESTS

from .building import COMPILERS, need_tools

CATALOGUE = "jaxmpi_lint/runtime/findings/catalogue.py"
OPTIONS = "jaxmpi_lint/runtime/settings/options.py"
ROW = """    Entry(
        "JS499",
        _WARNING,
        "lost-marble",
        "A rank has lost its marble.",
        "Look under the table.",
        kinds=("lost_marble",),
    ),
    *xla_catalogue.TABLE,
"""
OPTION = """TABLE = (
    Option("marbles", 7, Integer(0, 9), "Marbles of each rank.", in_core=True),
    Option("colour", "red", Choice(("red", "blue")), "Their colour.", in_core=True),
"""
# What Python says of a finding of the new kind, in the copy and nowhere else: `-S` leaves out installed packages.
SCRIPT = """
import sys
sys.path[:0] = {paths!r}
from pathlib import Path
from sanitizer.snapshots import job, noticed, rank, signature
from jaxmpi_lint.command import explain
from jaxmpi_lint.runtime.findings import catalogue
from jaxmpi_lint.runtime.judging import mismatches
from jaxmpi_lint.runtime.reports import jsonl
from jaxmpi_lint.runtime.settings import options, options_page
raw = noticed("nothing", signature(""), signature(""), kind="lost_marble", text="it is gone")
found = mismatches.single(raw, job(rank(0), rank(1)))
jsonl.append("found.jsonl", [jsonl.as_object(found)])
explain.explain("JS499", [], sys.stdout, color=False)
print("## JS499" in catalogue.page().replace("###", "##"), "`marbles`" in options_page.page())
print(options.parse("marbles=3:colour=blue"))
"""
CPP = """
#include <cstdio>
#include "core_options.hpp"
#include "enumerations.hpp"
int main() {
  jaxmpi::CoreOptions options;
  std::printf("%u ", options.marbles);
  set_option(options, "marbles", "3");
  set_option(options, "colour", "blue");
  const bool blue = options.colour == jaxmpi::CoreOptions::Colour::kBlue;
  std::printf("%u %d %s\\n", options.marbles, blue, name_of(jaxmpi::FindingKind::kLostMarble));
}
"""


def ran(*command: str | Path, folder: Path) -> str:
    """What the command printed; the test fails if the command does."""
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def replaced(path: Path, old: str, new: str) -> None:
    """Edit a file in which `old` stands once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package with a further code and two further options."""
    shutil.copytree(ROOT / "jaxmpi_lint", tmp_path / "jaxmpi_lint", ignore=shutil.ignore_patterns("__pycache__"))
    replaced(tmp_path / CATALOGUE, "    *xla_catalogue.TABLE,\n", ROW)
    replaced(tmp_path / OPTIONS, "TABLE = (\n", OPTION)
    return tmp_path


def test_python_follows_the_row(copy: Path) -> None:
    libraries = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    script = SCRIPT.format(paths=[str(copy), str(TESTS), *libraries])
    said = ran(sys.executable, "-S", "-c", script, folder=copy)
    assert said.startswith("# JS499 lost-marble\n\nSeverity: warning.\n\nA rank has lost its marble.")
    assert said.endswith("True True\n{'marbles': 3, 'colour': 'blue'}\n")
    found = json.loads((copy / "found.jsonl").read_text(encoding="utf-8"))
    assert (found["code"], found["severity"], found["remedy"]) == ("JS499", "warning", "Look under the table.")


def test_cpp_follows_the_row(copy: Path) -> None:
    need_tools()
    compiler = next(filter(None, map(shutil.which, COMPILERS)))
    ran(sys.executable, "-S", copy / "jaxmpi_lint/runtime/native/generate.py", "made", folder=copy)
    (copy / "program.cpp").write_text(CPP, encoding="utf-8")
    ran(compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-Imade", "program.cpp", "-o", "program", folder=copy)
    assert ran(copy / "program", folder=copy) == "7 3 1 lost_marble\n"


def generate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = root / "jaxmpi_lint" / "runtime" / "native" / "generate.py"
    command = [sys.executable, *arguments[:-1], str(script), arguments[-1]]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_native_side_was_built_from_the_tables() -> None:
    need_tools()
    done = generate(ROOT, "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_word_that_two_codes_have_is_named(copy: Path) -> None:
    replaced(copy / CATALOGUE, 'kinds=("lost_marble",)', 'kinds=("leak",)')
    done = generate(copy, "-S", "--check")
    assert done.returncode == 1
    assert "catalogue.py: JS499 has the word leak, which FindingKind has already" in done.stderr


def test_package_of_another_tree_is_not_taken(copy: Path) -> None:
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert "is not of this source tree" in done.stderr
