"""JM614: iteration order of a set in a traced program."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.jax.traced_set_orders import sort_elements, traced_set_orders
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class SetOrderInTrace(CheckRule):
    """Iteration over a set in a traced multi-process program.

    ## What it does
    Reports a loop or comprehension over a set inside a function that JAX traces, if the loop adds operations to the
    program or collects arrays in order. Also reports lists of arrays in set order that are passed to a compiled
    function. Only projects that run as several processes are checked.

    ## Why is this bad?
    Python salts string hashes differently in each process, so each process iterates over the set in a different order
    and compiles a different program with the same name. Collectives are matched by position: arrays of different
    meaning are summed without an error, or compilation hangs while it exchanges data with the other processes.

    ## Example
    ```python
    import jax

    GROUPS = {"attention", "embed", "output"}


    @jax.jit
    def weighted(arrays):
        total = 0.0
        for weight, group in enumerate(GROUPS):
            total = total + weight * arrays[group].mean()
        return total


    jax.distributed.initialize()
    ```

    ## Use instead
    ```python
    import jax

    GROUPS = {"attention", "embed", "output"}


    @jax.jit
    def weighted(arrays):
        total = 0.0
        for weight, group in enumerate(sorted(GROUPS)):
            total = total + weight * arrays[group].mean()
        return total


    jax.distributed.initialize()
    ```

    ## Fix safety
    Safe where the set provably holds only strings. Otherwise unsafe: `sorted` raises `TypeError` for elements that
    cannot be compared with each other.

    ## Confidence
    High for sets that provably hold strings. Medium for sets of dictionary keys and of objects that are hashed by
    address, low for sets of unknown elements, because the order of small integers is the same in every process. Silent
    for `sorted(...)`, for sets of integers, for set and dict results without operations, and for loops that only test,
    count, raise or remove.

    ## Known false negatives
    Sets iterated through `map` and `filter`; sets stored in attributes of objects of other libraries.

    ## References
    Python documentation, `object.__hash__` and `PYTHONHASHSEED`; JAX documentation, "Introduction to multi-controller
    JAX": all processes run the same computations in the same order.
    """

    code = "JM614"
    name = "set-order-in-trace"
    severity = Severity.ERROR
    replaces = ("JM801",)
    sanitizer = ("JS501", "JS507")
    fix = Applicability.SAFE
    detect = in_project(traced_set_orders)
    repair = sort_elements
    message = "{d.what}: its order differs between processes, and so does the compiled program"
    remedy = "iterate over `sorted(...)` instead of the set"

    VALID = (
        """\
import jax

GROUPS = {"attention", "embed", "output"}


@jax.jit
def total(arrays):
    return sum(arrays[group].mean() for group in sorted(GROUPS))


jax.distributed.initialize()
""",
        """\
import jax

AXES = {0, 1, 2}


@jax.jit
def total(x):
    for axis in AXES:
        x = x + x.sum(axis=axis, keepdims=True)
    return x


jax.distributed.initialize()
""",
    )
    INVALID = (
        Example(
            """\
import jax

GROUPS = {"attention", "embed", "output"}


@jax.jit
def total(arrays):
    out = 0.0
    for weight, group in enumerate(GROUPS):  #! JM614
        out = out + weight * arrays[group].mean()
    return out


jax.distributed.initialize()
""",
            fixed="""\
import jax

GROUPS = {"attention", "embed", "output"}


@jax.jit
def total(arrays):
    out = 0.0
    for weight, group in enumerate(sorted(GROUPS)):
        out = out + weight * arrays[group].mean()
    return out


jax.distributed.initialize()
""",
        ),
        """\
import jax


def merge(old, new):
    out = []
    for name in old.keys() & new.keys():  #! JM614
        out.append(old[name] + new[name])
    return out


@jax.jit
def step(old, new):
    return sum(merge(old, new))


jax.distributed.initialize()
""",
    )
