"""Texts that are not empty on any rank, so that a test for them has one outcome."""

from __future__ import annotations

import pytest

from jaxmpi_lint.interpreter.own_names import is_filled
from jaxmpi_lint.interpreter.symbols import Symbol, Symbols
from jaxmpi_lint.interpreter.values import Library

MAKE = Symbols().make
CASE = MAKE("argv")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MAKE("text", CASE, "-", 1), True),
        (MAKE("text", CASE, 1), True),
        (MAKE("text", "%s.%d", (CASE, 1)), True),
        (MAKE("text", "%s", (CASE,)), False),
        (MAKE("text", CASE), False),
        (MAKE("text", "!s", CASE), False),
        (MAKE("text", MAKE("text", CASE, "x")), True),
        (MAKE("formatted", "{}_{}", CASE, 1), True),
        (MAKE("formatted", "{}", CASE), False),
        (MAKE("formatted", "{}", 3), True),
        (MAKE("joined", "a", CASE, "b"), True),
        (MAKE("joined", "a", CASE), False),
        (MAKE("operation", "+", CASE, "-1"), True),
        (MAKE("operation", "+", CASE, 1), False),
        (MAKE("operation", "+", CASE, CASE), False),
        (MAKE("call", Library("os.path.join"), CASE, "x"), True),
        (MAKE("call", Library("os.path.join"), CASE, CASE), False),
        (CASE, False),
    ],
)
def test_text_with_a_constant_part(text: Symbol, expected: bool) -> None:
    assert is_filled(text) is expected
