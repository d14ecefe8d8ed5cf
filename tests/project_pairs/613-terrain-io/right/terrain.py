"""Spectral-noise terrain, written row block by row block with MPI-IO.

The file is a plain float32 raster with an ESRI style .hdr next to it.
"""
import argparse
import os
import numpy as np
from mpi4py import MPI


class Raster:
    def __init__(self, comm, path, nrows, ncols):
        self.comm, self.path = comm, path
        self.nrows, self.ncols = nrows, ncols
        per, rest = divmod(nrows, comm.size)
        self.nlocal = per + 1 if comm.rank < rest else per
        self.first = comm.exscan(self.nlocal) or 0

    @property
    def rows(self):
        return np.arange(self.first, self.first + self.nlocal)

    def write(self, block):
        block = np.ascontiguousarray(block, dtype=np.float32)
        mode = MPI.MODE_CREATE | MPI.MODE_WRONLY
        fh = MPI.File.Open(self.comm, self.path, mode)
        fh.Set_size(self.nrows * self.ncols * block.itemsize)
        offset = self.first * self.ncols * block.itemsize
        fh.Write_at_all(offset, block)
        fh.Close()
        if self.comm.rank == 0:
            self._write_header()

    def _write_header(self):
        with open(os.path.splitext(self.path)[0] + ".hdr", "w") as f:
            f.write(f"NROWS {self.nrows}\nNCOLS {self.ncols}\nNBITS 32\n"
                    "PIXELTYPE FLOAT\nBYTEORDER I\n")


def octave_table(noctaves, seed):
    rng = np.random.default_rng(seed)
    table = []
    for o in range(noctaves):
        for _ in range(6):
            angle, phase = rng.uniform(0, 2 * np.pi, 2)
            table.append((2.0 ** o, angle, phase, 0.55 ** o))
    return table


def elevation(rows, ncols, nrows, table):
    y = rows[:, None] / nrows
    x = np.arange(ncols)[None, :] / ncols
    h = np.zeros((rows.size, ncols))
    for freq, angle, phase, amp in table:
        h += amp * np.sin(2 * np.pi * freq * (x * np.cos(angle) + y * np.sin(angle)) + phase)
    return 100.0 * h


def verify(comm, raster, local_sum):
    expected = comm.reduce(local_sum, root=0)
    if comm.rank != 0:
        return
    data = np.fromfile(raster.path, dtype=np.float32)
    data = data.reshape(raster.nrows, raster.ncols).astype(float)
    print(f"{raster.path}: {data.shape}, min {data.min():.2f}, max {data.max():.2f}")
    print(f"sum in file {data.sum():.1f}, sum in memory {expected:.1f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=250)
    ap.add_argument("--cols", type=int, default=400)
    ap.add_argument("--octaves", type=int, default=6)
    ap.add_argument("--seed", type=int, default=3)
    ap.add_argument("--out", default="terrain.flt")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    raster = Raster(comm, args.out, args.rows, args.cols)
    table = octave_table(args.octaves, args.seed)      # same seed, same waves everywhere
    h = elevation(raster.rows, args.cols, args.rows, table)
    raster.write(h)
    verify(comm, raster, float(h.astype(np.float32).sum(dtype=float)))


if __name__ == "__main__":
    main()
