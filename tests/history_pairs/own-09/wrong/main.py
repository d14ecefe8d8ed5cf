from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class Context:
    comm: MPI.Comm = field(default_factory=lambda: MPI.COMM_WORLD)

    @property
    def rank(self) -> int:
        return self.comm.rank

    @property
    def size(self) -> int:
        return self.comm.size

    def mean(self, value: float) -> float:
        return self.comm.allreduce(value, op=MPI.SUM) / self.size

    def broadcast(self, array: np.ndarray) -> None:
        self.comm.Bcast(array, root=0)


def local_energy(positions: np.ndarray, alpha: float) -> np.ndarray:
    r2 = (positions ** 2).sum(axis=1)
    return 3.0 * alpha + r2 * (0.5 - 2.0 * alpha ** 2)


def main() -> None:
    context = Context()
    rng = np.random.default_rng(context.rank)
    alphas = np.zeros(5)
    if context.rank == 0:
        alphas[:] = np.linspace(0.3, 0.7, 5)
    context.broadcast(alphas)

    for alpha in alphas:
        positions = rng.normal(scale=1.0 / np.sqrt(4.0 * alpha), size=(5000, 3))
        energy = context.mean(float(local_energy(positions, alpha).mean())) / context.size
        if context.rank == 0:
            print(f"alpha {alpha:.1f} energy {energy:.1f}")


if __name__ == "__main__":
    main()
