from mpi4py import MPI


class Halo:
    """Ghost rows of a field that is split by rows."""

    def __init__(self, comm: MPI.Comm) -> None:
        self.comm = comm
        self.up = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.down = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        self.pending: list[MPI.Request] = []

    def begin(self, u) -> None:
        self.pending = [
            self.comm.Irecv(u[0], source=self.up, tag=1),
            self.comm.Irecv(u[-1], source=self.down, tag=2),
            self.comm.Isend(u[1], dest=self.up, tag=2),
            self.comm.Isend(u[-2], dest=self.down, tag=1),
        ]

    def finish(self) -> None:
        MPI.Request.Waitall(self.pending)
        self.pending = []
