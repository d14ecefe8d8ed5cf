"""Particles of varying number per rank written to one file, with the offset
by exscan; then read back with another distribution."""
import os
import tempfile

import numpy as np
from mpi4py import MPI

RECORD = np.dtype([("id", "<i8"), ("pos", "<f8", (3,)), ("kind", "<i4"), ("pad", "<i4")])
HEADER = np.dtype([("magic", "<i8"), ("count", "<i8")])
MAGIC = 0x50415254


def make_particles(rank, first, n):
    rng = np.random.default_rng([3, rank])
    p = np.zeros(n, dtype=RECORD)
    p["id"] = np.arange(first, first + n)
    p["pos"] = rng.random((n, 3))
    p["kind"] = rng.integers(0, 4, n)
    return p


def record_type():
    """MPI struct type that follows the numpy record byte for byte."""
    names = RECORD.names
    types = [MPI.INT64_T, MPI.DOUBLE, MPI.INT32_T, MPI.INT32_T]
    lengths = [1, 3, 1, 1]
    offsets = [RECORD.fields[n][1] for n in names]
    packed = MPI.Datatype.Create_struct(lengths, offsets, types)
    sized = packed.Create_resized(0, RECORD.itemsize)
    packed.Free()
    return sized.Commit()


def write(comm, path, particles):
    n = len(particles)
    total = comm.allreduce(n)
    before = comm.exscan(n)
    if comm.rank == 0:
        before = 0              # exscan leaves rank 0 undefined
    rtype = record_type()
    fh = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
    fh.Set_size(0)
    if comm.rank == 0:
        header = np.array([(MAGIC, total)], dtype=HEADER)
        fh.Write_at(0, header.view(np.uint8))
    # collective, also for ranks without particles
    fh.Write_at_all(HEADER.itemsize + before * RECORD.itemsize, [particles, n, rtype])
    fh.Close()
    rtype.Free()
    return before, total


def read(comm, path):
    fh = MPI.File.Open(comm, path, MPI.MODE_RDONLY)
    header = np.zeros(1, dtype=HEADER)
    fh.Read_at_all(0, header.view(np.uint8))
    if header["magic"][0] != MAGIC:
        raise ValueError("not a particle file")     # same bytes on all ranks
    total = int(header["count"][0])
    lo, hi = total * comm.rank // comm.size, total * (comm.rank + 1) // comm.size
    out = np.zeros(hi - lo, dtype=RECORD)
    rtype = record_type()
    fh.Read_at_all(HEADER.itemsize + lo * RECORD.itemsize, [out, hi - lo, rtype])
    fh.Close()
    rtype.Free()
    return lo, out


def main():
    comm = MPI.COMM_WORLD
    path = None
    if comm.rank == 0:
        fd, path = tempfile.mkstemp(suffix=".part")
        os.close(fd)
    path = comm.bcast(path, root=0)

    n = (comm.rank * 37) % 23 + (5 if comm.rank != 1 else -14)     # rank 1 has none
    first = comm.exscan(n) or 0
    mine = make_particles(comm.rank, first, n)
    before, total = write(comm, path, mine)
    assert before == first

    lo, back = read(comm, path)
    assert np.array_equal(back["id"], np.arange(lo, lo + len(back)))
    sums = np.array([mine["pos"].sum() - back["pos"].sum(), len(mine) - len(back)])
    comm.Allreduce(MPI.IN_PLACE, sums)
    assert np.all(np.abs(sums) < 1e-9)
    whole = comm.gather(mine, root=0)
    if comm.rank == 0:
        flat = np.fromfile(path, dtype=RECORD, offset=HEADER.itemsize)
        assert flat.tobytes() == np.concatenate(whole).tobytes()
        os.unlink(path)
        print(f"{total} particles in one file of {HEADER.itemsize + flat.nbytes} bytes")


if __name__ == "__main__":
    main()
