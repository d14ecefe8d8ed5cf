from mpi4py import MPI

from bodies import Cluster
from report import report

STEPS = 60
EVERY = 20


def run():
    comm = MPI.COMM_WORLD
    cluster = Cluster(comm, n_total=96, seed=5)
    for step in range(STEPS):
        if step % EVERY == 0:
            if comm.rank == 0:
                report(step, cluster)
        cluster.advance(1e-3)
    comm.Barrier()
    if comm.rank == 0:
        print("done")


run()
