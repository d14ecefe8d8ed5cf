"""Rank 0 reads tiles of a large image and streams them to the other ranks for denoising statistics."""
import argparse
import contextlib

import numpy as np
from mpi4py import MPI

TILE_TAG, END_TAG = 1, 2


class TileSource:
    """Stands for a slow instrument; fills a buffer that the caller owns."""

    def __init__(self, ntiles, edge):
        self.ntiles, self.edge = ntiles, edge

    def read_into(self, index, buf):
        base = np.arange(self.edge * self.edge, dtype=np.float64).reshape(self.edge, self.edge)
        np.multiply(base, 1e-6, out=buf)
        buf += index

    def __len__(self):
        return self.ntiles


def tile_stats(tile):
    gx = np.diff(tile, axis=0)
    return float(tile.mean()), float(np.abs(gx).mean())


@contextlib.contextmanager
def timer(comm, label):
    comm.Barrier()
    t0 = MPI.Wtime()
    yield
    comm.Barrier()
    if comm.rank == 0:
        print(f"{label}: {'ok' if MPI.Wtime() - t0 >= 0 else 'clock problem'}")


class Feeder:
    def __init__(self, comm, source):
        self.comm, self.source = comm, source
        self.depth = min(4, comm.size - 1)
        self.buffers = np.empty((self.depth, source.edge, source.edge))
        self.pending = [MPI.REQUEST_NULL] * self.depth

    def run(self):
        for index in range(len(self.source)):
            worker = 1 + index % (self.comm.size - 1)
            slot = index % self.depth
            self.pending[slot].Wait()
            buf = self.buffers[slot]
            self.source.read_into(index, buf)
            self.pending[slot] = self.comm.Isend(buf, dest=worker, tag=TILE_TAG)
        MPI.Request.Waitall(self.pending)
        for worker in range(1, self.comm.size):
            self.comm.Send(np.empty(0), dest=worker, tag=END_TAG)


def consume(comm, edge):
    tile = np.empty((edge, edge))
    status = MPI.Status()
    results = []
    while True:
        comm.Probe(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == END_TAG:
            comm.Recv(np.empty(0), source=0, tag=END_TAG)
            return results
        comm.Recv(tile, source=0, tag=TILE_TAG)
        results.append(tile_stats(tile))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tiles", type=int, default=13)
    ap.add_argument("--edge", type=int, default=400)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    source = TileSource(args.tiles, args.edge)
    with timer(comm, "stream"):
        if comm.size == 1:
            tile = np.empty((args.edge, args.edge))
            results = []
            for i in range(len(source)):
                source.read_into(i, tile)
                results.append(tile_stats(tile))
        elif comm.rank == 0:
            Feeder(comm, source).run()
            results = []
        else:
            results = consume(comm, args.edge)
    gathered = comm.gather(results, root=0)
    if comm.rank == 0:
        means = sorted(m for part in gathered for m, _ in part)
        print(len(means), "tiles, means", " ".join(f"{m:.4f}" for m in means))


if __name__ == "__main__":
    main()
