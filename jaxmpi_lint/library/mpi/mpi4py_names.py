"""Names of mpi4py with a special meaning.

Facts from mpi4py's reference and from MPI 4.1 (sections 6.2.3 and 7.4).
"""

from __future__ import annotations

MEMBERS = "mpi4py.MPI."
"""Prefix of the names of the members of its module ``MPI``."""

COMM_SELF = "mpi4py.MPI.COMM_SELF"
"""The communicator of one process."""

ROOTS_OF_INTERCOMMUNICATOR = frozenset({"mpi4py.MPI.ROOT", "mpi4py.MPI.PROC_NULL"})
"""Roots of an intercommunicator, which differ inside the group of the root."""

FREES_COMMUNICATOR = frozenset({"mpi4py.MPI.Comm.Free", "mpi4py.MPI.Comm.Disconnect"})
"""Methods after which a communicator must not be used."""
