"""JM116: collective in an `assert` statement."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.asserted_collectives import asserted_collectives, earlier_call
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class CollectiveInAssert(CheckRule):
    """Collective in an `assert` statement.

    ## What it does
    Reports collectives in the condition of an `assert` statement.

    ## Why is this bad?
    `python -O` removes assertions together with the communication in them. Ranks that run with different options then
    diverge, and a program that relies on the synchronisation, or on the result elsewhere, fails. If an assertion fails
    on some ranks, the ranks on which it passed block in their next collective.

    ## Example
    ```python
    assert comm.allreduce(len(rows)) == total, "rows are missing"
    ```

    ## Use instead
    ```python
    result = comm.allreduce(len(rows))
    assert result == total, "rows are missing"
    ```

    ## Fix safety
    Safe, and offered only if the assertion evaluates the call first. The call is moved to a separate statement at the
    same place, which assigns its result to a name.

    ## Confidence
    High: the defect is visible in the text. The severity is info, because all ranks usually run with the same options.
    Not reported in tests, which consist of assertions, and for `COMM_SELF`.

    ## Known false negatives
    Collectives inside called functions, unless the function consists of one collective.

    ## References
    Python reference, "The assert statement"; command line option `-O`.
    """

    code = "JM116"
    name = "collective-in-assert"
    severity = Severity.INFO
    preview = True
    in_tests = "silent"
    fix = Applicability.SAFE
    detect = in_functions(asserted_collectives)
    repair = earlier_call
    message = "{d.event.title} in an assertion: `python -O` removes it"
    remedy = "call it before the assertion, and assert its result"

    VALID = (
        """
        from mpi4py import MPI

        def check(comm, rows, total):
            found = comm.allreduce(len(rows))
            assert found == total, "rows are missing"
        """,
        """
        from mpi4py import MPI

        def test_allreduce():
            comm = MPI.COMM_WORLD
            assert comm.allreduce(1) == comm.size
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            def check(comm, rows, total):
                assert comm.allreduce(len(rows)) == total, "rows are missing"  #! JM116
            """,
            fixed="""
            from mpi4py import MPI

            def check(comm, rows, total):
                result = comm.allreduce(len(rows))
                assert result == total, "rows are missing"
            """,
        ),
        """
        from mpi4py import MPI

        def same(comm, value):
            return comm.allgather(value)

        def check(comm, value):
            assert len(set(same(comm, value))) == 1  #! JM116
        """,
    )
