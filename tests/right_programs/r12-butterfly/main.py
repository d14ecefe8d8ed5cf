"""Hand-written allreduce (recursive doubling with folding of the excess
ranks) and hand-written exclusive scan, compared with the library."""
import numpy as np
from mpi4py import MPI

from handmade import allreduce, exscan


def quaternion_product(a, b):
    """Associative, not commutative: the order of the ranks matters."""
    w1, x1, y1, z1 = a
    w2, x2, y2, z2 = b
    return np.array([
        w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
        w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
        w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
        w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2,
    ])


def unit_quaternion(seed):
    q = np.random.default_rng(seed).normal(size=4)
    return q / np.linalg.norm(q)


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size

    # commutative
    v = np.arange(8.0) * (rank + 1)
    total = allreduce(comm, v, np.add)
    reference = np.empty_like(v)
    comm.Allreduce(v, reference, op=MPI.SUM)
    np.testing.assert_allclose(total, reference)

    # not commutative: rotate by all the quaternions in rank order
    q = unit_quaternion(rank)
    prod = allreduce(comm, q, quaternion_product)
    expected = unit_quaternion(0)
    for r in range(1, size):
        expected = quaternion_product(expected, unit_quaternion(r))
    np.testing.assert_allclose(prod, expected, atol=1e-12)

    prefix = exscan(comm, q, quaternion_product)
    if rank == 0:
        assert prefix is None
    else:
        expected = unit_quaternion(0)
        for r in range(1, rank):
            expected = quaternion_product(expected, unit_quaternion(r))
        np.testing.assert_allclose(prefix, expected, atol=1e-12)

    # consistency: prefix * own on the last rank equals the total
    if rank == size - 1:
        whole = q if prefix is None else quaternion_product(prefix, q)
        np.testing.assert_allclose(whole, prod, atol=1e-12)
    norms = comm.gather(float(np.linalg.norm(prod)), root=0)
    if rank == 0:
        assert np.allclose(norms, 1.0)
        print(f"hand-made allreduce and exscan agree on {size} ranks")


if __name__ == "__main__":
    main()
