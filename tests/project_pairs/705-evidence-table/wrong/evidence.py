"""Prior sampling of a posterior; the surviving draws get consecutive ids.

usage: mpirun -n 3 python evidence.py [draws per rank]
"""
import logging
import sys

import numpy as np
from mpi4py import MPI

import model

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

logging.basicConfig(format=f"%(levelname)s [{rank}] %(message)s", level=logging.INFO if rank == 0 else logging.ERROR)
log = logging.getLogger(__name__)

SEED = 2024
FLOOR = -70.0


def number_draws(n_local):
    """Ids of the local draws in the global numbering, and the global count."""
    counts = comm.gather(n_local, root=0)
    start = sum(counts[:rank])
    return np.arange(start, start + n_local), sum(counts)


def posterior_mean(theta, loglike):
    peak = comm.allreduce(float(loglike.max(initial=-np.inf)), op=MPI.MAX)
    w = np.exp(loglike - peak)
    total = comm.allreduce(float(w.sum()), op=MPI.SUM)
    mean = np.empty(2)
    comm.Allreduce((w[:, None] * theta).sum(axis=0), mean, op=MPI.SUM)
    return mean / total


def main(n_draws):
    rng = np.random.default_rng(np.random.SeedSequence(SEED).spawn(size)[rank])
    data = model.observations()
    theta = model.draw_prior(rng, n_draws)
    theta, loglike = model.plausible(theta, model.log_likelihood(theta, data), FLOOR)

    ids, total = number_draws(len(theta))
    log.info("%d of %d draws kept", total, n_draws * size)
    mean = posterior_mean(theta, loglike)

    table = comm.gather(np.column_stack([ids, theta, loglike]), root=0)
    if rank == 0:
        table = np.vstack(table)
        assert np.array_equal(table[:, 0], np.arange(total))
        np.savetxt("draws.txt", table, fmt=["%d", "%.6f", "%.6f", "%.4f"], header="id mu sigma loglike")
        print(f"posterior mean mu={mean[0]:.3f} sigma={mean[1]:.3f} from {total} draws")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20000)
