"""JM111: collective guarded by cache contents."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.cache_misses import cache_misses
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Variant
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class CacheGuardedCollective(DivergenceRule):
    """Collective guarded by cache contents.

    ## What it does
    Reports a collective that is executed only if an entry is missing from a cache: from a container of weak references,
    which the garbage collector empties, or (with low confidence, not shown by default) from a dictionary.

    ## Why is this bad?
    Garbage collection happens at different times in different processes. One process still finds the entry and
    continues; the next does not, and enters the collective that creates a new one alone. A dictionary is the same on
    all ranks only as long as all of them have requested the same keys before.

    ## Example
    ```python
    plans = weakref.WeakValueDictionary()


    def plan(comm, shape):
        if shape not in plans:
            plans[shape] = Plan(comm.Dup(), shape)
        return plans[shape]
    ```

    ## Use instead
    ```python
    def plan(comm, shape):
        known = plans.get(shape)
        if not all(comm.allgather(known is not None)):
            known = plans[shape] = Plan(comm.Dup(), shape)
        return known
    ```

    ## Confidence
    High for containers of weak references, low for dictionaries whose missing entry is filled in by the same branch.
    Not reported if the ranks agree on the answer before they branch on it.

    ## Known false negatives
    `lru_cache` and `cached_property` on functions that communicate, unless the call is inside a test on the rank
    (JM105).

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, if every rank is known to have the same entries.

    ## References
    Python documentation, `weakref`: entries vanish when nothing else refers to the value. Runtime check: JS101.
    """

    code = "JM111"
    name = "cache-guarded-collective"
    severity = Severity.WARNING
    specificity = 60
    in_tests = Severity.INFO
    sanitizer = ("JS101",)
    selects = Cause.CACHE
    message = "execution of {d.event.title} depends on the contents of a per-process cache"
    detect = in_functions(cache_misses)
    remedy = "combine the lookup results of all processes, then branch on the result{at_run_time}"

    variants: ClassVar = {
        "dictionary": Variant(
            "{d.event.title} is executed only if `{d.container}` has no entry yet",
            in_tests=Severity.WARNING,
        )
    }

    VALID = (
        """
        import weakref
        from mpi4py import MPI

        plans = weakref.WeakValueDictionary()

        def plan(comm, shape):
            known = plans.get(shape)
            everywhere = comm.allreduce(known is not None, op=MPI.LAND)
            if not everywhere:
                comm.Barrier()
            return known
        """,
        """
        import weakref
        from mpi4py import MPI

        names = weakref.WeakKeyDictionary()

        def title(comm, thing):
            if thing not in names:
                names[thing] = "thing"
            comm.Barrier()
            return names[thing]
        """,
    )
    INVALID = (
        """
        import weakref
        from mpi4py import MPI

        plans = weakref.WeakValueDictionary()

        def plan(comm, shape):
            if shape not in plans:
                plans[shape] = comm.Dup()  #! JM111
            return plans[shape]
        """,
        """
        import weakref
        from mpi4py import MPI

        cache = weakref.WeakValueDictionary()

        def build(comm):
            comm.Barrier()
            return comm.allreduce(1)

        def value(comm, key):
            hit = cache.get(key, None)
            if hit is not None:
                return hit
            return build(comm)  #! JM111
        """,
    )
