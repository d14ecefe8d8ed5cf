#!/usr/bin/python
# -*- coding: utf-8 -*-
#
# Dust coagulation (Smoluchowski), mass bins distributed over the processes.
# Adaptive time step: no bin may lose more than 10% per step.
#
# Units: code units, kernel K(i,j) = K0 (m_i^(1/3) + m_j^(1/3))^2
#
from __future__ import print_function
from mpi4py import MPI
import numpy as np
import sys, time

nbin = 60
K0 = 1.0
tend = 0.5
safety = 0.1
dtmax = 0.05

world = MPI.COMM_WORLD
ip = world.rank
npr = world.size


def info(*args):
    if ip == 0:
        print(*args)
        sys.stdout.flush()


def bins_of(p):
    """first and last+1 bin of process p"""
    return p * nbin // npr, (p + 1) * nbin // npr


def kernel(m):
    a = m ** (1.0 / 3.0)
    return K0 * (a[:, None] + a[None, :]) ** 2


def gain_loss(n, m, K, i0, i1):
    """dn/dt in my bins. n is the full vector."""
    loss = n[i0:i1] * (K[i0:i1] * n[None, :]).sum(1)
    gain = np.zeros(i1 - i0)
    for k in range(i0, i1):
        # linear mass grid, m_k = (k+1) m_0
        if k == 0:
            continue
        i = np.arange(0, k)
        j = k - 1 - i
        gain[k - i0] = 0.5 * np.sum(K[i, j] * n[i] * n[j])
    return gain, loss


def limit_step(n_loc, loss, remaining):
    pos = loss > 0
    mine = dtmax
    if pos.any():
        mine = min(mine, safety * np.min((n_loc[pos] + 1e-30) / loss[pos]))
    dt = world.allreduce(mine, op=MPI.MIN)
    if ip == 0 and dt < 1e-8:
        print("warning: tiny step", dt)
    return min(dt, remaining)


def assemble(n_loc):
    """every process gets all bins"""
    return np.concatenate(world.allgather(n_loc))


def main():
    i0, i1 = bins_of(ip)
    m = np.arange(1, nbin + 1, dtype=float)
    K = kernel(m)
    n = np.zeros(nbin)
    n[0] = 1.0                      # monomers only

    t = 0.0
    steps = 0
    clock = time.time()
    while t < tend:
        gain, loss = gain_loss(n, m, K, i0, i1)
        dt = limit_step(n[i0:i1], loss, tend - t)
        n_loc = n[i0:i1] + dt * (gain - loss)
        n = assemble(n_loc)
        t += dt
        steps += 1
        if steps % 20 == 0:
            info("step %5d  t=%.4f  dt=%.2e  N=%.5f" % (steps, t, dt, n.sum()))
    clock = time.time() - clock

    mass = world.reduce(float((n[i0:i1] * m[i0:i1]).sum()), op=MPI.SUM)
    worst = world.reduce(clock, op=MPI.MAX)
    if ip == 0:
        print("finished: %d steps, total mass %.6f, mean mass %.4f" % (steps, mass, mass / n.sum()))
        print("cpu %.2f s" % worst)


main()
