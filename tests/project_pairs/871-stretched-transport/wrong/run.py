import numpy as np
from mpi4py import MPI

from tides.control import CourantLimiter, ErrorLimiter, HorizonLimiter
from tides.integrate import BogackiShampine, Clock
from tides.mesh import StretchedMesh
from tides.operators import Advection, Diffusion

SPEED, KAPPA, T_END = 0.6, 2e-4, 0.25


def simulate(comm, ncells=150):
    mesh = StretchedMesh(comm, ncells)
    rhs = Advection(mesh, SPEED) + Diffusion(mesh, KAPPA)
    clock = Clock()
    limiters = [
        ErrorLimiter(BogackiShampine.order),
        CourantLimiter(mesh, SPEED, KAPPA),
        HorizonLimiter(clock, T_END),
    ]
    u = np.exp(-((mesh.centres - 0.4) / 0.08) ** 2)
    before = mesh.integral(u)
    u = BogackiShampine(mesh, rhs, clock, limiters).run(u, T_END)
    return mesh, clock, u, before


def main():
    comm = MPI.COMM_WORLD
    mesh, clock, u, before = simulate(comm)
    after = mesh.integral(u)
    parts = comm.gather(u, root=0)
    if comm.rank == 0:
        _, _, serial, _ = simulate(MPI.COMM_SELF)
        gap = np.abs(np.concatenate(parts) - serial).max()
        print(f"steps {clock.accepted} accepted, {clock.rejected} rejected")
        print(f"mass {before:.10f} -> {after:.10f}")
        print(f"difference from the serial run {gap:.2e}")


if __name__ == "__main__":
    main()
