import logging
import sys

from mpi4py import MPI

from tomo.recon import Reconstruction, check
from tomo.volume import VolumeFile

CONFIG = {
    "size": 64,
    "angles": 60,
    "slices": 24,
    "output": "work/stack.npy",
}


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    shape = (CONFIG["slices"], CONFIG["size"], CONFIG["size"])
    volume = VolumeFile(comm, CONFIG["output"], shape)
    recon = Reconstruction(comm, CONFIG)
    with volume:
        recon.run(volume)
    if comm.rank == 0:
        scores = check(volume.read(), CONFIG)
        poor = [i for i, s in enumerate(scores) if s < 0.5]
        print(f"mean correlation {sum(scores) / len(scores):.3f}, poor slices {poor}")
        return 1 if poor else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
