"""Status objects that operations fill at run time."""

from __future__ import annotations

import itertools

import jax
import numpy as np
from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import native

_numbers = itertools.count()
_kept: dict[int, MPI.Status] = {}


def promised(status: MPI.Status) -> np.uint32:
    """A number for the compiled program; the status is kept alive under it."""
    number = next(_numbers)
    _kept[number] = status
    native.LIBRARY.jaxmpi_set_status(number, MPI._addressof(status))
    return np.uint32(number)


def settle(number: np.uint32, result: jax.Array) -> None:
    """Release the status if the operation has finished, that is, outside of traced functions."""
    if not isinstance(result, jax.core.Tracer):
        native.LIBRARY.jaxmpi_set_status(int(number), None)
        _kept.pop(int(number), None)
