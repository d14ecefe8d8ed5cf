"""Settings are computed by one rank only and shared."""
import functools
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def on_one_rank(root):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*arguments):
            value = function(*arguments) if rank == root else None
            return comm.bcast(value, root=root)

        return wrapper

    return decorate


@on_one_rank(0)
def settings():
    return {"steps": 3, "rate": 0.1}


@on_one_rank(comm.Get_size() - 1)
def seed():
    return 100 + rank


chosen = settings()
print(rank, chosen["steps"], seed())
