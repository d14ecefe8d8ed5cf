"""Texts that must not reach the parser, and those that must."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from jaxmpi_lint.sources import parser_limits


def nested(opening: str, closing: str, count: int) -> str:
    return f"x = {opening * count}a{closing * count}\n"


def patterns(opening: str, closing: str, count: int) -> str:
    return f"match x:\n    case {opening * count}a{closing * count}: pass\n"


REFUSED = {
    "brackets": (nested("(", ")", 201), "brackets nested 201 deep (limit 200)"),
    "brackets never closed": ("\n" + "[" * 5000, "brackets nested 5000 deep (limit 200), on line 2"),
    "brackets of many kinds": (nested("f({1:[", "]})", 70), "brackets nested 210 deep"),
    "fields of formatted strings": ("x = f'{" + "(" * 201 + ")" * 201 + "}'\n", "brackets nested 202 deep"),
    "sum": (f"x = {'a + ' * 800}a\n", "an expression 800 levels deep (limit 400)"),
    "sum over many rows": ("x = (\n" + "a +\n" * 800 + "a)\n", "levels deep"),
    "sum of calls": (f"x = {'f(a, b) + ' * 300}a\n", "levels deep"),
    "sums inside brackets add up": (nested(f"({'1 + ' * 20}", ")", 100), "levels deep"),
    "attributes": (f"x = a{'.b' * 500}\n", "levels deep"),
    "calls": (f"x = a{'()' * 500}\n", "levels deep"),
    "conditional expressions": (f"x = {'a if b else ' * 500}c\n", "levels deep"),
    "lambda": (f"x = {'lambda: ' * 200}c\n", "levels deep"),
    "lambda in defaults": (f"x = {'lambda a=' * 100}c{': 1' * 100}\n", "levels deep"),
    "not": (f"x = {'not ' * 500}c\n", "levels deep"),
    "minus": (f"x = {'-' * 500}c\n", "levels deep"),
    "powers": (f"x = {'-2**' * 300}c\n", "levels deep"),
    "adjacent strings": ("x = (\n" + "'a'\n" * 500 + ")\n", "levels deep"),
    "adjacent formatted strings": ("x = " + "f'{a}' " * 500 + "\n", "levels deep"),
    "comprehension": (f"x = [1{' for i in y' * 500}]\n", "levels deep"),
    "elif": ("if a: pass\n" + "elif a: pass\n" * 201, "more than 200 `elif` of one `if`"),
    "class patterns": (patterns("C(", ")", 12), "too much deeply nested code"),
    "mapping patterns": (patterns("{1:", "}", 12), "too much deeply nested code"),
    "parentheses after del": (f"del {'(' * 25}a b{')' * 25}\n", "too much deeply nested code"),
    "deep expressions everywhere": (nested("f(", ")", 190) * 100, "too much deeply nested code"),
    "many tokens": (f"x = [{'1,' * 300_000}]\n", "600004 tokens (limit 300000)"),
    "a row of blanks": (f"x ={' ' * 1_500_000}1\n", "characters of code in one row"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_crash_or_stall_the_parser_is_refused(name: str) -> None:
    text, reason = REFUSED[name]
    refusal = parser_limits.refusal(text)
    assert refusal is not None and reason in refusal
    assert "\n" not in refusal


ACCEPTED = {
    "nothing": "",
    "brackets at the limit": nested("(", ")", 200),
    "brackets in a string": f"x = '{'(' * 500}'\n",
    "brackets in a comment": f"x = 1  # {'(' * 500}\n",
    "operators in a string": f"x = '{'a + ' * 5000}'\n",
    "arguments": f"f({'a, ' * 5000})\n",
    "sums as elements": f"x = [{'a + b * c, ' * 5000}]\n",
    "rows of data": "x = [\n" + "    (1, 2.5, -3, f(a.b)),\n" * 5000 + "]\n",
    "numbers with a point": f"x = {' + '.join(['1.5'] * 300)}\n",
    "comparisons": f"x = {'a < ' * 3000}b\n",
    "assignments": f"{'a = ' * 3000}b\n",
    "statements in one row": "a;" * 5000 + "\n",
    "elif of many chains": ("if a: pass\n" + "elif a: pass\n" * 150) * 3,
    "elif at two depths": "if a:\n" + ("    if b: pass\n" + "    elif b: pass\n" * 150) + "elif a: pass\n" * 150,
    "usual patterns": "match x:\n"
    + "    case Call(func=Name(id='f'), args=[Arg(value=Constant(value=v))]): pass\n" * 500,
    "a string of 5 MB": f"x = '{'a' * 5_000_000}'\n",
    "a comment of 5 MB": f"# {'a' * 5_000_000}\n",
    "a long string of 5 MB": "x = '''" + "(a\n" * 1_600_000 + "'''\n",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_the_parser_can_take_is_accepted(name: str) -> None:
    assert parser_limits.refusal(ACCEPTED[name]) is None


AT_THE_LIMIT = {
    "brackets": nested("(", ")", 200),
    "calls with a lambda": nested("f(lambda: ", ")", 57),
    "calls of methods": nested("f(", ").g(1)", 100),
    "subscripts": nested("a[", "]", 199),
    "sum": f"x = {'a + ' * 399}a\n",
    "lambda in defaults": f"x = {'lambda a=' * 79}c{': 1' * 79}\n",
    "powers": f"x = {'-2**' * 133}c\n",
    "conditional expressions": f"x = {'a if b else ' * 399}c\n",
    "elif": "if a: pass\n" + "elif a: pass\n" * 200,
    "patterns that fail": patterns("C(", " b)", 8),
    "alternatives": patterns("f({1:[(", ")]})", 2),
    "tokens": f"x = [{'1,' * 149_000}]\n",
}


@pytest.mark.jobs
@pytest.mark.parametrize("name", AT_THE_LIMIT)
def test_what_is_just_accepted_is_parsed_in_time_and_without_a_crash(name: str) -> None:
    text = AT_THE_LIMIT[name]
    assert parser_limits.refusal(text) is None
    program = "import sys, libcst\nlibcst.parse_module(sys.stdin.read())"
    done = subprocess.run(
        [sys.executable, "-c", program], input=text, text=True, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0 or "ParserSyntaxError" in done.stderr


def test_the_standard_library_is_accepted() -> None:
    library = Path(sysconfig.get_paths()["stdlib"])
    refused = {}
    for path in sorted(library.glob("*.py")):
        reason = parser_limits.refusal(path.read_text(encoding="utf-8"))
        if reason is not None:
            refused[path.name] = reason
    assert refused == {}


@pytest.mark.parametrize(
    "part", ["f(a, b)[c] + 'd' # e\n", "(", "[" * 150 + "]" * 150 + "\n", "f'{a", "'", '"""', "{a:"]
)
def test_time_is_linear(part: str) -> None:
    def seconds(size: int) -> float:
        text = part * (size // len(part))
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            parser_limits.refusal(text)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(280_000) < 8 * seconds(70_000) + 0.02
