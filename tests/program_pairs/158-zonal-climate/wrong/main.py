# Energy balance climate model by latitude (converted from notebook ebm.ipynb)

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

# ## Parameters

NLAT = 90
S0 = 1361.0
A, B = 210.0, 2.0          # outgoing longwave A + B*T
D = 0.6                    # transport
C = 10.0                   # heat capacity, W yr / m2 / K
DT = 0.002                 # years
NSTEPS = 4000
REPORT = 1000

# ## Grid: every rank has a block of latitudes

edges = np.linspace(-1, 1, NLAT + 1)          # sin(latitude)
lo = rank * NLAT // size
hi = (rank + 1) * NLAT // size
x = 0.5 * (edges[1:] + edges[:-1])[lo:hi]
dx = edges[1] - edges[0]
face_l = edges[lo:hi]
face_r = edges[lo + 1:hi + 1]

insolation = S0 / 4 * (1 - 0.48 * 0.5 * (3 * x**2 - 1))


def albedo(T):
    return np.where(T < -10.0, 0.62, 0.3)


# ## Neighbours

south = rank - 1 if rank > 0 else MPI.PROC_NULL
north = rank + 1 if rank < size - 1 else MPI.PROC_NULL

T = 25.0 - 40.0 * x**2
ghost_s = np.zeros(1)
ghost_n = np.zeros(1)


def exchange(T):
    ghost_s[0] = T[0]
    ghost_n[0] = T[-1]
    comm.Sendrecv(T[-1:], dest=north, recvbuf=ghost_s, source=south)
    comm.Sendrecv(T[:1], dest=south, recvbuf=ghost_n, source=north)
    return np.concatenate([ghost_s, T, ghost_n])


# ## Time loop

for step in range(1, NSTEPS + 1):
    Tg = exchange(T)
    flux_l = D * (1 - face_l**2) * (Tg[1:-1] - Tg[:-2]) / dx
    flux_r = D * (1 - face_r**2) * (Tg[2:] - Tg[1:-1]) / dx
    dTdt = (insolation * (1 - albedo(T)) - (A + B * T) + (flux_r - flux_l) / dx) / C
    T = T + DT * dTdt

    if step % REPORT == 0:
        if rank == 0:
            print(f"year {step * DT:5.1f}  global mean "
                  f"{comm.reduce(T.sum(), root=0) / NLAT:8.4f} C")

# ## Ice line

ice = comm.gather(x[T < -10.0], root=0)
if rank == 0:
    cells = np.concatenate(ice)
    north_ice = cells[cells > 0]
    line = np.degrees(np.arcsin(north_ice.min())) if north_ice.size else 90.0
    print(f"ice covered fraction {cells.size / NLAT:.3f}, northern ice line {line:.1f} deg")
