import sys

from mpi4py import MPI

from gas import Gas
from phases import Phases

SETTINGS = {"steps": 30, "frame_every": 10, "trajectory": "gas.xyz"}


def write_frame(path, gas, step, first):
    with open(path, "w" if first else "a") as fh:
        fh.write(f"{len(gas.pos)}\nstep {step} energy {gas.total_energy():.6f}\n")
        for x, y, z in gas.pos:
            fh.write(f"Ar {x:.5f} {y:.5f} {z:.5f}\n")


def simulate(comm, settings):
    phases = Phases(comm)
    gas = Gas(comm)
    e0 = gas.total_energy()
    for step in range(1, settings["steps"] + 1):
        with phases.measure("integrate"):
            gas.step()
        if step % settings["frame_every"] == 0:
            if comm.rank == 0:
                with phases.measure("write"):
                    write_frame(settings["trajectory"], gas, step, step == settings["frame_every"])
    return gas.total_energy() - e0, phases


def main():
    comm = MPI.COMM_WORLD
    settings = dict(SETTINGS)
    if len(sys.argv) > 1:
        settings["steps"] = int(sys.argv[1])
    drift, phases = simulate(comm, settings)
    if comm.rank == 0:
        print(f"energy drift {drift:+.5f}")
        print(phases.table())


if __name__ == "__main__":
    main()
