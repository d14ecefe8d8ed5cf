"""Answers that ask for one another."""

from __future__ import annotations

import pytest

from jaxmpi_lint.analysis.lattice.recursion import Solved

CALLS = {"f": ["g"], "g": ["h", "f"], "h": [], "loop": ["loop"], "end": ["loop", "last"], "last": []}


class Reaching:
    """Whether a function comes to ``last``."""

    def __init__(self, assumed: bool) -> None:
        self._known = Solved[str, bool](assumed)
        self.computed: list[str] = []

    def reaches(self, name: str) -> bool:
        return self._known.of(name, lambda: self._search(name))

    def _search(self, name: str) -> bool:
        self.computed.append(name)
        return name == "last" or any(self.reaches(called) for called in CALLS[name])


@pytest.mark.parametrize(
    ("name", "assumed", "reached"),
    [
        ("last", False, True),
        ("end", False, True),
        ("f", False, False),
        ("f", True, True),
        ("h", True, False),
        ("loop", False, False),
        ("loop", True, True),
    ],
)
def test_an_answer_that_is_being_computed_is_assumed(name: str, assumed: bool, reached: bool) -> None:
    assert Reaching(assumed).reaches(name) is reached


def test_each_answer_is_computed_once() -> None:
    found = Reaching(False)
    assert [found.reaches(name) for name in ("f", "g", "f", "end", "end")] == [False, False, False, True, True]
    assert sorted(found.computed) == ["end", "f", "g", "h", "last", "loop"]
