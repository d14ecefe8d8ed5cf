from mpi4py import MPI

COORDINATOR, WORKER = "coordinator", "worker"

LIKELIHOOD = {COORDINATOR: MPI.SUM, WORKER: MPI.PROD}


def role_of(rank):
    return COORDINATOR if rank == 0 else WORKER
