"""Text to intermediate representation: spans, evaluation order, control flow."""

from __future__ import annotations

import pickle

import pytest

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.frontend.parse import NotAnalysed, SyntaxProblem, parse


def lowered(text: str) -> ir.Module:
    return parse("/p/m.py", "m", False, text).module


def calls(function: ir.Function, module: ir.Module) -> list[str]:
    return [module.source(call.func.span) for call in function.calls()]


@pytest.mark.parametrize("value", ["(a if b else c)", "(a if b else c)[0]", "(lambda: a)", "(a if b else c).d()"])
@pytest.mark.parametrize("place", ["assert{}", "return{}", "return not{}", "if{}: pass", "x = [i for i in{}]"])
def test_parentheses_right_behind_a_word(place: str, value: str) -> None:
    text = f"def function(a, b, c):\n    {place.format(value)}\n"
    assert parse("a.py", "a", False, text).module.faithful


def test_spans_give_back_the_text() -> None:
    module = lowered("x = ( a.b ( 1,\n  y=2 ) )\n")
    (step,) = [s for s in module.body.steps() if isinstance(s, ir.Assign)]
    assert step.value is not None
    assert module.source(step.value.span) == "a.b ( 1,\n  y=2 )"
    assert module.position(step.value.span[0]) == (1, 7)


def test_blocks_indented_with_tabs_and_spaces() -> None:
    module = lowered("def f(x):\n\tif x:\n\t    for y in x:\n\t\t    g(y)\n\nf(2)\n")
    (call,) = module.functions["f"].calls()
    assert (module.source(call.span), module.position(call.span[0])) == ("g(y)", (4, 7))
    with pytest.raises(SyntaxProblem):
        lowered("if x:\n\ty = 1\n        z = 2\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_rows_and_columns(newline: str) -> None:
    module = lowered(f"a = 1{newline}ö = f(){newline}")
    (call,) = module.body.calls()
    assert module.position(call.span[0]) == (2, 5)
    assert module.faithful


@pytest.mark.parametrize(
    ("statement", "order"),
    [
        ("f(g(1), h(2))", ["g", "h", "f"]),
        ("x[g()] = f()", ["f", "g"]),
        ("a() and b() or c()", ["a", "b", "c"]),
        ("b() if a() else c()", ["a", "b", "c"]),
        ("[b(i) for i in a() if c(i)]", ["a", "c", "b"]),
        ("assert a(), b()", ["a", "b"]),
        ("with a() as x, b(): c()", ["a", "b", "c"]),
        ("for i in a():\n    b()\nelse:\n    c()", ["a", "b", "c"]),
        ("match a():\n    case 1 if b(): c()", ["a", "b", "c"]),
        ("f'{a()} {b():{c()}}'", ["a", "b", "c"]),
        ("print(x := a())", ["a", "print"]),
    ],
)
def test_calls_in_evaluation_order(statement: str, order: list[str]) -> None:
    module = lowered(statement + "\n")
    assert calls(module.body, module) == order


def kinds(text: str) -> list[str]:
    module = lowered(text)
    return [block.terminator.kind for block in module.body.blocks if isinstance(block.terminator, ir.Branch)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if a: f()", ["if"]),
        ("x = a and b", []),
        ("x = a and f()", ["and"]),
        ("if a and f(): g()", ["and", "if"]),
        ("x = f() if a else 1", ["conditional"]),
        ("[f(i) for i in x]", ["comprehension"]),
        ("while a: f()", ["while"]),
        ("assert a", ["assert"]),
    ],
)
def test_branches(text: str, expected: list[str]) -> None:
    assert kinds(text + "\n") == expected


def test_finally_runs_on_every_way_out() -> None:
    module = lowered(
        "def f():\n    for i in x:\n        try:\n            return a()\n        finally:\n            b()\n"
    )
    function = module.functions["f"]
    steps = [s for s in function.steps() if isinstance(s, ir.Evaluate)]
    assert [module.source(s.expression.span) for s in steps].count("b()") == 3
    assert sorted(calls(function, module)) == ["a", "b"]


def test_leaving_a_with_block_by_break() -> None:
    module = lowered("for i in x:\n    with a:\n        break\n")
    assert sum(isinstance(step, ir.Leave) for step in module.body.steps()) == 2


def test_definitions() -> None:
    module = lowered(
        "class A(B):\n    def m(self, /, x, *a, k=1, **kw): return lambda y: y\n\ndef f(): yield 1\ndef f(): pass\n"
    )
    assert set(module.classes) == {"A"}
    assert module.classes["A"].methods == {"m": "A.m"}
    names = [name.partition("@")[0] for name in module.functions]
    assert names.count("f") == 2
    assert [(p.name, p.kind) for p in module.functions["A.m"].parameters] == [
        ("self", "positional"),
        ("x", "plain"),
        ("a", "star"),
        ("k", "keyword"),
        ("kw", "double-star"),
    ]
    assert module.functions["f"].is_generator


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("import a.b", [("a", "a")]),
        ("import a.b as c", [("c", "a.b")]),
        ("from a.b import c as d, e", [("d", "a.b.c"), ("e", "a.b.e")]),
        ("from . import x", [("x", ".x")]),
        ("from ..a import x", [("x", "..a.x")]),
        ("from a import *", [("*", "a")]),
    ],
)
def test_imports(text: str, bound: list[tuple[str, str]]) -> None:
    (step,) = [s for s in lowered(text + "\n").body.steps() if isinstance(s, ir.Import)]
    assert [(name.bound, name.target) for name in step.names] == bound


def test_text_that_is_not_python() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        lowered("x = 1\nprint 'hello'\n")
    assert caught.value.row == 2


def test_a_long_sum_is_lowered_and_can_be_pickled() -> None:
    module = lowered("x = " + "+".join(["f(1)"] * 390) + "\n")
    again: ir.Module = pickle.loads(pickle.dumps(module))  # noqa: S301 - our own bytes
    assert len(list(again.body.calls())) == 390


def test_python_that_the_parser_does_not_know_is_no_syntax_error() -> None:
    with pytest.raises(NotAnalysed, match="does not support the syntax on line 2"):
        lowered("x = 1\n(y): bool = True\n")


def test_a_try_tells_what_its_handlers_catch() -> None:
    module = lowered("try:\n    f()\nexcept (A, B):\n    pass\nexcept:\n    g()\nelse:\n    h()\n")
    (tried,) = [step for step in module.body.steps() if isinstance(step, ir.Try)]
    kinds = [module.source(handler.kind.span) if handler.kind else None for handler in tried.handlers]
    assert kinds == ["A, B", None]
    assert "f()" in module.source(tried.body)
    assert tried.orelse is not None
    assert "h()" in module.source(tried.orelse)
