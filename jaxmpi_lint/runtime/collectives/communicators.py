"""The numbers by which compiled functions refer to communicators; a number is never reused.

The number is stored as an attribute of MPI's communicator, so it is independent of the Python object. When the
communicator is freed, MPI calls a delete function: it waits for active operations, and later ones are rejected.
"""

from __future__ import annotations

import warnings
from functools import cache

from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import native


class Communicator:
    """A communicator that has been used; the only object for it, and a static parameter of primitives."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self.name: str = comm.Get_name() or "communicator"
        self.handle = native.handle(comm)
        self.number: int = native.LIBRARY.jaxmpi_add_communicator(self.handle, self.rank, self.size, self.name.encode())

    def __repr__(self) -> str:
        return f"{self.name} #{self.number}"


def known(comm: MPI.Intracomm | None) -> Communicator:
    """The object for this communicator, or for the default one; ValueError if it was freed."""
    comm = default() if comm is None else comm
    if not comm:
        raise ValueError("the communicator is MPI.COMM_NULL: it was freed, or this rank is not part of it")
    found = comm.Get_attr(_key())
    if isinstance(found, Communicator):
        return found
    made = Communicator(comm)
    comm.Set_attr(_key(), made)
    return made


@cache
def default() -> MPI.Intracomm:
    """A clone of COMM_WORLD. The first call is collective: all ranks must make it."""
    clone = MPI.COMM_WORLD.Clone()
    clone.Set_name("clone of MPI_COMM_WORLD")
    return clone


@cache
def _key() -> int:
    """The key of the attribute, created on first use of MPI."""
    if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
        warnings.warn(
            "MPI was initialised for calls from one thread, but XLA calls it from other threads; "
            "keep the default of mpi4py.rc.thread_level",
            RuntimeWarning,
            stacklevel=5,
        )
    return MPI.Comm.Create_keyval(delete_fn=_freed)


def _freed(comm: MPI.Comm, key: int, communicator: Communicator) -> None:
    """Wait for active calls of other threads on the communicator, and reject later ones."""
    native.LIBRARY.jaxmpi_retire_communicator(communicator.number)
