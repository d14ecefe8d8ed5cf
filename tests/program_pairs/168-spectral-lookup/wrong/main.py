"""Emission of a column of gas layers; the columns are split over the ranks."""
import numpy as np
from mpi4py import MPI

from opacity import OpacityTable

COLUMNS, LAYERS = 48, 10


def planck(wavelength, t):
    return 1.0 / (wavelength**5 * np.expm1(14388.0 / (wavelength * t)))


def emission(table, temperatures, thickness=0.15):
    intensity = np.zeros_like(table.wavelength)
    for t in temperatures:
        tau = thickness * table.row(t)
        through = np.exp(-tau)
        intensity = intensity * through + planck(table.wavelength, t) * (1 - through)
    return np.trapezoid(intensity, table.wavelength)


def profiles():
    rng = np.random.default_rng(21)
    base = np.linspace(2600.0, 700.0, LAYERS)
    return base + rng.normal(0, 60.0, (COLUMNS, LAYERS))


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    table = OpacityTable(comm)
    columns = profiles()
    mine = {c: emission(table, columns[c]) for c in range(comm.rank, COLUMNS, comm.size)}
    parts = comm.gather(mine, root=0)
    if comm.rank == 0:
        flux = {c: f for part in parts for c, f in part.items()}
        values = np.array([flux[c] for c in range(COLUMNS)])
        print(f"mean flux {values.mean():.6e}, spread {values.std() / values.mean():.4f}, "
              f"dark columns {(values == 0).sum()}")
    table.close()
