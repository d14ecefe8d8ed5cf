import argparse
import contextlib
import time

import numpy as np
from mpi4py import MPI


@contextlib.contextmanager
def timed(label, comm):
    comm.Barrier()
    t0 = time.perf_counter()
    yield
    comm.Barrier()
    if comm.rank == 0:
        print(f"{label}: done in {'<1' if time.perf_counter() - t0 < 1 else '>1'} s")


def make_image(n):
    y, x = np.mgrid[0:n, 0:n] / n
    img = np.sin(12 * x) * np.cos(9 * y) + (x - 0.5) ** 2
    return img


def bounds(n, size, r):
    return n * r // size, n * (r + 1) // size


def distribute(comm, image, n):
    """Row tiles from rank 0 to everybody."""
    lo, hi = bounds(n, comm.size, comm.rank)
    tile = np.empty((hi - lo, n))
    if comm.rank != 0:
        comm.Recv(tile, source=0, tag=50)
        return tile
    tile[:] = image[lo:hi]
    biggest = -(-n // comm.size)
    staging = np.empty((biggest, n))
    pending = []
    for r in range(1, comm.size):
        a, b = bounds(n, comm.size, r)
        # tiles are flipped so that row 0 is at the bottom
        np.copyto(staging[:b - a], image[a:b][::-1])
        pending.append(comm.Isend(staging[:b - a], dest=r, tag=50))
    MPI.Request.Waitall(pending)
    tile[:] = tile[::-1].copy()
    return tile


def smooth(tile):
    out = tile.copy()
    out[:, 1:-1] = (tile[:, :-2] + tile[:, 1:-1] + tile[:, 2:]) / 3.0
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=600)
    n = ap.parse_args().n
    comm = MPI.COMM_WORLD
    image = make_image(n) if comm.rank == 0 else None
    with timed("distribution", comm):
        tile = distribute(comm, image, n)
    parts = comm.gather(smooth(tile), root=0)
    if comm.rank == 0:
        got = np.vstack([p[::-1] for p in parts])
        print("max deviation from serial:", float(np.abs(got - smooth(image)).max()))


main()
