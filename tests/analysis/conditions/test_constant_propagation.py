"""What follows from constants: those that a call passes, names bound once, and settings that are chosen."""

from __future__ import annotations

import pytest
from condition_programs import branch_of, function_of, named, project_of, text_of

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import Constants, arguments_of
from jaxmpi_lint.analysis.lattice.lattice import Literal

HEADER = "LIMIT = 3\nMANY = LIMIT\nNOTHING = None\nCHANGED = 1\nCHANGED = 2\n"
GIVEN: dict[str, object] = {"yes": True, "no": False, "one": 1, "none": None, "word": "a", "big": 2.5, "rebound": 1}
PARAMETERS = "yes, no, one, none, word, big, rebound, open"


def constants(expression: str, parameters: str = PARAMETERS) -> tuple[Constants, ir.Expression]:
    function = function_of(f"rebound = 2\nlocal = 5\nagain = local\nif {expression}:\n    g()", parameters, HEADER)
    given = {name: Literal.of(value) for name, value in GIVEN.items()}
    return Constants(function, given), branch_of(function)[1].test


UNKNOWN = object()
SETTING = "nonlocal inner; inner = 2"
VALUES: list[tuple[str, object]] = [
    ("1", 1),
    ("'text'", "text"),
    ("None", None),
    ("yes", True),
    ("none", None),
    ("one", 1),
    ("open", UNKNOWN),
    ("rebound", UNKNOWN),
    ("local", 5),
    ("again", 5),
    ("LIMIT", 3),
    ("MANY", 3),
    ("NOTHING", None),
    ("CHANGED", UNKNOWN),
    ("missing", UNKNOWN),
    ("(name := 4)", 4),
    ("one == 1", True),
    ("one != 1", False),
    ("one == 2", False),
    ("one != 2", True),
    ("one < 2", True),
    ("one < 1", False),
    ("one <= 1", True),
    ("one > 0", True),
    ("one > 1", False),
    ("one >= 2", False),
    ("one < open", UNKNOWN),
    ("open < one", UNKNOWN),
    ("word == 'a'", True),
    ("word < 'b'", UNKNOWN),
    ("big < 3", UNKNOWN),
    ("0 < one < 2", UNKNOWN),
    ("one in (1, 2)", True),
    ("one in (2, 3)", False),
    ("one not in (2, 3)", True),
    ("one not in (1, 2)", False),
    ("one in (open, 1)", UNKNOWN),
    ("open in (1, 2)", UNKNOWN),
    ("one in LIMIT", UNKNOWN),
    ("none is None", True),
    ("none is not None", False),
    ("one is None", False),
    ("one is not None", True),
    ("None is one", False),
    ("yes is True", True),
    ("yes is False", False),
    ("yes is not False", True),
    ("one is True", UNKNOWN),
    ("one is 1", UNKNOWN),
    ("one if yes else 2", 1),
    ("one if no else 2", 2),
    ("one if open else 2", UNKNOWN),
    ("not yes", False),
    ("not none", True),
    ("not open", UNKNOWN),
    ("-one", UNKNOWN),
    ("one == 1 and one < 2", True),
    ("one == 1 and one > 2", False),
    ("one == 1 and open == 1", UNKNOWN),
    ("one == 2 and open == 1", False),
    ("one == 1 or open == 1", True),
    ("one == 2 or one == 3", False),
    ("yes and one", UNKNOWN),
    ("not yes and one", UNKNOWN),
    ("one + 1", UNKNOWN),
    ("g()", UNKNOWN),
]


@pytest.mark.parametrize(("expression", "value"), VALUES)
def test_value(expression: str, value: object) -> None:
    known, node = constants(expression)
    found = known.of(node)
    assert found == (None if value is UNKNOWN else Literal.of(value))


OUTCOMES: list[tuple[str, bool | None]] = [
    ("yes", True),
    ("no", False),
    ("none", False),
    ("one", True),
    ("LIMIT", True),
    ("NOTHING", False),
    ("open", None),
    ("not none", True),
    ("not one", False),
    ("yes and one", True),
    ("yes and none", False),
    ("none and open", False),
    ("open and none", False),
    ("open and one", None),
    ("one or open", True),
    ("open or one", True),
    ("none or no", False),
    ("open or no", None),
    ("one > 0 and not none", True),
    ("one if yes else none", True),
    ("one if open else yes", True),
    ("one if open else none", None),
    ("not (open or yes)", False),
]


