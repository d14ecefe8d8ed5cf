from mpi4py import MPI

world = MPI.COMM_WORLD
rank = world.Get_rank()
size = world.Get_size()


def share(value, root):
    """The value of the root on every rank."""
    return world.bcast(value, root=root)


def everyone(value):
    return world.allgather(value)
