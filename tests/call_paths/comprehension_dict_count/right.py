"""Average named parameters, the large ones first."""
import numpy as np
from mpi4py import MPI
from utils import reduce_mean

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
parameters = {
    "weight": np.full(6, 1.0 + rank),
    "bias": np.full(2, 3.0 - 2.5 * rank),
    "scale": np.full(1, 0.5),
}
means = {name: reduce_mean(comm, value) for name, value in sorted(parameters.items(), key=lambda p: -p[1].size)}
for name in sorted(means):
    print(rank, name, means[name])
