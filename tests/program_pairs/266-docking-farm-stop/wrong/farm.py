#!/usr/bin/env python
"""Score ligands against a receptor with a master/worker farm."""
import math
import random

from mpi4py import MPI

TAG_READY, TAG_JOB, TAG_RESULT, TAG_STOP = range(1, 5)


def make_ligands(n, seed=7):
    rng = random.Random(seed)
    ligands = []
    for i in range(n):
        atoms = [(rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-3, 3))
                 for _ in range(rng.randint(4, 12))]
        ligands.append({"name": f"lig{i:03d}", "atoms": atoms})
    return ligands


def score(ligand):
    energy = 0.0
    for x, y, z in ligand["atoms"]:
        r = math.sqrt(x * x + y * y + z * z) + 0.8
        energy += 4.0 * (r ** -12 - r ** -6)
    return energy / len(ligand["atoms"])


def master(comm, ligands):
    status = MPI.Status()
    todo = list(ligands)
    results = {}
    outstanding = 0
    idle = []
    while todo or outstanding:
        msg = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
        worker = status.Get_source()
        if status.Get_tag() == TAG_RESULT:
            name, value = msg
            results[name] = value
            outstanding -= 1
        if todo:
            comm.send(todo.pop(0), dest=worker, tag=TAG_JOB)
            outstanding += 1
        else:
            idle.append(worker)
    for worker in range(1, comm.Get_size() - 1):
        comm.send(None, dest=worker, tag=TAG_STOP)
    return results


def worker(comm):
    status = MPI.Status()
    comm.send(None, dest=0, tag=TAG_READY)
    done = 0
    while True:
        job = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == TAG_STOP:
            break
        comm.send((job["name"], score(job)), dest=0, tag=TAG_RESULT)
        done += 1
    return done


def main():
    comm = MPI.COMM_WORLD
    if comm.Get_size() < 2:
        raise SystemExit("need at least one worker")
    if comm.Get_rank() == 0:
        results = master(comm, make_ligands(40))
        best = sorted(results.items(), key=lambda kv: kv[1])[:5]
        print(len(results), "ligands scored")
        for name, value in best:
            print(f"{name}  {value:10.5f}")
    else:
        worker(comm)


if __name__ == "__main__":
    main()
