"""Notebooks: cells to one text, edits back into their cells."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxmpi_lint.findings.diagnostics import Position
from jaxmpi_lint.findings.errors import Unparsable, UserError
from jaxmpi_lint.sources.decode import Source, load
from jaxmpi_lint.sources.magics import blanked

MARKER = "\n# %%\n"


def cell(*lines: str, kind: str = "code") -> dict[str, object]:
    return {"cell_type": kind, "metadata": {}, "source": list(lines)}


def notebook(*cells: dict[str, object], language: str = "python", **style: Any) -> bytes:
    content = {"cells": cells, "metadata": {"kernelspec": {"language": language}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, **{"indent": 1, "ensure_ascii": False, **style}).encode() + b"\n"


def read(data: bytes) -> Source:
    return load("n.ipynb", data)


def sources(data: bytes) -> list[str]:
    return ["".join(c["source"]) for c in json.loads(data)["cells"]]


def test_code_cells_are_joined_in_order() -> None:
    source = read(notebook(cell("a = 1\n", "b = 2"), cell("# text", kind="markdown"), cell("c = a\n")))
    assert source.text == f"a = 1\nb = 2{MARKER}c = a\n"


def test_places_count_within_the_code_cell() -> None:
    source = read(notebook(cell("text", kind="markdown"), cell("a\n", "bc"), cell("d\n", "e")))
    places = {character: source.place(source.text.index(character)) for character in "acde"}
    assert places == {
        "a": (1, Position(1, 1)),
        "c": (1, Position(2, 2)),
        "d": (2, Position(1, 1)),
        "e": (2, Position(2, 1)),
    }
    assert source.place(source.text.index("%")) == (1, Position(2, 3))
    assert source.place(len(source.text)) == (2, Position(2, 2))


def test_a_cell_may_hold_the_line_that_separates_cells() -> None:
    source = read(notebook(cell("# %%\n", "a"), cell("b")))
    assert source.place(source.text.index("b")) == (2, Position(1, 1))
    assert sources(source.encode(source.text.replace("b", "c"))) == ["# %%\na", "c"]
    assert source.notebook is not None and source.notebook.first_rows == (1, 4)


@pytest.mark.parametrize(
    "style", [{"indent": 1}, {"indent": 4}, {"indent": None}, {"separators": (",", ":")}, {"ensure_ascii": True}]
)
def test_an_edit_changes_its_cell_and_nothing_else(style: dict[str, Any]) -> None:
    cells = [cell("é = 1\n", "b = 2\n", "c = 3"), cell("ü = 1"), cell("x\n", "y")]
    data = notebook(*cells, **style)
    source = read(data)
    assert source.encode(source.text) == data
    cells[0] = cell("é = 1\n", "b = 20\n", "d\n", "c = 3")
    assert source.encode(source.text.replace("b = 2\n", "b = 20\nd\n")) == notebook(*cells, **style)


def test_a_source_that_is_one_string_stays_one() -> None:
    data = b'{"nbformat": 4, "cells": [{"source": "a = 1\\nb", "cell_type": "code"}]}'
    source = read(data)
    assert source.text == "a = 1\nb"
    assert source.encode("a = 2\nb") == data.replace(b"1", b"2")


def test_nbformat_3_has_worksheets_and_inputs() -> None:
    data = json.dumps(
        {
            "nbformat": 3,
            "metadata": {"name": ""},
            "worksheets": [
                {"cells": [{"cell_type": "code", "language": "python", "input": ["a\n", "b"]}]},
                {"cells": [{"cell_type": "heading", "source": "x"}, {"cell_type": "code", "input": "c"}]},
            ],
        }
    ).encode()
    source = read(data)
    assert source.text == f"a\nb{MARKER}c"
    assert source.encode(source.text.replace("c", "d")) == data.replace(b'"c"', b'"d"')


@pytest.mark.parametrize("data", [notebook(cell("x <- 1"), language="R"), b"", notebook()])
def test_what_holds_no_python_is_read_as_nothing(data: bytes) -> None:
    source = read(data)
    assert source.text == ""
    assert source.encode("") == data
    assert source.place(0) == (None, Position(1, 1))


BROKEN = {
    b'{"nbformat": 4,\n "cells": [}': (2, 12),
    b"[]": (1, 1),
    b'{"nbformat": 2, "worksheets": []}': (1, 1),
    b'{"nbformat": 4}': (1, 1),
    b'{"nbformat": 4, "cells": [\n{"cell_type": "code"}]}': (2, 1),
    b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}': (1, 27),
    b'{"a": ' + b"[" * 200_000: (1, 1),
    b'"text"': (1, 1),
    b'{"nbformat": 3, "worksheets": [1]}': (1, 1),
}


@pytest.mark.parametrize("data", BROKEN)
def test_a_broken_notebook_is_refused_with_place_and_remedy(data: bytes) -> None:
    with pytest.raises(Unparsable, match="open it in Jupyter and save it again") as caught:
        read(data)
    assert (caught.value.row, caught.value.column) == BROKEN[data]


def test_a_repair_keeps_magics() -> None:
    source = read(notebook(cell("%matplotlib inline\n", "a = 1\n", "!ls\n", "b = !ls\n", "a")))
    assert sources(source.encode(source.text.replace("a = 1\n", "import x\na = 2\n"))) == [
        "%matplotlib inline\nimport x\na = 2\n!ls\nb = !ls\na"
    ]


def test_a_repair_never_changes_a_magic_or_the_number_of_cells() -> None:
    source = read(notebook(cell("%matplotlib inline\n", "a"), cell("b")))
    with pytest.raises(UserError, match="line with a magic"):
        source.encode(source.text.replace("pass", "fail"))
    with pytest.raises(UserError, match="number of cells"):
        source.encode(source.text.replace(MARKER, "\n"))


# --- magics --------------------------------------------------------------------------------------------------------

MAGICS = {
    "line magic": ("%matplotlib inline\na", "pass              \na"),
    "shell command": ("!pip install x", "pass          "),
    "short ones": ("!l\n?a\n!ls\n%x", "()\n()\n...\n()"),
    "indented": ("if a:\n    %load x\nb", "if a:\n    pass   \nb"),
    "help": ("a?\na.b??\n?a", "()\npass \n()"),
    "captured output": ("a = !ls -l", "a = ...   "),
    "captured magic": ("a, b = %who x", "a, b = ...   "),
    "two characters captured": ("a = !l", "a = ()"),
    "timed statement": ("%time a = f()", "0;    a = f()"),
    "timed compound statement": ("%time for x in y: z", "pass               "),
    "continued command": ("!ls \\\n  -l\na", "pass \n    \na"),
    "cell magic": ("%%bash\nls\n", "      \n  \n"),
    "cell magic after a blank row": ("\n%%html\n<a>", "\n      \n   "),
    "cell magic that runs Python": ("%%time\na = 1", "pass  \na = 1"),
    "cell magic for all engines": ("%%px --local\ncomm.Barrier()", "pass        \ncomm.Barrier()"),
    "modulo over rows": ("a = (b\n% c)", "a = (b\n% c)"),
    "modulo after a backslash": ("a = b \\\n% c", "a = b \\\n% c"),
    "percent in a long string": ("a = '''\n%d\n! b?\n'''\n%who x", "a = '''\n%d\n! b?\n'''\npass  "),
    "question mark in a string or comment": ("a = 'b?'\nc  # d?", "a = 'b?'\nc  # d?"),
    "assignment in a string": ("'a = !b'\nx = 'y = %s' % z", "'a = !b'\nx = 'y = %s' % z"),
    "modulo and assignment": ("a %= 2\nb = a % 2\nc = a != 2", "a %= 2\nb = a % 2\nc = a != 2"),
    "carriage returns": ("%who x\r\na\r\n", "pass  \r\na\r\n"),
}


@pytest.mark.parametrize("name", MAGICS)
def test_magics_become_python_of_the_same_length(name: str) -> None:
    text, expected = MAGICS[name]
    assert blanked(text) == expected
    assert len(expected) == len(text)
    ast.parse(expected)


LINES = ["%matplotlib inline", "a = 1", "    b = 2", "!ls", "x = !ls", "c?", "'''", "(", ")", "# é", "if a:", ""]


@given(st.lists(st.lists(st.sampled_from(LINES), max_size=6), max_size=4), st.booleans())
def test_any_notebook_round_trips_and_keeps_offsets(cells: list[list[str]], as_ascii: bool) -> None:
    texts = ["\n".join(lines) for lines in cells]
    data = notebook(*(cell(*text.splitlines(keepends=True)) for text in texts), ensure_ascii=as_ascii)
    source = read(data)
    assert source.encode(source.text) == data
    assert len(source.text) == sum(map(len, texts)) + len(MARKER) * max(0, len(texts) - 1)
    edited = source.encode(source.text.replace("a = 1", "new\na = 10"))
    assert sources(edited) == [
        text.replace("a = 1", "new\na = 10") if "\na = 1" in f"\n{text}" else text for text in texts
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("timeit -n 5 f(x)\n", "pass            \n"),
        ("pip install jax\n", "pass           \n"),
        ("run = 3\n", "run = 3\n"),
        ("config = make(\n    1)\n", "config = make(\n    1)\n"),
        ("time in (\n    1,)\n", "time in (\n    1,)\n"),
        ("time - start\n", "time - start\n"),
        ("ls\n", "ls\n"),
    ],
)
def test_magics_without_their_sign(row: str, expected: str) -> None:
    assert blanked(row) == expected
