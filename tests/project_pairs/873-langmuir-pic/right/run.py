"""Cold Langmuir oscillation: the field energy has period pi / omega_p."""
import numpy as np
from mpi4py import MPI

from pic.field import FieldSolver
from pic.grid import PeriodicGrid
from pic.species import Electrons


def main(steps=400, dt=0.05):
    comm = MPI.COMM_WORLD
    grid = PeriodicGrid(comm, ncells=48, length=2.0 * np.pi)
    electrons = Electrons(grid, per_cell=20, amplitude=0.05)
    solver = FieldSolver(grid)
    history = []
    for _ in range(steps):
        field = solver(electrons)
        before = electrons.kinetic()
        electrons.push(field, dt)
        mean_kinetic = 0.5 * (before + electrons.kinetic())
        history.append((solver.energy(field), mean_kinetic))
    totals = np.empty((steps, 2))
    comm.Allreduce(np.array(history), totals, op=MPI.SUM)
    if comm.rank == 0:
        energy = totals.sum(axis=1)
        f = totals[:, 0]
        minima = np.flatnonzero((f[1:-1] < f[:-2]) & (f[1:-1] <= f[2:])) + 1
        period = np.mean(np.diff(minima)) * dt if len(minima) > 1 else float("nan")
        print(f"field energy at start {f[0]:.6e}")
        print(f"period of the field energy {period:.4f} (theory {np.pi:.4f})")
        print(f"largest relative change of the total energy {np.ptp(energy) / energy[0]:.3e}")


if __name__ == "__main__":
    main()
