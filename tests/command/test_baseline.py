"""Known findings: what a finding is when lines move, and how often it is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.command import baseline
from jaxmpi_lint.findings.diagnostics import Confidence, Diagnostic, Position, Severity
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.reporters.fingerprints import fingerprint

TEXT = "import x\nif rank == 0:\n    comm.bcast(a,\n               root=0)\n"
FINDING = Diagnostic(
    "JM101",
    "collective-in-rank-branch",
    Severity.ERROR,
    Confidence.HIGH,
    "only rank 0 reaches this `bcast`; the others wait at line 9",
    "src/a.py",
    Position(3, 5),
    Position(4, 22),
    rows=(3, 4),
)


def at(row: int, **changes: object) -> Diagnostic:
    return replace(FINDING, start=Position(row, 5), end=Position(row + 1, 22), rows=(row, row + 1), **changes)  # type: ignore[arg-type]


SAME = {
    "moved down": (at(5), "\n\n" + TEXT),
    "indented": (FINDING, TEXT.replace("    comm", "        comm")),
    "broken elsewhere": (replace(FINDING, rows=(3, 3)), TEXT.replace(",\n              ", ",")),
    "commented": (FINDING, TEXT.replace("a,\n", "a,  # the array\n")),
    "other line in the message": (replace(FINDING, message=FINDING.message.replace("9", "12")), TEXT),
    "other message": (replace(FINDING, message="only rank 0 calls `bcast`"), TEXT),
    "other line endings": (FINDING, TEXT.replace("\n", "\r\n")),
    "surer": (replace(FINDING, confidence=Confidence.MEDIUM), TEXT),
    "path of Windows": (replace(FINDING, filename="src\\a.py"), TEXT),
}
OTHER = {
    "code": (replace(FINDING, code="JM102"), TEXT),
    "file": (replace(FINDING, filename="src/b.py"), TEXT),
    "statement": (FINDING, TEXT.replace("(a", "(b")),
    "hash sign in a string": (FINDING, TEXT.replace("(a", "('#'")),
}


@pytest.mark.parametrize("name", SAME)
def test_a_fingerprint_survives_layout(name: str) -> None:
    diagnostic, text = SAME[name]
    assert fingerprint(diagnostic, text) == fingerprint(FINDING, TEXT)


@pytest.mark.parametrize("name", OTHER)
def test_a_fingerprint_tells_findings_apart(name: str) -> None:
    diagnostic, text = OTHER[name]
    assert fingerprint(diagnostic, text) != fingerprint(FINDING, TEXT)


def test_a_fingerprint_in_a_notebook_counts_rows_in_the_cell() -> None:
    before = replace(FINDING, cell=2, rows=(1, 1))
    after = replace(FINDING, cell=3, rows=(2, 2))
    assert fingerprint(before, "x\n# %%\ncomm.bcast(a)") == fingerprint(after, "x\n# %%\ny\n# %%\n\ncomm.bcast(a)")
    assert fingerprint(before, "x\n# %%\ncomm.bcast(a)") != fingerprint(before, "x\n# %%\ncomm.bcast(b)")


def test_a_fingerprint_without_text_is_still_one() -> None:
    assert fingerprint(FINDING, "") == fingerprint(FINDING, "")


def test_counts_matter(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    baseline.write(path, [(FINDING, TEXT)] * 2)
    known = baseline.load(path)
    assert [known.known(FINDING, TEXT) for _ in range(3)] == [True, True, False]
    assert known.remark() is None


def test_two_messages_about_a_statement_are_two_entries(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    one, two = FINDING, replace(FINDING, message="only rank 1 reaches this `bcast`")
    baseline.write(path, [(one, TEXT), (two, TEXT)])
    assert len(json.loads(path.read_text(encoding="utf-8"))["findings"]) == 2
    known = baseline.load(path)
    assert [known.known(FINDING, TEXT) for _ in range(3)] == [True, True, False]


def test_an_entry_without_file_code_or_message_counts_by_its_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    baseline.write(path, [(FINDING, TEXT)])
    name = json.loads(path.read_text(encoding="utf-8"))["findings"][0]["fingerprint"]
    path.write_text(json.dumps({"version": 1, "findings": [{"fingerprint": name}]}))
    assert baseline.load(path).known(FINDING, TEXT)


def test_entries_that_are_gone_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    baseline.write(path, [(FINDING, TEXT), (FINDING, TEXT), (at(7, code="JM102"), TEXT)])
    known = baseline.load(path)
    assert known.gone == 3
    assert known.known(FINDING, TEXT)
    assert known.remark() == "2 entries of the baseline are gone; rewrite it with --write-baseline"


def test_the_file_is_sorted_and_readable_whatever_the_order(tmp_path: Path) -> None:
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    findings = [(FINDING, TEXT), (replace(FINDING, filename="a.py"), ""), (replace(FINDING, code="JM002"), TEXT)]
    baseline.write(one, [*findings, (FINDING, TEXT)])
    baseline.write(two, [(FINDING, TEXT), *findings[::-1]])
    assert one.read_bytes() == two.read_bytes()
    content = json.loads(one.read_text(encoding="utf-8"))
    assert content["version"] == 1
    assert [(e["filename"], e["code"], e["count"]) for e in content["findings"]] == [
        ("a.py", "JM101", 1),
        ("src/a.py", "JM002", 1),
        ("src/a.py", "JM101", 2),
    ]


def test_findings_that_differ_in_line_numbers_are_one_entry(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    baseline.write(path, [(FINDING, TEXT), SAME["other line in the message"]])
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["findings"]
    assert entry["count"] == 2


BROKEN = {
    "no JSON": ("{\n x", ":2:2: broken baseline"),
    "no object": ("[]", "no list `findings`"),
    "other version": ('{"version": 9, "findings": []}', "version 9"),
    "no fingerprint": ('{"version": 1, "findings": [{"count": 1}]}', "finding 1 lacks a fingerprint"),
    "count of nothing": ('{"version": 1, "findings": [{"fingerprint": "a", "count": 0}]}', "finding 1"),
    "nested too deep": ('{"a": ' + "[" * 200_000, "too large or too deeply nested"),
    "no text": ("\udcff", "not UTF-8"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_baseline_is_told_in_one_line_with_the_remedy(name: str, tmp_path: Path) -> None:
    content, message = BROKEN[name]
    path = tmp_path / "baseline.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError) as caught:
        baseline.load(path)
    text = str(caught.value)
    assert str(path) in text and message in text and "--write-baseline" in text and "\n" not in text


def test_a_baseline_that_is_not_there_says_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--write-baseline"):
        baseline.load(tmp_path / "none.json")
