from collections import OrderedDict

from mpi4py import MPI

_times = OrderedDict()


class Section:
    """
    with Section("fft", comm):
        ...
    """

    synchronise = True

    def __init__(self, name, comm, verbose=False):
        self.name = name
        self.comm = comm
        self.verbose = verbose

    def __enter__(self):
        if self.synchronise:
            self.comm.Barrier()
        self.t0 = MPI.Wtime()
        return self

    def __exit__(self, exc_type, exc, tb):
        dt = MPI.Wtime() - self.t0
        _times[self.name] = _times.get(self.name, 0.0) + dt
        if self.verbose and exc_type is None:
            print("  [%s] %.4f s" % (self.name, dt))
        return False


def table(comm):
    """max over ranks of every section; the list on rank 0"""
    rows = []
    for name, t in _times.items():
        rows.append((name, comm.reduce(t, op=MPI.MAX, root=0)))
    return rows if comm.rank == 0 else None
