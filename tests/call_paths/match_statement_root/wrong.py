"""Read a section of the settings on the rank that owns it."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
SECTIONS = {"grid": {"cells": 10}, "time": {"step": 0.1}, "output": {"every": 5}}


def share(comm, value, root):
    return comm.bcast(value if comm.Get_rank() == root else None, root=root)


def fetch(section):
    match section:
        case "grid":
            return share(comm, SECTIONS["grid"], 0)
        case "time" if size > 1:
            return share(comm, SECTIONS["time"], 1)
        case "output":
            return share(comm, SECTIONS["output"], min(rank + 1, size - 1))  # change


settings = {section: fetch(section) for section in SECTIONS}
print(rank, settings)