@pytest.mark.parametrize(("test", "outcome"), OUTCOMES)
def test_outcome(test: str, outcome: bool | None) -> None:
    known, node = constants(test)
    assert known.outcome(node) is outcome
    assert known.decided(node) is outcome


def test_without_constants_or_settings_nothing_is_decided() -> None:
    known, node = constants("LIMIT")
    assert Constants(known.function).decided(node) is None
    assert Constants(known.function).outcome(node) is True


def test_chosen_settings_are_joined_with_constants() -> None:
    known, node = constants("open and one")
    chosen = frozenset({("open", "", True)})
    assert Constants(known.function, known.given, chosen).decided(node) is True
    assert Constants(known.function, {}, chosen).decided(node) is None
    denied = frozenset({("open", "", False)})
    assert Constants(known.function, {}, denied).decided(node) is False
    against = frozenset({("one", "", False)})
    assert Constants(known.function, known.given, against).decided(node) is False, "what is chosen comes first"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("def f():\n    if inner:\n        g()", UNKNOWN),
        ("def f():\n    inner = 1\n    def h():\n        if inner:\n            g()", 1),
        (
            "def f():\n    inner = 1\n    def h():\n        nonlocal inner\n        inner = 2\n    if inner: g()",
            UNKNOWN,
        ),
        ("def f():\n    inner = 1\n    def k():\n        inner = 2\n    def h():\n        if inner: g()", 1),
        (f"def f():\n    inner = 1\n    def k():\n        {SETTING}\n    def h():\n        if inner: g()", UNKNOWN),
        ("inner = 1\ndef f():\n    if inner:\n        g()", 1),
        ("inner = 1\ndef f():\n    global inner\n    inner = 2\n    if inner:\n        g()", UNKNOWN),
        ("def f(inner=1):\n    if inner:\n        g()", UNKNOWN),
        ("inner = 1\ndef f(inner):\n    if inner:\n        g()", UNKNOWN),
        ("inner = inner\ndef f():\n    if inner:\n        g()", UNKNOWN),
        ("one = two\ntwo = one\ninner = one\ndef f():\n    if inner:\n        g()", UNKNOWN),
    ],
)
def test_names(body: str, value: object) -> None:
    project = project_of({"program.py": body + "\n"})
    path = "f.<locals>.h" if "def h():\n        if" in body else "f"
    function = named(project, path)
    found = Constants(function).of(branch_of(function)[1].test)
    assert found == (None if value is UNKNOWN else Literal.of(value))


def test_a_name_that_another_file_sets_is_no_constant() -> None:
    text = "inner = 1\ndef f():\n    if inner:\n        g()\n"
    for setting, known in (("program.inner = 2", False), ("program.inner=2", False), ("program.outer = 2", True)):
        function = named(project_of({"program.py": text, "other.py": f"import program\n{setting}\n"}), "f")
        found = Constants(function).of(branch_of(function)[1].test)
        assert (found is not None) is known, setting


def test_constants_of_the_call_of_an_enclosing_function() -> None:
    text = "def f(one, two):\n    two = 1\n    def h():\n        if one: g()\n        if two: g()\n"
    project = project_of({"program.py": text})
    function = named(project, "f")
    run = function.run_with({}, function.sizes, {"one": Literal.of(3), "two": Literal.of(3)})
    inner = named(project, "f.<locals>.h").run_with({}, parent=run)
    assert Constants(inner).of(branch_of(inner)[1].test) == Literal.of(3)
    assert Constants(inner).of(branch_of(inner, 1)[1].test) is None


CHAIN = [f"a{number} = a{number + 1}" for number in range(9)]


@pytest.mark.parametrize(("start", "known"), [(9, True), (4, True), (2, False), (0, False)])
def test_chains_of_names_are_followed_for_a_while(start: int, known: bool) -> None:
    text = "\n".join([*CHAIN, "a9 = 1", "def f():", f"    if a{start}:", "        g()", ""])
    function = named(project_of({"program.py": text}), "f")
    assert (Constants(function).outcome(branch_of(function)[1].test) is True) is known


