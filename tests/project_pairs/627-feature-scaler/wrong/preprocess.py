"""Standardise the sensor shards before training.

Each rank owns some shards; shard files have different lengths. The scaled
shards are written next to the raw ones, the statistics once.
"""
import argparse
import pathlib
import shutil

import h5py
import numpy as np
from mpi4py import MPI

from scaling import DistributedScaler

N_FEATURES = 8
N_SHARDS = 7


def write_raw(root):
    rng = np.random.default_rng(31)
    offset = rng.uniform(-5, 20, size=N_FEATURES)
    spread = rng.uniform(0.5, 4.0, size=N_FEATURES)
    for i in range(N_SHARDS):
        rows = 400 + 150 * i
        data = offset + spread * rng.normal(size=(rows, N_FEATURES))
        with h5py.File(root / f"shard_{i:02d}.h5", "w") as f:
            f.create_dataset("x", data=data, chunks=(100, N_FEATURES))


def iter_chunks(path, rows=250):
    with h5py.File(path, "r") as f:
        x = f["x"]
        for start in range(0, x.shape[0], rows):
            yield x[start:start + rows]


def scale_shard(path, scaler):
    scaled = np.concatenate([scaler.transform(c) for c in iter_chunks(path)])
    with h5py.File(path.with_suffix(".scaled.h5"), "w") as f:
        f.create_dataset("x", data=scaled, compression="gzip")
    return scaled


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("sensor_data"))
    parser.add_argument("--clean", action="store_true")
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        if args.clean and args.root.exists():
            shutil.rmtree(args.root)
        args.root.mkdir(parents=True, exist_ok=True)
        write_raw(args.root)
    comm.Barrier()

    shards = sorted(args.root.glob("shard_??.h5"))
    mine = shards[comm.rank::comm.size]

    scaler = DistributedScaler(N_FEATURES, comm)
    for path in mine:
        for chunk in iter_chunks(path):
            scaler.partial_fit(chunk)
    scaler.sync()

    if comm.rank == 0:
        np.savez(args.root / "stats.npz", mean=scaler.mean_, scale=scaler.scale_)

    biggest = 0.0
    for path in mine:
        scaled = scale_shard(path, scaler)
        biggest = max(biggest, float(np.abs(scaled).max()))
    biggest = comm.reduce(biggest, op=MPI.MAX, root=0)
    n_files = comm.reduce(len(mine), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"{n_files} shards scaled, largest value {biggest:.2f} sigma")
        print("mean ", np.round(scaler.mean_, 3))
        print("scale", np.round(scaler.scale_, 3))


if __name__ == "__main__":
    main()
