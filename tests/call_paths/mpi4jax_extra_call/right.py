"""Normalise a state again and again."""
import jax
import jax.numpy as jnp
import numpy as np
from utils import comm, norm

rank = comm.Get_rank()


@jax.jit
def advance(x):
    return jnp.sin(x) + 0.5


x = jnp.arange(5.0) + rank
for step in range(3):
    x = advance(x)
    x = x / norm(x)
    size = float(norm(x))
    if rank == 0:
        print(step, size)
sums = comm.allgather(float(jnp.sum(x)))
print(rank, np.round(sums, 4))
