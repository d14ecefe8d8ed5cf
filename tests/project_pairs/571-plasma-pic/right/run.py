import logging

from mpi4py import MPI

from pic.simulation import Settings, Simulation


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING,
                        format="%(name)s: %(message)s")
    sim = Simulation(comm, Settings())
    kinetic, field = sim.run()
    if comm.rank == 0:
        print(f"kinetic {kinetic:.4f} field {field:.4f} dt {sim.dt:.4f} cuts {sim.guard.cuts}")


if __name__ == "__main__":
    main()
