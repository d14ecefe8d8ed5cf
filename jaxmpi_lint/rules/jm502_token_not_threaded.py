"""JM502: operations not ordered by a token, for mpi4jax before 0.8."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4jax.token_order import unthreaded_tokens
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant

_OLD = {"mpi4jax": "0.5.0"}


class TokenNotThreaded(CheckRule):
    """Operation not ordered by a token (mpi4jax before 0.8).

    ## What it does
    For projects that require mpi4jax before 0.8: reports an operation that may overtake an earlier one because it does
    not take the token of the earlier one: no token is passed, the same token is used twice, or a fresh token is
    created, for instance in a loop body. Also reports an (array, token) pair that is used as if it were the array.

    ## Why is this bad?
    Up to 0.7, an operation returns `(array, token)`, and the compiler orders two operations only if the second one
    takes the token, or depends on the array, of the first. Otherwise each rank may execute them in a different order:
    ranks enter different operations and hang, or exchange the wrong data. Such a program may work for a long time
    before it fails.

    ## Example
    ```python
    import jax
    import mpi4jax


    @jax.jit
    def swap(x, other, comm):
        token = mpi4jax.send(x, dest=other, comm=comm)
        received, _ = mpi4jax.recv(x, source=other, comm=comm)
        return received
    ```

    ## Use instead
    ```python
    import jax
    import mpi4jax


    @jax.jit
    def swap(x, other, comm):
        token = mpi4jax.send(x, dest=other, comm=comm)
        received, token = mpi4jax.recv(x, source=other, comm=comm, token=token)
        return received
    ```

    ## Confidence
    High in a function that is provably compiled, or that passes tokens elsewhere. Silent where the operands of the
    later operation depend on the result of the earlier one, for a single operation, and in functions that run eagerly
    and use no tokens. The rule is disabled without a requirement or `--target` below 0.8, and for 0.7 with JAX 0.5 or
    later, where tokens are ignored.

    ## Known false negatives
    Tokens that a caller discards; operations that are ordered on only one path.

    ## Suppression
    `# jaxmpi-lint: ignore[JM502] reason`.

    ## References
    mpi4jax 0.3 to 0.7, "Sharp bits": token management.
    """

    code = "JM502"
    name = "token-not-threaded"
    severity = Severity.ERROR
    detect = in_functions(unthreaded_tokens)
    message = "`{d.operation.method}` takes no token, so it is not ordered after the previous operation"
    remedy = "pass the token that the previous operation returned as `token=`, and keep the new token"
    variants: ClassVar = {
        "old token": Variant("`{d.operation.method}` takes a token that is older than the previous operation"),
        "new token": Variant("`{d.operation.method}` takes a fresh token, which does not order it after anything"),
        "pair": Variant(
            "`{d.name}` is the pair (array, token) that `{d.operation.method}` returns before 0.8, not the array",
            "unpack it: `{d.name}, token = mpi4jax.{d.operation.method}(...)`",
        ),
    }

    VALID = (
        """import jax
import mpi4jax


@jax.jit
def swap(x, comm):
    token = mpi4jax.send(x, dest=1, comm=comm)  #! JM501
    y, token = mpi4jax.recv(x, source=1, comm=comm, token=token)  #! JM501
    return y
""",
        Example(
            """import jax
import mpi4jax


@jax.jit
def swap(x, comm):
    token = jax.lax.create_token()
    for index in range(3):
        token = mpi4jax.send(x[index], dest=1, comm=comm, token=token)
        if index:
            token = mpi4jax.barrier(comm=comm, token=token)
    y, _ = mpi4jax.recv(x, source=1, comm=comm, token=token)
    return y
""",
            target=_OLD,
        ),
    )
    INVALID = (
        Example(
            """import jax
import mpi4jax


@jax.jit
def swap(x, comm):
    mpi4jax.send(x, dest=1, comm=comm)
    y, _ = mpi4jax.recv(x, source=1, comm=comm)  #! JM502
    return y
""",
            target=_OLD,
        ),
        Example(
            """import mpi4jax


def ring(x, comm, token):
    token = mpi4jax.send(x, dest=1, comm=comm, token=token)
    y, token = mpi4jax.recv(x, source=1, comm=comm)  #! JM502
    return y, token
""",
            target=_OLD,
        ),
    )
