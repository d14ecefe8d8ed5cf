"""Modified Gram-Schmidt on a distributed basis, with a check for rows that dominate their vector."""
import numpy as np
from mpi4py import MPI

from blocks import DistVector, cached_norm, comm

N, K = 3000, 6


def basis():
    for k in range(K):
        yield DistVector.from_function(lambda i, k=k: np.cos(k * i / 300.0) + 0.4 * np.sin(i / (90.0 + 40 * k)), N)


def orthonormalise(vectors):
    done = []
    for v in vectors:
        for q in done:
            v = v.minus(v.dot(q), q)
        done.append(v.scaled(1.0 / v.norm()))
    return done


def main():
    vectors = list(basis())
    for k, v in enumerate(vectors):
        cached_norm(k, v)

    windows = np.array_split(np.arange(len(vectors[0].data)), 5)
    share = 0.0
    for rows in windows:
        peaks = [np.abs(v.data[rows]).max() for v in vectors]
        k = int(np.argmax(peaks))
        share = max(share, peaks[k] / cached_norm(k, vectors[k]))
    share = comm.allreduce(share, op=MPI.MAX)

    q = orthonormalise(vectors)
    gram = np.array([[a.dot(b) for b in q] for a in q])
    if comm.rank == 0:
        print("largest single-row share: %.6f" % share)
        print("deviation from identity: %.2e" % np.abs(gram - np.eye(K)).max())


if __name__ == "__main__":
    main()
