"""Gaussian blur and edge strength of a large micrograph, split into horizontal bands.

    mpirun -n 4 python main.py --size 1200 --sigma 3
"""
import argparse

import numpy as np
from mpi4py import MPI

TAG_BAND = 7


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--size", type=int, default=900)
    p.add_argument("--sigma", type=float, default=3.0)
    p.add_argument("--seed", type=int, default=12)
    return p.parse_args()


def synthetic_micrograph(n, seed):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:n, 0:n]
    img = np.zeros((n, n))
    for _ in range(25):
        cy, cx = rng.uniform(0, n, 2)
        r = rng.uniform(n / 60, n / 15)
        img += (np.hypot(y - cy, x - cx) < r) * rng.uniform(0.3, 1.0)
    return img + 0.1 * rng.standard_normal((n, n))


def kernel(sigma):
    half = int(3 * sigma + 0.5)
    t = np.arange(-half, half + 1)
    k = np.exp(-0.5 * (t / sigma) ** 2)
    return k / k.sum(), half


def blur(img, k):
    half = len(k) // 2
    wide = np.pad(img, ((0, 0), (half, half)), mode="edge")
    rows = sum(w * wide[:, i:i + img.shape[1]] for i, w in enumerate(k))
    tall = rows
    n = tall.shape[0] - 2 * half
    return sum(w * tall[i:i + n] for i, w in enumerate(k))


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    k, half = kernel(args.sigma)

    cuts = [args.size * r // size for r in range(size + 1)]
    rows = cuts[rank + 1] - cuts[rank]
    band = np.empty((rows + 2 * half, args.size))

    if rank == 0:
        image = synthetic_micrograph(args.size, args.seed)
        padded = np.pad(image, ((half, half), (0, 0)), mode="edge")
        for dest in range(size):
            piece = padded[cuts[dest]:cuts[dest + 1] + 2 * half]
            comm.Send(piece, dest=dest, tag=TAG_BAND)
    comm.Recv(band, source=0, tag=TAG_BAND)

    smooth = blur(band, k)
    counts = [(cuts[r + 1] - cuts[r]) * args.size for r in range(size)]
    result = np.empty((args.size, args.size)) if rank == 0 else None
    comm.Gatherv(smooth, (result, counts) if rank == 0 else None, root=0)

    if rank == 0:
        gy, gx = np.gradient(result)
        strength = np.hypot(gy, gx)
        print(f"mean {result.mean():.6f}  edge strength {strength.mean():.6f}  max {strength.max():.6f}")


if __name__ == "__main__":
    main()
