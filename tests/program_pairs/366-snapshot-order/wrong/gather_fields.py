# collect the temperature fields of all nests of a (toy) weather model on rank 0
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD

TAG_HEAD, TAG_DATA = 100, 101


@dataclass
class Nest:
    name: str
    ny: int
    nx: int
    spacing_km: float

    def spin_up(self, steps: int = 12) -> np.ndarray:
        y, x = np.mgrid[: self.ny, : self.nx]
        t = 285.0 - 30.0 * y / self.ny + 2.0 * np.sin(x * self.spacing_km / 90.0)
        for _ in range(steps):
            lap = (np.roll(t, 1, 0) + np.roll(t, -1, 0) + np.roll(t, 1, 1)
                   + np.roll(t, -1, 1) - 4.0 * t)
            t += 0.1 * lap
        return t


def nest_of(rank: int) -> Nest:
    return Nest(f"nest{rank:02d}", 180 + 20 * rank, 240 + 10 * rank, 12.0 / (rank + 1))


def ship(nest: Nest, field: np.ndarray) -> None:
    comm.Send(field, dest=0, tag=TAG_DATA)
    comm.send((nest.name, field.shape), dest=0, tag=TAG_HEAD)


def fetch(source: int) -> tuple[str, np.ndarray]:
    name, shape = comm.recv(source=source, tag=TAG_HEAD)
    field = np.empty(shape)
    comm.Recv(field, source=source, tag=TAG_DATA)
    return name, field


nest = nest_of(comm.rank)
field = nest.spin_up()
own_mean = float(field.mean())

if comm.rank == 0:
    fields = {nest.name: field}
    for source in range(1, comm.size):
        name, other = fetch(source)
        fields[name] = other
    for name, f in fields.items():
        print(f"{name}: {f.shape[0]:4d} x {f.shape[1]:4d}  mean {f.mean():.3f} K  "
              f"min {f.min():.2f} K  max {f.max():.2f} K")
else:
    ship(nest, field)

means = comm.gather(own_mean, root=0)
if comm.rank == 0:
    assert np.allclose(means, [f.mean() for f in fields.values()])
