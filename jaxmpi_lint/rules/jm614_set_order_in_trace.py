"""JM614: the order of a set becomes part of a traced program."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.jax.traced_set_orders import sort_elements, traced_set_orders
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class SetOrderInTrace(CheckRule):
    """Set iterated while a program for several processes is traced.

    ## What it does
    Reports a loop or comprehension over a set inside a function that JAX traces, if the loop adds operations to the
    program or collects arrays in order, and lists of arrays in the order of a set that are handed to a compiled
    function. Only projects that run as several processes are looked at.

    ## Why is this bad?
    Python salts the hashes of strings anew in each process, so each process walks through the set in an order of its
    own and compiles another program under the same name. Collectives then match by position: arrays of different
    meaning are added up without an error, or the compilation hangs while it compares notes with the other processes.

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
    Safe where the set visibly holds strings only. Elsewhere unsafe: `sorted` raises `TypeError` for elements that
    cannot be compared with each other.

    ## Confidence
    High for sets that visibly hold strings. Medium for sets of the keys of dicts and of objects that are hashed by
    address, low for sets of unknown elements: the order of small integers is the same everywhere. Silent for
    `sorted(...)`, for sets of integers, for set and dict results without operations, and for loops that only test,
    count, complain or remove.

    ## Known false negatives
    Sets behind calls of `map` and `filter` with functions, sets that pass through fields of objects of other libraries.

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
    message = "{d.what}: its order differs from process to process, and so does the program"
    remedy = "iterate over `sorted(...)` of the set"

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
