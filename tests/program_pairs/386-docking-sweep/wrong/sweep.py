"""Score a set of (fake) ligands against a pocket.  Every rank takes a slice
of the ligand list; scores go back to rank 0, which writes the ranking.

    mpirun -np 8 python sweep.py --ligands 200
"""
import argparse
import csv
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
nprocs = comm.Get_size()

POCKET = {
    "center": np.array([1.0, 0.5, -0.3]),
    "radius": 4.0,
    "charges": np.array([-1.0, 0.4, 0.4, 0.2]),
}


def say(*a):
    if rank == 0:
        print(*a)
        sys.stdout.flush()


def make_ligand(idx, natoms=20):
    rng = np.random.default_rng(1000 + idx)
    xyz = rng.normal(size=(natoms, 3)) * 1.5
    q = rng.uniform(-0.5, 0.5, size=natoms)
    return {"id": idx, "xyz": xyz, "q": q - q.mean()}


def pose_energy(lig, shift):
    d = np.linalg.norm(lig["xyz"] + shift - POCKET["center"], axis=1)
    lj = np.sum((1.5 / (d + 0.8)) ** 12 - 2 * (1.5 / (d + 0.8)) ** 6)
    coul = np.sum(lig["q"] * POCKET["charges"].sum() / (d + 0.8))
    wall = np.sum(np.clip(d - POCKET["radius"], 0, None) ** 2)
    return lj + coul + 0.1 * wall


def dock(lig, nposes):
    rng = np.random.default_rng(lig["id"])
    best = np.inf
    for _ in range(nposes):
        e = pose_energy(lig, rng.normal(size=3))
        best = min(best, e)
    return best


def my_slice(n):
    per = -(-n // nprocs)          # ceil
    lo = min(rank * per, n)
    hi = min(lo + per, n)
    return range(lo, hi)


def merge(table):
    """All scores on rank 0"""
    everything = comm.gather(table, root=0)
    if rank != 0:
        return None
    merged = {}
    for t in everything:
        merged.update(t)
    return merged


def score_ligands(n, nposes):
    mine = my_slice(n)
    table = {}
    if len(mine) == 0:
        print(f"[{rank}] nothing to do")
        return None
    for i in mine:
        lig = make_ligand(i)
        try:
            table[i] = dock(lig, nposes)
        except FloatingPointError:
            table[i] = float("nan")
    return merge(table)


def write_ranking(fn, scores):
    with open(fn, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["ligand", "score"])
        for k in sorted(scores, key=scores.get):
            w.writerow([k, f"{scores[k]:.4f}"])


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--ligands", type=int, default=64)
    ap.add_argument("--poses", type=int, default=50)
    ap.add_argument("-o", "--output", default="ranking.csv")
    opt = ap.parse_args()

    say(f"docking {opt.ligands} ligands on {nprocs} ranks")
    t = MPI.Wtime()
    scores = score_ligands(opt.ligands, opt.poses)
    dt = comm.reduce(MPI.Wtime() - t, op=MPI.MAX, root=0)
    if rank == 0:
        write_ranking(opt.output, scores)
        best = min(scores, key=scores.get)
        print(f"best ligand {best} with {scores[best]:.3f}; slowest rank took {dt:.2f} s")


if __name__ == "__main__":
    main()
