"""Welch power spectrum of a long recording; segments are shared out."""
import argparse

import numpy as np
from mpi4py import MPI


def recording(n, rate, seed=8):
    rng = np.random.default_rng(seed)
    t = np.arange(n) / rate
    x = np.sin(2 * np.pi * 50.0 * t) + 0.5 * np.sin(2 * np.pi * 120.0 * t)
    return (x + rng.normal(scale=0.8, size=n)).astype(np.float32)


def segments(x, nper):
    step = nper // 2
    return [x[i:i + nper] for i in range(0, len(x) - nper + 1, step)]


def welch_partial(segs, nper):
    window = np.hanning(nper).astype(np.float32)
    acc = np.zeros(nper // 2 + 1, dtype=np.float32)
    for s in segs:
        f = np.fft.rfft((s - s.mean()) * window)
        acc += (f.real ** 2 + f.imag ** 2).astype(np.float32)
    return acc


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--samples", type=int, default=60000)
    ap.add_argument("--rate", type=float, default=1000.0)
    ap.add_argument("--nper", type=int, default=1000)
    opt = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    segs = segments(recording(opt.samples, opt.rate), opt.nper)
    psd = welch_partial(segs[rank::size], opt.nper)

    table = None
    if rank == 0:
        table = np.zeros((size, opt.nper // 2 + 1))
    comm.Gather(psd, table, root=0)

    if rank == 0:
        total = table.sum(axis=0) / len(segs)
        freq = np.fft.rfftfreq(opt.nper, 1.0 / opt.rate)
        top = np.argsort(total)[-2:][::-1]
        for k in top:
            print(f"peak at {freq[k]:7.2f} Hz  power {total[k]:.4g}")


if __name__ == "__main__":
    main()
