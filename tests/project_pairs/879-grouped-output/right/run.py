from pathlib import Path

import numpy as np
from mpi4py import MPI

from aggio.groups import IOGroup
from aggio.layout import RowLayout
from aggio.spectra import SpectrumTable
from aggio.writers import AggregatingWriter


def main():
    world = MPI.COMM_WORLD
    path = Path(__file__).with_name("spectra.bin")
    table = SpectrumTable(nstars=26, nchannels=40)
    layout = RowLayout(table.nstars, table.nchannels, world.size)
    local = table.rows(layout.first[world.rank], layout.rows[world.rank])
    writer = AggregatingWriter(path, layout, IOGroup(world, group_size=2))
    writer.write(local)
    if world.rank == 0:
        stored = np.fromfile(path)
        path.unlink()
        expected = table.rows(0, table.nstars)
        print(f"values in the file {stored.size}, expected {expected.size}")
        same = stored.size == expected.size and np.allclose(stored, expected.ravel())
        print(f"contents agree: {same}")


if __name__ == "__main__":
    main()
