"""Ensemble of Kuramoto oscillator runs, one group of ranks per coupling strength."""
import argparse
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Member:
    coupling: float
    n_osc: int = 120
    steps: int = 200
    dt: float = 0.05


def make_members(n):
    return [Member(coupling=k) for k in np.linspace(0.5, 3.0, n)]


def split_groups(comm, n_groups):
    per_group = comm.size // n_groups
    group = comm.rank // per_group
    return group, comm.Split(group, comm.rank)


def run_member(sub, m):
    rng = np.random.default_rng(7)
    omega = rng.standard_cauchy(m.n_osc).clip(-3, 3)
    theta = rng.uniform(0, 2 * np.pi, m.n_osc)
    mine = slice(m.n_osc * sub.rank // sub.size, m.n_osc * (sub.rank + 1) // sub.size)
    order = 0.0
    for _ in range(m.steps):
        z = sub.allreduce(np.exp(1j * theta[mine]).sum()) / m.n_osc
        r, psi = abs(z), np.angle(z)
        theta[mine] += m.dt * (omega[mine] + m.coupling * r * np.sin(psi - theta[mine]))
        order = r
    return order


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--groups", type=int, default=2)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    members = make_members(args.groups)
    group, sub = split_groups(comm, args.groups)
    order = run_member(sub, members[group])

    if sub.rank == 0 and comm.rank != 0:
        comm.send((group, order), dest=0, tag=5)

    if comm.rank == 0:
        table = {0: order}
        while len(table) < args.groups:
            g, value = comm.recv(source=MPI.ANY_SOURCE, tag=5)
            table[g] = value
        for g in sorted(table):
            print(f"K = {members[g].coupling:.2f}   r = {table[g]:.4f}")
    sub.Free()


if __name__ == "__main__":
    main()
