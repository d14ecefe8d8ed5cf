"""Programs in C, and Python that calls them: reports show lines of C, from the debug information of the program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .environments import Environment
from .harness import Result, run

SECONDS = 60
HEAD = "#include <mpi.h>\n#include <stdlib.h>\n#include <string.h>\nstatic int rank;\n"
MAIN = """
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        %s
    }
    MPI_Finalize();
    return 0;
}
"""
LIBRARY = """#include <mpi.h>
static double inner(double x, int n) {
    double out[4] = {0}, in[4] = {x, x, x, x};
    MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* inner */
    return out[0];
}
double total(double x, int n) { return 1 + inner(x, n); }
"""
CALLER = """
import ctypes
from mpi4py import MPI
library = ctypes.CDLL({library!r})
library.total.argtypes = [ctypes.c_double, ctypes.c_int]

def reduce(x, n):
    library.total(x, n)

if MPI.COMM_WORLD.rank == 0:
    reduce(1.0, 4)  # rank 0
else:
    reduce(1.0, 3)  # rank 1
"""
REDUCE = """
static double reduce(double x, int n) {
    double out[4] = {0}, in[4] = {x, x, x, x};
    MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* call */
    return out[0];
}
"""


def compiled(mpi: Environment, folder: Path, text: str, *flags: str, name: str = "program") -> Path:
    """Compile a program; it is named ``program``, its source ``program.c``."""
    source = folder / f"{name}.c"
    source.write_text(text)
    words = ["mpicc", *flags, str(source), "-o", str(folder / name)]
    subprocess.run(words, env=mpi.variables(), check=True, capture_output=True, timeout=SECONDS)
    return folder / name


def job(mpi: Environment, program: Path, ranks: int = 2) -> Result:
    """Run a program without Python."""
    return run(mpi, [str(mpi.script("jaxmpi-sanitize")), "run", str(program)], ranks, seconds=SECONDS)


def line_of(text: str, part: str) -> int:
    """The number of the line with these words."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def frames(result: Result, code: str) -> list[list[tuple[str, int | None, str | None]]]:
    """File, line and function of each side of a finding and of its callers."""
    finding = next(one for one in result.findings if one.code == code)
    return [
        [(Path(frame["file"]).name, frame["line"], frame["function"]) for frame in (place, *place["callers"])]
        for place in finding.raw["locations"]
    ]


@pytest.mark.runs_mpi
@pytest.mark.parametrize("flags", ["-g -O0", "-g -O2", "-g -O2 -flto", "-g -O0 -no-pie", "-gdwarf-4 -O3"])
def test_line_and_callers_are_those_of_the_source(mpi: Environment, tmp_path: Path, flags: str) -> None:
    text = HEAD + REDUCE + MAIN % "if (rank == 0)\n reduce(1, 4); /* rank 0 */\nelse\n reduce(1, 3); /* rank 1 */"
    result = job(mpi, compiled(mpi, tmp_path, text, *flags.split()))
    call = ("program.c", line_of(text, "/* call */"), "reduce")
    assert frames(result, "JS105") == [
        [call, ("program.c", line_of(text, f"/* rank {rank} */"), "main")] for rank in range(2)
    ], str(result)
    assert f"program.c:{line_of(text, '/* rank 1 */')} in main  <- first difference" in result.err, str(result)


@pytest.mark.runs_mpi
def test_program_without_debug_information_has_symbols(mpi: Environment, tmp_path: Path) -> None:
    text = HEAD + REDUCE + MAIN % "reduce(1, 3 + (rank == 0));"
    result = job(mpi, compiled(mpi, tmp_path, text, "-O0"))
    place, caller = frames(result, "JS105")[0]
    assert place[:2] == ("program", None) and str(place[2]).startswith("reduce+0x"), str(result)
    assert caller[:2] == ("program", 0) and str(caller[2]).startswith("main+0x"), str(result)
    assert "program(reduce+0x" in result.err and "compile it with -g" in result.err, str(result)


@pytest.mark.runs_mpi
def test_stripped_program_has_addresses(mpi: Environment, tmp_path: Path) -> None:
    text = HEAD + REDUCE + MAIN % "reduce(1, 3 + (rank == 0));"
    result = job(mpi, compiled(mpi, tmp_path, text, "-O0", "-s"))
    assert str(frames(result, "JS105")[0][0][2]).startswith("+0x"), str(result)


@pytest.mark.runs_mpi
def test_callers_are_right_where_frames_have_no_fixed_size(mpi: Environment, tmp_path: Path) -> None:
    text = (
        HEAD
        + REDUCE
        + """
static void step(int n, int used) {
    double room[n];
    memset(room, 0, sizeof room);
    reduce(room[0], used); /* step */
}
static void deeper(int depth) {
    if (depth > 0) { deeper(depth - 1); return; }
    step(7, 2); /* deep */
}
"""
        + MAIN
        % """
    for (int i = 1; i < 3000; i++)
        step(i, 2); /* many */
    for (int i = 0; i < 40; i++)
        deeper(i);
    step(5, 3 + rank); /* last */
"""
    )
    result = job(mpi, compiled(mpi, tmp_path, text, "-g", "-O0"))
    lines = [[line for _, line, _ in side] for side in frames(result, "JS105")]
    assert lines == [[line_of(text, f"/* {name} */") for name in ("call", "step", "last")]] * 2, str(result)
    assert f"program.c:{line_of(text, '/* many */')}" not in result.err


