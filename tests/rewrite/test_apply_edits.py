"""Fixes: planned as wholes, applied by position, shown as a difference, written in one step."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest
from report_samples import finding

from jaxmpi_lint.findings.diagnostics import Applicability, Diagnostic, Edit, Fix, Position
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.rewrite import apply_edits
from jaxmpi_lint.sources.lexical_scan import line_starts


def edit(row: int, start: int, end: int, content: str) -> Edit:
    return Edit(Position(row, start), Position(row, end), content)


def repair(
    *edits: Edit, kind: Applicability = Applicability.SAFE, filename: str = "a.py", cell: int | None = None
) -> Diagnostic:
    start = min((e.start for e in edits), default=Position(1, 1))
    return finding(filename=filename, start=start, end=start, cell=cell, fix=Fix(kind, "repair", edits))


def fixed(text: str, *diagnostics: Diagnostic, unsafe: bool = False) -> str:
    return apply_edits.apply(text, line_starts(text), apply_edits.plan(diagnostics, unsafe))


# --- which fixes are made --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "unsafe", "made"),
    [
        (Applicability.SAFE, False, True),
        (Applicability.UNSAFE, False, False),
        (Applicability.UNSAFE, True, True),
        (Applicability.DISPLAY, True, False),
    ],
)
def test_applicability_decides(kind: Applicability, unsafe: bool, made: bool) -> None:
    assert bool(apply_edits.plan([repair(edit(1, 1, 2, "y"), kind=kind)], unsafe)) is made


def test_disjoint_fixes_go_together_in_any_order() -> None:
    later, earlier = repair(edit(2, 1, 4, "two")), repair(edit(1, 1, 4, "one"))
    assert fixed("abc\ndef\n", later, earlier) == "one\ntwo\n"


def test_overlapping_fix_waits_as_a_whole() -> None:
    first = repair(edit(1, 1, 4, "ABC"))
    second = repair(edit(1, 3, 5, "x"), edit(2, 1, 2, "y"))
    assert fixed("abcdef\nghi\n", first, second) == "ABCdef\nghi\n"


def test_replacements_that_touch_go_together() -> None:
    assert fixed("abcd", repair(edit(1, 1, 3, "X")), repair(edit(1, 3, 5, "Y"))) == "XY"


def test_two_insertions_at_one_place_conflict() -> None:
    first, second = repair(edit(1, 2, 2, "(")), repair(edit(1, 2, 2, "["))
    assert fixed("ab", first, second) == "a(b"


def test_same_bracket_opened_by_two_fixes_is_not_one_edit() -> None:
    inner = repair(edit(1, 1, 1, "f("), edit(1, 2, 2, ")"))
    outer = repair(edit(1, 1, 1, "f("), edit(1, 4, 4, ")"))
    assert fixed("abc", inner, outer) == "f(a)bc"


def test_insertion_inside_or_beside_changed_text_waits() -> None:
    change = repair(edit(1, 2, 4, "X"))
    for column in (2, 3, 4):
        assert len(apply_edits.plan([change, repair(edit(1, column, column, "i"))], False)) == 1


def test_import_needed_by_two_fixes_is_added_once() -> None:
    new_import = edit(1, 1, 1, "import jax\n")
    first, second = repair(new_import, edit(2, 1, 2, "A")), repair(new_import, edit(3, 1, 2, "B"))
    assert fixed("x\ny\nz\n", first, second) == "import jax\nx\nA\nB\n"


def test_different_imports_at_one_place_wait() -> None:
    first, second = repair(edit(1, 1, 1, "import jax\n")), repair(edit(1, 1, 1, "import mpi4py\n"))
    assert fixed("x\n", first, second) == "import jax\nx\n"


def test_edits_of_one_fix_may_touch() -> None:
    assert fixed("abc", repair(edit(1, 1, 3, "X"), edit(1, 3, 3, "("), edit(1, 4, 4, ")"))) == "X(c)"


def test_brackets_closed_twice_by_one_fix_stay_two() -> None:
    assert fixed("f(g(x", repair(edit(1, 6, 6, ")"), edit(1, 6, 6, ")"))) == "f(g(x))"


def test_fix_that_contradicts_itself_is_not_made() -> None:
    assert apply_edits.plan([repair(edit(1, 1, 4, "X"), edit(1, 2, 3, "Y"))], False) == []


def test_fix_without_edits_and_finding_without_fix_are_not_planned() -> None:
    assert apply_edits.plan([repair(), finding()], True) == []


def test_files_and_cells_do_not_disturb_each_other() -> None:
    same = edit(1, 1, 4, "X")
    planned = apply_edits.plan(
        [repair(same), repair(same, filename="b.py"), repair(same, cell=1), repair(same, cell=2)], False
    )
    assert len(planned) == 4


def test_thousands_of_fixes_are_planned_in_reasonable_time() -> None:
    diagnostics = [repair(edit(row, 1, 2, "y")) for row in range(1, 20_001)]
    assert len(apply_edits.plan(diagnostics, False)) == 20_000


# --- what they do to a text ------------------------------------------------------------------------------------------


def test_line_endings_and_wide_characters_are_kept() -> None:
    text = "数 = 1\r\nb = 2\rc = 3\n"
    assert fixed(text, repair(edit(1, 5, 6, "9")), repair(edit(3, 5, 6, "7"))) == "数 = 9\r\nb = 2\rc = 7\n"


def test_deletion_over_rows_and_insertion_at_the_end() -> None:
    deletion = repair(Edit(Position(1, 2), Position(3, 1), "-"))
    assert fixed("ab\ncd\nef", deletion, repair(edit(3, 3, 3, "!"))) == "a-ef!"


def test_position_after_the_last_row_is_the_end() -> None:
    assert fixed("ab", repair(Edit(Position(1, 1), Position(2, 1), "x"))) == "x"


# --- the difference --------------------------------------------------------------------------------------------------


def test_diff_has_the_form_of_diff_u() -> None:
    assert apply_edits.unified_diff("a.py", "x\ny\n", "x\nz\n") == "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"


def test_no_difference_is_empty() -> None:
    assert apply_edits.unified_diff("a.py", "x\n", "x\n") == ""


def test_diff_tells_of_a_missing_final_newline() -> None:
    missing = "\\ No newline at end of file\n"
    assert apply_edits.unified_diff("a.py", "x", "y").endswith(f"-x\n{missing}+y\n{missing}")


@pytest.mark.jobs
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\n", "a\nc\n"),
        ("a\nb", "a\nc"),
        ("a\r\nb\r\n", "a\r\nc\r\n"),
        ("a\x0cb\nc\n", "a\x0cd\nc\n"),
        ("a\u2028b\nc", "a\u2028d\nc\n"),
        ("", "new\n"),
    ],
)
def test_patch_accepts_the_diff(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(before.encode())
    difference = apply_edits.unified_diff("a.py", before, after).encode()
    subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn", "-"], cwd=tmp_path, input=difference, check=True)
    assert file.read_bytes() == after.encode()


# --- writing ---------------------------------------------------------------------------------------------------------


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_write_keeps_the_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("old")
    file.chmod(0o751)
    apply_edits.write(file, b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o751
    assert names(tmp_path) == ["a.py"]


def test_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    apply_edits.write(tmp_path / "a.py", b"")
    (tmp_path / "b.py").write_text("")
    assert (tmp_path / "a.py").stat().st_mode == (tmp_path / "b.py").stat().st_mode


def test_write_follows_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.py", tmp_path / "link.py"
    target.write_text("old")
    link.symlink_to(target)
    apply_edits.write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert names(tmp_path / "real") == ["a.py"]


def test_name_as_long_as_a_file_system_allows(tmp_path: Path) -> None:
    file = tmp_path / ("a" * 252 + ".py")
    file.write_text("old")
    apply_edits.write(file, b"new")
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize("name", ["folder", "missing/a.py", "cycle"])
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "cycle").symlink_to("cycle")
    with pytest.raises(UserError, match=rf"{name}: cannot write: .*; make the file and its folder writable"):
        apply_edits.write(tmp_path / name, b"new")
    assert names(tmp_path) == ["cycle", "folder"]


def test_read_only_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.py"
    file.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(UserError, match="read-only"):
        apply_edits.write(file, b"new")
    assert file.read_text() == "old"


def test_failure_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.py"
    file.write_text("old")

    def fail(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(UserError, match="No space left on device"):
        apply_edits.write(file, b"new")
    assert names(tmp_path) == ["a.py"]
    assert file.read_text() == "old"
