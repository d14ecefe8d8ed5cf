import argparse
import logging
import sys

from mpi4py import MPI

from md import CheckpointStore, System, VelocityVerlet


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--cells", type=int, default=4)
    p.add_argument("--spacing", type=float, default=1.3)
    p.add_argument("--temperature", type=float, default=0.8)
    p.add_argument("--dt", type=float, default=0.002)
    p.add_argument("--steps", type=int, default=120)
    p.add_argument("--checkpoint-every", type=int, default=10)
    p.add_argument("--output", default="restart")
    args = p.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.WARNING)
    log = logging.getLogger("md")

    system = System(comm, args.cells, args.spacing, args.temperature, seed=5)
    store = CheckpointStore(comm, args.output)
    state = store.load_latest()
    if state is not None:
        system.restore(state)
        log.info("restarting from step %d", system.step)

    verlet = VelocityVerlet(system, args.dt)

    def energies(s, potential):
        log.info("step %5d  E = %.6f", s.step, s.kinetic() + potential)

    verlet.every(20, energies)
    verlet.every(args.checkpoint_every, store.save)
    verlet.run(args.steps)
    log.info("done: %d particles, %d steps", system.n, system.step)


if __name__ == "__main__":
    main()
