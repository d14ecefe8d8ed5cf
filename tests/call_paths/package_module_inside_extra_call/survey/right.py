"""How many people gave which answer."""
import numpy as np
from mpi4py import MPI
from .utils import share_of


def main():
    comm = MPI.COMM_WORLD
    answers = np.random.default_rng(comm.Get_rank()).integers(0, 3, size=50)
    yes = share_of(comm, answers, 1)
    no = share_of(comm, answers, 0)
    if comm.Get_rank() == 0:
        print("yes", yes, "no", no)
    names = comm.allgather(f"office {comm.Get_rank()}")
    print(names)


main()
