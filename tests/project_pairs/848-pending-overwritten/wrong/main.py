from __future__ import annotations

import sys

from mpi4py import MPI

from model import ModelConfig, SlabModel


def main() -> int:
    comm = MPI.COMM_WORLD
    model = SlabModel(comm, ModelConfig())
    model.run()
    mean = model.mean()
    expected = (comm.size + 1) / 2
    if comm.rank == 0:
        print(f"mean {mean:.6f} expected {expected:.6f}")
    return 0 if abs(mean - expected) < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
