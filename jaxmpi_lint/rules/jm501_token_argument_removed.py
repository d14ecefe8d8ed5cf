"""JM501: use of the token interface that mpi4jax 0.8 removed."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_modules
from jaxmpi_lint.checks.mpi4jax.old_interface import modernise, old_interface
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class TokenArgumentRemoved(CheckRule):
    """Use of the token interface that mpi4jax 0.8 removed.

    ## What it does
    Reports mpi4jax calls in the style of releases before 0.8: a `token=` argument (including `token=None`), a result
    that is unpacked into array and token or indexed with `[0]`, a token kept from `send` or `barrier`, the modules
    `mpi4jax.notoken` and `mpi4jax.experimental.notoken`, `auto_tokenize`, and the capitalised names of the first
    releases. The release is taken from `--target mpi4jax=...`, the configuration, a lock file or the requirements; if
    none of them specifies it, the newest release is assumed.

    ## Why is this bad?
    Since 0.8, operations are ordered without tokens. `token=` raises `RuntimeError`, even with `None`. An operation
    returns only the array, so `y, _ = mpi4jax.allreduce(...)` raises `ValueError` - or, if the array has two rows,
    silently takes the first row as the result. Which of the two happens depends on the shape of the data.

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
    The fix removes tokens from arguments and assignment targets, and the statements that create a token once nothing
    reads it. A token that is still read (returned, or passed to a function) keeps the value that it had before the
    call; a function that returned array and token still returns a pair. If there is no such value, the token becomes
    `None`; the fix is then unsafe if the token reaches code other than functions of the project and the caller. A
    result that is passed on as a whole, or unpacked in a way that is not visible in the function, is reported without a
    fix.

    ## Confidence
    High for `token=` and removed names. Medium where the only evidence is an unpacking, because an array with two rows
    can be unpacked into two names as well. Silent if the second name is not a token, or if the argument is built from
    two parts. Also silent for code that supports both interfaces (a version test, a fallback in an exception handler,
    `isinstance(result, tuple)`), and for functions of the project with a `token` parameter.

    ## Known false negatives
    The result of an operation without `token=` that a function returns and its caller unpacks.

    ## Suppression
    `# jaxmpi-lint: ignore[JM501] reason`, or specify the release: `--target mpi4jax=0.7`.

    ## References
    mpi4jax 0.8 release notes: removal of tokens. mpi4jax 0.9, `raise_if_token_is_set`.
    """

    code = "JM501"
    name = "token-argument-removed"
    severity = Severity.ERROR
    fix = Applicability.SAFE
    detect = in_modules(old_interface)
    repair = modernise
    message = "`{d.name}` returns only the array since mpi4jax 0.8, not the pair (array, token) of earlier releases"
    remedy = "remove the token{d.how}"
    variants: ClassVar = {
        "token": Variant("`{d.name}` takes no `token` since mpi4jax 0.8: it raises RuntimeError"),
        "token and pair": Variant(
            "`{d.name}` takes no `token` since mpi4jax 0.8: it raises RuntimeError, and returns only the array"
        ),
        "returned token": Variant("`{d.name}` returns no token since mpi4jax 0.8"),
        "name": Variant("`{d.name}` is named `{d.current}` since mpi4jax 0.3"),
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
