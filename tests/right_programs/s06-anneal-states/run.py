import numpy as np
from mpi4py import MPI

from knapsack import Knapsack
from machine import Annealer


def main():
    comm = MPI.COMM_WORLD
    for instance in range(3):
        problem = None
        if comm.rank == 0:
            problem = Knapsack.random(np.random.default_rng(40 + instance))
        problem = comm.bcast(problem, root=0)

        annealer = Annealer(comm, problem, seed=instance)
        best = annealer.run()

        trace = "".join(annealer.visited)
        assert set(comm.allgather(trace)) == {trace}
        picks = np.array(best.picks)
        assert problem.fits(picks) and problem.worth(picks) == best.worth
        assert 0.97 * problem.optimum() <= best.worth <= problem.optimum()
        if comm.rank == 0:
            print(f"instance {instance}: worth {best.worth} after {len(trace)} states, "
                  f"{trace.count('E')} exchanges, {trace.count('R')} reheats")


if __name__ == "__main__":
    main()
