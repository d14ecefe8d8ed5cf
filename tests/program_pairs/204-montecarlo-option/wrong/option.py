# European call option by Monte Carlo, compared with Black-Scholes
import math

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
size = comm.size

S0 = 100.0
STRIKE = 105.0
RATE = 0.03
SIGMA = 0.25
T = 1.0
BATCH = 20000
TARGET = 0.05


def batch(rng):
    z = rng.standard_normal(BATCH)
    st = S0 * np.exp((RATE - 0.5 * SIGMA ** 2) * T + SIGMA * math.sqrt(T) * z)
    payoff = np.exp(-RATE * T) * np.maximum(st - STRIKE, 0.0)
    return payoff.sum(), (payoff ** 2).sum()


def black_scholes():
    d1 = (math.log(S0 / STRIKE) + (RATE + 0.5 * SIGMA ** 2) * T) / (SIGMA * math.sqrt(T))
    d2 = d1 - SIGMA * math.sqrt(T)
    cdf = lambda x: 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))
    return S0 * cdf(d1) - STRIKE * math.exp(-RATE * T) * cdf(d2)


rng = np.random.default_rng(np.random.SeedSequence(77).spawn(size)[rank])

n = 0
s1 = s2 = 0.0
for rounds in range(1, 51):
    a, b = batch(rng)
    s1 += a
    s2 += b
    n += BATCH
    g1 = comm.reduce(s1, op=MPI.SUM, root=0)
    g2 = comm.reduce(s2, op=MPI.SUM, root=0)
    mean = g1 / (n * size)
    var = g2 / (n * size) - mean ** 2
    stderr = math.sqrt(var / (n * size))
    if stderr < TARGET:
        break

if rank == 0:
    print("rounds        ", rounds)
    print("price         %.4f +- %.4f" % (mean, stderr))
    print("Black-Scholes %.4f" % black_scholes())
