import numpy as np
from mpi4py import MPI

from farm.kernels import SoftenedCoulomb
from farm.master import Contours, MapAssembler, Master
from farm.tiles import Tiling
from farm.worker import Worker


def check(tiling, kernel, assembled):
    """Number of tiles that differ from values computed here."""
    values = np.empty((tiling.edge, tiling.edge))
    bad = 0
    for tile in tiling.tiles:
        kernel.evaluate(tile, values)
        bad += not np.allclose(assembled[tile.slices()], values)
    return bad


def main():
    comm = MPI.COMM_WORLD
    tiling = Tiling(extent=1280, edge=256)
    kernel = SoftenedCoulomb.random_cloud(40, tiling.extent, seed=3)
    if comm.rank == 0:
        assembler, contours = MapAssembler(tiling), Contours()
        Master(comm, tiling, [assembler, contours]).run()
    else:
        done = Worker(comm, tiling, kernel).run()
    counts = comm.gather(0 if comm.rank == 0 else done, root=0)
    if comm.rank == 0:
        print(f"tiles in all: {sum(counts)}")
        print(f"points counted for the colour scale: {contours.counts.sum()}")
        print(f"tiles that differ from a recomputation: {check(tiling, kernel, assembler.map)}")


if __name__ == "__main__":
    main()
