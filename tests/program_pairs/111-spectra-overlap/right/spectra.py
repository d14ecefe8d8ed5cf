"""Global energy spectra of several fields with overlapped reductions."""
import argparse
from collections import namedtuple

import numpy as np
from mpi4py import MPI

NBINS = 12
Pending = namedtuple("Pending", "name request result")


def field_lengths(size):
    """Modes of each field owned by each rank (fields are balanced independently)."""
    layout = {}
    for shift, (name, total) in enumerate([("u", 5000), ("v", 4100), ("w", 4600), ("theta", 3900)]):
        share = np.linspace(0.6, 1.4, size)
        share = np.roll(share, shift) / share.sum()
        edges = np.concatenate([[0], np.round(np.cumsum(share) * total)]).astype(int)
        layout[name] = edges
    return layout


def coefficients(name, lo, hi):
    k = np.arange(lo, hi)
    phase = sum(map(ord, name))
    return k, np.exp(1j * (k * 0.37 + phase)) / (1.0 + k) ** (0.5 + 0.1 * len(name))


def spectrum(k, c):
    out = np.zeros(NBINS)
    np.add.at(out, np.minimum(np.log2(k + 1).astype(int), NBINS - 1), np.abs(c) ** 2)
    return out


def reduce_spectra(comm, blocks):
    pending = []
    for name in sorted(blocks):
        local = spectrum(*blocks[name])
        result = np.empty_like(local)
        pending.append((Pending(name, comm.Iallreduce(local, result), result), local))
    MPI.Request.Waitall([p.request for p, _ in pending])
    return {p.name: p.result for p, _ in pending}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fields", nargs="*", default=["u", "v", "w", "theta"])
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    layout = field_lengths(comm.size)
    blocks = {name: coefficients(name, layout[name][comm.rank], layout[name][comm.rank + 1])
              for name in args.fields}
    spectra = reduce_spectra(comm, blocks)
    if comm.rank == 0:
        for name in args.fields:
            print(f"{name:6s} total {spectra[name].sum():.8f} lowest {spectra[name][0]:.8f}")


if __name__ == "__main__":
    main()
