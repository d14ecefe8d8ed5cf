from pathlib import Path

import numpy as np
from mpi4py import MPI


class Solver:
    def __init__(self, comm, folder):
        self.comm = comm
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.converged_marker = self.folder / "CONVERGED"

    def reset(self):
        """Forget that an earlier stage converged."""
        if self.converged_marker.exists():
            self.converged_marker.unlink()
        self.comm.Barrier()

    def solve(self, target):
        self.reset()
        x = np.full(10, 1.0 + self.comm.rank)
        steps = 0
        while True:
            x = 0.5 * (x + target / x)
            steps += 1
            worst = self.comm.allreduce(float(np.abs(x * x - target).max()), op=MPI.MAX)
            if worst < 1e-10:
                break
        if self.comm.rank == 0:
            self.converged_marker.write_text(f"{steps} steps\n")
        self.comm.Barrier()
        return steps


def main():
    solver = Solver(MPI.COMM_WORLD, "newton/stage")
    for target in (2.0, 3.0, 5.0):
        steps = solver.solve(target)
        if solver.comm.rank == 0:
            print(f"target {target}: converged {steps < 20}")


main()
