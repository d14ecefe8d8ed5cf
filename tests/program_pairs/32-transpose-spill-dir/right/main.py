"""Out-of-core 2-D FFT: the transpose goes through files in a scratch folder."""
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
from mpi4py import MPI


class Spill:
    """Scratch folder through which ranks pass blocks to each other."""

    def __init__(self, comm):
        self.comm = comm
        base = os.environ.get("SCRATCH", os.getcwd())
        name = None
        if comm.rank == 0:
            name = tempfile.mkdtemp(prefix="spill-", dir=base)
        self.folder = Path(comm.bcast(name, root=0))

    def put(self, dest, block):
        np.save(self.folder / f"from{self.comm.rank}_to{dest}.npy", block)

    def get(self, source):
        return np.load(self.folder / f"from{source}_to{self.comm.rank}.npy")

    def close(self):
        self.comm.Barrier()
        if self.comm.rank == 0:
            shutil.rmtree(self.folder)


def transpose(spill, rows):
    comm = spill.comm
    for dest, block in enumerate(np.array_split(rows, comm.size, axis=1)):
        spill.put(dest, block)
    comm.Barrier()
    parts = [spill.get(source) for source in range(comm.size)]
    return np.vstack(parts).T.copy()


def field(n, rows):
    x = np.arange(n) / n
    y = x[rows][:, None]
    return np.cos(2 * np.pi * (3 * x + 5 * y)) + 0.25 * np.sin(2 * np.pi * 7 * y)


def main(n=128):
    comm = MPI.COMM_WORLD
    rows = np.array_split(np.arange(n), comm.size)[comm.rank]
    local = np.fft.fft(field(n, rows), axis=1)

    spill = Spill(comm)
    local = np.fft.fft(transpose(spill, local), axis=1)
    spill.close()

    power = np.abs(local) ** 2 / n ** 4
    strong = [(int(rows[i]), int(j), round(float(power[i, j]), 4))
              for i, j in np.argwhere(power > 1e-3)]
    found = comm.gather(strong, root=0)
    if comm.rank == 0:
        for kx, ky, p in sorted(sum(found, [])):
            print(f"kx={kx:4d} ky={ky:4d} power={p}")


if __name__ == "__main__":
    main()
