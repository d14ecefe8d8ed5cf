"""Where the tests, what they read, and what they test lie."""

from __future__ import annotations

import sysconfig
from importlib.util import find_spec
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
FIXTURES = TESTS / "fixtures"
IDIOMS = TESTS / "idioms"
PAIRS = TESTS / "pairs"
RIGHT_PROGRAMS = TESTS / "right_programs"
MISSES = TESTS / "misses"
BENCHMARKS = ROOT / "benchmarks"
EXAMPLES = ROOT / "examples"
LIBRARIES = sysconfig.get_path("purelib")


def folder_of(package: str) -> Path:
    """The folder of an installed package; without the package the one where it would be."""
    spec = find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else Path(LIBRARIES) / package
