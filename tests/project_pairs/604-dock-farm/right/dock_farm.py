"""Screen a ligand library with a toy scoring function (manager/worker)."""
import sys
from collections import namedtuple

import numpy as np
from mpi4py import MPI

TAG_READY, TAG_LIGAND, TAG_SCORE, TAG_REJECT, TAG_QUIT = range(10, 15)

Ligand = namedtuple("Ligand", "name natoms charge seed")


def build_library(n=40):
    rng = np.random.default_rng(99)
    lib = []
    for k in range(n):
        natoms = int(rng.integers(5, 60))
        charge = int(rng.integers(-3, 4))
        lib.append(Ligand(f"ZINC{k:06d}", natoms, charge, 1000 + k))
    return lib


def passes_filter(lig):
    """Ligands that are too heavy or too charged are not docked."""
    return lig.natoms <= 45 and abs(lig.charge) <= 2


def dock(lig, ntrials=200):
    rng = np.random.default_rng(lig.seed)
    pocket = np.array([1.0, -0.5, 0.25])
    best = np.inf
    for _ in range(ntrials):
        atoms = rng.normal(size=(lig.natoms, 3)) + pocket
        r = np.linalg.norm(atoms - pocket, axis=1) + 0.5
        e = np.sum(1.0 / r ** 12 - 2.0 / r ** 6) + 0.3 * lig.charge / r.min()
        best = min(best, e)
    return float(best)


def manager(comm, library):
    todo = list(reversed(library))
    scores, rejected = {}, []
    status = MPI.Status()

    active = comm.Get_size() - 1
    while active:
        msg = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
        who, tag = status.Get_source(), status.Get_tag()
        if tag == TAG_SCORE:
            name, value = msg
            scores[name] = value
        elif tag == TAG_REJECT:
            rejected.append(msg)
        if todo:
            comm.send(todo.pop(), dest=who, tag=TAG_LIGAND)
        else:
            comm.send(None, dest=who, tag=TAG_QUIT)
            active -= 1
    return scores, rejected


def worker(comm):
    status = MPI.Status()
    comm.send(None, dest=0, tag=TAG_READY)
    ndone = 0
    while True:
        lig = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == TAG_QUIT:
            return ndone
        if not passes_filter(lig):
            comm.send(lig.name, dest=0, tag=TAG_REJECT)
            continue
        comm.send((lig.name, dock(lig)), dest=0, tag=TAG_SCORE)
        ndone += 1


def main():
    comm = MPI.COMM_WORLD
    if comm.Get_size() < 2:
        sys.exit("need at least one worker")

    ndone = 0
    if comm.Get_rank() == 0:
        scores, rejected = manager(comm, build_library())
    else:
        ndone = worker(comm)

    shares = comm.gather(ndone, root=0)
    if comm.Get_rank() == 0:
        print(f"{len(scores)} docked, {len(rejected)} rejected, per rank: {shares}")
        for name, e in sorted(scores.items(), key=lambda kv: kv[1])[:5]:
            print(f"  {name}  {e:9.3f}")


if __name__ == "__main__":
    main()