@pytest.mark.runs_mpi
def test_deadlock_leak_and_abort_have_lines(mpi: Environment, tmp_path: Path) -> None:
    receive = (
        "static void get(int n) { int x; MPI_Recv(&x, n, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n"
    )
    text = HEAD + receive + MAIN % "get(1); /* here */"
    result = job(mpi, compiled(mpi, tmp_path, text, "-g", "-O0"))
    path = [("program.c", line_of(text, "void get"), "get"), ("program.c", line_of(text, "/* here */"), "main")]
    assert path in frames(result, "JS201"), str(result)
    make = "static void make(void) { MPI_Comm c; MPI_Comm_dup(MPI_COMM_WORLD, &c); }\n"
    text = HEAD + make + MAIN % "for (int i = 0; i < 5; i++)\n make(); /* here */"
    result = job(mpi, compiled(mpi, tmp_path, text, "-g", "-O0"))
    path = [("program.c", line_of(text, "void make"), "make"), ("program.c", line_of(text, "/* here */"), "main")]
    assert path in frames(result, "JS302") and "MPI_Comm_free" in result.err, str(result)
    text = HEAD + MAIN % "if (rank == 1)\n MPI_Abort(MPI_COMM_WORLD, 17); /* here */\nMPI_Barrier(MPI_COMM_WORLD);"
    result = job(mpi, compiled(mpi, tmp_path, text, "-g", "-O0"))
    assert "called Abort(17)" in result.err, str(result)
    assert f"program.c:{line_of(text, '/* here */')} in main" in result.err, str(result)


@pytest.mark.runs_mpi
def test_use_after_free_names_both_lines_and_is_suppressed_by_a_comment(mpi: Environment, tmp_path: Path) -> None:
    text = (
        HEAD
        + MAIN
        % """MPI_Comm c, copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &c); /* made */
        copy = c;
        MPI_Comm_free(&copy); /* freed */
        MPI_Barrier(c); /* used */"""
    )
    result = job(mpi, compiled(mpi, tmp_path, text, "-g", "-O0"))
    message = next(one.message for one in result.findings if one.code == "JS301")
    for name in ("made", "freed"):
        assert f"program.c:{line_of(text, f'/* {name} */')}" in message, str(result)
    assert frames(result, "JS301")[0] == [("program.c", line_of(text, "/* used */"), "main")], str(result)
    silent = text.replace("/* used */", "/* jaxmpi-lint: ignore[JS301, JS304] MPICH refuses it */")
    result = job(mpi, compiled(mpi, tmp_path, silent, "-g", "-O0"))
    assert result.codes <= {"JS108"}, str(result)  # MPICH ends one rank or both


@pytest.mark.runs_mpi
@pytest.mark.parametrize("flags", ["-g", "-O0"])
def test_library_of_the_program_has_its_line_and_those_of_python(mpi: Environment, tmp_path: Path, flags: str) -> None:
    library = compiled(mpi, tmp_path, LIBRARY, flags, "-shared", "-fPIC", name="library")
    program = tmp_path / "program.py"
    text = CALLER.format(library=str(library))
    program.write_text(text)
    result = run(mpi, [mpi.python, str(program)], 2, seconds=SECONDS)
    python = [
        ("program.py", line_of(text, "library.total(x"), "reduce"),
        ("program.py", line_of(text, "# rank 1"), "<module>"),
    ]
    in_c = [
        ("library.c", line_of(LIBRARY, "/* inner */"), "inner"),
        ("library.c", line_of(LIBRARY, "return 1 + inner"), "total"),
    ]
    assert frames(result, "JS105")[1] == (in_c if flags == "-g" else []) + python, str(result)


@pytest.mark.runs_mpi
def test_program_built_anew_has_no_lines_of_the_old_one(mpi: Environment, tmp_path: Path) -> None:
    text = HEAD + REDUCE + MAIN % "reduce(1, 3 + (rank == 0));"
    program = compiled(mpi, tmp_path, text, "-g", "-O0")
    replaced = 'if (rank == 0) system("cp /bin/true new && mv new " PROGRAM);'
    body = f"{replaced}\nMPI_Barrier(MPI_COMM_WORLD);\nreduce(1, 3 + (rank == 0));"
    program = compiled(mpi, tmp_path, HEAD + REDUCE + MAIN % body, "-g", "-O0", f'-DPROGRAM="{program}"')
    result = job(mpi, program)
    assert "program.c" not in result.err and "recompiled since" in result.err, str(result)


@pytest.mark.runs_mpi
@pytest.mark.parametrize(("created", "codes"), [("rank ? add : multiply", {"JS111"}), ("add", set[str]())])
def test_operators_are_compared_by_their_function(
    mpi: Environment, tmp_path: Path, created: str, codes: set[str]
) -> None:
    functions = "".join(
        f"static void {name}(void *a, void *b, int *n, MPI_Datatype *t)"
        f"{{ (void)t; for (int i = 0; i < *n; i++) ((int *)b)[i] {sign}= ((int *)a)[i]; }}\n"
        for name, sign in (("add", "+"), ("multiply", "*"))
    )
    body = f"""int one = 1, all; MPI_Op op;
    if (rank) MPI_Op_create({created}, 1, &op); else MPI_Op_create({created}, 1, &op);  // as compilers duplicate code
    MPI_Allreduce(&one, &all, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);"""
    result = job(mpi, compiled(mpi, tmp_path, HEAD + functions + MAIN % body, "-g", "-Wno-unused-function"))
    assert result.codes == codes, str(result)


@pytest.mark.runs_mpi
def test_rank_that_calls_exit_is_named(mpi: Environment, tmp_path: Path) -> None:
    text = HEAD + MAIN % "if (rank == 1) exit(3);\nMPI_Barrier(MPI_COMM_WORLD);"
    result = job(mpi, compiled(mpi, tmp_path, text, "-g", "-O0"))
    assert "rank 1" in result.err and "exited with status 3" in result.err, str(result)
    assert "killed as a whole" not in result.err, str(result)
    assert result.status != 0, str(result)
