"""The generator of the interposers refuses rows that would be compared less than they look."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import ROOT

from jaxmpi_lint.runtime.native.generator import functions
from jaxmpi_lint.runtime.native.generator.words import Malformed

NATIVE = ROOT / "jaxmpi_lint" / "runtime" / "native"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[base collective all]\nBcast(buffer, comm)", "2: Bcast is a collective: add data=, one of none, buffer"),
        ("[base send]\nSend(buf, comm) mode=slow", "2: unknown: mode=slow"),
        ("[base send]\n\nSend(buf, comm) quickly", "3: unknown: quickly"),
        ("Send(buf, comm)", "1: not a function: Send(buf, comm)"),
    ],
)
def test_malformed_row_is_named_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    table = tmp_path / "functions.table"
    table.write_text(text)
    with pytest.raises(Malformed) as refused:
        functions.read(table)
    assert str(refused.value).startswith(f"{table}:{problem}")


def test_forms_of_a_function_have_its_traits() -> None:
    rows = {row.name: row for row in functions.read(NATIVE / "functions.table")}
    for name in ("Alltoallv", "Ialltoallv", "Alltoallv_init", "Ialltoallv_c", "Alltoallv_init_c"):
        assert rows[name].traits == {"data": "own", "in_place": ""}
    assert rows["Issend_c"].traits == rows["Ssend_init"].traits == {"mode": "synchronous"}
    assert rows["Isend"].traits == {}


def test_parameter_takes_the_role_that_the_table_states() -> None:
    rows = {row.name: row for row in functions.read(NATIVE / "functions.table")}
    assert rows["Intercomm_merge"].parameters == ("comm", "high", "newcomm")
