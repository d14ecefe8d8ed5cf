"""How ranks end: `sys.exit`, `Abort`, calls that MPI refuses, and the end of a job in which nothing was found."""

from __future__ import annotations

import pytest

from .cases import program
from .environments import Environment
from .harness import Result, run

pytestmark = pytest.mark.runs_mpi

LEAVING = """
    import atexit

    def leave():
        {}

    comm.Barrier()
    if rank == 1:
        leave()
    comm.Barrier()
    """
EXITS = {
    "sys.exit(3)  # here": ("called sys.exit(3)", 3),
    'sys.exit("no input")  # here': ("called sys.exit('no input')", 1),
    "raise SystemExit(4)  # here": ("called sys.exit(4)", 4),
    "sys.exit()  # here": ("called sys.exit()", 0),
    "sys.exit(0)  # here": ("called sys.exit(0)", 0),
    "exit(5)  # here": ("called sys.exit(5)", 5),
}
CAUGHT = """
    import argparse, contextlib
    try:
        sys.exit(3)
    except SystemExit as asked:
        assert type(asked) is SystemExit and asked.code == 3 and asked.args == (3,)
    with contextlib.suppress(SystemExit):
        sys.exit((1, 2))
    with contextlib.suppress(SystemExit):
        argparse.ArgumentParser().parse_args(["--help"])
    thread = threading.Thread(target=sys.exit, args=(3,))
    thread.start()
    thread.join()
    comm.Barrier()
    """
REFUSED = {  # the call as it is named, and what both libraries say of it
    "comm.Bcast(small, root=7)  # here": ("Bcast", "nvalid root"),
    "comm.bcast(1, root=-9)  # here": ("bcast", "nvalid root"),
    "comm.Send(small, dest=9)  # here": ("Send", "nvalid rank"),
    "comm.Send(small, dest=0, tag=-5)  # here": ("Send", "nvalid tag"),
    "MPI.COMM_NULL.Barrier()  # here": ("Barrier", "communicator"),
    "MPI.COMM_NULL.bcast(1)  # here": ("bcast", "communicator"),
    "MPI.COMM_NULL.Get_size()  # here": ("Get_size", "communicator"),
}


def line_of(text: str) -> int:
    """The line that is marked."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# here"))


def lines_of_rank(result: Result, rank: int) -> set[int | None]:
    """The lines of a rank in the only error."""
    assert len(result.errors) == 1, str(result)
    return {place.line for place in result.errors[0].places if place.rank == rank}


@pytest.mark.parametrize("how", EXITS)
def test_exit_that_the_program_asked_for(mpi: Environment, how: str) -> None:
    text = program(LEAVING.format(how))
    said, status = EXITS[how]
    result = run(mpi, text, 2)
    assert line_of(text) in lines_of_rank(result, 1), str(result)
    assert result.errors[0].code == "JS108", str(result)
    assert f"rank 1 ended ({said})" in result.errors[0].message, str(result)
    assert result.status in {66, status, 66 | status} - {0}, str(result)
    assert ("as the program asked" in result.err) is (status != 0), str(result)


def test_exit_code_is_that_of_the_rank(mpi: Environment) -> None:
    text = program("""
        comm.Barrier()
        if rank == 1:
            sys.exit(3)
        """)
    result = run(mpi, text, 2)
    assert result.status == 3, str(result)
    assert not result.findings, str(result)


@pytest.mark.parametrize("how", ["sys.exit(3)", 'raise ValueError("no data")'])
def test_last_call_is_that_of_the_program(mpi: Environment, how: str) -> None:
    result = run(
        mpi, program(LEAVING.replace("    comm.Barrier()\n    if", "    comm.allreduce(1)\n    if").format(how)), 2
    )
    assert "rank 1  last call: allreduce(op=SUM)" in result.err, str(result)


def test_exit_that_the_program_handles_is_none(mpi: Environment) -> None:
    result = run(mpi, program(CAUGHT), 2)
    assert result.status == 0, str(result)
    assert not result.findings, str(result)


def test_place_of_abort(mpi: Environment) -> None:
    text = program(LEAVING.format("comm.Abort(17)  # here"))
    result = run(mpi, text, 2)
    assert any(f"rank 1 at {place}:{line_of(text)} called Abort(17)" in result.err for place in _files(result)), str(
        result
    )
    assert result.status == 17, str(result)


def _files(result: Result) -> list[str]:
    """The names that a program may have in a line."""
    return [word.rpartition(":")[0] for line in result.said for word in line.split() if "program.py:" in word]


@pytest.mark.parametrize("call", REFUSED)
@pytest.mark.parametrize("awaited", [True, False], ids=["awaited", "by all ranks"])
def test_call_that_mpi_refuses(mpi: Environment, call: str, awaited: bool) -> None:
    text = program(LEAVING.format(call).replace("rank == 1", "rank == 1" if awaited else "True"))
    result = run(mpi, text, 2)
    assert result.codes == {"JS304"}, str(result)
    assert line_of(text) in lines_of_rank(result, 1), str(result)
    name, said = REFUSED[call]
    message = result.errors[0].message
    assert f"({name}: " in message and said in message and "error stack" not in message, str(result)
    assert result.status == (66 if awaited else 1), str(result)


def test_refusal_that_the_program_handles_is_none(mpi: Environment) -> None:
    text = program("""
        try:
            comm.Bcast(small, root=7)
        except MPI.Exception as refusal:
            assert refusal.Get_error_class() == MPI.ERR_ROOT
        comm.Barrier()
        """)
    result = run(mpi, text, 2)
    assert result.status == 0, str(result)
    assert not result.findings, str(result)


@pytest.mark.parametrize("raised", ['ValueError("MPI_ERR_ROOT")', "MPI.Exception(MPI.ERR_ROOT)"])
def test_other_exceptions_are_not_refusals(mpi: Environment, raised: str) -> None:
    result = run(mpi, program(LEAVING.format(f"raise {raised}")), 2)
    assert result.codes == {"JS108"}, str(result)


@pytest.mark.parametrize("summary", ["on", "off"])
def test_last_line_of_a_good_run(mpi: Environment, summary: str) -> None:
    result = run(
        mpi, program("for _ in range(10):\n    comm.Allreduce(small, space)\n"), 2, options={"summary": summary}
    )
    assert result.status == 0, str(result)
    assert ("MPI calls of 2 ranks checked: no findings" in result.err) is (summary == "on"), str(result)


LEAKING = program("""
    parts = [comm.Dup() for _ in range(3)]
    comm.Barrier()
    """)


@pytest.mark.parametrize(
    ("codes", "status"), [("JS302", 66), ("JS303,JS302", 66), ("all", 66), ("JS303", 0), (None, 0)]
)
def test_warnings_that_end_the_job(mpi: Environment, codes: str | None, status: int) -> None:
    result = run(mpi, LEAKING, 2, options={"fail_on": codes} if codes else {})
    assert result.codes == {"JS302"}, str(result)
    assert result.status == status, str(result)
    assert "checked: no findings" not in result.err, str(result)


def test_codes_that_do_not_exist(mpi: Environment) -> None:
    result = run(mpi, LEAKING, 2, options={"fail_on": "JS999"})
    assert result.status == 2, str(result)
    assert "fail_on=JS999: expected codes, such as JS203,JS303, or all" in result.err, str(result)
