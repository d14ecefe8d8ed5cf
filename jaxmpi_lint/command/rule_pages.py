"""Generator of the pages in ``docs/rules``: ``python -m jaxmpi_lint.docs [--check]``."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jaxmpi_lint.command.rule_templates import UNWRITTEN
from jaxmpi_lint.command.tracers import exemptions_of
from jaxmpi_lint.findings.diagnostics import Applicability
from jaxmpi_lint.findings.errors import UserError

if TYPE_CHECKING:
    from jaxmpi_lint.reporters.report import Report
    from jaxmpi_lint.rules.base import Rule

FOLDER = Path("docs/rules")
INDEX = "README.md"
REMEDY = "run `python -m jaxmpi_lint.docs`"

# The sections of a page in their order.
SECTIONS = (
    "What it does",
    "Why is this bad?",
    "Example",
    "Use instead",
    "Fix safety",
    "Confidence",
    "When it stays silent",
    "Known false negatives",
    "Suppression",
    "References",
)
SILENT = "When it stays silent"
"""The section that is generated from the exemptions of a rule, not taken from its docstring."""

OPTIONAL = frozenset({"Fix safety", SILENT, "Known false negatives", "Suppression"})

FAMILIES = {
    "JM0": "The tool itself",
    "JM1": "Mismatched collectives",
    "JM2": "mpi4py: buffers and types",
    "JM3": "Point-to-point and requests",
    "JM4": "Communicators, lifetime, process environment",
    "JM5": "mpi4jax",
    "JM6": "Multi-process JAX",
    "JM7": "Axis names and sharding",
    "JM8": "Nondeterminism that affects communication",
    "JM9": "Windows, files and threads",
}
FIXES = {
    None: "no",
    Applicability.SAFE: "`--fix`",
    Applicability.UNSAFE: "`--fix --unsafe-fixes`",
    Applicability.DISPLAY: "shown, not applied",
}

_CODE = re.compile(r"JM\d{3}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SUMMARY_LENGTH = 71  # a title of 70 characters, and its full stop
_SILENCE = """\
For one statement: a comment on any of its lines. For a whole block: a comment on a separate line before it.

```python
...  # jaxmpi-lint: ignore[{code}] reason
...  # noqa: {code}
```

For the whole project, or for some files: settings in `pyproject.toml`.

```toml
[tool.jaxmpi-lint]
ignore = ["{code}"]

[tool.jaxmpi-lint.per-file-ignores]
"tests/*" = ["{code}"]
```"""

_SILENT = """\
The exemptions are tested in this order. `jaxmpi-lint --trace {code} FILE:LINE` prints which of them applies to a
line, and the evidence for it.

| exemption | reason for no finding, or for a lower confidence |
| --- | --- |"""

_SUPPRESSIONS = """\
## Suppressing findings

| scope | how |
| --- | --- |
| one statement | `# jaxmpi-lint: ignore[JM101] reason` or `# noqa: JM101` on any of its lines or on the `if` shown |
| a statement with its block | `# jaxmpi-lint: ignore[JM101] reason` on a separate line before it |
| a range of lines | `# jaxmpi-lint: disable[JM101] reason` up to `# jaxmpi-lint: enable[JM101]` |
| a file | `# jaxmpi-lint: ignore-file[JM101] reason` in the comments at its top |
| some files | `per-file-ignores` in `[tool.jaxmpi-lint]` |
| a rule everywhere | `ignore` in `[tool.jaxmpi-lint]`, or `--ignore` |
| the cause of a false positive | `# jaxmpi-lint: uniform` on the line that computes the uniform value |
| all present findings | `--write-baseline`, then `--baseline` |

