"""Where the tests, what they read, and what they test lie."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
FIXTURES = TESTS / "fixtures"
IDIOMS = TESTS / "idioms"
PAIRS = TESTS / "pairs"
MISSES = TESTS / "misses"
BENCHMARKS = ROOT / "benchmarks"
EXAMPLES = ROOT / "examples"
