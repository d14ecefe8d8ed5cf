# D2Q9 lattice Boltzmann, Taylor-Green-ish shear wave, domain split along x
import numpy as np
from mpi4py import MPI

NX, NY, STEPS, TAU = 60, 24, 80, 0.8

C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)


def equilibrium(rho, ux, uy):
    cu = 3 * (C[:, 0, None, None] * ux + C[:, 1, None, None] * uy)
    usq = 1.5 * (ux**2 + uy**2)
    return W[:, None, None] * rho * (1 + cu + 0.5 * cu**2 - usq)


def collide(f):
    rho = f.sum(axis=0)
    ux = np.tensordot(C[:, 0], f, axes=1) / rho
    uy = np.tensordot(C[:, 1], f, axes=1) / rho
    f += (equilibrium(rho, ux, uy) - f) / TAU


def stream(f):
    g = f.copy()
    for k, (cx, cy) in enumerate(C):
        g[k] = np.roll(np.roll(f[k], cx, axis=0), cy, axis=1)
    return g


def start(lo, hi):
    x = np.arange(lo - 1, hi + 1)[:, None]
    y = np.arange(NY)[None, :]
    ux = 0.03 * np.sin(2 * np.pi * y / NY) + 0.0 * x
    uy = 0.05 * np.sin(2 * np.pi * x / NX) + 0.0 * y
    return equilibrium(np.ones_like(ux), ux, uy)


world = MPI.COMM_WORLD
cart = world.Create_cart([world.size], periods=[True])
right, left = cart.Shift(0, 1)

lo = NX * cart.rank // cart.size
hi = NX * (cart.rank + 1) // cart.size
f = start(lo, hi)

ghost = np.empty((9, NY))
for step in range(STEPS):
    collide(f)
    cart.Sendrecv(np.ascontiguousarray(f[:, -2]), dest=right, sendtag=1,
                  recvbuf=ghost, source=left, recvtag=1)
    f[:, 0] = ghost
    cart.Sendrecv(np.ascontiguousarray(f[:, 1]), dest=left, sendtag=2,
                  recvbuf=ghost, source=right, recvtag=2)
    f[:, -1] = ghost
    f = stream(f)

inner = f[:, 1:-1]
momentum = np.array([(C[:, 1, None, None] * inner).sum(axis=(0, 2))[i] for i in range(hi - lo)])
profile = cart.gather(momentum, root=0)
if cart.rank == 0:
    uy = np.concatenate(profile) / NY
    amp = 2 * np.mean(uy * np.sin(2 * np.pi * np.arange(NX) / NX))
    nu = (TAU - 0.5) / 3
    expected = 0.05 * np.exp(-nu * (2 * np.pi / NX) ** 2 * STEPS)
    print("amplitude %.5f, theory %.5f" % (amp, expected))
    if abs(amp - expected) > 0.02 * expected:
        raise SystemExit("decay rate is off")
