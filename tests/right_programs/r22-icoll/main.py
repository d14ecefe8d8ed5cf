"""Block matrix product (SUMMA-like, 1-D) with Ibcast of the next panel while
the current one is used, and a checksum by Iallreduce completed one step later."""
import numpy as np
from mpi4py import MPI

N = 72
PANEL = 10


class PanelStream:
    """Broadcast column panels of A, one ahead; the owners take turns."""

    def __init__(self, comm, n, width, local_panels):
        self.comm, self.n, self.width = comm, n, width
        self.local = local_panels
        self.count = -(-n // width)
        self.buffers = [np.empty((n, width)), np.empty((n, width))]

    def cols(self, k):
        return min(self.width, self.n - k * self.width)

    def _start(self, k):
        owner = k % self.comm.size
        buf = self.buffers[k % 2]
        if self.comm.rank == owner:
            buf[:, :self.cols(k)] = self.local[k]
            buf[:, self.cols(k):] = 0.0
        return self.comm.Ibcast(buf, root=owner)

    def __iter__(self):
        pending = self._start(0)
        for k in range(self.count):
            pending.Wait()
            # buffer (k+1)%2 was used in step k-1, which is over
            pending = self._start(k + 1) if k + 1 < self.count else None
            yield k, self.buffers[k % 2][:, :self.cols(k)]


def matrices():
    rng = np.random.default_rng(31)
    return rng.normal(size=(N, N)), rng.normal(size=(N, N))


def main():
    comm = MPI.COMM_WORLD
    a, b = matrices()
    lo, hi = N * comm.rank // comm.size, N * (comm.rank + 1) // comm.size
    my_b = b[:, lo:hi].copy()
    panels = {k: a[:, k * PANEL:(k + 1) * PANEL]
              for k in range(comm.rank, -(-N // PANEL), comm.size)}

    c = np.zeros((N, hi - lo))
    sums = []
    check_req, check_out = MPI.REQUEST_NULL, None
    for k, panel in PanelStream(comm, N, PANEL, panels):
        c += panel @ my_b[k * PANEL:k * PANEL + panel.shape[1]]
        check_req.Wait()                    # no-op on the first pass
        if check_out is not None:
            sums.append(float(check_out[0]))
        check_in = np.array([c.sum()])
        check_out = np.empty(1)
        check_req = comm.Iallreduce(check_in, check_out, op=MPI.SUM)
    check_req.Wait()
    sums.append(float(check_out[0]))

    np.testing.assert_allclose(c, a @ b[:, lo:hi], atol=1e-11)
    full = a @ b
    assert abs(sums[-1] - full.sum()) < 1e-8
    for k, s in enumerate(sums):
        partial = a[:, :(k + 1) * PANEL] @ b[:(k + 1) * PANEL]
        assert abs(s - partial.sum()) < 1e-8

    # nonblocking barrier as a finish line
    done = comm.Ibarrier()
    spins = 0
    while not done.Test():
        spins += 1
    worst = np.array([np.abs(c - full[:, lo:hi]).max(initial=0.0)])
    result = np.zeros(1) if comm.rank == 0 else None
    request = comm.Ireduce(worst, result, op=MPI.MAX, root=0)
    request.Wait()
    if comm.rank == 0:
        print(f"{len(sums)} panels, max error {result[0]:.2e}")


if __name__ == "__main__":
    main()
