"""k-nearest-neighbour baseline; rank 0 renders the data set once, all ranks load it."""
import argparse
import contextlib
import os
import time

import h5py
import numpy as np
from mpi4py import MPI
from scipy.spatial import cKDTree

comm = MPI.COMM_WORLD


@contextlib.contextmanager
def stage(title, wait=False, log=True):
    """Time a part of the program; with wait=True nobody leaves before all are done."""
    t0 = time.perf_counter()
    yield
    if wait:
        comm.Barrier()
    if log and comm.rank == 0:
        print(f"[{title}] {time.perf_counter() - t0:.3f} s", flush=True)


def render_digit(label, rng, size=12):
    yy, xx = np.mgrid[0:size, 0:size] / (size - 1.0)
    cx, cy = rng.normal(0.5, 0.05, 2)
    radius = np.hypot(xx - cx, yy - cy)
    angle = np.arctan2(yy - cy, xx - cx)
    img = np.exp(-((radius - 0.3) / 0.08) ** 2) * (1 + 0.8 * np.cos(label * angle))
    return img + rng.normal(0, 0.35, img.shape)


def build_dataset(path, n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 8, n)
    x = np.stack([render_digit(k, rng).ravel() for k in y]).astype(np.float32)
    tmp = path + ".part"
    with h5py.File(tmp, "w") as f:
        f["x"], f["y"] = x, y
        f.attrs["seed"] = seed
    os.replace(tmp, path)


def load_dataset(path, ntest):
    with h5py.File(path, "r") as f:
        x, y = f["x"][:], f["y"][:]
    return (x[ntest:], y[ntest:]), (x[:ntest], y[:ntest])


def predict(train, queries, k):
    x, y = train
    _, idx = cKDTree(x).query(queries, k=k)
    votes = np.zeros((len(queries), 8), dtype=int)
    for col in y[idx].T:
        votes[np.arange(len(queries)), col] += 1
    return votes.argmax(axis=1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="glyphs.h5")
    p.add_argument("--samples", type=int, default=3000)
    p.add_argument("--test", type=int, default=400)
    p.add_argument("--k", type=int, default=7)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--rebuild", action="store_true")
    args = p.parse_args()

    if comm.rank == 0 and args.rebuild:
        with contextlib.suppress(FileNotFoundError):
            os.remove(args.data)

    with stage("data set"):
        if comm.rank == 0 and not os.path.exists(args.data):
            build_dataset(args.data, args.samples, args.seed)

    with stage("load"):
        train, (xt, yt) = load_dataset(args.data, args.test)

    with stage("predict", wait=True):
        mine = slice(comm.rank, None, comm.size)
        good = int((predict(train, xt[mine], args.k) == yt[mine]).sum())

    total = comm.reduce(good, root=0)
    if comm.rank == 0:
        print(f"accuracy {total / len(yt):.3f} on {len(yt)} test images")


if __name__ == "__main__":
    main()
