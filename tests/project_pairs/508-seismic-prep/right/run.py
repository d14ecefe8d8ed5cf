import logging
import os
import sys

import numpy as np
from mpi4py import MPI

from seis.stack import Stacker
from seis.store import PreparedVolume

GEOMETRY = dict(shots=12, receivers=24, samples=512, dt=0.002, seed=3)


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    folder = os.environ.get("SEIS_PREPARED", "prepared")

    volume = PreparedVolume(comm, folder, GEOMETRY).prepare()
    stacker = Stacker(volume, np.arange(1500.0, 2600.0, 100.0))
    spectrum = stacker.scan()
    if comm.rank == 0:
        for v, s in zip(stacker.velocities, spectrum):
            print(f"{v:7.0f} m/s  {s:8.4f}")
        print("pick:", stacker.velocities[spectrum.argmax()])


if __name__ == "__main__":
    main()
