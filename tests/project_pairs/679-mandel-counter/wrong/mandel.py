"""Mandelbrot set with dynamic load balancing.

There is no master: the number of the next free block of rows lives in a
window on rank 0, and everyone who has nothing to do takes a number.

    mpirun -n 4 python mandel.py [width height]
"""
import sys

import numpy as np
from mpi4py import MPI


class Counter:
    """Shared counter in the memory of rank 0."""

    def __init__(self, comm):
        nbytes = 8 if comm.Get_rank() == 0 else 0
        self.win = MPI.Win.Allocate(nbytes, 8, comm=comm)
        if comm.Get_rank() == 0:
            self.win.Lock(0, MPI.LOCK_EXCLUSIVE)
            np.frombuffer(self.win.tomemory(), dtype="i8")[0] = 0
            self.win.Unlock(0)
        comm.Barrier()

    def take(self):
        value = np.zeros(1, dtype="i8")
        self.win.Lock(0, MPI.LOCK_SHARED)
        self.win.Get(value, 0)
        self.win.Flush(0)
        following = value + 1
        self.win.Put(following, 0)
        self.win.Unlock(0)
        return int(value[0])

    def free(self):
        self.win.Free()


def mandel_rows(r0, r1, w, h, maxit):
    x = np.linspace(-2.2, 0.8, w)[None, :]
    y = np.linspace(-1.2, 1.2, h)[r0:r1, None]
    c = x + 1j * y
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=np.int32)
    for _ in range(maxit):
        inside = np.abs(z) <= 2.0
        if not inside.any():
            break
        z[inside] = z[inside] ** 2 + c[inside]
        count += inside
    return count


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    w, h = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (60, 1500)
    maxit, rows = 40, 1

    counter = Counter(comm)
    image = np.zeros((h, w), dtype=np.int32)
    done = 0
    while True:
        r0 = counter.take() * rows
        if r0 >= h:
            break
        r1 = min(r0 + rows, h)
        image[r0:r1] = mandel_rows(r0, r1, w, h, maxit)
        done += r1 - r0

    full = np.zeros_like(image) if rank == 0 else None
    comm.Reduce(image, full, op=MPI.SUM, root=0)
    per_rank = comm.gather(done, root=0)
    counter.free()

    if rank == 0:
        print(f"{h} rows, computed per rank: {per_rank} (sum {sum(per_rank)})")
        print(f"largest count {full.max()} of {maxit}, mean {full.mean():.4f}")


if __name__ == "__main__":
    main()
