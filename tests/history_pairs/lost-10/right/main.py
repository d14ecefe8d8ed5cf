from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class Chain:
    comm: MPI.Comm
    width: float = 8.0
    x: float = 0.0
    samples: list = field(default_factory=list)

    def __post_init__(self):
        self.rng = np.random.default_rng(500 + self.comm.rank)

    def run(self, n: int) -> int:
        accepted = 0
        for _ in range(n):
            trial = self.x + self.width * self.rng.normal()
            if self.rng.random() < np.exp(0.5 * (self.x ** 2 - trial ** 2)):
                self.x = trial
                accepted += 1
            self.samples.append(self.x)
        return accepted

    def adapt(self, accepted: int, n: int) -> None:
        rates = self.comm.gather(accepted / n, root=0)
        if self.comm.rank == 0:
            mean = float(np.mean(rates))
            self.width *= 0.7 if mean < 0.35 else 1.2 if mean > 0.55 else 1.0
        self.width = self.comm.bcast(self.width, root=0)


chain = Chain(MPI.COMM_WORLD)
for _ in range(15):
    chain.adapt(chain.run(200), 200)

widths = chain.comm.gather(round(chain.width, 9), root=0)
if chain.comm.rank == 0:
    print("one width:", len(set(widths)) == 1, "smaller than at first:", widths[-1] < 8.0)
