"""Evolution strategy with antithetic sampling, distributed with mpi4jax.

Every rank evaluates ``--pairs`` antithetic pairs, the search gradient is the
average over all of them.

    mpirun -n 4 python evolve.py --generations 40 --pairs 32
"""
import argparse
import functools
import time

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

from pendulum import N_PARAMS, population_return

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--generations", type=int, default=20)
    p.add_argument("--pairs", type=int, default=16, help="pairs on each rank")
    p.add_argument("--sigma", type=float, default=0.2)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--save", default="theta.npy")
    return p.parse_args()


def centered_ranks(fitness):
    order = jnp.argsort(jnp.argsort(fitness))
    return order / (fitness.size - 1) - 0.5


@functools.partial(jax.jit, static_argnames=("n_pairs", "sigma"))
def search_gradient(theta, key, *, n_pairs, sigma):
    noise = jax.random.normal(key, (n_pairs, theta.size))
    candidates = jnp.concatenate([theta + sigma * noise, theta - sigma * noise])
    fitness = population_return(candidates)
    shaped = centered_ranks(fitness)
    weights = shaped[:n_pairs] - shaped[n_pairs:]
    local = weights @ noise / (n_pairs * sigma)
    grad = mpi4jax.allreduce(local, op=MPI.SUM, comm=comm) / size
    best = mpi4jax.allreduce(fitness.max(), op=MPI.MAX, comm=comm)
    mean = mpi4jax.allreduce(fitness.mean(), op=MPI.SUM, comm=comm) / size
    return grad, best, mean


def main():
    args = parse_args()
    init_key, noise_key = jax.random.split(jax.random.PRNGKey(args.seed))
    # the start is the same on all ranks: same seed, same key
    theta = 0.1 * jax.random.normal(init_key, (N_PARAMS,))
    velocity = jnp.zeros_like(theta)

    if rank == 0:
        print(f"population of {2 * args.pairs * size} on {size} ranks")
    t0 = time.perf_counter()
    for generation in range(args.generations):
        key = jax.random.fold_in(noise_key, generation)
        grad, best, mean = search_gradient(
            theta, key, n_pairs=args.pairs, sigma=args.sigma
        )
        velocity = 0.9 * velocity + args.lr * grad
        theta = theta + velocity
        if rank == 0 and generation % 5 == 0:
            print(f"gen {generation:4d}  mean {float(mean):8.4f}  best {float(best):8.4f}")

    final = population_return(theta[None, :])[0]
    if rank == 0:
        jnp.save(args.save, theta)
        print(f"final return {float(final):.4f}, {time.perf_counter() - t0:.1f} s")


if __name__ == "__main__":
    main()
