"""Mandelbrot set with dynamic row scheduling through a shared ticket counter.

Rank 0 hosts an integer in an RMA window; everybody draws row blocks from it.
"""
import argparse

import numpy as np
from mpi4py import MPI


class TicketCounter:
    """A counter living on one rank, drawn from with passive target RMA."""

    def __init__(self, comm, host=0):
        self.host = host
        nbytes = MPI.INT64_T.Get_size() if comm.rank == host else 0
        self.win = MPI.Win.Allocate(nbytes, MPI.INT64_T.Get_size(), comm=comm)
        if comm.rank == host:
            self.win.Lock(host, MPI.LOCK_EXCLUSIVE)
            np.frombuffer(self.win.tomemory(), dtype=np.int64)[0] = 0
            self.win.Unlock(host)
        comm.Barrier()

    def draw(self, howmany=1):
        ticket = np.zeros(1, dtype=np.int64)
        nxt = np.zeros(1, dtype=np.int64)
        self.win.Lock(self.host, MPI.LOCK_SHARED)
        self.win.Get(ticket, self.host)
        self.win.Flush(self.host)
        nxt[0] = ticket[0] + howmany
        self.win.Put(nxt, self.host)
        self.win.Unlock(self.host)
        return int(ticket[0])

    def free(self):
        self.win.Free()


def escape_counts(y, xs, maxiter):
    c = xs + 1j * y
    z = np.zeros_like(c)
    n = np.zeros(xs.size, dtype=np.int32)
    alive = np.ones(xs.size, dtype=bool)
    for _ in range(maxiter):
        z[alive] = z[alive] ** 2 + c[alive]
        alive &= np.abs(z) < 2.0
        n[alive] += 1
    return n


def write_pgm(path, img, maxiter):
    scaled = (255.0 * img / maxiter).astype(np.uint8)
    with open(path, "wb") as fh:
        fh.write(b"P5\n%d %d\n255\n" % (img.shape[1], img.shape[0]))
        fh.write(scaled.tobytes())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--width", type=int, default=300)
    ap.add_argument("--height", type=int, default=200)
    ap.add_argument("--maxiter", type=int, default=80)
    ap.add_argument("--chunk", type=int, default=2)
    ap.add_argument("--pgm")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    xs = np.linspace(-2.2, 0.8, args.width)
    ys = np.linspace(-1.1, 1.1, args.height)

    counter = TicketCounter(comm)
    img = np.zeros((args.height, args.width), dtype=np.int32)
    nrows = 0
    t0 = MPI.Wtime()
    while True:
        first = counter.draw(args.chunk)
        if first >= args.height:
            break
        for j in range(first, min(first + args.chunk, args.height)):
            img[j] = escape_counts(ys[j], xs, args.maxiter)
            nrows += 1
    busy = MPI.Wtime() - t0

    # rows that other ranks computed are zero here, so the sum assembles the image
    full = np.zeros_like(img) if comm.rank == 0 else None
    comm.Reduce(img, full, op=MPI.SUM, root=0)
    stats = comm.gather((nrows, busy), root=0)
    counter.free()

    if comm.rank == 0:
        for r, (n, t) in enumerate(stats):
            print(f"rank {r}: {n:4d} rows in {t:.2f} s")
        print(f"mean iterations per pixel {full.mean():.4f}, largest {full.max()}")
        if args.pgm:
            write_pgm(args.pgm, full, args.maxiter)


if __name__ == "__main__":
    main()
