"""Recording of mpi4py's lower-case methods.

`comm.allreduce(x, op=MPI.MAX)` never passes the operator to MPI: mpi4py pickles the objects and reduces them itself. So
these methods are recorded as the user called them, with operator and root, and compared like calls of MPI.
"""

from __future__ import annotations

from types import ModuleType

from jaxmpi_lint.runtime import _native


def wrap(mpi: ModuleType) -> list[str]:
    """Replace each pickling method of `mpi4py.MPI` by a recording one; returns the names of missing methods."""
    _native.read_handles(mpi.__pyx_capi__, mpi.SUM)
    missing = []
    for name in _native.pickled_methods():
        owner, _, method = name.partition(".")
        kind = getattr(mpi, owner, None)
        if kind is None or method not in vars(kind) or not _native.wrap_pickled(kind, name):
            missing.append(name)
    return missing
