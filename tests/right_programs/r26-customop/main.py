"""Text statistics with user-defined reductions: Welford moments on buffers,
top-k on Python objects, merged counters; vocabulary look-ups are cached."""
from collections import Counter

import numpy as np
from mpi4py import MPI

from corpus import Vocabulary, documents
from reductions import moments_op, moments_type, topk_op

N_DOCS = 53
K = 4


def moments(lengths):
    x = np.asarray(lengths, dtype=float)
    if x.size == 0:
        return np.zeros(3)
    return np.array([x.size, x.mean(), ((x - x.mean()) ** 2).sum()])


def merge_counters(comm, counter):
    """Reduce by gather, merge on the root and bcast; order made canonical."""
    parts = comm.gather(counter, root=0)
    merged = None
    if parts is not None:
        total = Counter()
        for part in parts:
            total.update(part)
        merged = dict(sorted(total.items()))
    return comm.bcast(merged, root=0)


def main():
    comm = MPI.COMM_WORLD
    mine = [(k, documents(k)) for k in range(comm.rank, N_DOCS, comm.size)]
    lengths = [len(words) for _, words in mine]

    with moments_op() as op, moments_type() as triple:
        total = np.empty(3)
        comm.Allreduce([moments(lengths), 1, triple], [total, 1, triple], op=op)
    with topk_op(K) as op:
        longest = comm.allreduce(sorted(((len(w), k) for k, w in mine), reverse=True)[:K], op=op)

    counter = Counter(w for _, words in mine for w in words)
    merged = merge_counters(comm, counter)

    # document frequency of the common words; every rank walks the same list
    vocab = Vocabulary(comm, mine)
    common = sorted(merged, key=lambda w: (-merged[w], w))[:6]
    frequency = {w: vocab.document_frequency(w) for w in common}
    again = {w: vocab.document_frequency(w) for w in sorted(common)}   # all cached
    assert again == frequency and vocab.collectives == len(common)

    # words of this rank only, looked up by all via the union of the sets
    rare = {w for w, c in counter.items() if merged[w] <= 3}
    union = sorted(set().union(*comm.allgather(rare)))
    for word in union:
        assert 1 <= vocab.document_frequency(word) <= 3

    every = [documents(k) for k in range(N_DOCS)]
    ref = np.array([len(d) for d in every], dtype=float)
    assert total[0] == N_DOCS
    np.testing.assert_allclose(total[1:], [ref.mean(), ref.var() * N_DOCS])
    assert longest == sorted(((len(d), k) for k, d in enumerate(every)), reverse=True)[:K]
    assert merged == dict(Counter(w for d in every for w in d))
    assert frequency == {w: sum(w in d for d in every) for w in common}
    if comm.rank == 0:
        print(f"mean length {total[1]:.3f}, longest {longest[0]}, most common {common[0]}"
              f" in {frequency[common[0]]} documents, {len(union)} rare words")


if __name__ == "__main__":
    main()
