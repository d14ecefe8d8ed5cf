"""Reduced programs of real code that the linter once missed or misjudged: what it reports today, at default settings.

Each is marked with the codes that are found. ``SILENT`` lists those about which it still says nothing, and why.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from places import MISSES

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence, Severity

FILES = sorted(MISSES.glob("*.py"))

SILENT = {
    "allreduce_of_a_constant": "no rule asks whether a reduction of a constant is meant for all ranks",
    "cached_function": "the cache is equal on all ranks unless their calls differ (JM111, confidence low)",
    "disk_cache": "the result of a function that reads files counts as equal on all ranks",
    "exit_by_rank_of_the_world": "the other communicator may have one rank",
    "field_set_on_one_rank": "the two methods may be called with different communicators",
    "file_test_by_exception": "nothing in the program makes the file (JM109, confidence low)",
    "maximum_of_nothing": "whether the list is empty is not known",
    "one_slot_cache": "all ranks may make the same calls",
    "raise_if_missing": "the folder may exist before the run",
    "replicated_key": "no rule knows which arguments of a compiled function are replicated",
    "wrapped_world": "the function does not use the communicator that it takes",
}
RIGHT = {
    "raise_for_own_file": "each rank looks for a file of its own",
    "single_pass": "no collective follows",
}
FALSE = {"rank_none": "JM101: the test of the caller implies that all ranks have the value"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_findings(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = testing.lint({path.name: text})
    shown = sorted(
        (path.name, diagnostic.start.row, diagnostic.code)
        for diagnostic in found
        if diagnostic.severity is not Severity.INFO and diagnostic.confidence is not Confidence.LOW
    )
    assert shown == testing.marks({path.name: text})


def test_every_silence_has_a_reason() -> None:
    unmarked = {path.stem for path in FILES if "#!" not in path.read_text(encoding="utf-8")}
    assert unmarked == SILENT.keys() | RIGHT.keys()
    assert {path.stem for path in FILES} >= FALSE.keys()
