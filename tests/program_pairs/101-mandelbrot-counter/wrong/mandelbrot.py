"""Mandelbrot set area with dynamic load balancing through a shared counter."""
import argparse
import contextlib

import numpy as np
from mpi4py import MPI


class SharedCounter:
    """Hands out 0, 1, 2, ... to the processes of a communicator."""

    def __init__(self, comm):
        self.comm = comm
        itemsize = MPI.INT64_T.Get_size()
        self.win = MPI.Win.Allocate(itemsize if comm.rank == 0 else 0, itemsize, comm=comm)
        if comm.rank == 0:
            memory = np.frombuffer(self.win.tomemory(), dtype=np.int64)
            memory[:] = 0
        comm.Barrier()

    def next(self):
        value = np.zeros(1, dtype=np.int64)
        one = np.ones(1, dtype=np.int64)
        self.win.Lock(0, MPI.LOCK_SHARED)
        self.win.Get([value, MPI.INT64_T], 0)
        self.win.Flush(0)
        self.win.Put([value + one, MPI.INT64_T], 0)
        self.win.Unlock(0)
        return int(value[0])

    def free(self):
        self.win.Free()


@contextlib.contextmanager
def shared_counter(comm):
    counter = SharedCounter(comm)
    try:
        yield counter
    finally:
        counter.free()


def strip_inside(index, n_strips, width, max_iter):
    y = -1.25 + 2.5 * (index + 0.5) / n_strips
    c = np.linspace(-2.0, 0.5, width) + 1j * y
    z = np.zeros_like(c)
    alive = np.ones(c.shape, dtype=bool)
    for _ in range(max_iter):
        z[alive] = z[alive] ** 2 + c[alive]
        alive &= np.abs(z) <= 2.0
        if not alive.any():
            break
    return int(alive.sum())


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--strips", type=int, default=3000)
    ap.add_argument("--width", type=int, default=40)
    ap.add_argument("--max-iter", type=int, default=12)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    inside = done = 0
    with shared_counter(comm) as counter:
        while (task := counter.next()) < args.strips:
            inside += strip_inside(task, args.strips, args.width, args.max_iter)
            done += 1

    inside, done = comm.allreduce(np.array([inside, done]), op=MPI.SUM)
    if comm.rank == 0:
        area = 2.5 * 2.5 * inside / (args.strips * args.width)
        print(f"strips computed: {done} of {args.strips}, area {area:.6f}")


if __name__ == "__main__":
    main()
