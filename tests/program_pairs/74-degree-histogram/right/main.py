from __future__ import print_function
import sys
from mpi4py import MPI
import numpy as np

# degree distribution of a preferential attachment graph,
# edges are dealt out to the ranks by owner of the source vertex

NV = 3000
M = 3


def generate_edges(seed=5):
    rng = np.random.RandomState(seed)
    targets = list(range(M))
    repeated = []
    edges = []
    for v in range(M, NV):
        for t in set(targets):
            edges.append((v, t))
            repeated += [v, t]
        targets = [repeated[k] for k in rng.randint(0, len(repeated), M)]
    return np.array(edges)


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    size = comm.Get_size()

    edges = None
    if rank == 0:
        edges = generate_edges()
    edges = comm.bcast(edges, root=0)

    vlo = NV * rank // size
    vhi = NV * (rank + 1) // size
    ends = edges.ravel()
    local = ends[(ends >= vlo) & (ends < vhi)] - vlo

    degree = np.bincount(local, minlength=vhi - vlo)
    top = comm.allreduce(int(degree.max()), op=MPI.MAX)
    hist = np.bincount(degree, minlength=top + 1)
    total = np.empty_like(hist)
    comm.Allreduce(hist, total, op=MPI.SUM)

    if rank == 0:
        print('vertices', total.sum(), 'edges', (total * np.arange(len(total))).sum() // 2)
        k = np.arange(M, 12)
        for kk, c in zip(k, total[M:12]):
            print('%4d %6d' % (kk, c))
        if total.sum() != NV:
            sys.exit('histogram is incomplete')
        print('largest degree', top)


if __name__ == '__main__':
    main()
