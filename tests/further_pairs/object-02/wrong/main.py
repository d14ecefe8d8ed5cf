import time

import numpy as np
from mpi4py import MPI


class Timed:
    """Measures a part of the program from the first start to the last end."""

    def __init__(self, comm: MPI.Comm, label: str, book: dict[str, float]):
        self.comm = comm
        self.label = label
        self.book = book

    def __enter__(self):
        self.comm.Barrier()
        self.start = time.perf_counter()
        return self

    def __exit__(self, *exc):
        spent = self.comm.allreduce(time.perf_counter() - self.start, op=MPI.MAX)
        self.book[self.label] = self.book.get(self.label, 0.0) + spent
        return False


def simulate(rank: int, steps: int = 40) -> np.ndarray:
    rng = np.random.default_rng(rank)
    return rng.standard_normal((steps, 1000)).cumsum(axis=0)


def main() -> None:
    comm = MPI.COMM_WORLD
    book: dict[str, float] = {}
    with Timed(comm, "simulate", book):
        paths = simulate(comm.rank)
    spread = comm.reduce(float(paths[-1].std()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        with Timed(comm, "report", book):
            print(f"spread {spread / comm.size:.6f}")
    if comm.rank == 0:
        print("parts timed:", ", ".join(book))


if __name__ == "__main__":
    main()
