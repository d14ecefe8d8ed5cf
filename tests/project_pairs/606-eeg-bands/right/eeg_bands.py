"""Band power of a 10-20 EEG recording, channels spread over the processes."""
import numpy as np
from mpi4py import MPI
from scipy.signal import butter, sosfiltfilt

FS = 256.0
CHANNELS = ("Fp1 Fp2 F7 F3 Fz F4 F8 T3 C3 Cz C4 T4 T5 P3 Pz P4 T6 O1 O2").split()
BANDS = {"theta": (4, 8), "alpha": (8, 13), "beta": (13, 30)}


def synthetic_recording(seconds=20.0):
    t = np.arange(int(seconds * FS)) / FS
    rng = np.random.default_rng(5)
    data = rng.normal(0, 1.0, (len(CHANNELS), t.size))
    for k, name in enumerate(CHANNELS):
        alpha = 3.0 if name.startswith(("O", "P")) else 0.8
        data[k] += alpha * np.sin(2 * np.pi * 10.0 * t + 0.3 * k)
        data[k] += 0.5 * np.sin(2 * np.pi * 6.0 * t)
    return data


def rows_per_rank(nrows, size):
    rows = np.full(size, nrows // size, dtype=int)
    rows[: nrows % size] += 1
    return rows


def band_power(x, lo, hi):
    sos = butter(4, [lo, hi], btype="bandpass", fs=FS, output="sos")
    y = sosfiltfilt(sos, x, axis=1)
    return (y ** 2).mean(axis=1)


def distribute(comm, data, nchan, nsamp):
    rows = rows_per_rank(nchan, comm.size)
    counts = rows * nsamp
    displs = np.concatenate(([0], np.cumsum(counts)[:-1]))
    local = np.empty((rows[comm.rank], nsamp))
    sendbuf = [data, counts, displs, MPI.DOUBLE] if comm.rank == 0 else None
    comm.Scatterv(sendbuf, local, root=0)
    return local


def collect(comm, local, nchan):
    width = local.shape[1]
    counts = rows_per_rank(nchan, comm.size) * width
    out = np.empty((nchan, width)) if comm.rank == 0 else None
    comm.Gatherv(np.ascontiguousarray(local), [out, counts] if comm.rank == 0 else None, root=0)
    return out


def main():
    comm = MPI.COMM_WORLD

    data = shape = None
    if comm.rank == 0:
        data = synthetic_recording()
        shape = data.shape
    nchan, nsamp = comm.bcast(shape, root=0)

    local = distribute(comm, data, nchan, nsamp)
    local -= local.mean(axis=1, keepdims=True)
    power = np.stack([band_power(local, lo, hi) for lo, hi in BANDS.values()], axis=1)

    table = collect(comm, power, nchan)
    if comm.rank == 0:
        print("chan  " + "  ".join(f"{b:>7s}" for b in BANDS))
        for name, row in zip(CHANNELS, table):
            print(f"{name:4s}  " + "  ".join(f"{p:7.3f}" for p in row))


main()
