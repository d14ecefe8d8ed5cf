"""Independent Ising chains (replicas), one per rank, with restart files."""
import os
import pickle
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from mpi4py import MPI


@dataclass
class Replica:
    beta: float
    spins: np.ndarray
    sweep: int = 0
    magnetisation: list = field(default_factory=list)


class Checkpointer:
    def __init__(self, folder, rank):
        self.folder = Path(folder)
        self.rank = rank
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def target(self):
        return self.folder / f"replica_{self.rank:04d}.pkl"

    def save(self, replica):
        tmp = self.folder / "replica.tmp"
        with open(tmp, "wb") as f:
            pickle.dump(replica, f)
            f.flush()
            os.fsync(f.fileno())
        os.replace(tmp, self.target)

    def load(self):
        if not self.target.exists():
            return None
        with open(self.target, "rb") as f:
            return pickle.load(f)


def metropolis_sweep(replica, rng):
    s = replica.spins
    n = s.shape[0]
    ii = np.arange(n)
    checker = (ii[:, None] + ii[None, :]) % 2
    for colour in (0, 1):
        nb = np.roll(s, 1, 0) + np.roll(s, -1, 0) + np.roll(s, 1, 1) + np.roll(s, -1, 1)
        accept = rng.random(s.shape) < np.exp(-2.0 * replica.beta * s * nb)
        s[accept & (checker == colour)] *= -1
    replica.sweep += 1
    replica.magnetisation.append(float(s.mean()))


def main(sweeps=60, every=2, size=96):
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng([2024, comm.rank])
    ckpt = Checkpointer("restart", comm.rank)

    replica = ckpt.load()
    if replica is None:
        beta = 0.30 + 0.05 * comm.rank
        replica = Replica(beta, rng.choice([-1, 1], size=(size, size)))

    while replica.sweep < sweeps:
        metropolis_sweep(replica, rng)
        if replica.sweep % every == 0:
            ckpt.save(replica)

    result = (replica.beta, float(np.mean(np.abs(replica.magnetisation))), ckpt.load().beta)
    rows = comm.gather(result, root=0)
    if comm.rank == 0:
        for beta, mag, stored in rows:
            print(f"beta {beta:.3f}  <|m|> {mag:.4f}  (restart file: beta {stored:.3f})")


if __name__ == "__main__":
    main()
