"""The pages about architecture and analysis: their tables are those of the sources, and the files they name exist."""

from __future__ import annotations

import importlib
import re
import tomllib
from types import ModuleType

import pytest
from places import ROOT

from jaxmpi_lint.analysis.lattice import limits

PAGE = ROOT / "docs" / "architecture.md"
LAYERS = ROOT / "tools" / "layers.toml"
Rows = list[list[str]]  # of packages, the highest layer first
PREFIXES = ("", "jaxmpi_lint", "jaxmpi_lint/runtime", "jaxmpi_lint/runtime/native")


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("generate_doc_tables")


@pytest.mark.parametrize("name", ["docs/architecture.md", "docs/analysis.md"])
def test_tables_are_up_to_date(generator: ModuleType, name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert generator.page(text, generator.TABLES[name]) == text, "run `python tools/generate_doc_tables.py`"


def test_limits_are_grouped_with_their_values(generator: ModuleType) -> None:
    text = generator.limits(
        '# --- calls entered ---\n\nA_CALLS = 6\n"""Calls of\n``a``."""\n\n# --- sizes ---\n\nB = 20\n"""Of b."""\n'
    )
    head = "| limit | value | what it bounds |\n| --- | --- | --- |\n"
    assert (
        text == f"Calls entered:\n\n{head}| `A_CALLS` | 6 | Calls of `a`. |\n\nSizes:\n\n{head}| `B` | 20 | Of b. |\n"
    )


def test_every_limit_is_on_the_page() -> None:
    page = (ROOT / "docs" / "analysis.md").read_text(encoding="utf-8")
    known = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert known
    assert [name for name, value in known.items() if f"| `{name}` | {value} |" not in page] == []


def test_every_package_has_a_row_and_lies_where_its_name_says() -> None:
    document = tomllib.loads(LAYERS.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    for package in document["descriptions"]:
        assert f"| `{package}` |" in text
        path = ROOT / "jaxmpi_lint" / package.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").is_file(), package


@pytest.mark.parametrize(
    ("linter", "sanitizer", "descriptions", "problem"),
    [
        ([["a"], ["b"]], [], {"a": "First"}, "b: no description"),
        ([["a"]], [["c"]], {"a": "First"}, "c: no description"),
        ([["a"]], [["c"]], {"a": "First", "c": "Third", "d": "Fourth"}, "d: in no layer"),
    ],
)
def test_incomplete_descriptions_are_refused(
    generator: ModuleType,
    linter: list[list[str]],
    sanitizer: list[list[str]],
    descriptions: dict[str, str],
    problem: str,
) -> None:
    with pytest.raises(generator.Incomplete, match=problem):
        generator.packages({"A": linter, "B": sanitizer}, descriptions)


def test_rows_have_the_order_of_the_layers(generator: ModuleType) -> None:
    stacks = {"One": [["a"], ["b", "c"]], "Other": [["d"], ["e"]]}
    text = generator.packages(stacks, {"b": "B", "e": "E", "a": "A", "d": "D", "c": "C"})
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if "`" in line]
    assert rows == [
        ["1", "`a`", "A"], ["2", "`b`", "B"], ["2", "`c`", "C"], ["1", "`d`", "D"], ["2", "`e`", "E"],
    ]  # fmt: skip
    assert re.findall(r"(\w+):\n", text) == ["One", "Other"]


@pytest.mark.parametrize("name", ["architecture.md", "analysis.md", "sanitizer-semantics.md"])
def test_files_that_a_page_names_exist(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w/.-])[A-Za-z_][\w/-]*\.(?:py|cpp|hpp|table|toml|md)\b", text)) - {"case.py"}
    assert named
    missing = [
        one for one in sorted(named) if not any((ROOT / prefix / one).exists() for prefix in (*PREFIXES, "docs"))
    ]
    assert missing == []
