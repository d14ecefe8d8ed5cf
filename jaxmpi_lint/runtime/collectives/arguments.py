"""Validation of arguments; an invalid one raises a TypeError or ValueError that names it."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import communicators, operators
from jaxmpi_lint.runtime.collectives.communicators import Communicator
from jaxmpi_lint.runtime.collectives.operators import Operator


class Absent:
    """The type of an argument that was not given."""


ABSENT = Absent()


def communicator(operation: str, comm: object, token: object) -> Communicator:
    """The communicator; the keyword ``token`` of old programs is rejected."""
    if not isinstance(token, Absent):
        raise RuntimeError(
            f"{operation} takes no token, because operations are ordered without tokens; "
            "replace `y, token = op(x, token=token)` by `y = op(x)`"
        )
    if not isinstance(comm, MPI.Intracomm | None):
        raise _unexpected(operation, "comm", "Intracomm", comm)
    return communicators.known(comm)


def operator(operation: str, op: object) -> Operator:
    """The reduction operator."""
    if not isinstance(op, MPI.Op):
        raise _unexpected(operation, "op", "Op", op)
    return operators.known(op)


def status(operation: str, wanted: object) -> MPI.Status:
    """The status object."""
    if not isinstance(wanted, MPI.Status):
        raise _unexpected(operation, "status", "Status", wanted)
    return wanted


def integer(operation: str, name: str, value: object) -> int:
    """An integer that is known when the program is traced."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise _unexpected(operation, name, "integer", value)
    return int(value)


def root(operation: str, value: object, among: Communicator) -> int:
    """A rank of the communicator."""
    return _rank(operation, "root", integer(operation, "root", value), among)


def peer(operation: str, name: str, value: object, among: Communicator, *others: int) -> int:
    """A rank of the communicator, PROC_NULL or one of ``others``."""
    rank = integer(operation, name, value)
    return rank if rank in (MPI.PROC_NULL, *others) else _rank(operation, name, rank, among)


def one_row_each(operation: str, array: jax.Array, among: Communicator) -> None:
    """Check that the first axis has one row for each rank."""
    if array.ndim == 0 or array.shape[0] != among.size:
        raise ValueError(
            f"{operation.capitalize()} input must have shape (nproc, ...): the first axis must have length "
            f"{among.size}, but the shape is {array.shape}"
        )


def _rank(operation: str, name: str, value: int, among: Communicator) -> int:
    if not 0 <= value < among.size:
        raise ValueError(f"{operation}: {name}={value} is not a rank of {among}, which has size {among.size}")
    return value


def _unexpected(operation: str, name: str, expected: str, value: Any) -> TypeError:
    hint = ""
    if isinstance(value, jax.core.Tracer):
        hint = "; an abstract tracer was passed where a concrete value is expected: try static_argnums of jax.jit"
    return TypeError(
        f'{operation} got unexpected type for argument "{name}" (expected: {expected}, got: {type(value)}){hint}'
    )
