"""The first rank makes the noise and the initial state."""
import jax
import jax.numpy as jnp
import numpy as np
from utils import comm, share

rank = comm.Get_rank()


@jax.jit
def begin(key):
    noise = share(jax.random.normal(key, (3,)), 0)
    state = share(jax.random.uniform(key, (3,)), 0)
    return state + 0.1 * noise


@jax.jit
def advance(state):
    return share(jnp.roll(state, 1), 1)


state = begin(jax.random.PRNGKey(rank))
for _ in range(2):
    state = advance(state)
print(rank, np.asarray(state).round(4))
