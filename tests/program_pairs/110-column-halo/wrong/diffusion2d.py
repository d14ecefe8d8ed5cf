"""Explicit 2-D diffusion, decomposed along x with strided column datatypes."""
from contextlib import contextmanager

import numpy as np
from mpi4py import MPI


@contextmanager
def column_type(field):
    """Datatype describing one column of the interior of *field*."""
    rows, width = field.shape[0] - 2, field.shape[1] - 2
    dtype = MPI.DOUBLE.Create_vector(rows, 1, width)
    dtype.Commit()
    try:
        yield dtype
    finally:
        dtype.Free()


def exchange(cart, field, column):
    west, east = cart.Shift(0, 1)
    flat = field.reshape(-1)
    width = field.shape[1]

    def at(col):
        return [flat[width + col:], 1, column]

    cart.Sendrecv(at(1), dest=west, sendtag=0, recvbuf=at(width - 1), source=east, recvtag=0)
    cart.Sendrecv(at(width - 2), dest=east, sendtag=1, recvbuf=at(0), source=west, recvtag=1)


def diffuse(field, alpha):
    c = field[1:-1, 1:-1]
    return c + alpha * (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2] - 4 * c)


def initial(rows, cols):
    yy, xx = np.meshgrid(np.arange(rows), cols, indexing="ij")
    return np.exp(-((yy - 14.0) ** 2 + (xx - 30.0) ** 2) / 40.0) + 0.05 * np.sin(xx / 4.0)


def main(ny=30, nx=64, steps=80, alpha=0.2):
    cart = MPI.COMM_WORLD.Create_cart([MPI.COMM_WORLD.size], periods=[True], reorder=False)
    cols = np.array_split(np.arange(nx), cart.size)[cart.rank]
    field = np.zeros((ny + 2, cols.size + 2))
    field[1:-1, 1:-1] = initial(ny, cols)

    with column_type(field) as column:
        for _ in range(steps):
            exchange(cart, field, column)
            field[0], field[-1] = field[1], field[-2]
            field[1:-1, 1:-1] = diffuse(field, alpha)

    interior = field[1:-1, 1:-1]
    checks = cart.reduce(np.array([interior.sum(), (interior ** 2).sum()]), root=0)
    if cart.rank == 0:
        print("sum %.10f  squares %.10f" % tuple(checks))
    cart.Free()


if __name__ == "__main__":
    main()
