"""Recover the initial field of a heat problem by gradient descent (JAX + mpi4jax).

Each rank owns some of the experiments; the unknown field is shared.
"""
import dataclasses

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


@dataclasses.dataclass
class Options:
    n: int = 32
    experiments: int = 6
    steps: int = 40
    lr: float = 0.4
    log_every: int = 10


def operator(n, t):
    k = np.arange(1, n + 1)
    x = np.linspace(0, 1, n + 2)[1:-1]
    basis = np.sqrt(2 / (n + 1)) * np.sin(np.pi * np.outer(x, k))
    return jnp.asarray(basis @ np.diag(np.exp(-t * k ** 2)) @ basis.T)


def truth(n):
    x = jnp.linspace(0, 1, n + 2)[1:-1]
    return jnp.where((x > 0.3) & (x < 0.6), 1.0, 0.0)


def misfit(f, ops, data):
    return sum(jnp.sum((a @ f - d) ** 2) for a, d in zip(ops, data))


local_grad = jax.jit(jax.grad(misfit))


@jax.jit
def total(v):
    return mpi4jax.allreduce(v, op=MPI.SUM, comm=comm)


def residual_norm(f, ops, data):
    return float(jnp.sqrt(total(misfit(f, ops, data))))


def main(opt):
    times = [0.002 * (i + 1) for i in range(opt.experiments)]
    ops = [operator(opt.n, t) for t in times[comm.rank::comm.size]]
    data = [a @ truth(opt.n) for a in ops]
    f = jnp.zeros(opt.n)
    for step in range(1, opt.steps + 1):
        g = total(local_grad(f, ops, data)) / opt.experiments
        f = f - opt.lr * g
        if step % opt.log_every == 0:
            res = residual_norm(f, ops, data)
            if comm.rank == 0:
                print(f"{step:4d}  residual {res:.6f}", flush=True)
    if comm.rank == 0:
        err = float(jnp.linalg.norm(f - truth(opt.n)) / jnp.linalg.norm(truth(opt.n)))
        print(f"relative error {err:.4f}")


if __name__ == "__main__":
    main(Options())
