"""Rule pages: complete in every rule, generated, checked for staleness, shown by ``--explain``, pictured."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from places import ROOT
from report_samples import FULL

from jaxmpi_lint.command import rule_pages
from jaxmpi_lint.command.explain import explain
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Rule
from jaxmpi_lint.runtime.findings import catalogue

OWN_RULES = [rule for rule in registry.load() if rule.__module__.startswith("jaxmpi_lint.")]
GOOD = """Collective in a rank-dependent branch.

## What it does
Reports it.

## Why is this bad?
They wait.

## Example
```python
## not a heading
if rank == 0:
    comm.bcast(x)
```

## Use instead
```python
comm.bcast(x)
```

## Confidence
High.

## References
MPI 4.1, section 6.1.
"""


def rule(docstring: str, fix: Applicability | None = None, code: str = "JM101", name: str = "a-name") -> type[Rule]:
    members = {"__doc__": docstring, "code": code, "name": name, "severity": Severity.ERROR, "fix": fix}
    return type("Sample", (Rule,), members)


@pytest.mark.parametrize("own", OWN_RULES, ids=lambda own: str(own.code))
def test_every_rule_is_documented(own: type[Rule]) -> None:
    assert rule_pages.problems(own) == []


def test_complete_docstring_has_no_problems() -> None:
    assert rule_pages.problems(rule(GOOD)) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Collective in a rank-dependent branch.", "", "no summary line"),
        ("dependent branch.", "dependent\nbranch.", "longer than one line"),
        ("dependent branch.", "dependent branch", "ends with a full stop"),
        ("Collective", "C" * 100, "at most 71 characters"),
        ("## Confidence\nHigh.\n", "", "no section 'Confidence'"),
        ("Reports it.", "", "section 'What it does' is empty"),
        ("## Confidence", "## How certain", "unknown section 'How certain'"),
        (
            "## References",
            "## Known false negatives\nNone.\n\n## Fix safety\nSafe.\n\n## References",
            "not in the order",
        ),
        ("## Use instead\n```python\ncomm.bcast(x)\n```", "## Use instead\nNothing.", "has no code block"),
        ("comm.bcast(x)\n```\n\n## Use", "comm.bcast(x\n```\n\n## Use", "not valid Python: line"),
        ("High.", "High.\n```python\nx", "unclosed code block"),
    ],
)
def test_problem_of_a_docstring_is_named(old: str, new: str, problem: str) -> None:
    assert old in GOOD
    assert any(problem in found for found in rule_pages.problems(rule(GOOD.replace(old, new, 1))))


def test_fix_needs_a_word_about_its_safety() -> None:
    assert rule_pages.problems(rule(GOOD, Applicability.SAFE)) == ["JM101: has a fix, but no section 'Fix safety'"]


def test_name_has_words_with_hyphens() -> None:
    assert rule_pages.problems(rule(GOOD, name="Bad_name")) == [
        "JM101: name 'Bad_name' is not of the form words-with-hyphens"
    ]


# --- pages ---------------------------------------------------------------------------------------------------------


def test_page_has_title_facts_sections_and_how_to_silence() -> None:
    page = rule_pages.page(rule(GOOD))
    assert page.startswith(
        "# JM101 a-name\n\nSeverity: error. Fix: no. Status: stable.\n\nCollective in a rank-dependent branch.\n"
    )
    titles = [line for line in page.splitlines() if line.startswith("## ") and line != "## not a heading"]
    assert titles == [
        "## What it does",
        "## Why is this bad?",
        "## Example",
        "## Use instead",
        "## Confidence",
        "## Suppression",
        "## References",
    ]
    assert "# jaxmpi-lint: ignore[JM101] " in page
    assert "if rank == 0:\n    comm.bcast(x)\n" in page


def test_page_keeps_what_the_rule_says_about_silencing() -> None:
    own = GOOD.replace("## References", "## Suppression\nExclude it.\n\n## References")
    page = rule_pages.page(rule(own))
    assert "## Suppression\n\nExclude it.\n" in page
    assert page.count("## Suppression") == 1


def test_index_has_a_table_for_each_family() -> None:
    index = rule_pages.index([rule(GOOD), rule(GOOD, Applicability.SAFE, "JM501")])
    assert "## JM1xx: Mismatched collectives\n" in index
    assert "| [JM501](JM501.md) | a-name | Collective in a rank-dependent branch | error | `--fix` |" in index
    assert "JM9xx" not in index
    assert "## Suppressing findings" in index


def test_written_pages_are_up_to_date(tmp_path: Path) -> None:
    rule_pages.write(tmp_path / "rules", [rule(GOOD)])
    assert rule_pages.check(tmp_path / "rules", [rule(GOOD)]) == []


def test_check_names_stale_missing_and_orphaned_pages(tmp_path: Path) -> None:
    rule_pages.write(tmp_path, [rule(GOOD), rule(GOOD, code="JM102")])
    found = rule_pages.check(tmp_path, [rule(GOOD.replace("High", "Low")), rule(GOOD, code="JM103")])
    assert [line.removeprefix(f"{tmp_path.as_posix()}/").partition("; run `python")[0] for line in found] == [
        "README.md: stale",
        "JM101.md: stale",
        "JM103.md: missing",
        "JM102.md: orphaned, no rule has this code",
    ]


def test_write_removes_orphans_and_nothing_else(tmp_path: Path) -> None:
    for name in ("JM999.md", "notes.md"):
        (tmp_path / name).write_text("text")
    rule_pages.write(tmp_path, [rule(GOOD)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["JM101.md", "README.md", "notes.md"]


def test_command_writes_then_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ["--folder", str(tmp_path / "rules")]
    assert rule_pages.main([*folder, "--check"]) == 1
    assert f"{(tmp_path / 'rules' / 'JM001.md').as_posix()}: missing" in capsys.readouterr().out
    assert rule_pages.main(folder) == 0
    assert rule_pages.main([*folder, "--check"]) == 0


def test_folder_that_cannot_be_written_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert rule_pages.main(["--folder", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("error: ")


# --- explain -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["JM101", "jm101", "a-name", " JM101 "])
def test_explain_writes_the_page(code: str) -> None:
    stream = StringIO()
    explain(code, [rule(GOOD)], stream, color=False)
    assert stream.getvalue() == rule_pages.page(rule(GOOD))


def test_explain_is_typeset_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.text import Text

    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = StringIO()
    explain("JM101", [rule(GOOD)], stream, color=True)
    lines = [line.rstrip() for line in Text.from_ansi(stream.getvalue()).plain.splitlines()]
    assert "\x1b[" in stream.getvalue()
    assert "Confidence" in lines and " if rank == 0:" in lines
    assert not any(line.startswith("```") for line in lines)
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("JM110", "unknown rule 'JM110'; did you mean JM102 or JM101?"),
        ("rank-brunch", "unknown rule 'rank-brunch'; did you mean JM102?"),
        ("E501", "unknown rule 'E501'; `jaxmpi-lint --list-rules` shows all"),
    ],
)
def test_unknown_rule_names_the_nearest(code: str, message: str) -> None:
    rules = [rule(GOOD), rule(GOOD, code="JM102", name="rank-branch")]
    with pytest.raises(UserError) as error:
        explain(code, rules, StringIO(), color=False)
    assert str(error.value).startswith(message)


# --- codes ---------------------------------------------------------------------------------------------------------

PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "benchmarks" / "README.md"]
CITED = re.compile(r"\bJ[MS]\d\w\w\b")
FAMILY = re.compile(r"## J[MS]\dxx: ")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_code_that_a_page_cites_exists(page: Path) -> None:
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if not FAMILY.match(line)]
    cited = set(CITED.findall("\n".join(lines)))
    assert cited <= {*catalogue.CODES, *(rule.code for rule in OWN_RULES)}


# --- picture -------------------------------------------------------------------------------------------------------


def test_picture_is_svg_with_the_findings_and_always_the_same() -> None:
    picture = rule_pages.picture(FULL)
    text = "".join(ElementTree.fromstring(picture).itertext()).replace("\xa0", " ")
    assert "JM101" in text and "they wait here instead" in text
    assert rule_pages.picture(FULL) == picture
