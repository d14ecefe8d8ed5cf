# Temperature scan of the 2D Ising model with replicas.
# World is cut into NGROUPS teams; each team takes every NGROUPS-th temperature
# and averages over one independent replica per team member.
import sys
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

L = 16
NSWEEP_THERM = 40
NSWEEP_MEAS = 60
NGROUPS = 2 if size >= 2 else 1

color = rank % NGROUPS
team = comm.Split(color, key=rank)

temps = np.linspace(1.6, 3.2, 8)
my_temps = temps[color::NGROUPS]

rng = np.random.default_rng([2024, rank])
checker = np.indices((L, L)).sum(axis=0) % 2


def sweep(s, beta):
    for parity in (0, 1):
        nn = (np.roll(s, 1, 0) + np.roll(s, -1, 0)
              + np.roll(s, 1, 1) + np.roll(s, -1, 1))
        dE = 2.0 * s * nn
        flip = (rng.random((L, L)) < np.exp(-beta * dE)) & (checker == parity)
        s[flip] *= -1


def energy_per_spin(s):
    return -np.mean(s * (np.roll(s, 1, 0) + np.roll(s, 1, 1)))


def replica_average(values):
    local = np.array(values, dtype="d")
    total = np.empty_like(local)
    team.Allreduce(local, total, op=MPI.SUM)
    return total / team.Get_size()


def run_temperature(T):
    beta = 1.0 / T
    s = np.ones((L, L), dtype=int)
    for _ in range(NSWEEP_THERM):
        sweep(s, beta)
    e = m = e2 = 0.0
    for _ in range(NSWEEP_MEAS):
        sweep(s, beta)
        en = energy_per_spin(s)
        e += en
        e2 += en * en
        m += abs(s.mean())
    e, e2, m = replica_average([e / NSWEEP_MEAS, e2 / NSWEEP_MEAS, m / NSWEEP_MEAS])
    cv = (e2 - e * e) * L * L * beta * beta
    return T, e, m, cv


if __name__ == "__main__":
    rows = [run_temperature(T) for T in my_temps]

    # one spokesman per team reports, everybody takes part in the gather
    if team.Get_rank() != 0:
        rows = []
    table = comm.gather(rows, root=0)

    if rank == 0:
        table = sorted(r for part in table for r in part)
        out = sys.stdout
        out.write("#   T        E        |M|       Cv\n")
        for T, e, m, cv in table:
            out.write(f"{T:7.3f} {e:9.4f} {m:8.4f} {cv:9.4f}\n")
    team.Free()