RESULTS: list[tuple[str, list[str]]] = [
    ("open or one", ["open", "one"]),
    ("one or open", ["one"]),
    ("none or open", ["open"]),
    ("none or no", ["no"]),
    ("open and one", ["open", "one"]),
    ("open or none", ["open", "none"]),
    ("one and open", ["open"]),
    ("none and open", ["none"]),
    ("one and yes", ["yes"]),
    ("open and none and one", ["open", "none"]),
]


@pytest.mark.parametrize(("expression", "results"), RESULTS)
def test_results(expression: str, results: list[str]) -> None:
    known, node = constants(expression)
    assert isinstance(node, ir.BooleanOperation)
    assert [text_of(known.function, operand) for operand in known.results(node)] == results


def test_what_a_call_passes_of_constants() -> None:
    known, node = constants("g(a=one, b=open, c=LIMIT)")
    assert isinstance(node, ir.Call)
    arguments = {argument.keyword or "": argument.value for argument in node.args}
    assert known.passed(arguments) == {"a": Literal.of(1), "c": Literal.of(3)}


# --- the arguments of a call ---

DEFINITIONS = """
def target(a, b, c=1, *rest, d=None, e=other, **more):
    pass

class Thing:
    def __init__(self, a, b=2):
        pass

    def method(self, a, b=2):
        pass

def wrapper(function):
    return function
"""
CALLS: list[tuple[str, str, dict[str, str]]] = [
    ("target(1, x)", "target", {"a": "1", "b": "x", "c": "1", "d": "None"}),
    ("target(1, 2, 3)", "target", {"a": "1", "b": "2", "c": "3", "d": "None"}),
    ("target(b=1, a=2)", "target", {"a": "2", "b": "1", "c": "1", "d": "None"}),
    ("target(1, 2, 3, 4)", "target", {"a": "1", "b": "2", "c": "3", "d": "None"}),
    ("target(1, *x)", "target", {"a": "1"}),
    ("target(1, *x, d=3)", "target", {"a": "1", "d": "3"}),
    ("target(1, b=2, d=3, e=4)", "target", {"a": "1", "b": "2", "c": "1", "d": "3", "e": "4"}),
    ("Thing(1)", "Thing.__init__", {"a": "1", "b": "2"}),
    ("Thing(1, 3)", "Thing.__init__", {"a": "1", "b": "3"}),
    ("x.method(1)", "Thing.method", {"a": "1", "b": "2"}),
    ("other(1)", "target", {}),
]


@pytest.mark.parametrize(("call", "called", "expected"), CALLS)
def test_arguments(call: str, called: str, expected: dict[str, str]) -> None:
    project = project_of({"program.py": f"{DEFINITIONS}\nx = Thing(1)\nother = wrapper(target)\n{call}\n"})
    caller, target = named(project, "<module>"), named(project, called)
    bound = next(b for b in caller.calls() if text_of(caller, b.call) == call)
    found = arguments_of(caller, bound, target)
    assert {name: text_of(caller, value) for name, value in found.items()} == expected


IMPORTING: list[tuple[str, str, bool]] = [
    ("from parts import target", "target(1)", True),
    ("from parts import target as t", "t(1)", True),
    ("import parts", "parts.target(1)", True),
    ("from parts import again as t", "t(1)", False),
]


@pytest.mark.parametrize(("imported", "call", "certain"), IMPORTING)
def test_arguments_under_an_imported_name(imported: str, call: str, certain: bool) -> None:
    parts = "def target(a):\n    pass\n\nagain = target\n"
    project = project_of({"parts.py": parts, "program.py": f"{imported}\n\ndef f():\n    {call}\n"})
    caller, target = named(project, "f"), named(project, "target", "parts.py")
    (bound,) = caller.calls()
    found = arguments_of(caller, bound, target)
    assert {name: text_of(caller, value) for name, value in found.items()} == ({"a": "1"} if certain else {})


def test_a_local_name_for_a_function_is_not_the_function() -> None:
    project = project_of({"program.py": "def target(a):\n    pass\n\ndef f():\n    target = other()\n    target(1)\n"})
    caller, target = named(project, "f"), named(project, "target")
    bound = next(bound for bound in caller.calls() if text_of(caller, bound.call) == "target(1)")
    assert arguments_of(caller, bound, target) == {}
