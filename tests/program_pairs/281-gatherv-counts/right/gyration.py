"""Unwrap a polymer trajectory in parallel and collect it on the root."""
import numpy as np
from mpi4py import MPI

FRAMES = 50
BEADS = 40


def trajectory(first, count, seed=12):
    frames = np.empty((count, BEADS * 3))
    for k in range(count):
        rng = np.random.default_rng([seed, first + k])
        steps = rng.normal(0.0, 1.0, (BEADS, 3))
        frames[k] = np.cumsum(steps, axis=0).ravel()
    return frames


def centre(frames):
    xyz = frames.reshape(len(frames), BEADS, 3)
    return (xyz - xyz.mean(axis=1, keepdims=True)).reshape(len(frames), -1)


def gyration(frames):
    xyz = frames.reshape(len(frames), BEADS, 3)
    return np.sqrt((xyz ** 2).sum(axis=2).mean(axis=1))


class Partition:
    def __init__(self, comm, total):
        base, extra = divmod(total, comm.size)
        self.counts = np.array([base + (r < extra) for r in range(comm.size)])
        self.starts = np.concatenate(([0], np.cumsum(self.counts)[:-1]))
        self.first = int(self.starts[comm.rank])
        self.count = int(self.counts[comm.rank])


def collect(comm, part, local):
    width = local.shape[1]
    full = None
    recv = None
    if comm.rank == 0:
        full = np.empty((part.counts.sum(), width))
        recv = [full, part.counts * width, part.starts * width, MPI.DOUBLE]
    comm.Gatherv(local, recv, root=0)
    return full


def main():
    comm = MPI.COMM_WORLD
    part = Partition(comm, FRAMES)
    local = centre(trajectory(part.first, part.count))
    full = collect(comm, part, local)
    if comm.rank == 0:
        rg = gyration(full)
        print("frames %d, <Rg> = %.5f, max %.5f" % (len(rg), rg.mean(), rg.max()))
        check = gyration(centre(trajectory(0, FRAMES)))
        print("same as serial:", np.allclose(rg, check))


if __name__ == "__main__":
    main()
