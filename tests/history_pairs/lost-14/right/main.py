import numpy as np
from mpi4py import MPI


class DataLoader:
    def __init__(self, comm: MPI.Intracomm, n: int, batch: int):
        self.comm = comm
        self.n = n
        self.batch = batch
        self.rng = np.random.default_rng()

    def epoch(self):
        order = np.arange(self.n)
        if self.comm.rank == 0:
            self.rng.shuffle(order)
        self.comm.Bcast(order, root=0)
        mine = order[self.comm.rank::self.comm.size]
        for start in range(0, len(mine), self.batch):
            yield mine[start:start + self.batch]


def main() -> None:
    comm = MPI.COMM_WORLD
    loader = DataLoader(comm, n=240, batch=16)
    seen = [int(i) for batch in loader.epoch() for i in batch]
    everything = comm.gather(seen, root=0)
    if comm.rank == 0:
        flat = sorted(i for part in everything for i in part)
        print("every sample once:", flat == list(range(240)))


if __name__ == "__main__":
    main()
