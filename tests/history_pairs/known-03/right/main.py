import os

import numpy as np
from mpi4py import MPI

from relax import Relaxation


def main():
    comm = MPI.COMM_WORLD
    os.makedirs("relax_out", exist_ok=True)
    run = Relaxation(comm, n=64, log_path=os.path.join("relax_out", "relax.log"))
    run.solve(steps=40)
    run.close()
    if comm.rank == 0:
        print("last residual below first:", run.residuals[-1] < run.residuals[0])
        print("finite:", bool(np.isfinite(run.residuals).all()))


if __name__ == "__main__":
    main()
