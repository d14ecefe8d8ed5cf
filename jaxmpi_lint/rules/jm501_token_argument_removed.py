"""JM501: the token interface of mpi4jax before 0.8."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_modules
from jaxmpi_lint.checks.mpi4jax.old_interface import modernise, old_interface
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class TokenArgumentRemoved(CheckRule):
    """Tokens of mpi4jax before 0.8 in a program for a later release.

    ## What it does
    Finds calls of mpi4jax in the style of releases before 0.8: a `token=` argument (`token=None` included), a result
    that is unpacked into array and token or indexed with `[0]`, a token kept from `send` or `barrier`, the modules
    `mpi4jax.notoken` and `mpi4jax.experimental.notoken`, `auto_tokenize`, and the capitalised names of the first
    releases. The release comes from `--target mpi4jax=...`, the configuration, a lock file or the requirements; where
    nothing says it, the newest is meant.

    ## Why is this bad?
    Since 0.8 operations keep their order by themselves. `token=` raises `RuntimeError`, also with `None`. An operation
    returns the bare array, so that `y, _ = mpi4jax.allreduce(...)` raises `ValueError` - or, if the array has two rows,
    silently takes the first row for the result. On which side it falls depends on the shape of the data.

    ## Example
    ```python
    import jax
    import mpi4jax
    from mpi4py import MPI


    @jax.jit
    def exchange(x, comm):
        token = jax.lax.create_token()
        total, token = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm, token=token)
        mean, _ = mpi4jax.bcast(total / comm.size, root=0, comm=comm, token=token)
        return mean
    ```

    ## Use instead
    ```python
    import jax
    import mpi4jax
    from mpi4py import MPI


    @jax.jit
    def exchange(x, comm):
        total = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
        mean = mpi4jax.bcast(total / comm.size, root=0, comm=comm)
        return mean
    ```

    ## Fix safety
    The fix takes tokens out of the arguments and out of what is assigned, with the statements that made them once
    nothing reads them. A token that something else reads (it is returned, or handed to a function) keeps the value that
    it had before the call; a function that returned array and token goes on to return a pair. Where there is no such
    value the token becomes `None`; the fix is unsafe if somebody else than the project's own functions and the caller
    gets it. A result that is passed on whole, or taken apart in a way that is not visible in the function, is reported
    without a fix.

    ## Confidence
    High for `token=` and removed names. Medium where only an unpacking shows it, because an array with two rows may be
    unpacked in two as well: a second name that is no token, and an argument built from two parts, are silent. Code that
    asks which release it has (a test of a version, a fall-back in an exception handler, `isinstance(result, tuple)`) is
    for both and silent, and so are functions of the project with a `token` parameter.

    ## Known false negatives
    A pair that is returned by an operation without `token=` and unpacked by the caller.

    ## Suppression
    `# jaxmpi-lint: ignore[JM501] reason`, or name the release: `--target mpi4jax=0.7`.

    ## References
    mpi4jax 0.8 release notes: removal of tokens. mpi4jax 0.9, `raise_if_token_is_set`.
    """

    code = "JM501"
    name = "token-argument-removed"
    severity = Severity.ERROR
    fix = Applicability.SAFE
    detect = in_modules(old_interface)
    repair = modernise
    message = (
        "`{d.name}` returns the bare array: before 0.8 it returned the pair (array, token), since 0.8 the array alone"
    )
    remedy = "take the token out{d.how}"
    variants: ClassVar = {
        "token": Variant("`{d.name}` takes no `token` since mpi4jax 0.8: it raises RuntimeError"),
        "token and pair": Variant(
            "`{d.name}` takes no `token` since mpi4jax 0.8: it raises RuntimeError, and returns the bare array"
        ),
        "returned token": Variant("`{d.name}` returns no token since mpi4jax 0.8"),
        "name": Variant("`{d.name}` is called `{d.current}` since mpi4jax 0.3"),
        "position": Variant("`{d.name}` takes its communicator and tags by keyword since mpi4jax 0.3"),
        "removed": Variant("`{d.name}` does not exist since mpi4jax {d.removed}", "use {d.replacement}"),
    }

    VALID = (
        """import mpi4jax
from mpi4py import MPI


def total(x, pair, comm):
    low, high = mpi4jax.allreduce(pair, op=MPI.MAX, comm=comm)
    first, _ = mpi4jax.allreduce(jnp.stack([x, x]), op=MPI.SUM, comm=comm)
    return low, high, first, mpi4jax.allgather(x, comm=comm)[0]
""",
        """import mpi4jax
from mpi4py import MPI
from packaging.version import Version


def total(x, comm):
    if Version(mpi4jax.__version__) < Version("0.8"):
        return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm, token=None)[0]
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
""",
    )
    INVALID = (
        Example(
            """import jax
import mpi4jax
from mpi4py import MPI


@jax.jit
def exchange(x, comm):
    token = jax.lax.create_token()
    total, token = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm, token=token)  #! JM501
    token = mpi4jax.barrier(token=token, comm=comm)  #! JM501
    mean, _ = mpi4jax.bcast(total / comm.size, root=0, comm=comm)  #! JM501
    return mean
""",
            """import jax
import mpi4jax
from mpi4py import MPI


@jax.jit
def exchange(x, comm):
    total = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
    mpi4jax.barrier(comm=comm)
    mean = mpi4jax.bcast(total / comm.size, root=0, comm=comm)
    return mean
""",
        ),
        Example(
            """from mpi4jax import recv, send


def swap(x, comm, token=None):
    token = send(  #! JM501
        x,
        dest=1,  # the neighbour
        token=token,  # in order
        comm=comm,
    )
    return recv(x, source=1, comm=comm, token=token)  #! JM501
""",
            """from mpi4jax import recv, send


def swap(x, comm, token=None):
    send(
        x,
        dest=1,  # the neighbour
        # in order
        comm=comm,
    )
    return recv(x, source=1, comm=comm), token
""",
        ),
    )
