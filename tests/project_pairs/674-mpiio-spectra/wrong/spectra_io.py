# Writes power spectra of many short signals to one binary file with MPI-IO
# and reads them back. Signals are dealt out in contiguous ranges, every rank
# works through its range in chunks so that memory stays small.
#
#   mpirun -n 3 python spectra_io.py [nsignals] [chunk]
import os
import sys

import numpy as np
from mpi4py import MPI

NFREQ = 65
NSAMP = 128


def signal(i):
    t = np.arange(NSAMP)
    rng = np.random.default_rng(i)
    return np.sin(2 * np.pi * (3 + i % 29) * t / NSAMP) + 0.2 * rng.normal(size=NSAMP)


def spectra(first, last):
    out = np.empty((last - first, NFREQ))
    for k, i in enumerate(range(first, last)):
        out[k] = np.abs(np.fft.rfft(signal(i))) ** 2
    return out


def write_all(comm, path, nsig, chunk):
    rank, size = comm.Get_rank(), comm.Get_size()
    first = nsig * rank // size
    last = nsig * (rank + 1) // size

    nchunks = -(-(last - first) // chunk)

    fh = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
    fh.Set_size(0)
    row = NFREQ * 8
    for c in range(nchunks):
        a = min(first + c * chunk, last)
        b = min(a + chunk, last)
        fh.Write_at_all(a * row, spectra(a, b))
    fh.Close()
    return nchunks


def read_peaks(comm, path, nsig):
    rank, size = comm.Get_rank(), comm.Get_size()
    first = nsig * rank // size
    last = nsig * (rank + 1) // size
    buf = np.empty((last - first, NFREQ))
    fh = MPI.File.Open(comm, path, MPI.MODE_RDONLY)
    fh.Read_at_all(first * NFREQ * 8, buf)
    fh.Close()
    peaks = buf.argmax(axis=1)
    good = sum(int(p) == 3 + i % 29 for p, i in zip(peaks, range(first, last)))
    return comm.allreduce(good, op=MPI.SUM)


comm = MPI.COMM_WORLD
nsig = int(sys.argv[1]) if len(sys.argv) > 1 else 61
chunk = max(int(sys.argv[2]), 1) if len(sys.argv) > 2 else 5
path = "spectra.bin"

n = write_all(comm, path, nsig, chunk)
if comm.Get_rank() == 0:
    print("wrote %d spectra in %d rounds, %d bytes" % (nsig, n, os.path.getsize(path)))
good = read_peaks(comm, path, nsig)
if comm.Get_rank() == 0:
    print("%d of %d peaks where expected" % (good, nsig))
    os.remove(path)