A comment that suppresses nothing is itself reported ([JM003](JM003.md)). Several codes are separated by commas. If
several rules find the same defect, the code of any of them suppresses it."""


# --- pages -----------------------------------------------------------------------------------------------------------


def page(rule: type[Rule]) -> str:
    """The documentation of a rule in Markdown."""
    summary, sections = split(rule.page())
    if "Suppression" not in sections:
        sections["Suppression"] = _SILENCE.format(code=rule.code)
    exemptions = exemptions_of(rule)
    if exemptions:
        rows = [f"| `{exemption.name}` | {exemption.why} |" for exemption in exemptions]
        sections[SILENT] = "\n".join([_SILENT.format(code=rule.code), *rows])
    ordered = sorted(sections, key=lambda title: SECTIONS.index(title) if title in SECTIONS else len(SECTIONS))
    body = "\n\n".join(f"## {title}\n\n{sections[title]}" for title in ordered)
    return f"# {rule.code} {rule.name}\n\n{_facts(rule)}\n\n{summary}\n\n{body}\n"


def index(rules: Sequence[type[Rule]]) -> str:
    """The index page: a table of rules for each family."""
    parts = ["# Rules\n\nEach rule has a page; `jaxmpi-lint --explain CODE` prints it in the terminal."]
    for family, title in FAMILIES.items():
        rows = [_row(rule) for rule in rules if rule.code.startswith(family)]
        if rows:
            head = "| code | name | finds | severity | fix |\n| --- | --- | --- | --- | --- |"
            parts.append("\n".join([f"## {family}xx: {title}\n", head, *rows]))
    legend = "The severity is that of a finding with the highest confidence. Preview rules run only with `--preview`."
    return "\n\n".join([*parts, legend, _SUPPRESSIONS]) + "\n"


def split(docstring: str) -> tuple[str, dict[str, str]]:
    """The summary and the sections of a docstring; headings inside code blocks do not count."""
    summary: list[str] = []
    sections: dict[str, list[str]] = {}
    lines, fenced = summary, False
    for line in docstring.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            lines = sections.setdefault(line.removeprefix("## ").strip(), [])
        else:
            lines.append(line)
    return "\n".join(summary).strip(), {title: "\n".join(text).strip() for title, text in sections.items()}


def _facts(rule: type[Rule]) -> str:
    status = "preview, runs with `--preview`" if rule.preview else "stable"
    return f"Severity: {rule.severity.value}. Fix: {FIXES[rule.fix]}. Status: {status}."


def _row(rule: type[Rule]) -> str:
    name = f"{rule.name} (preview)" if rule.preview else rule.name
    summary = rule.summary().replace("|", "\\|")
    return f"| [{rule.code}]({rule.code}.md) | {name} | {summary} | {rule.severity.value} | {FIXES[rule.fix]} |"


# --- completeness of a page ----------------------------------------------------------------------------


def problems(rule: type[Rule]) -> list[str]:
    """The problems of a rule's documentation, one line each."""
    summary, sections = split(rule.page())
    found = [*_summary_problems(summary), *_section_problems(sections)]
    for title in ("Example", "Use instead"):
        found += _example_problems(title, sections.get(title, ""))
    if not _NAME.fullmatch(rule.name):
        found.append(f"name {rule.name!r} is not of the form words-with-hyphens")
    if rule.fix is not None and "Fix safety" not in sections:
        found.append("has a fix, but no section 'Fix safety'")
    return [f"{rule.code}: {problem}" for problem in found]


def unwritten(rules: Iterable[type[Rule]]) -> list[str]:
    """The texts that are unchanged since `jaxmpi_lint.new_rule` wrote them, one line each."""
    return [
        f"{rule.code}: {what} is still the text of the template; write it in {rule.__module__}"
        for rule in rules
        for what, text in _texts(rule)
        if text.startswith(UNWRITTEN)
    ]


def _texts(rule: type[Rule]) -> Iterator[tuple[str, str]]:
    for title, text in split(rule.page())[1].items():
        yield f"section {title!r}", text
    for attribute in ("message", "remedy"):
        yield attribute, getattr(rule, attribute, "")


