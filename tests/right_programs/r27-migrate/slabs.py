import numpy as np
from mpi4py import MPI

TAG = 9


class Slabs:
    """Cuts 0 = c0 < c1 < ... = 1, identical on all ranks."""

    def __init__(self, comm):
        self.comm = comm
        self.cuts = np.linspace(0.0, 1.0, comm.size + 1)

    def owner(self, x):
        return np.searchsorted(self.cuts[1:-1], x, side="right")

    def imbalance(self, n):
        """Largest over mean load (collective)."""
        total = self.comm.allreduce(n, op=MPI.SUM)
        return self.comm.allreduce(n, op=MPI.MAX) * self.comm.size / total

    def recut(self, x):
        """New cuts at the quantiles of a histogram (collective)."""
        hist, edges = np.histogram(x, bins=400, range=(0.0, 1.0))
        hist = hist.astype(np.int64)
        self.comm.Allreduce(MPI.IN_PLACE, hist, op=MPI.SUM)
        cumulative = np.concatenate([[0], np.cumsum(hist)])
        targets = cumulative[-1] * np.arange(1, self.comm.size) / self.comm.size
        self.cuts[1:-1] = np.interp(targets, cumulative + 1e-9 * np.arange(401), edges)

    def migrate(self, particles):
        """Sparse exchange: the receivers learn only how many messages come,
        by Reduce_scatter, then take them with matched probes."""
        comm = self.comm
        owner = self.owner(particles["x"])
        stay = particles[owner == comm.rank]
        sends, flags = [], np.zeros(comm.size, dtype=np.intc)
        for dest in np.unique(owner):
            if dest == comm.rank:
                continue
            packet = particles[owner == dest]
            flags[dest] = 1
            sends.append(comm.Isend([packet.view(np.uint8), MPI.BYTE], dest=int(dest), tag=TAG))
        expected = np.zeros(1, dtype=np.intc)
        comm.Reduce_scatter_block(flags, expected, op=MPI.SUM)

        received = []
        status = MPI.Status()
        for _ in range(int(expected[0])):
            message = comm.Mprobe(source=MPI.ANY_SOURCE, tag=TAG, status=status)
            packet = np.empty(status.Get_count(MPI.BYTE) // particles.itemsize, particles.dtype)
            message.Recv([packet.view(np.uint8), MPI.BYTE])
            received.append((status.Get_source(), packet))
        MPI.Request.Waitall(sends)
        # without this a fast rank's packets of the next round could be taken
        # for packets of this one
        comm.Barrier()
        received.sort(key=lambda item: item[0])
        return np.concatenate([stay] + [p for _, p in received]), len(particles) - len(stay)
