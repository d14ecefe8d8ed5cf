"""Calls that MPI refuses where errors end the process: reported at the call, and nothing that the program can see."""

from __future__ import annotations

from pathlib import Path

import pytest

from .cases import program
from .environments import Environment
from .harness import Result, run
from .test_compiled import HEAD, MAIN, compiled, frames, job, line_of

pytestmark = pytest.mark.runs_mpi

REFUSED = {  # the call, how the report names it, and what both libraries say of it
    "MPI_Bcast(&x, 1, MPI_INT, 9, MPI_COMM_WORLD)": ("Bcast", "nvalid root"),
    "MPI_Send(&x, 1, MPI_INT, 0, -7, MPI_COMM_WORLD)": ("Send", "nvalid tag"),
    "MPI_Send(&x, 1, MPI_INT, 9, 0, MPI_COMM_WORLD)": ("Send", "nvalid rank"),
    "MPI_Barrier(MPI_COMM_NULL)": ("Barrier", "communicator"),
    "MPI_Comm_size(MPI_COMM_NULL, &x)": ("a call", "communicator"),
    "MPI_Isend(&x, -1, MPI_INT, 0, 0, copy, &request)": ("Isend", "ount"),
}
HELPER = """
static void step(void) {
    int x = 0;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (%s) {
        %s; /* call */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    (void)x, (void)request;
}
"""
TRUNCATED = """
static void step(void) {
    int x[4] = {0};
    if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* call */
    MPI_Barrier(MPI_COMM_WORLD);
}
"""
UNSEEN = """
static int calls;
static void count(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code, ++calls; }
static int is_fatal(MPI_Comm comm) {
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    int fatal = handler == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&handler);
    return fatal && handler == MPI_ERRHANDLER_NULL;
}
static void expect(int truth, int line) {
    if (!truth) printf("wrong in line %d\\n", line);
}
static void step(void) {
    MPI_Errhandler own, handler;
    MPI_Comm copy, part;
    MPI_Win window;
    int x[4] = {0}, class;
    expect(is_fatal(MPI_COMM_WORLD) && is_fatal(MPI_COMM_SELF), __LINE__);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(copy, rank % 2, 0, &part);
    expect(is_fatal(copy) && is_fatal(part), __LINE__);
    MPI_Win_create(x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_get_errhandler(window, &handler);
    expect(handler == MPI_ERRORS_ARE_FATAL, __LINE__);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_get_errhandler(window, &handler);
    expect(handler == MPI_ERRORS_RETURN, __LINE__);
    MPI_Win_free(&window);
    MPI_Comm_create_errhandler(count, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Comm_get_errhandler(copy, &handler);
    expect(handler == own, __LINE__);
    MPI_Send(x, 1, MPI_INT, 99, 0, copy);
    expect(calls == 1, __LINE__);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&own);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
    expect(is_fatal(copy), __LINE__);
    MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(x, 1, MPI_INT, 99, 0, part), &class);
    expect(class == MPI_ERR_RANK, __LINE__);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
}
"""


def step(mpi: Environment, folder: Path, text: str) -> Result:
    """Run a program that calls ``step``."""
    return job(mpi, compiled(mpi, folder, text, "-g", "-O0"))


@pytest.mark.parametrize("call", REFUSED)
def test_call_in_c_is_named_with_its_place(mpi: Environment, call: str, tmp_path: Path) -> None:
    name, said = REFUSED[call]
    text = HEAD + HELPER % ("rank == 1", call) + MAIN % "step(); /* here */"
    result = step(mpi, tmp_path, text)
    assert result.codes == {"JS304"}, str(result)
    assert f"rank 1: MPI refused {name} (" in result.errors[0].message, str(result)
    assert said in result.errors[0].message, str(result)
    path = [("program.c", line_of(text, "/* call */"), "step"), ("program.c", line_of(text, "/* here */"), "main")]
    assert frames(result, "JS304") == [path], str(result)
    assert result.status == 66, str(result)
    assert "no longer checked" not in result.err, str(result)


def test_ranks_whose_call_is_refused_are_one_finding(mpi: Environment, tmp_path: Path) -> None:
    text = HEAD + HELPER % ("1", "MPI_Bcast(&x, 1, MPI_INT, 9, MPI_COMM_WORLD)") + MAIN % "step();"
    result = step(mpi, tmp_path, text)
    assert len(result.findings) == 1 and result.codes == {"JS304"}, str(result)
    assert result.status == 66, str(result)


def test_message_without_room_is_named_as_such(mpi: Environment, tmp_path: Path) -> None:
    text = HEAD + TRUNCATED + MAIN % "step();"
    result = step(mpi, tmp_path, text)
    assert result.codes == {"JS206"}, str(result)
    assert [("program.c", line_of(text, "/* call */"), "step")] == frames(result, "JS206")[0][:1], str(result)


@pytest.mark.parametrize("way", ["on_error", "suppressed"])
def test_mpi_ends_the_process_where_the_sanitizer_does_not(mpi: Environment, tmp_path: Path, way: str) -> None:
    call = "MPI_Bcast(&x, 1, MPI_INT, 9, MPI_COMM_WORLD)"
    text = HEAD + HELPER % ("rank == 1", call) + MAIN % "step();"
    if way == "suppressed":
        text = text.replace("/* call */", "// jaxmpi-lint: ignore[JS304]")
    words = [str(mpi.script("jaxmpi-sanitize")), "run", str(compiled(mpi, tmp_path, text, "-g", "-O0"))]
    result = run(mpi, words, 2, options={"on_error": "continue"} if way == "on_error" else {})
    assert ("JS304" in result.codes) is (way == "on_error"), str(result)
    assert result.status not in (0, 66), str(result)
    assert "nvalid root" in result.err, str(result)


def test_program_does_not_see_the_stand_in(mpi: Environment, tmp_path: Path) -> None:
    text = "#include <stdio.h>\n" + HEAD + UNSEEN + MAIN % "step();"
    result = step(mpi, tmp_path, text)
    assert result.status == 0, str(result)
    assert not result.findings, str(result)
    assert "wrong in line" not in result.out, str(result)


def test_fatal_handler_in_python(mpi: Environment) -> None:
    text = program("""
        assert comm.Get_errhandler() == MPI.ERRORS_RETURN
        comm.Set_errhandler(MPI.ERRORS_ARE_FATAL)
        assert comm.Get_errhandler() == MPI.ERRORS_ARE_FATAL
        if rank == 1:
            comm.Bcast(small, root=7)  # here
        comm.Barrier()
        """)
    result = run(mpi, text, 2)
    assert result.codes == {"JS304"}, str(result)
    line = next(number for number, one in enumerate(text.splitlines(), 1) if one.endswith("# here"))
    assert [place.line for place in result.errors[0].places] == [line], str(result)
    assert result.status == 66, str(result)
