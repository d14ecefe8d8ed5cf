"""Status objects that operations fill when they run."""

from __future__ import annotations

import itertools

import jax
import numpy as np
from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import native

_numbers = itertools.count()
_kept: dict[int, MPI.Status] = {}


def promised(status: MPI.Status) -> np.uint32:
    """A number for the program under which the status is kept alive."""
    number = next(_numbers)
    _kept[number] = status
    native.LIBRARY.jaxmpi_set_status(number, MPI._addressof(status))
    return np.uint32(number)


def settle(number: np.uint32, result: jax.Array) -> None:
    """Outside of traced functions the operation ran once, and is done: let go of the status."""
    if not isinstance(result, jax.core.Tracer):
        native.LIBRARY.jaxmpi_set_status(int(number), None)
        _kept.pop(int(number), None)
