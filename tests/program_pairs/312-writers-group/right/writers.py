"""Two-stage output: blocks go to a few writer processes, which agree on the layout."""
import argparse
import os
import shutil
import tempfile

import numpy as np
from mpi4py import MPI


class WriterPool:
    """The first n_writers processes of comm receive and write the data of the others."""

    def __init__(self, comm, n_writers):
        self.comm = comm
        self.n = min(n_writers, comm.size)
        self.my_writer = comm.rank % self.n
        self.is_writer = comm.rank < self.n
        self.group = self.make_group()

    def make_group(self):
        members = self.comm.Get_group().Incl(list(range(self.n)))
        group = MPI.COMM_NULL
        if self.is_writer:
            group = self.comm.Create_group(members)
        members.Free()
        return group

    def clients(self):
        return [r for r in range(self.comm.size) if r % self.n == self.comm.rank]

    def write(self, folder, block):
        request = self.comm.isend(block, dest=self.my_writer, tag=4)
        if self.is_writer:
            blocks = [self.comm.recv(source=r, tag=4) for r in self.clients()]
            data = np.concatenate(blocks)
            sizes = self.group.allgather(len(data))
            start = sum(sizes[:self.group.rank])
            name = os.path.join(folder, f"rows{start:06d}.npy")
            np.save(name, data)
        request.wait()
        self.comm.Barrier()

    def close(self):
        if self.group != MPI.COMM_NULL:
            self.group.Free()


def make_block(rank, rows):
    return np.random.default_rng(rank).normal(size=(rows, 3)) + rank


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--writers", type=int, default=2)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    folder = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None, root=0)
    pool = WriterPool(comm, args.writers)
    pool.write(folder, make_block(comm.rank, args.rows + comm.rank))
    if comm.rank == 0:
        files = sorted(os.listdir(folder))
        rows = sum(len(np.load(os.path.join(folder, f))) for f in files)
        print(f"{len(files)} files {files}, {rows} rows")
        shutil.rmtree(folder)
    pool.close()


if __name__ == "__main__":
    main()
