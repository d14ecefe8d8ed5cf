import os

import numpy as np
from mpi4py import MPI

TURN = 31


def local_lines(rank, n=5):
    rng = np.random.default_rng(rank)
    xyz = rng.normal(size=(n, 3))
    return ["H  " + "  ".join(f"{v: .5f}" for v in row) + "\n" for row in xyz]


def write_in_order(comm, path, lines):
    """The lines of rank 0, then those of rank 1 and so on."""
    if comm.rank == 0:
        open(path, "w").close()
    comm.Barrier()
    with open(path, "a") as handle:
        for line in lines:
            handle.write(line)
            handle.flush()
    comm.Barrier()


def main():
    comm = MPI.COMM_WORLD
    os.makedirs("geometry", exist_ok=True)
    path = os.path.join("geometry", "atoms.xyz")
    write_in_order(comm, path, local_lines(comm.rank))

    expected = [line for r in range(comm.size) for line in local_lines(r)]
    if comm.rank == 0:
        with open(path) as handle:
            print("order kept:", handle.readlines() == expected)


if __name__ == "__main__":
    main()
