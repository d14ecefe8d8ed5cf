import logging
import sys

from mpi4py import MPI

from nbody.simulation import Simulation
from nbody.tracks import TrackRecorder

PARAMS = {
    "n": 192,
    "seed": 12,
    "softening": 0.05,
    "dt": 0.01,
    "steps": 60,
    "record_every": 10,
}


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(name)s: %(message)s")
    sim = Simulation(comm, PARAMS)
    sim.setup()
    tracks = TrackRecorder(sim)
    for k in range(PARAMS["steps"]):
        if k % PARAMS["record_every"] == 0:
            tracks.record()
        sim.step(PARAMS["dt"])
    tracks.record()

    kinetic = sim.kinetic()
    merged = tracks.collect()
    if comm.rank == 0:
        print(f"t = {sim.t:.2f}  T/m = {kinetic:.5f}")
        for label in sorted(merged):
            print(f"{label:>6s} " + " ".join(f"{r:.3f}" for r in merged[label]))


if __name__ == "__main__":
    main()
