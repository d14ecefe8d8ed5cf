"""Small Lennard-Jones cluster, atoms divided over ranks, trajectory kept on rank 0."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Settings:
    atoms: int = 61
    steps: int = 30
    every: int = 10
    dt: float = 2e-3
    seed: int = 11


def partition(n, size):
    counts = np.full(size, n // size, dtype=int)
    counts[: n % size] += 1
    return counts


def lattice(n, rng):
    side = int(np.ceil(n ** (1 / 3)))
    pts = np.array([(i, j, k) for i in range(side) for j in range(side) for k in range(side)], dtype=float)
    return 1.15 * pts[:n] + 0.02 * rng.standard_normal((n, 3))


class Trajectory:
    """Collects frames of the whole system on one rank."""

    def __init__(self, comm, nlocal, root=0):
        self.comm = comm
        self.root = root
        self.frames = []
        sizes = comm.gather(nlocal, root=root)
        if comm.rank == root:
            self.natoms = sum(sizes)
            self.counts = list(sizes)
            self.displs = np.concatenate(([0], np.cumsum(self.counts)[:-1])).tolist()

    def record(self, pos):
        if self.comm.rank == self.root:
            frame = np.empty((self.natoms, 3))
            recv = [frame, self.counts, self.displs, MPI.DOUBLE]
        else:
            frame, recv = None, None
        self.comm.Gatherv([pos, MPI.DOUBLE], recv, root=self.root)
        if frame is not None:
            self.frames.append(frame)


class Cluster:
    def __init__(self, comm, cfg):
        self.comm, self.cfg = comm, cfg
        rng = np.random.default_rng(cfg.seed)
        everything = lattice(cfg.atoms, rng)
        per_rank = partition(cfg.atoms, comm.size)
        self.first = int(per_rank[: comm.rank].sum())
        self.nlocal = int(per_rank[comm.rank])
        self.pos = everything[self.first:self.first + self.nlocal].copy()
        self.vel = np.zeros_like(self.pos)
        self.all = np.empty((cfg.atoms, 3))
        self.sizes3 = (3 * per_rank).tolist()
        self.force, self.pot = self.forces()

    def forces(self):
        self.comm.Allgatherv(self.pos, [self.all, self.sizes3])
        d = self.pos[:, None, :] - self.all[None, :, :]
        r2 = (d ** 2).sum(-1)
        r2[np.arange(self.nlocal), self.first + np.arange(self.nlocal)] = np.inf
        inv6 = r2 ** -3.0
        f = ((48 * inv6 ** 2 - 24 * inv6) / r2)[..., None] * d
        return f.sum(1), 0.5 * (4 * (inv6 ** 2 - inv6)).sum()

    def step(self):
        dt = self.cfg.dt
        self.vel += 0.5 * dt * self.force
        self.pos += dt * self.vel
        self.force, self.pot = self.forces()
        self.vel += 0.5 * dt * self.force

    def energy(self):
        local = self.pot + 0.5 * (self.vel ** 2).sum()
        return self.comm.allreduce(local)


def main():
    comm = MPI.COMM_WORLD
    cfg = Settings()
    cluster = Cluster(comm, cfg)
    traj = Trajectory(comm, cluster.nlocal)
    for step in range(cfg.steps + 1):
        if step % cfg.every == 0:
            traj.record(cluster.pos)
            e = cluster.energy()
            if comm.rank == 0:
                print(f"step {step:4d}  E = {e:.8f}")
        cluster.step()
    if comm.rank == 0:
        centre = np.array([f.mean(0) for f in traj.frames])
        print("drift of centre:", np.abs(centre - centre[0]).max() < 1e-10, len(traj.frames))


if __name__ == "__main__":
    main()
