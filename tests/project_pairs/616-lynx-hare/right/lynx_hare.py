"""Predator-prey parameter scan: mean hare population against predation rate."""
import csv
import sys

import numpy as np
from mpi4py import MPI
from scipy.integrate import solve_ivp

GROWTH, DEATH, CAPACITY, HANDLING, CONVERSION = 1.0, 0.4, 10.0, 0.3, 0.5
RATES_PER_RANK = 3
TAG_CURVE = 7


def rosenzweig(t, s, attack):
    hare, lynx = s
    eaten = attack * hare * lynx / (1.0 + attack * HANDLING * hare)
    return [GROWTH * hare * (1.0 - hare / CAPACITY) - eaten, CONVERSION * eaten - DEATH * lynx]


def long_term_mean(attack, t_end):
    sol = solve_ivp(rosenzweig, (0.0, t_end), [2.0, 1.0], args=(attack,),
                    rtol=1e-8, atol=1e-10, t_eval=np.linspace(t_end / 2, t_end, 400))
    return sol.y[0].mean(), sol.y[1].mean()


def rates_of(rank, size):
    """Each process owns a contiguous piece of the scan."""
    return np.linspace(0.2, 1.4, RATES_PER_RANK * size)[rank * RATES_PER_RANK:][:RATES_PER_RANK]


def settle_time(attack):
    # slow predators need longer runs until the cycle has settled
    return 150.0 / attack


def collect(comm, own):
    size = comm.Get_size()
    table = np.zeros((size, RATES_PER_RANK, 2))
    table[0] = own
    buf = np.empty((RATES_PER_RANK, 2))
    status = MPI.Status()
    for _ in range(1, size):
        comm.Recv(buf, source=MPI.ANY_SOURCE, tag=TAG_CURVE, status=status)
        table[status.Get_source()] = buf
    return table.reshape(-1, 2)


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    mine = np.array([long_term_mean(a, settle_time(a)) for a in rates_of(rank, size)])

    if rank != 0:
        comm.Send(mine, dest=0, tag=TAG_CURVE)
        return

    means = collect(comm, mine)
    rates = np.concatenate([rates_of(r, size) for r in range(size)])
    out = csv.writer(sys.stdout, delimiter="\t")
    out.writerow(["attack", "hares", "lynxes"])
    for a, (h, l) in zip(rates, means):
        out.writerow([f"{a:.4f}", f"{h:.5f}", f"{l:.5f}"])


if __name__ == "__main__":
    main()
