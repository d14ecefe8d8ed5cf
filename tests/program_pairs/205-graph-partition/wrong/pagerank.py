"""PageRank on a random web graph; the links are owned by the rank of the source."""
import random

import numpy as np
from mpi4py import MPI

from webgraph import read_links, renumber


def distribute_links(comm, links):
    if comm.rank == 0:
        buckets = [[] for _ in range(comm.size)]
        for src, dst in links:
            buckets[src % comm.size].append((src, dst))
    else:
        buckets = None
    return comm.scatter(buckets, root=0)


def pagerank(comm, mine, npages, damping=0.85, tol=1e-10):
    src = np.array([s for s, _ in mine], dtype=np.intp)
    dst = np.array([d for _, d in mine], dtype=np.intp)
    outdeg = np.zeros(npages)
    np.add.at(outdeg, src, 1.0)
    outdeg = comm.allreduce(outdeg)

    score = np.full(npages, 1.0 / npages)
    for it in range(200):
        flow = np.zeros(npages)
        np.add.at(flow, dst, score[src] / outdeg[src])
        flow = comm.allreduce(flow)
        dangling = score[outdeg == 0].sum() / npages
        new = (1.0 - damping) / npages + damping * (flow + dangling)
        change = np.abs(new - score).sum()
        score = new
        if change < tol:
            break
    return score, it


def main():
    comm = MPI.COMM_WORLD
    links = None
    pages = None
    if comm.rank == 0:
        raw = read_links(random.Random(4), pages=120, links=900)
        pages, links = renumber(raw)

    comm.bcast(pages, root=0)
    mine = distribute_links(comm, links)
    score, iterations = pagerank(comm, mine, len(pages))

    if comm.rank == 0:
        best = np.argsort(score)[::-1][:5]
        print(f"{iterations} iterations, sum of scores {score.sum():.6f}")
        for k in best:
            print(f"  {pages[k]:12s} {score[k]:.5f}")


if __name__ == "__main__":
    main()
