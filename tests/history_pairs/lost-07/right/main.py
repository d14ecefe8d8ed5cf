import argparse

import numpy as np
from mpi4py import MPI


def shared_field(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    phases = rng.uniform(0.0, 2.0 * np.pi, size=8)
    x = np.linspace(0.0, 1.0, n)
    return sum(np.cos(2 * np.pi * (k + 1) * x + p) for k, p in enumerate(phases))


def main() -> None:
    comm = MPI.COMM_WORLD
    seed = 0
    if comm.rank == 0:
        parser = argparse.ArgumentParser()
        parser.add_argument("--seed", type=int, default=20240)
        seed = parser.parse_args().seed
    seed = comm.bcast(seed, root=0)

    n = 120
    field = shared_field(seed, n)
    start, stop = comm.rank * n // comm.size, (comm.rank + 1) * n // comm.size
    part = field[start:stop]

    pieces = comm.gather(part, root=0)
    if comm.rank == 0:
        whole = np.concatenate(pieces)
        print("one field:", bool(np.allclose(whole, shared_field(seed, n))))


if __name__ == "__main__":
    main()
