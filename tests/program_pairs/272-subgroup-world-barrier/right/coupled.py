"""Ocean and atmosphere components on separate groups of processes."""
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class Component:
    name: str
    comm: MPI.Comm
    n: int
    kappa: float
    state: np.ndarray = field(init=False)

    def __post_init__(self):
        x = np.linspace(0, np.pi, self.n)
        self.state = np.sin(x * (self.comm.rank + 1))

    def step(self, forcing, dt):
        s = self.state
        lap = np.zeros_like(s)
        lap[1:-1] = s[:-2] - 2 * s[1:-1] + s[2:]
        self.state = s + dt * (self.kappa * lap + forcing)

    def mean(self):
        return self.comm.allreduce(self.state.mean()) / self.comm.size


world = MPI.COMM_WORLD
is_ocean = world.rank < world.size // 2
group = world.Split(color=0 if is_ocean else 1, key=world.rank)

if is_ocean:
    comp = Component("ocean", group, 40, 0.2)
    other_root = world.size // 2
    substeps = 2
else:
    comp = Component("atmosphere", group, 20, 0.4)
    other_root = 0
    substeps = 10

flux = 0.0
for day in range(5):
    for k in range(substeps):
        comp.step(flux, dt=0.1)
        group.Barrier()
    mine = comp.mean()
    theirs = None
    if group.rank == 0:
        theirs = world.sendrecv(mine, dest=other_root, source=other_root, sendtag=day, recvtag=day)
    theirs = group.bcast(theirs, root=0)
    flux = 0.05 * (theirs - mine)

world.Barrier()
if group.rank == 0:
    print(f"{comp.name:>10s}: mean {mine:.6f}, flux {flux:+.6f}", flush=True)
group.Free()
