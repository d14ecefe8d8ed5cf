"""Variational Monte Carlo, walkers on every rank, gradients with mpi4jax."""
import argparse
from functools import partial

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

import wavefunction as wf

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


@jax.jit
def mean_over_ranks(x):
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm) / size


def sync(params):
    """all ranks continue with the parameters of rank 0"""
    leaves, treedef = jax.tree_util.tree_flatten(params)
    for leaf in leaves:
        mpi4jax.bcast(leaf, root=0, comm=comm)
    return jax.tree_util.tree_unflatten(treedef, leaves)


@partial(jax.jit, static_argnames="nsweeps")
def metropolis(params, x, key, nsweeps=10):
    def body(carry, k):
        x = carry
        k1, k2 = jax.random.split(k)
        y = x + 0.8 * jax.random.normal(k1, x.shape)
        ratio = 2 * (wf.log_psi(params, y) - wf.log_psi(params, x))
        take = jnp.log(jax.random.uniform(k2, x.shape)) < ratio
        return jnp.where(take, y, x), take.mean()
    x, acc = jax.lax.scan(body, x, jax.random.split(key, nsweeps))
    return x, acc.mean()


@jax.jit
def energy_and_grad(params, x):
    e = wf.local_energy(params, x)
    emean = mean_over_ranks(e.mean())

    def surrogate(p):
        return 2 * jnp.mean(jax.lax.stop_gradient(e - emean) * wf.log_psi(p, x))

    g = jax.grad(surrogate)(params)
    return emean, jax.tree_util.tree_map(mean_over_ranks, g)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--walkers", type=int, default=200)
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()

    key = jax.random.PRNGKey(args.seed + 1000 * rank)
    key, kinit, kx = jax.random.split(key, 3)
    params = sync(wf.init(kinit))
    x = jax.random.normal(kx, (args.walkers,))

    for step in range(args.steps):
        key, sub = jax.random.split(key)
        x, acc = metropolis(params, x, sub)
        e, g = energy_and_grad(params, x)
        params = jax.tree_util.tree_map(lambda p, d: p - args.lr * d, params, g)
        if rank == 0 and step % 10 == 0:
            print(f"step {step:3d}  E = {float(e):.5f}  acceptance {float(acc):.2f}")

    check = comm.gather(float(jnp.sum(params["w2"])), root=0)
    if rank == 0:
        print("sum(w2) on the ranks:", " ".join(f"{c:.5f}" for c in check))


if __name__ == "__main__":
    main()
