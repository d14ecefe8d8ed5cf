"""Truncated Newton with backtracking for distributed Poisson regression."""
import logging
import sys

import jax
import jax.numpy as jnp
import numpy as np
from mpi4py import MPI

jax.config.update("jax_enable_x64", True)

from problem import PoissonRegression, make_rows

MAX_NEWTON = 15
MAX_CG = 25
ARMIJO = 1e-4


def conjugate_gradient(matvec, b, tol):
    x = jnp.zeros_like(b)
    r = b
    p = r
    rr = jnp.vdot(r, r)
    target = tol * tol * float(rr)
    for n in range(MAX_CG):
        if float(rr) <= target:
            return x, n
        ap = matvec(p)
        alpha = rr / jnp.vdot(p, ap)
        x = x + alpha * p
        r = r - alpha * ap
        rr_new = jnp.vdot(r, r)
        p = r + (rr_new / rr) * p
        rr = rr_new
    return x, MAX_CG


def line_search(problem, w, f, g, direction):
    slope = float(jnp.vdot(g, direction))
    t = 1.0
    while t > 1e-6:
        trial = w + t * direction
        f_trial = float(problem.value(trial))
        if np.isfinite(f_trial) and f_trial <= f + ARMIJO * t * slope:
            return trial, f_trial, t
        t *= 0.5
    return w, f, 0.0


def minimize(problem, w, gtol, log):
    f = float(problem.value(w))
    for it in range(MAX_NEWTON):
        g = problem.gradient(w)
        gnorm = float(jnp.linalg.norm(g))
        log.info("it %2d  f %.4f  |g| %.3e", it, f, gnorm)
        if gnorm < gtol:
            break
        forcing = min(0.3, gnorm**0.5)
        step, n_cg = conjugate_gradient(lambda p: problem.hessian_product(w, p), -g, forcing)
        w, f, t = line_search(problem, w, f, g, step)
        log.info("       cg %d  step %.3g", n_cg, t)
        if t == 0.0:
            log.info("line search gave up")
            break
    return w


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    logging.basicConfig(
        stream=sys.stdout,
        level=logging.INFO if rank == 0 else logging.ERROR,
        format="%(message)s",
    )
    log = logging.getLogger("newton")

    x, y, w_true = make_rows(rank)
    problem = PoissonRegression(comm, x, y)
    w = minimize(problem, jnp.full(x.shape[1], 0.6), gtol=1e-3, log=log)
    log.info("error of the weights %.4f", float(np.linalg.norm(np.asarray(w) - w_true)))
    if rank == 0:
        np.savetxt("weights.txt", np.asarray(w))


if __name__ == "__main__":
    main()
