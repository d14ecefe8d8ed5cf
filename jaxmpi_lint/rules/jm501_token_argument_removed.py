"""JM501: the token interface of mpi4jax before 0.8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import is_mpi4jax_itself, takes_tokens
from jaxmpi_lint.checks.mpi4jax.removed_names import removed_names
from jaxmpi_lint.checks.mpi4jax.token_calls import Taking, TokenCall, TokenStyle, token_style
from jaxmpi_lint.checks.mpi4jax.token_codemod import TokenRemoval
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Module

_NEW_PAIR = "before 0.8 it returned the pair (array, token), since 0.8 the array alone"

_CERTAIN = ("token", "name", "position")


class TokenArgumentRemoved(Rule):
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

    ## How sure
    High for `token=` and removed names. Medium where only an unpacking shows it, because an array with two rows may be
    unpacked in two as well: a second name that is no token, and an argument built from two parts, are silent. Code that
    asks which release it has (a test of a version, a fall-back in an exception handler, `isinstance(result, tuple)`) is
    for both and silent, and so are functions of the project with a `token` parameter.

    ## Known misses
    A pair that is returned by an operation without `token=` and unpacked by the caller.

    ## How to silence
    `# jaxmpi-lint: ignore[JM501] reason`, or name the release: `--target mpi4jax=0.7`.

    ## References
    mpi4jax 0.8 release notes: removal of tokens. mpi4jax 0.9, `raise_if_token_is_set`.
    """

    code = "JM501"
    name = "token-argument-removed"
    severity = Severity.ERROR
    fix = Applicability.SAFE

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

    def check_module(self, module: Module) -> Iterator[Finding]:
        """Findings of one module: the tokens of all its functions are followed together."""
        if takes_tokens(module.project) or is_mpi4jax_itself(module.project):
            return
        styles = [style for function in module.functions() if (style := token_style(function)) is not None]
        removal = TokenRemoval(styles)
        for style in styles:
            for call, reason in style.old():
                yield self._call(module.ir, style, call, reason, removal)
        for found in removed_names(module):
            repair = None
            if found.edits:
                repair = Repair(Applicability.SAFE, f"use {found.replacement}", found.edits)
            yield self.finding(
                module.ir, found.span, f"`{found.name}` does not exist since mpi4jax {found.removed}",
                remedy=f"use {found.replacement}", repair=repair,
            )  # fmt: skip

    def _call(
        self, module: ir.Module, style: TokenStyle, call: TokenCall, reason: str, removal: TokenRemoval
    ) -> Finding:
        edits = removal.of(call)
        repair = None
        if edits is not None:
            safety = Applicability.SAFE if edits.safe else Applicability.UNSAFE
            repair = Repair(safety, "take the token out", edits.edits)
        return self.finding(
            module,
            call.call.span,
            _message(call, reason),
            steps=tuple(_steps(module, style, call)),
            remedy=_remedy(call, repair is not None),
            repair=repair,
            confidence=Confidence.HIGH if reason in _CERTAIN else Confidence.MEDIUM,
        )


def _message(call: TokenCall, reason: str) -> str:
    name = f"`{call.spelling}`"
    match reason:
        case "token":
            taken = ", and returns the bare array" if call.yields_array and _expects_pair(call) else ""
            return f"{name} takes no `token` since mpi4jax 0.8: it raises RuntimeError{taken}"
        case "name":
            return f"{name} is called `{call.spelling.lower()}` since mpi4jax 0.3"
        case "position":
            return f"{name} takes its communicator and tags by keyword since mpi4jax 0.3"
        case "returned token":
            return f"{name} returns no token since mpi4jax 0.8"
        case _:
            return f"{name} returns the bare array: {_NEW_PAIR}"


def _expects_pair(call: TokenCall) -> bool:
    return call.taken.taking in (Taking.UNPACKED, Taking.INDEXED, Taking.NAMED, Taking.RETURNED)


def _remedy(call: TokenCall, fixed: bool) -> str:
    if fixed:
        return "take the token out; the order of the program is kept without it"
    return "take the token out, here and where the result is used: it is the array alone"


def _steps(module: ir.Module, style: TokenStyle, call: TokenCall) -> Iterator[Step]:
    if call.token is not None:
        if isinstance(call.token.value, ir.Name):
            made = [s for s in style.scope.stores(call.token.value.id) if s.span[0] < call.call.span[0]]
            if made and made[-1].span != call.taken.span:
                yield Step(module, made[-1].span, "the token comes from here")
        yield Step(module, call.token.span, "raises RuntimeError since mpi4jax 0.8")
    for pair in call.pairs:
        yield Step(module, pair.span, "unpacks the rows of the array, not array and token")
