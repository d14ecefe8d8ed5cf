"""Velocity Verlet driver."""
import logging

from mpi4py import MPI

from .atoms import lattice
from .config import parse
from .domain import Slab
from .neighbours import VerletList

log = logging.getLogger("skinmd")


def trajectory(atoms, verlet, s):
    verlet.build(atoms)
    f, energy = verlet.forces(atoms)
    for step in range(1, s.steps + 1):
        atoms.vel += 0.5 * s.dt * f
        atoms.pos += s.dt * atoms.vel
        if verlet.stale(atoms):
            verlet.build(atoms)
        f, energy = verlet.forces(atoms)
        atoms.vel += 0.5 * s.dt * f
        yield step, energy


def main(argv=None):
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.ERROR,
                        format="%(message)s")
    s = parse(argv)
    slab = Slab(comm, s)
    atoms = lattice(s, slab)
    verlet = VerletList(slab, s)
    for step, potential in trajectory(atoms, verlet, s):
        if step % 50 == 0:
            kinetic = 0.5 * float((atoms.vel ** 2).sum())
            total = comm.allreduce(kinetic + potential)
            count = comm.allreduce(len(atoms))
            log.info("step %4d  atoms %d  energy %.4f  builds %d",
                     step, count, total, verlet.builds)
