import numpy as np
from mpi4py import MPI

from outputs import EnergyOutput, ProfileOutput


def main():
    comm = MPI.COMM_WORLD
    outputs = {"energy": EnergyOutput(comm), "profile": ProfileOutput(comm)}
    rng = np.random.default_rng(comm.rank)
    x = rng.standard_normal(200)
    for step in range(1, 7):
        x = 0.9 * x + 0.4 * rng.standard_normal(x.size)
        state = {"x": x, "energy": comm.allreduce(0.5 * float(x @ x))}
        for output in outputs.values():
            output.add(state)
        if step % 3 == 0 and comm.rank == 0:
            for output in outputs.values():
                output.flush()


if __name__ == "__main__":
    main()
