"""Reports say that a call of MPI is made while JAX traces a function."""

from __future__ import annotations

import pytest
from places import LIBRARIES, folder_of

from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging import stacks, tracing
from jaxmpi_lint.runtime.ledger.snapshot import Site

from .environments import Environment
from .harness import run
from .mpi4jax_cases import PREAMBLE
from .test_mpi4jax import VARIABLES, with_mpi4jax

JAX = f"{folder_of('jax')}/_src"
PIPELINE = f"""\
Thread 7 (most recent call first):
  File "/home/me/rows.py", line 5, in rows
  File "/home/me/app.py", line 9, in mean
  File "{LIBRARIES}/wrappers/jit.py", line 3, in wrapped
  File "{JAX}/interpreters/partial_eval.py", line 2312, in trace_to_jaxpr
  File "{JAX}/pjit.py", line 535, in _trace_for_jit
  File "/home/me/app.py", line 20, in <module>
"""
CALLED = Side((1,), "allreduce(op=SUM)", Site("/home/me/rows.py", 5, "rows"))


def found(text: str, side: Side = CALLED) -> list[str]:
    finding = Finding("JS207", "", (0, 1), (Side((0,), "Bcast(root=0)", None), side))
    return list(tracing.notes(finding, {1: stacks.parse(text)}))


def test_the_traced_function_is_named() -> None:
    assert found(PIPELINE) == [
        "rank 1 makes allreduce while JAX traces `mean` (/home/me/app.py:9): the compiled function does not contain "
        "it, so it is repeated only on ranks that retrace"
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PIPELINE.replace("partial_eval.py", "ad.py"), id="no_tracing"),
        pytest.param(PIPELINE.replace('rows.py", line 5', 'rows.py", line 6'), id="another_line"),
        pytest.param("\n".join(PIPELINE.splitlines()[:3]), id="not_within_jax"),
        pytest.param("", id="no_answer"),
    ],
)
def test_other_calls_are_not(text: str) -> None:
    assert found(text) == []


HOST = """\
def rows_of(x):
    return comm.allreduce(x.shape[0])

@jax.jit
def mean(x):
    rows = rows_of(x)
    return mpi4jax.allreduce(x.sum(), op=MPI.SUM, comm={own}) / rows

mean(ones).block_until_ready()
mean(jnp.ones(8) if rank == 1 else ones).block_until_ready()
"""


@pytest.mark.runs_mpi
@pytest.mark.parametrize(
    ("own", "code"), [("None", "JS207"), ("comm", "JS101")], ids=["another_communicator", "the_same_communicator"]
)
def test_call_that_only_one_rank_repeats(mpi: Environment, own: str, code: str) -> None:
    result = run(with_mpi4jax(mpi.library), PREAMBLE + HOST.format(own=own), 2, variables=VARIABLES)
    assert result.status == 66, str(result)
    (error,) = result.errors
    assert error.code == code, str(result)
    assert {place.rank for place in error.places} == {0, 1}
    assert any("rank 1 makes" in note and "while JAX traces `mean`" in note for note in error.raw["notes"]), str(result)
