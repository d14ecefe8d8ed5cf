"""Variational Monte Carlo for the harmonic oscillator, walkers over ranks."""
import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

import wavefunction as wf

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.Get_rank(), COMM.Get_size()
WALKERS = 400
LEARNING_RATE = 0.15


def mean_over_ranks(x):
    total = mpi4jax.allreduce(x, op=MPI.SUM, comm=COMM)
    return total / SIZE


@jax.jit
def walk(alpha, x, key):
    def one(carry, k):
        x = carry
        k1, k2 = jax.random.split(k)
        trial = x + 0.8 * jax.random.normal(k1, x.shape)
        accept = jax.random.uniform(k2, x.shape) < jnp.exp(
            2 * (wf.log_psi(alpha, trial) - wf.log_psi(alpha, x)))
        return jnp.where(accept, trial, x), None

    x, _ = jax.lax.scan(one, x, jax.random.split(key, 30))
    return x


@jax.jit
def estimates(alpha, x):
    e = wf.local_energy(alpha, x)
    o = wf.dlog_psi(alpha, x)
    sums = jnp.array([e.mean(), o.mean(), (e * o).mean()])
    e_mean, o_mean, eo_mean = mean_over_ranks(sums)
    return e_mean, 2.0 * (eo_mean - e_mean * o_mean)


def main():
    key = jax.random.fold_in(jax.random.PRNGKey(3), RANK)
    alpha = jnp.asarray(0.9)
    x = jnp.linspace(-1, 1, WALKERS)
    for it in range(60):
        key, sub = jax.random.split(key)
        x = walk(alpha, x, sub)
        energy, grad = estimates(alpha, x)
        alpha = alpha - LEARNING_RATE * grad
        if RANK == 0 and it % 15 == 0:
            print(f"iter {it:3d}  E = {float(energy):.5f}  alpha = {float(alpha):.4f}")
    alphas = COMM.gather(round(float(alpha), 5))
    if RANK == 0:
        print("alpha by rank:", alphas)


main()
