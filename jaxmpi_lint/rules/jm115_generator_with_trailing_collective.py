"""JM115: collective after the last `yield` of a generator."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.trailing_collectives import trailing_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class GeneratorWithTrailingCollective(CheckRule):
    """Collective after the last `yield` of a generator.

    ## What it does
    Reports generators that call a collective after they have yielded their last item.

    ## Why is this bad?
    Code after the last `yield` runs only when the consumer requests one more item. A consumer that exits its loop
    early, by `break`, `return` or an exception, never requests it. If one rank exits early and the others do not, the
    others block in the collective forever.

    ## Example
    ```python
    def parts(comm, items):
        for item in items[comm.rank :: comm.size]:
            yield item
        comm.Barrier()
    ```

    ## Use instead
    ```python
    def parts(comm, items):
        yield from items[comm.rank :: comm.size]


    for part in parts(comm, items):
        work(part)
    comm.Barrier()
    ```

    ## Confidence
    High if a loop over the generator can exit early, otherwise medium. The severity is info, because the consumers may
    take all items, or all ranks may exit at the same item. Not reported if every known consumer takes all items; for
    context managers and fixtures, which are always resumed; and for collectives in a `finally` block, which run when
    the generator is closed.

    ## Known false negatives
    Collectives inside called functions, unless the function consists of one collective.

    ## References
    Python reference, "Yield expressions" (`generator.close`).
    """

    code = "JM115"
    name = "generator-with-trailing-collective"
    severity = Severity.INFO
    preview = True
    detect = in_functions(trailing_collectives)
    message = "{d.event.title} after the last `yield` of `{d.name}`: a consumer that exits early skips it"
    remedy = "call it after the loop that consumes the generator"

    VALID = (
        """
        from mpi4py import MPI

        def rounds(comm, items):
            for item in items:
                yield comm.bcast(item)
        """,
        """
        from mpi4py import MPI

        def parts(comm, items):
            for item in items:
                yield item
            comm.Barrier()

        def main(comm):
            for part in enumerate(parts(comm, [1, 2])):
                print(part)
            return list(parts(comm, [3]))
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def parts(comm, items):
            for item in items[comm.rank :: comm.size]:
                yield item
            comm.Barrier()  #! JM115
        """,
        """
        from mpi4py import MPI

        def wait(comm):
            comm.barrier()

        def steps(comm, count):
            step = 0
            while step < count:
                step += 1
                yield step
            wait(comm)  #! JM115
        """,
    )
