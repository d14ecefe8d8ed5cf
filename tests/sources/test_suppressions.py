"""Comments that silence findings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxmpi_lint.sources.suppressions import Suppressions, parse, uniform_rows

ACTIVE = {"JM101", "JM102", "JM201"}


def silent_rows(text: str, code: str = "JM101") -> list[int]:
    """The rows on which a one-row statement would be silenced."""
    rows = text.count("\n") + 1
    return [row for row in range(1, rows + 1) if parse(text).covers(code, (row, row))]


ROWS = {
    "nothing": ("a\nb\n", []),
    "noqa": ("a\nb  # noqa: JM101\nc\n", [2]),
    "list of codes": ("a  # noqa: JM102, JM101\n", [1]),
    "list of codes with blanks": ("a  # noqa: JM102 JM101\n", [1]),
    "without blanks, in small letters": ("a  #NoQA:jm101\n", [1]),
    "another code": ("a  # noqa: JM102\n", []),
    "another tool's code": ("a  # noqa: F401\n", []),
    "codes of two tools": ("a  # noqa: F401,JM101\n", [1]),
    "bare noqa": ("a  # noqa\n", [1]),
    "bare noqa with a reason": ("a  # noqa: because\n", [1]),
    "noqa after another comment": ("a  # type: ignore # noqa: JM101\n", [1]),
    "noqa in a string": ("a = '# noqa: JM101'\n", []),
    "noqa in a formatted string": ("a = f'{b}# noqa: JM101'\n", []),
    "noqa in a long string": ("'''\n# noqa\n'''\n", []),
    "noqa as a part of a word": ("a  # noqaish\n", []),
    "noqa of ruff for a file": ("# ruff: noqa\na\n", []),
    "noqa of flake8 for a file": ("# flake8: noqa: JM101\na\n", []),
    "ignore": ("a\nb  # jaxmpi-lint: ignore[JM101] the root is alone\nc\n", [2]),
    "ignore of everything": ("a  # jaxmpi-lint: ignore\n", [1]),
    "ignore on its own row": ("# jaxmpi-lint: ignore[JM101] why\na\nb\n", [1, 2]),
    "ignore before a block": (
        "# jaxmpi-lint: ignore[JM101] why\nif a:\n    b\n\n    c\nelif d:\n    e\nelse:\n    f\ng\n",
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ),
    "ignore inside a block": ("if a:\n    # jaxmpi-lint: ignore[JM101]\n    b\n    c\nd\n", [2, 3]),
    "ignore before try": (
        "# jaxmpi-lint: ignore[JM101]\ntry:\n  a\nexcept E:\n  b\nfinally:\n  c\nd\n",
        list(range(1, 8)),
    ),
    "ignore before decorators": ("# jaxmpi-lint: ignore[JM101]\n@a\n@b\ndef c():\n    d\ne\n", [1, 2, 3, 4, 5]),
    "ignore before a statement of many rows": ("# jaxmpi-lint: ignore[JM101]\na(\nb,\n)\nc\n", [1, 2, 3, 4]),
    "ignore on the head of a block": ("if a:  # jaxmpi-lint: ignore[JM101]\n    b\n", [1]),
    "range": ("a\n# jaxmpi-lint: disable[JM101] why\nb\nc\n# jaxmpi-lint: enable[JM101]\nd\n", [2, 3, 4, 5]),
    "range to the end": ("a\n# jaxmpi-lint: disable[JM101]\nb\nc", [2, 3, 4]),
    "range of everything": ("# jaxmpi-lint: disable\nb\n# jaxmpi-lint: enable\nc\n", [1, 2, 3]),
    "range of another code ended": (
        "# jaxmpi-lint: disable[JM101,JM102]\nb\n# jaxmpi-lint: enable[JM102]\nc\n# jaxmpi-lint: enable[JM101]\nd\n",
        [1, 2, 3, 4, 5],
    ),
    "file": ("#!/usr/bin/env python\n# jaxmpi-lint: ignore-file[JM101] generated\na\nb", [1, 2, 3, 4]),
    "file, everything": ("# jaxmpi-lint: ignore-file\na", [1, 2]),
    "file comment after code": ("a\n# jaxmpi-lint: ignore-file[JM101]\nb\n", []),
    "uniform is no suppression": ("a  # jaxmpi-lint: uniform\n", []),
    "carriage returns": ("a\rb  # noqa: JM101\rc", []),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_comment_silences_its_rows(name: str) -> None:
    text, rows = ROWS[name]
    assert silent_rows(text) == rows


def test_rows_end_as_python_says() -> None:
    text = "a\rb  # noqa: JM101\r\nc\n"
    assert [row for row in (1, 2, 3) if parse(text).covers("JM101", (row, row))] == [2]


def test_any_row_of_the_statement_counts() -> None:
    found = parse("comm.bcast(\n    a,  # noqa: JM101\n    root=0,\n)\n")
    assert found.covers("JM101", (1, 4)) is not None
    assert found.covers("JM101", (5, 6)) is None


def test_the_reason_is_kept_without_other_comments() -> None:
    found = parse("a  # jaxmpi-lint: ignore[JM101] only one rank # noqa: E501\n").covers("JM101", (1, 1))
    assert found is not None and found.reason == "only one rank"


# --- unused --------------------------------------------------------------------------------------------------------


def without_unused(text: str, used: tuple[str, ...] = ()) -> str:
    """The text after the removal of everything that silenced nothing."""
    found = parse(text)
    for code in used:
        assert found.covers(code, (1, 1000))
    for item in reversed(found.unused(ACTIVE)):
        text = text[: item.span[0]] + item.replacement + text[item.span[1] :]
    return text


UNUSED = {
    "the whole comment goes": ("a  # noqa: JM101\nb\n", (), "a\nb\n"),
    "the whole row goes": ("a\n    # jaxmpi-lint: ignore[JM101] why\nb\n", (), "a\nb\n"),
    "used codes stay": ("a  # noqa: JM101, JM102\n", ("JM102",), "a  # noqa: JM102\n"),
    "used codes of ours stay": ("a  # jaxmpi-lint: ignore[JM101,JM102] why\n", ("JM101",), None),
    "other tools' codes stay": ("a  # noqa: E501, JM101\n", (), "a  # noqa: E501\n"),
    "other comments stay": ("a  # noqa: JM101 # type: ignore\n", (), "a  # type: ignore\n"),
    "a reason goes with its comment": ("a  # jaxmpi-lint: ignore[JM101] why\r\nb", (), "a\r\nb"),
    "used": ("a  # noqa: JM101\n", ("JM101",), "a  # noqa: JM101\n"),
    "bare": ("a  # noqa\nb  # jaxmpi-lint: ignore\n", (), "a  # noqa\nb  # jaxmpi-lint: ignore\n"),
    "rules that did not run": ("a  # noqa: JM999\n", (), "a  # noqa: JM999\n"),
    "other tools": ("a  # noqa: F401\n", (), "a  # noqa: F401\n"),
    "range": ("# jaxmpi-lint: disable[JM101]\na\n", (), "a\n"),
    "file": ("# jaxmpi-lint: ignore-file[JM101]\na\n", (), "a\n"),
}


@pytest.mark.parametrize("name", UNUSED)
def test_what_silences_nothing_can_be_removed(name: str) -> None:
    text, used, after = UNUSED[name]
    expected = "a  # jaxmpi-lint: ignore[JM101] why\n" if after is None else after
    assert without_unused(text, used) == expected


def test_an_unused_comment_says_what_and_where() -> None:
    (item,) = parse("a\nb  # noqa: JM101, JM102\n").unused(ACTIVE)
    assert (item.codes, item.row) == (("JM101", "JM102"), 2)
    assert "JM101, JM102: nothing here for `# noqa: JM101, JM102` to suppress" in item.message


def test_a_comment_with_a_code_counts_on_a_header_that_is_shown() -> None:
    for comment in ("# noqa: JM101", "# jaxmpi-lint: ignore[JM101] why"):
        found = parse(f"if a:  {comment}\n    b\n    c\n")
        assert found.covers("JM101", (2, 2)) is None
        assert found.covers("JM102", (2, 2), [(1, 1)]) is None
        assert [unused.codes for unused in found.unused(ACTIVE)] == [("JM101",)]
        assert found.covers("JM101", (2, 2), [(1, 1)]) is not None
        assert found.unused(ACTIVE) == []
    for text in ("if a:  # noqa\n    b\n", "# jaxmpi-lint: disable[JM101]\nif a:\n    # jaxmpi-lint: enable\n    b\n"):
        assert parse(text).covers("JM101", (5, 5), [(1, 2)]) is None


# --- problems ------------------------------------------------------------------------------------------------------

PROBLEMS = {
    "a  # jaxmpi-lint: ignroe[JM101]\n": (1, 4, "unknown directive `ignroe`; did you mean `ignore`?"),
    "a\nb  # jaxmpi-lint: ignore JM101\n": (2, 4, "codes go in brackets; write `ignore[JM101]`"),
    "a  # jaxmpi-lint: ignore[JM101\n": (1, 4, "without `]`"),
    "a  # jaxmpi-lint: ignore[]\n": (1, 4, "has no list of codes"),
    "a  # jaxmpi-lint: ignore[all]\n": (1, 4, "has no list of codes"),
    "a\n# jaxmpi-lint: enable[JM101]\n": (2, 1, "without a `disable`"),
    "a\n# jaxmpi-lint: ignore-file[JM101]\n": (2, 1, "at the top of the file"),
    "a  # jaxmpi-lint: ignore[JM999]\n": (1, 4, "unknown code JM999"),
    "a  # jaxmpi_lint: ignore[JM101]\n": (
        1,
        4,
        "`# jaxmpi_lint:` has no effect; did you mean `# jaxmpi-lint: ignore`?",
    ),
    "a  # JaxMPI_lint: ignroe\n": (1, 4, "did you mean `# jaxmpi-lint: ignore`?"),
    "a  # noqa: F401, JM999\n": (1, 4, "unknown code JM999"),
}


@pytest.mark.parametrize("text", PROBLEMS)
def test_a_comment_that_cannot_work_is_reported(text: str) -> None:
    row, column, message = PROBLEMS[text]
    (problem,) = parse(text, ACTIVE).problems
    assert problem[:2] == (row, column)
    assert message in problem.message


def test_codes_are_not_judged_without_a_list_of_known_ones() -> None:
    assert parse("a  # noqa: JM999\n").problems == ()


@pytest.mark.parametrize(
    "text",
    ["# run jaxmpi-lint first\n", "a = 'jaxmpi-lint: nonsense'\n", "a  # noqa: F401\n", "# jaxmpi_lint: see docs\n"],
)
def test_other_comments_are_no_problem(text: str) -> None:
    assert parse(text, ACTIVE).problems == ()


def test_a_text_without_the_words_is_not_read() -> None:
    assert parse("'unterminated\n# comment") == Suppressions("'unterminated\n# comment")


# --- uniform -------------------------------------------------------------------------------------------------------

UNIFORM = {
    "if a:  # jaxmpi-lint: uniform\n    b\n": {1},
    "if (a and\n        b):  # jaxmpi-lint: uniform (same file)\n    c\n": {1, 2},
    "a\n# jaxmpi-lint: uniform\nif b:\n    c\n": {3},
    "a = '# jaxmpi-lint: uniform'\n": set(),
    "a\n": set(),
    "# jaxmpi-lint: uniform": set(),
}


@pytest.mark.parametrize("text", UNIFORM)
def test_uniform_speaks_of_the_statement(text: str) -> None:
    assert uniform_rows(text) == UNIFORM[text]
    assert parse(text, ACTIVE).problems == ()


@given(
    st.lists(
        st.sampled_from(
            ["# jaxmpi-lint: ", "ignore", "[", "]", "JM101", ",", "# noqa", ":", "\n", " ", "a", "if a:\n "]
        )
    )
)
def test_any_comment_is_read_without_failing(parts: list[str]) -> None:
    text = "".join(parts)
    found = parse(text, ACTIVE)
    rows = text.count("\n") + 1
    for entry in found.entries:
        assert 1 <= entry.rows[0] <= entry.rows[1] <= rows
    after = without_unused(text)
    assert without_unused(after).count("JM101") <= after.count("JM101") <= text.count("JM101")
