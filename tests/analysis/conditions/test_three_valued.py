"""The walk over a test: what follows for it from what is known of its parts."""

from __future__ import annotations

import pytest
from condition_programs import body_of, expression_of, text_of

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.three_valued import decide, is_truth_value, joined

KNOWN = {"yes": True, "no": False, "a < b": True}


def known(part: ir.Expression) -> bool | None:
    match part:
        case ir.Name(id=name):
            return KNOWN.get(name)
        case ir.Comparison(operators=("<",)):
            return True
    return None


OUTCOMES: list[tuple[str, bool | None]] = [
    ("yes", True),
    ("no", False),
    ("open", None),
    ("a < b", True),
    ("a > b", None),
    ("not yes", False),
    ("not no", True),
    ("not open", None),
    ("not not yes", True),
    ("not not no", False),
    ("not not not no", True),
    ("yes and yes", True),
    ("yes and no", False),
    ("no and no", False),
    ("open and no", False),
    ("no and open", False),
    ("open and yes", None),
    ("open and open", None),
    ("yes and yes and open", None),
    ("yes and open and no", False),
    ("yes or no", True),
    ("no or no", False),
    ("yes or yes", True),
    ("open or yes", True),
    ("yes or open", True),
    ("open or no", None),
    ("open or open", None),
    ("no or no or yes", True),
    ("no or open or no", None),
    ("not (yes and no)", True),
    ("not (no or open)", None),
    ("not (yes or open)", False),
    ("not yes or not no", True),
    ("not yes and open", False),
    ("(open and no) or yes", True),
    ("(open or yes) and no", False),
    ("(no or yes) and (yes and yes)", True),
    ("yes if yes else no", True),
    ("yes if no else no", False),
    ("no if yes else open", False),
    ("open if yes else yes", None),
    ("open if no else yes", True),
    ("yes if open else yes", True),
    ("no if open else no", False),
    ("yes if open else no", None),
    ("open if open else open", None),
    ("yes if open else open", None),
    ("not (no if open else no)", True),
    ("no if not yes else yes", True),
    ("-yes", None),
    ("yes == yes", None),
]


@pytest.mark.parametrize(("test", "outcome"), OUTCOMES)
def test_outcome(test: str, outcome: bool | None) -> None:
    assert decide(expression_of(test), known) is outcome


def test_the_whole_is_asked_before_its_parts_and_without_not() -> None:
    function = body_of("value = not (a and not b)\n")
    (step,) = (step for step in function.ir.steps() if isinstance(step, ir.Assign))
    assert step.value is not None
    asked: list[str] = []

    def facts(part: ir.Expression) -> None:
        asked.append(text_of(function, part))

    assert decide(step.value, facts) is None
    assert [text.strip("()") for text in asked] == ["a and not b", "a", "b"]


@pytest.mark.parametrize("told", [True, False])
def test_what_is_known_of_the_whole_is_not_asked_of_its_parts(told: bool) -> None:
    def facts(part: ir.Expression) -> bool | None:
        return told if isinstance(part, ir.BooleanOperation) else not told

    assert decide(expression_of("yes and no"), facts) is told
    assert decide(expression_of("not (yes and no)"), facts) is not told


@pytest.mark.parametrize(
    ("operator", "outcomes", "outcome"),
    [
        ("and", [True, True], True),
        ("and", [True, False], False),
        ("and", [None, False], False),
        ("and", [None, True], None),
        ("and", [], True),
        ("or", [False, False], False),
        ("or", [False, True], True),
        ("or", [None, True], True),
        ("or", [None, False], None),
        ("or", [], False),
    ],
)
def test_joined(operator: str, outcomes: list[bool | None], outcome: bool | None) -> None:
    assert joined(operator, outcomes) is outcome


def is_called(expression: ir.Expression) -> bool:
    return isinstance(expression, ir.Call)


@pytest.mark.parametrize(
    ("text", "alone", "with_calls"),
    [
        ("not a", True, True),
        ("-a", False, False),
        ("a < b", True, True),
        ("a is None", True, True),
        ("True", True, True),
        ("False", True, True),
        ("None", False, False),
        ("1", False, False),
        ("a", False, False),
        ("a < b and not c", True, True),
        ("a < b or c", False, False),
        ("c and a < b", False, False),
        ("g()", False, True),
        ("g() and not a", False, True),
        ("g() or a", False, False),
    ],
)
def test_truth_values(text: str, alone: bool, with_calls: bool) -> None:
    assert is_truth_value(expression_of(text)) is alone
    assert is_truth_value(expression_of(text), is_called) is with_calls


@pytest.mark.parametrize(
    ("text", "truth", "stripped"),
    [
        ("a", True, ("a", True)),
        ("a", False, ("a", False)),
        ("not a", True, ("a", False)),
        ("not a", False, ("a", True)),
        ("not not a", True, ("a", True)),
        ("not not not a", False, ("a", True)),
    ],
)
def test_stripping_not(text: str, truth: bool, stripped: tuple[str, bool]) -> None:
    inner, outcome = ir.strip_not(expression_of(text), truth)
    assert (ir.dotted(inner), outcome) == stripped


@pytest.mark.parametrize("text", ["-a", "~a", "a == b", "a and b"])
def test_nothing_else_is_stripped(text: str) -> None:
    expression = expression_of(text)
    assert ir.strip_not(expression) == (expression, True)


def test_none() -> None:
    assert ir.is_none(expression_of("None"))
    assert not any(ir.is_none(expression_of(text)) for text in ("0", "False", "'None'", "none", "x.value"))
    assert not ir.is_none(None)
