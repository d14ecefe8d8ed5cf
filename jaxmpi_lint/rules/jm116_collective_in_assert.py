"""JM116: a collective is part of an assertion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.expected_failures import is_test_file
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.model.communication_events import events_of_block
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation, line_ending
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_NAMES = ("result", "agreed", "collective_result")


class CollectiveInAssert(Rule):
    """Collective inside an `assert` statement.

    ## What it does
    Finds collective operations in the condition of an `assert` statement.

    ## Why is this bad?
    `python -O` removes assertions, and the communication with them. Ranks that run with different options, or a program
    that counts on the synchronisation or on the result elsewhere, then part. A failed assertion also leaves the ranks
    that passed it alone in their next collective.

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
    Safe, and offered only where the call is the first thing that the assertion does: it is made at the same place, with
    a name for its result.

    ## How sure
    High: it is so. Information only, since all ranks usually run with the same options. Silent in tests, which are made
    of assertions, and for `COMM_SELF`.

    ## Known misses
    Collectives inside called functions, unless the function is nothing but one collective.

    ## References
    Python reference, "The assert statement"; command line option `-O`.
    """

    code = "JM116"
    name = "collective-in-assert"
    severity = Severity.INFO
    preview = True
    fix = Applicability.SAFE

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

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each collective in a condition."""
        asserted = _assertions(function)
        if not asserted or is_test_file(function.module.path) or function.ir.name.startswith("test"):
            return
        seen: set[ir.Span] = set()
        for block in function.ir.blocks:
            if function.flow.entries[block.index] is None or isinstance(block.terminator, ir.Raise):
                continue
            for event in events_of_block(function, block.index):
                statement = next((s for s in asserted if s[0] <= event.span[0] < s[1]), None)
                alone = event.opaque or (event.communicator is not None and event.communicator.is_self)
                if statement is not None and not alone and event.span not in seen:
                    seen.add(event.span)
                    yield self._report(function, block, event, statement)

    def _report(self, function: Function, block: ir.Block, event: Event, statement: ir.Span) -> Finding:
        return self.finding(
            function.module,
            event.span,
            f"{event.title} in an assertion: `python -O` removes it",
            steps=(Step(function.module, statement, "this statement is not there under `-O`"),),
            remedy="call it before, and assert what it returned",
            repair=_repair(function, block, event, statement),
        )


def _assertions(function: Function) -> set[ir.Span]:
    return {
        block.terminator.extent
        for block in function.ir.blocks
        if isinstance(block.terminator, ir.Branch) and block.terminator.kind == "assert"
    }


def _repair(function: Function, block: ir.Block, event: Event, statement: ir.Span) -> Repair | None:
    """The call in a statement of its own, if nothing else of the assertion comes before it."""
    module = function.module
    calls = [step.expression.span for step in block.steps if isinstance(step, ir.Evaluate)]
    before = [span for span in calls[: calls.index(event.span)] if statement[0] <= span[0] < statement[1]]
    first = all(event.span[0] <= span[0] and span[1] <= event.span[1] for span in before)
    whole = isinstance(block.terminator, ir.Branch) and block.terminator.kind == "assert"
    name = next((name for name in _NAMES if name not in module.text), None)
    if not first or not whole or name is None or not alone_on_line(module, statement):
        return None
    if _is_behind_operator(module, event, statement):
        return None
    call = module.source(event.span)
    text = f"{name} = {call}{line_ending(module)}{indentation(module, statement)}"
    edits = (((statement[0], statement[0]), text), (event.span, name))
    return Repair(Applicability.SAFE, "call it before the assertion", edits)


def _is_behind_operator(module: ir.Module, event: Event, statement: ir.Span) -> bool:
    """Whether an operand before the call decides if it is made."""
    words = module.text[statement[0] : event.span[0]].replace("(", " ").split()
    return any(word in ("and", "or", "if", "else", "for") for word in words)
