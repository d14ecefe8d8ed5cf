"""Binomial-tree broadcast and reduction by messages, used for a k-means."""
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

from tree import BinomialTree


@dataclass
class Config:
    clusters: int = 3
    dim: int = 2
    points_per_rank: int = 80
    seed: int = 11
    limits: dict = field(default_factory=lambda: {"max_iter": 50, "tol": 1e-12})


def read_config():
    """Stands for a file which only the first process may touch."""
    text = "clusters=4\npoints_per_rank=90\n"
    values = dict(line.split("=") for line in text.split())
    return Config(**{k: int(v) for k, v in values.items()})


def local_points(cfg, centres, rank):
    rng = np.random.default_rng([cfg.seed, rank])
    label = rng.integers(cfg.clusters, size=cfg.points_per_rank)
    return centres[label] + 0.15 * rng.normal(size=(cfg.points_per_rank, cfg.dim))


def assign_sums(points, centres):
    dist = ((points[:, None, :] - centres[None]) ** 2).sum(axis=2)
    label = dist.argmin(axis=1)
    sums = np.zeros((len(centres), points.shape[1] + 1))
    np.add.at(sums[:, :-1], label, points)
    np.add.at(sums[:, -1], label, 1.0)
    return sums


def new_centres(sums, old):
    counts = sums[:, -1:]
    return np.where(counts > 0, sums[:, :-1] / np.maximum(counts, 1.0), old)


def kmeans(tree, cfg, points, start):
    centres = start
    for it in range(cfg.limits["max_iter"]):
        sums = tree.reduce(assign_sums(points, centres), np.add)
        # reduce gives None except at the root, which computes and broadcasts
        message = None
        if sums is not None:
            fresh = new_centres(sums, centres)
            moved = float(np.abs(fresh - centres).max())
            message = (fresh, moved <= cfg.limits["tol"])
        centres, finished = tree.bcast(message)
        if finished:
            break
    return centres, it + 1


def main():
    comm = MPI.COMM_WORLD
    root = comm.size // 2
    tree = BinomialTree(comm, root)

    cfg = tree.bcast(read_config() if comm.rank == root else None)
    assert cfg.clusters == 4 and cfg.points_per_rank == 90

    true_centres = np.array([[0, 0], [3, 0], [0, 3], [3, 3]], dtype=float)
    points = local_points(cfg, true_centres, comm.rank)
    start = true_centres + 0.4
    centres, iterations = kmeans(tree, cfg, points, start)

    assert np.abs(centres - true_centres).max() < 0.2
    everything = np.concatenate([local_points(cfg, true_centres, r) for r in range(comm.size)])
    check = new_centres(assign_sums(everything, centres), centres)
    assert np.abs(check - centres).max() < 1e-10, "not a fixed point"
    its = comm.allgather(iterations)
    assert its == [iterations] * comm.size
    if comm.rank == root:
        print(f"{iterations} iterations, centres {np.round(centres, 3).tolist()}")


if __name__ == "__main__":
    main()