def _summary_problems(summary: str) -> Iterator[str]:
    if not summary:
        yield "no summary line"
    elif "\n" in summary:
        yield "the summary is longer than one line"
    elif not summary.endswith(".") or len(summary) > _SUMMARY_LENGTH:
        yield f"the summary is not a line of at most {_SUMMARY_LENGTH} characters that ends with a full stop"


def _section_problems(sections: Mapping[str, str]) -> Iterator[str]:
    for title in SECTIONS:
        if title not in sections and title not in OPTIONAL:
            yield f"no section {title!r}"
    for title, text in sections.items():
        if title not in SECTIONS:
            yield f"unknown section {title!r}"
        if not text:
            yield f"section {title!r} is empty"
        if text.count("```") % 2:
            yield f"section {title!r} has an unclosed code block"
    known = [title for title in sections if title in SECTIONS]
    if known != sorted(known, key=SECTIONS.index):
        yield f"sections are not in the order {', '.join(SECTIONS)}"


def _example_problems(title: str, text: str) -> Iterator[str]:
    """An example has a code block, and blocks marked as Python can be parsed."""
    blocks = re.findall(r"(?ms)^```(\w*)\n(.*?)^```", text)
    if text and not blocks:
        yield f"section {title!r} has no code block"
    for language, block in blocks:
        if language == "python":
            try:
                ast.parse(block)
            except SyntaxError as error:
                yield f"section {title!r} has a code block that is not valid Python: line {error.lineno}: {error.msg}"


# --- files -----------------------------------------------------------------------------------------------------------


def pages(rules: Sequence[type[Rule]]) -> dict[str, str]:
    """The contents of all pages by file name."""
    return {INDEX: index(rules), **{f"{rule.code}.md": page(rule) for rule in rules}}


def check(folder: Path, rules: Sequence[type[Rule]]) -> list[str]:
    """The pages that are stale, missing, orphaned or not written yet, one line each."""
    wanted = pages(rules)
    found = unwritten(rules)
    for name, text in wanted.items():
        file = folder / name
        if not file.is_file():
            found.append(f"{file.as_posix()}: missing; {REMEDY}")
        elif file.read_text(encoding="utf-8") != text:
            found.append(f"{file.as_posix()}: stale; {REMEDY}")
    return found + [
        f"{file.as_posix()}: orphaned, no rule has this code; {REMEDY}" for file in _orphans(folder, wanted)
    ]


def write(folder: Path, rules: Sequence[type[Rule]]) -> None:
    """Write all pages and remove orphaned ones; an error if the text of a rule is not written yet."""
    missing = unwritten(rules)
    if missing:
        raise UserError(missing[0])
    wanted = pages(rules)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in wanted.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        for file in _orphans(folder, wanted):
            file.unlink()
    except OSError as error:
        raise UserError(f"{folder}: cannot write the pages: {error.strerror}; make the folder writable") from error


def _orphans(folder: Path, wanted: Iterable[str]) -> list[Path]:
    names = set(wanted)
    return sorted(file for file in folder.glob("*.md") if _CODE.fullmatch(file.stem) and file.name not in names)


def picture(report: Report, columns: int = 100) -> str:
    """An SVG picture of a report in a terminal."""
    from io import StringIO

    from rich.console import Console

    from jaxmpi_lint.reporters.full import show

    console = Console(
        file=StringIO(), record=True, width=columns, force_terminal=True, no_color=False, color_system="standard"
    )
    show(report, console, columns)
    return console.export_svg(title="jaxmpi-lint", unique_id="jaxmpi-lint")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages of the built-in rules, or with ``--check`` list those that are stale."""
    from jaxmpi_lint.rules import registry

    parser = argparse.ArgumentParser(prog="python -m jaxmpi_lint.docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is stale")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"folder of the pages (default: {FOLDER})")
    options = parser.parse_args(arguments)
    rules = [rule for rule in registry.load() if rule.__module__.startswith("jaxmpi_lint.")]
    try:
        if not options.check:
            write(options.folder, rules)
            return 0
        stale = check(options.folder, rules)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in stale:
        print(line)
    return 1 if stale else 0
