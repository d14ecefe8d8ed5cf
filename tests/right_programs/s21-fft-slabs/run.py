import sys

import numpy as np
from mpi4py import MPI

from guard import needs_ranks
from slabs import SlabField


def bumps(i, j):
    return np.exp(-0.05 * ((i - 5) ** 2 + (j - 9) ** 2)) + 0.3 * np.cos(0.7 * i) * (j % 4 == 0)


def diffused(comm, n, amount):
    field = SlabField(comm, n, bumps)
    before = field.power
    with field.in_spectrum() as (ki, kj):
        assert np.isclose(field.power, before)
        field.data = field.data * np.exp(-amount * (ki ** 2 + kj ** 2))
    return field, before


@needs_ranks(lambda size: size & (size - 1) == 0, "needs a power of two of processes")
def main(n=16):
    comm = MPI.COMM_WORLD
    field = SlabField(comm, n, bumps)
    field.forward()
    grid = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    assert np.allclose(field.whole(), np.fft.fft2(bumps(*grid)))
    field.backward()
    assert np.allclose(field.whole(), bumps(*grid))

    for amount in (0.0, 0.01, 0.2):
        field, before = diffused(comm, n, amount)
        alone, _ = diffused(MPI.COMM_SELF, n, amount)
        assert np.allclose(field.whole(), alone.data)
        after = field.power
        assert after <= before * (1.0 + 1e-12)
        if comm.rank == 0:
            print(f"amount {amount}: power {before:.8f} -> {after:.8f}")


if __name__ == "__main__":
    sys.exit(main())
