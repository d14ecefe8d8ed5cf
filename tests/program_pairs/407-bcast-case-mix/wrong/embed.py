"""
Nearest neighbours in a word embedding; the query list is split, the matrix
is needed by everybody.
"""
import argparse
import sys
import numpy as np
from mpi4py import MPI


class EmbeddingStore:
    def __init__(self, comm, path=None, vocab=1000, dim=32):
        self.comm = comm
        self.path = path
        self.vocab = vocab
        self.dim = dim
        self.matrix = None
        self.words = None

    # -- root side -------------------------------------------------
    def _read(self):
        if self.path:
            z = np.load(self.path, allow_pickle=False)
            return z["words"].tolist(), z["matrix"].astype(np.float64)
        rng = np.random.default_rng(31)
        words = ["w%05d" % i for i in range(self.vocab)]
        return words, rng.normal(size=(self.vocab, self.dim))

    def _publish(self):
        self.words, mat = self._read()
        mat /= np.linalg.norm(mat, axis=1, keepdims=True)
        self.comm.bcast((self.words, mat.shape), root=0)
        self.comm.bcast(mat, root=0)
        self.matrix = mat

    # -- everybody else ----------------------------------------------
    def _subscribe(self):
        self.words, shape = self.comm.bcast(None, root=0)
        self.matrix = np.empty(shape)
        self.comm.Bcast(self.matrix, root=0)

    def load(self):
        if self.comm.rank == 0:
            self._publish()
        else:
            self._subscribe()
        return self

    def neighbours(self, word, k):
        v = self.matrix[self.words.index(word)]
        sim = self.matrix @ v
        order = np.argpartition(-sim, k + 1)[: k + 1]
        order = order[np.argsort(-sim[order])]
        return [(self.words[i], float(sim[i])) for i in order if self.words[i] != word][:k]


def read_queries(fn, store):
    if fn is None:
        return store.words[:: max(1, len(store.words) // 10)]
    with open(fn) as f:
        return [l.strip() for l in f if l.strip()]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--embedding")
    ap.add_argument("--queries")
    ap.add_argument("--vocab", type=int, default=2000)
    ap.add_argument("-k", type=int, default=3)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    store = EmbeddingStore(comm, args.embedding, args.vocab).load()
    chunks = None
    if comm.rank == 0:
        q = read_queries(args.queries, store)
        chunks = [q[i::comm.size] for i in range(comm.size)]
    mine = comm.scatter(chunks, root=0)

    answers = {}
    for word in mine:
        try:
            answers[word] = store.neighbours(word, args.k)
        except ValueError:
            print("not in the vocabulary:", word, file=sys.stderr)

    gathered = comm.gather(answers, root=0)
    if comm.rank == 0:
        merged = {}
        for g in gathered:
            merged.update(g)
        for w in sorted(merged):
            print(w, " ".join("%s(%.2f)" % t for t in merged[w]))


if __name__ == "__main__":
    main()
