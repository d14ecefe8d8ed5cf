"""A network of two layers with normalisation over all ranks."""
import numpy as np
from mpi4py import MPI
import layers_wrong as layers

comm = MPI.COMM_WORLD
generator = np.random.default_rng(3)
weights = generator.normal(size=(4, 4))
batch = np.random.default_rng(comm.Get_rank()).normal(size=(16, 4))
for _ in range(2):
    batch = layers.normalise(comm, batch)
    weights = layers.regularise(comm, weights)
    batch = np.tanh(batch @ weights)
print(comm.Get_rank(), batch.std().round(4))
