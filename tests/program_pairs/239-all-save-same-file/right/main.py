"""Mandelbrot escape times, rows spread cyclically; the picture goes to one file."""
import sys
import numpy as np
from mpi4py import MPI

W, H, MAXIT = 60, 40, 80


def escape_row(j):
    y = -1.2 + 2.4 * j / (H - 1)
    c = np.linspace(-2.1, 0.7, W) + 1j * y
    z = np.zeros_like(c)
    n = np.zeros(W, dtype=int)
    for _ in range(MAXIT):
        inside = np.abs(z) <= 2
        z[inside] = z[inside] ** 2 + c[inside]
        n += inside
    return n


def compute(comm):
    picture = np.zeros((H, W), dtype=int)
    for j in range(comm.rank, H, comm.size):
        picture[j] = escape_row(j)
    return picture


def save(comm, picture, path):
    full = np.zeros_like(picture)
    comm.Reduce(picture, full, op=MPI.SUM, root=0)
    if comm.rank == 0:
        np.savetxt(path, full, fmt="%d")


def check(path):
    img = np.loadtxt(path, dtype=int)
    empty = np.flatnonzero(img.sum(axis=1) == 0)
    print(f"{path}: {img.shape[0]} rows, {empty.size} of them empty")
    return empty.size == 0


def main():
    comm = MPI.COMM_WORLD
    path = sys.argv[1] if len(sys.argv) > 1 else "mandel.txt"
    picture = compute(comm)
    save(comm, picture, path)
    comm.Barrier()
    if comm.rank == 0 and not check(path):
        raise SystemExit(3)


if __name__ == "__main__":
    main()
