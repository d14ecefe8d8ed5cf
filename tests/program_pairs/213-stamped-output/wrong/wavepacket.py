"""Spreading of Gaussian wave packets for a list of widths; one part file per rank."""
import argparse
from datetime import datetime
from pathlib import Path

import numpy as np
from mpi4py import MPI


def spread(width, times, points=1024, extent=60.0):
    x = np.linspace(-extent, extent, points, endpoint=False)
    k = 2.0 * np.pi * np.fft.fftfreq(points, d=x[1] - x[0])
    psi0 = np.exp(-x ** 2 / (4.0 * width ** 2)).astype(complex)
    psi0 /= np.sqrt(np.sum(np.abs(psi0) ** 2))
    out = []
    for t in times:
        psi = np.fft.ifft(np.fft.fft(psi0) * np.exp(-0.5j * k ** 2 * t))
        p = np.abs(psi) ** 2
        out.append(np.sqrt(np.sum(p * x ** 2) - np.sum(p * x) ** 2))
    return out


def run_folder(comm, base):
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    folder = Path(base) / f"run-{stamp}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", default="output")
    ap.add_argument("--widths", type=int, default=12)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    folder = run_folder(comm, args.base)

    widths = np.linspace(0.5, 3.0, args.widths)
    times = np.linspace(0.0, 4.0, 9)
    mine = widths[comm.rank::comm.size]
    table = np.array([[w, *spread(w, times)] for w in mine])
    np.save(folder / f"part{comm.rank:03d}.npy", table)

    comm.Barrier()
    if comm.rank == 0:
        parts = [np.load(folder / f"part{r:03d}.npy") for r in range(comm.size)]
        full = np.vstack(parts)
        full = full[np.argsort(full[:, 0])]
        np.savetxt(folder / "spread.txt", full, fmt="%.6f")
        print(f"{folder.parent}: {len(full)} widths, final spread {full[0, -1]:.3f} .. {full[-1, -1]:.3f}")


if __name__ == "__main__":
    main()
