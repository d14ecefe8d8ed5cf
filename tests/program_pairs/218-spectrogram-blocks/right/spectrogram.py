#!/usr/bin/env python
# Spectrogram of a chirp. Workers transform blocks, process 0 collects the rows.
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
nworkers = size - 1

RATE = 4000.0
BLOCK = 256
NBLOCKS = 40


def chirp(block):
    t = (block * BLOCK + np.arange(BLOCK)) / RATE
    return np.sin(2.0 * np.pi * (200.0 + 250.0 * t) * t)


def power_spectrum(x):
    window = np.hanning(len(x))
    return np.abs(np.fft.rfft(window * x)) ** 2


def work():
    for block in range(rank - 1, NBLOCKS, nworkers):
        row = power_spectrum(chirp(block))
        comm.send((block, row), dest=0, tag=5)


def collect():
    rows = np.zeros((NBLOCKS, BLOCK // 2 + 1))
    got = 0
    for k in range(NBLOCKS):
        block, row = comm.recv(source=MPI.ANY_SOURCE, tag=5)
        rows[block] = row
        got += 1
    return rows, got


if size < 2:
    sys.exit("please run on at least two processes")

if rank == 0:
    spectrogram, got = collect()
    freq = np.fft.rfftfreq(BLOCK, 1.0 / RATE)
    track = freq[spectrogram.argmax(axis=1)]
    np.save("spectrogram.npy", spectrogram)
    print("blocks received:", got, "of", NBLOCKS)
    print("frequency track:", " ".join("%.0f" % f for f in track[::4]), "...", "%.0f" % track[-1])
    silent = int((spectrogram.sum(axis=1) == 0).sum())
    if silent:
        print("blocks without power:", silent)
        sys.exit(1)
else:
    work()
