"""Attention over a sequence that is divided over the processes; keys and values go round."""
import argparse

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

jax.config.update("jax_enable_x64", True)

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
LEFT, RIGHT = (rank - 1) % size, (rank + 1) % size


def projections(tokens, dim, seed=2):
    """Queries, keys and values of my part of the sequence."""
    key = jax.random.key(seed)
    weights = jax.random.normal(key, (3, dim, dim)) / dim ** 0.5
    x = jax.random.normal(jax.random.fold_in(key, 100 + rank), (tokens, dim))
    return [x @ w for w in weights]


def rotate(block):
    """Pass my block to the right, return that of the left neighbour."""
    return mpi4jax.sendrecv(block, block, source=LEFT, dest=RIGHT,
                            sendtag=8, recvtag=8, comm=comm)


def combine(state, q, k, v):
    """One block of the online softmax."""
    top, weight, out = state
    score = q @ k.T / q.shape[1] ** 0.5
    new_top = jnp.maximum(top, score.max(axis=1))
    scale = jnp.exp(top - new_top)
    p = jnp.exp(score - new_top[:, None])
    return new_top, weight * scale + p.sum(axis=1), out * scale[:, None] + p @ v


@jax.jit
def ring_attention(q, k, v):
    state = (jnp.full(q.shape[0], -jnp.inf), jnp.zeros(q.shape[0]), jnp.zeros_like(q))
    kv = jnp.stack([k, v])
    for hop in range(size):
        state = combine(state, q, kv[0], kv[1])
        if hop < size - 1:
            kv = rotate(kv)
    _, weight, out = state
    return out / weight[:, None]


def reference(q, k, v):
    score = q @ k.T / q.shape[1] ** 0.5
    return jax.nn.softmax(score, axis=1) @ v


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("--dim", type=int, default=16)
    args = parser.parse_args()
    q, k, v = projections(args.tokens, args.dim)
    mine = ring_attention(q, k, v)
    full = [mpi4jax.allgather(a, comm=comm).reshape(-1, args.dim) for a in (q, k, v, mine)]
    if rank == 0:
        error = np.abs(np.asarray(reference(*full[:3]) - full[3])).max()
        print(f"{args.tokens * size} tokens, largest difference {error:.1e}")


if __name__ == "__main__":
    main()
