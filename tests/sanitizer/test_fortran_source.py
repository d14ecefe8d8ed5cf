"""The first line of a statement of Fortran."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxmpi_lint.runtime.ledger import fortran_source

FIXED = """C     a comment
      CALL MPI_SEND(X, 1, MPI_INTEGER, 1, 7,
C     within the statement

     &     MPI_COMM_WORLD,
     1     IERROR)
      CALL NEXT
10    CALL LABELLED(X,
     +     Y)
"""
FREE = """! a comment
call MPI_Send(x, 1, & ! the value
    ! within the statement

    MPI_INTEGER, 1, 7, &
    & MPI_COMM_WORLD, ierror)
call next('&', "! &")
call last("a & b")
end
"""


@pytest.mark.parametrize(
    ("name", "text", "firsts"),
    [
        ("solver.f", FIXED, {1: 1, 2: 2, 5: 2, 6: 2, 7: 7, 8: 8, 9: 8}),
        ("solver.F90", FREE, {1: 1, 2: 2, 5: 2, 6: 2, 7: 7, 8: 8, 9: 9}),
        ("free.f", "module m\n     call a(x, &\n     y)\n     call b\n", {2: 2, 3: 2, 4: 4}),
        ("empty.f90", "", {0: 0, 1: 1}),
    ],
)
def test_first_line_of_a_statement(tmp_path: Path, name: str, text: str, firsts: dict[int, int]) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert {line: fortran_source.first_line(str(file), line) for line in firsts} == firsts


def test_file_that_is_not_there() -> None:
    assert fortran_source.first_line("/nowhere/solver.f90", 7) == 7


@pytest.mark.parametrize(("name", "expected"), [("a.f90", True), ("a.F", True), ("a.c", False), ("a.py", False)])
def test_names_of_files(name: str, expected: bool) -> None:
    assert fortran_source.is_fortran(name) is expected
