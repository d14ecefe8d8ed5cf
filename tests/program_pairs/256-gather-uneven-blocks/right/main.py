import argparse
import numpy as np
from mpi4py import MPI


def block(n, size, rank):
    """Begin and length of a rank's block, the first ones get the remainder."""
    q, r = divmod(n, size)
    return rank * q + min(rank, r), q + (rank < r)


class Quadrature:
    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        self.begin, self.count = block(n, comm.size, comm.rank)
        self.nodes, self.weights = np.polynomial.legendre.leggauss(n)

    def local_terms(self, f):
        s = slice(self.begin, self.begin + self.count)
        return self.weights[s] * f(self.nodes[s])

    def collect(self, terms):
        everything = None
        if self.comm.rank == 0:
            counts = [block(self.n, self.comm.size, r)[1] for r in range(self.comm.size)]
            everything = np.zeros(self.n)
            recv = [everything, counts]
        else:
            recv = None
        self.comm.Gatherv(terms, recv, root=0)
        return everything


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=22)
    n = ap.parse_args().n
    comm = MPI.COMM_WORLD
    quad = Quadrature(comm, n)
    terms = quad.local_terms(np.exp)
    everything = quad.collect(terms)
    if comm.rank == 0:
        value = everything.sum()
        exact = np.e - 1 / np.e
        print("integral %.12f error %.1e" % (value, abs(value - exact)))
        assert abs(value - exact) < 1e-10


if __name__ == "__main__":
    main()
