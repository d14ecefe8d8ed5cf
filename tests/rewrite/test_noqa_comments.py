"""``--add-noqa``."""

from __future__ import annotations

import ast
import io
import json
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxmpi_lint.findings.diagnostics import Confidence, Diagnostic, Position, Severity
from jaxmpi_lint.rewrite.noqa_comments import add_noqa
from jaxmpi_lint.sources import suppressions
from jaxmpi_lint.sources.decode import Source, load


def finding(row: int, last: int | None = None, code: str = "JM101", cell: int | None = None) -> Diagnostic:
    return Diagnostic(
        code, "name", Severity.ERROR, Confidence.HIGH, "message", "a.py",
        Position(row, 1), Position(row, 2), cell, (row, last or row),
    )  # fmt: skip


ADDED = {
    "plain": ("a\nb\n", [finding(2)], "a\nb  # noqa: JM101\n"),
    "no line ending": ("a", [finding(1)], "a  # noqa: JM101"),
    "CRLF": ("a\r\nb\r\n", [finding(1)], "a  # noqa: JM101\r\nb\r\n"),
    "CR": ("a\rb", [finding(2)], "a\rb  # noqa: JM101"),
    "blanks at the end": ("a   \n", [finding(1)], "a  # noqa: JM101\n"),
    "two codes": ("a\n", [finding(1, code="JM201"), finding(1)], "a  # noqa: JM101, JM201\n"),
    "twice the same": ("a\n", [finding(1), finding(1)], "a  # noqa: JM101\n"),
    "another comment": ("a  # why\n", [finding(1)], "a  # why  # noqa: JM101\n"),
    "another tool's code": ("a  # noqa: E501\n", [finding(1)], "a  # noqa: E501, JM101\n"),
    "code and comment": ("a  # noqa: E501 # why\n", [finding(1)], "a  # noqa: E501, JM101 # why\n"),
    "already there": ("a  # noqa: jm101\n", [finding(1)], "a  # noqa: jm101\n"),
    "bare": ("a  # noqa\n", [finding(1)], "a  # noqa\n"),
    "noqa in a string": ("a = '# noqa'\n", [finding(1)], "a = '# noqa'  # noqa: JM101\n"),
    "inside brackets": ("f(\n  a,\n)\n", [finding(2, 3)], "f(\n  a,  # noqa: JM101\n)\n"),
    "backslash": ("a = \\\n  b\nc\n", [finding(1, 2)], "a = \\\n  b  # noqa: JM101\nc\n"),
    "long string": ("f('''a\nb''', c)\n", [finding(1, 2)], "f('''a\nb''', c)  # noqa: JM101\n"),
    "long string goes on after the statement's rows": ("if f('''a\nb\n'''): c\n", [finding(1, 2)], None),
    "long string before the finding": ("f('''a\nb''',\nc)\n", [finding(2, 3)], "f('''a\nb''',  # noqa: JM101\nc)\n"),
    "about the file": ("a\n", [finding(1, code="JM002")], "a\n"),
}


@pytest.mark.parametrize("name", ADDED)
def test_a_comment_is_added_where_python_allows_one(name: str) -> None:
    text, diagnostics, expected = ADDED[name]
    source = Source("a.py", text)
    after = add_noqa(source, diagnostics)
    assert after == (expected if expected is not None else "if f('''a\nb\n'''): c  # noqa: JM101\n")
    assert add_noqa(Source("a.py", after), diagnostics) == after


def test_rows_in_a_notebook_count_within_their_cell() -> None:
    cells = [{"cell_type": "code", "source": [*lines]} for lines in (["x"], ["a\n", "b"])]
    data = json.dumps({"nbformat": 4, "cells": cells}).encode()
    source = load("a.ipynb", data)
    after = add_noqa(source, [finding(2, cell=2)])
    assert source.encode(after) == data.replace(b'"b"', b'"b  # noqa: JM101"')


STATEMENTS = [
    "comm.Barrier()\n",
    "x = '''a\n# b\n'''\n",
    "x = f'{a}' \\\n    'b'\n",
    "f(a,  # noqa: E501\n  b)\n",
    "if a:\n    b  # why\n",
    "x = (\n\n# alone\n1)\n",
    "'''\n\\\n'''; b\n",
]


@given(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_the_program_stays_the_same_and_every_finding_is_silenced(parts: list[str], newline: str) -> None:
    text = "".join(parts)
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    diagnostics = [finding(node.lineno, node.end_lineno) for node in statements if not isinstance(node, ast.If)]
    text = text.replace("\n", newline)
    after = add_noqa(Source("a.py", text), diagnostics)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    list(tokenize.generate_tokens(io.StringIO(after).readline))
    found = suppressions.parse(after)
    assert all(found.covers("JM101", diagnostic.rows or (0, 0)) for diagnostic in diagnostics)
    assert add_noqa(Source("a.py", after), diagnostics) == after
