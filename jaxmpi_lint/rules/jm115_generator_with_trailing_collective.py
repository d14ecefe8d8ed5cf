"""JM115: a generator communicates after its last item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.communication_events import events_of_block
from jaxmpi_lint.checks.collectives.generator_consumption import Consumption, consumption
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_MANAGERS = frozenset({"contextmanager", "asynccontextmanager", "fixture", "yield_fixture"})


class GeneratorWithTrailingCollective(Rule):
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

    ## How sure
    High if a loop over the generator can be left early, else medium. Information only: the consumers may well take all
    items, or all ranks may leave together. Silent if every visible consumer takes all items, for context managers and
    fixtures, which are always resumed, and for collectives in a `finally` block, which run when it is closed.

    ## Known misses
    Collectives inside called functions, unless the function is nothing but one collective.

    ## References
    Python reference, "Yield expressions" (`generator.close`).
    """

    code = "JM115"
    name = "generator-with-trailing-collective"
    severity = Severity.INFO
    preview = True

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

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each generator, at the first such collective."""
        sites = project.get(CallSites)
        for module in project.reported_modules():
            for function in module.functions():
                event = _trailing(function) if function.ir.is_generator and not _is_resumed(function) else None
                if event is not None:
                    found = [consumption(site) for site in sites.of(function)]
                    if not found or any(kind is not Consumption.ALL for kind, _ in found):
                        yield self._report(function, event, sites)

    def _report(self, function: Function, event: Event, sites: CallSites) -> Finding:
        leaving = [
            Step(site.caller.module, consumption(site)[1], "this consumer may not take all items")
            for site in sites.of(function)
            if consumption(site)[0] is Consumption.SOME
        ]
        return self.finding(
            function.module,
            event.span,
            f"{event.title} behind the last `yield` of `{function.ir.name}`: a consumer that leaves early skips it",
            steps=tuple(leaving),
            remedy="call it where the generator is used, behind the loop",
            confidence=Confidence.HIGH if leaving else Confidence.MEDIUM,
        )


def _is_resumed(function: Function) -> bool:
    """Whether a decorator makes the generator a context manager or a fixture."""
    names = {(ir.dotted(node) or "").rpartition(".")[2] for d in function.ir.decorators for node in ir.walk(d)}
    return bool(names & _MANAGERS)


def _trailing(function: Function) -> Event | None:
    """The first collective after which nothing is yielded any more, but before which something may have been."""
    graph, blocks = function.graph, function.ir.blocks
    yielding = {block.index for block in blocks if any(_yields(step) for step in block.steps)}
    behind = set().union(*(graph.reachable(index) for index in yielding)) if yielding else set()
    copies = Counter(step.expression.span for block in blocks for step in block.steps if isinstance(step, ir.Evaluate))
    for block in blocks:
        if block.index not in behind or function.flow.entries[block.index] is None:
            continue
        if graph.reachable(block.index) - {block.index} & yielding:
            continue
        last = max((index for index, step in enumerate(block.steps) if _yields(step)), default=-1)
        after = {step.expression.span for step in block.steps[last + 1 :] if isinstance(step, ir.Evaluate)}
        if block.index in yielding and block.index in _after(function, block.index):
            continue
        for event in events_of_block(function, block.index):
            own = event.communicator is not None and event.communicator.is_self
            if event.span in after and not event.opaque and not own and copies[event.span] == 1:
                return event
    return None


def _after(function: Function, index: int) -> set[int]:
    return set().union(*(function.graph.reachable(target) for target in function.graph.successors[index]))


def _yields(step: ir.Step) -> bool:
    return isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Yield)
