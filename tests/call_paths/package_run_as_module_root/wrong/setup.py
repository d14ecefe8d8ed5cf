from .utils import share


def initial(comm, cells):
    """The last rank knows the initial state."""
    state = [float(comm.Get_rank() * k) for k in range(cells)]
    return share(comm, state, comm.Get_rank())  # change
