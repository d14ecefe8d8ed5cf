"""Communicators as compiled functions know them: by a number that is given once and never to another communicator.

The number hangs at MPI's communicator as an attribute, so it does not matter through which Python object the program
reaches it, nor who frees it: MPI tells us, operations under way are waited for, and later ones are refused.
"""

from __future__ import annotations

import warnings
from functools import cache

from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import native


class Communicator:
    """A communicator that has been used at least once; there is one object for each, and it is a static parameter."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self.name: str = comm.Get_name() or "communicator"
        self.handle = native.handle(comm)
        self.number: int = native.LIBRARY.jaxmpi_add_communicator(self.handle, self.rank, self.size, self.name.encode())

    def __repr__(self) -> str:
        return f"{self.name} #{self.number}"


def known(comm: MPI.Intracomm | None) -> Communicator:
    """Ours for this one, or for the default; ValueError if it was freed."""
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
    """A clone of COMM_WORLD. Making it is collective: all ranks must come here."""
    clone = MPI.COMM_WORLD.Clone()
    clone.Set_name("clone of MPI_COMM_WORLD")
    return clone


@cache
def _key() -> int:
    """What our attribute is known by; made when MPI is used for the first time."""
    if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
        warnings.warn(
            "MPI was initialised for calls from one thread, and XLA calls from its own; "
            "leave mpi4py.rc.thread_level at its default",
            RuntimeWarning,
            stacklevel=5,
        )
    return MPI.Comm.Create_keyval(delete_fn=_freed)


def _freed(comm: MPI.Comm, key: int, communicator: Communicator) -> None:
    """Calls of other threads that use it right now are waited for; later ones are refused."""
    native.LIBRARY.jaxmpi_retire_communicator(communicator.number)
