"""Plasma source and field solver on two groups of ranks coupled by an
intercommunicator."""
import numpy as np
from mpi4py import MPI

import bridge

CELLS = 64
STEPS = 20


def push_particles(local, side):
    """The particle group: deposit charge, receive the field, push."""
    rng = np.random.default_rng(local.rank)
    x = rng.random(2000)
    v = rng.normal(0, 0.01, x.size)
    energy = []
    for _ in range(STEPS):
        rho = np.bincount((x * CELLS).astype(int) % CELLS, minlength=CELLS).astype(float)
        total = np.empty_like(rho)
        local.Allreduce(rho, total)
        field = bridge.ask_field(side, local, total / total.mean() - 1.0)
        v += 0.01 * np.interp(x, np.arange(CELLS) / CELLS, field, period=1.0)
        x = (x + 0.05 * v) % 1.0
        energy.append(local.allreduce(float((v**2).sum())))
    return energy


def solve_field(local, side):
    k = 2 * np.pi * np.fft.rfftfreq(CELLS, d=1.0 / CELLS)
    k[0] = 1.0
    norms = []
    for _ in range(STEPS):
        rho = bridge.get_charge(side, local)
        hat = np.fft.rfft(rho) / (1j * k)
        hat[0] = 0.0
        field = np.fft.irfft(hat, CELLS)
        bridge.answer(side, local, field)
        norms.append(float(np.abs(field).max()))
    return norms


def main():
    world = MPI.COMM_WORLD
    is_particles = world.rank < (world.size + 1) // 2
    local, side = bridge.connect(world, is_particles)
    if is_particles:
        energy = push_particles(local, side)
        if local.rank == 0:
            print(f"kinetic energy {energy[0]:.5f} -> {energy[-1]:.5f}")
    else:
        norms = solve_field(local, side)
        if local.rank == 0:
            print(f"field {norms[0]:.5f} -> {norms[-1]:.5f}")
    side.Free()
    local.Free()


if __name__ == "__main__":
    main()
