"""JM115: a generator communicates after its last item."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.trailing_collectives import trailing_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class GeneratorWithTrailingCollective(CheckRule):
    """Collective behind the last `yield` of a generator.

    ## What it does
    Finds generators that call a collective after they have yielded their last item.

    ## Why is this bad?
    What stands behind the last `yield` runs when the consumer asks for one item too many. A consumer that leaves its
    loop early, by `break`, `return` or an exception, never does. If one rank leaves and the others do not, they wait in
    the collective for ever.

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
    High if a loop over the generator can be left early, else medium. Information only: the consumers may well take all
    items, or all ranks may leave together. Silent if every visible consumer takes all items, for context managers and
    fixtures, which are always resumed, and for collectives in a `finally` block, which run when it is closed.

    ## Known false negatives
    Collectives inside called functions, unless the function is nothing but one collective.

    ## References
    Python reference, "Yield expressions" (`generator.close`).
    """

    code = "JM115"
    name = "generator-with-trailing-collective"
    severity = Severity.INFO
    preview = True
    detect = in_functions(trailing_collectives)
    message = "{d.event.title} behind the last `yield` of `{d.name}`: a consumer that leaves early skips it"
    remedy = "call it where the generator is used, behind the loop"

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
