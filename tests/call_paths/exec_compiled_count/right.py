"""Run the steps that a user has written into the settings."""
import numpy as np
from mpi4py import MPI
from utils import reduce_mean

comm = MPI.COMM_WORLD
STEPS = [
    "field = field - reduce_mean(comm, field)",
    "field[rank:] += reduce_mean(comm, field)[rank:]",
    "field = field / 2.0",
]
names = {
    "comm": comm,
    "rank": comm.Get_rank(),
    "reduce_mean": reduce_mean,
    "field": np.arange(6.0) * (1 + comm.Get_rank()),
}
for text in STEPS:
    code = compile(text, "<step>", "exec")
    exec(code, names)
print(comm.Get_rank(), names["field"])
