"""Online topic-ish clustering of documents (bag of words) with synchronous
minibatch updates over MPI."""
import argparse
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


def fake_corpus(ndocs, vocab, ntopics=3, seed=5):
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(vocab, 0.05), size=ntopics)
    z = rng.integers(ntopics, size=ndocs)
    return np.array([rng.multinomial(80, topics[k]) for k in z], dtype=float)


class Corpus:
    def __init__(self, counts, batch):
        self.counts = counts
        self.batch = batch

    @property
    def nbatches(self):
        return -(-len(self.counts) // self.batch)

    def batches(self, rng):
        order = rng.permutation(len(self.counts))
        for lo in range(0, len(order), self.batch):
            yield self.counts[order[lo:lo + self.batch]]


def synchronised(corpus, rng):
    """as many batches on every rank as the busiest rank has; empty ones at the end"""
    width = corpus.counts.shape[1]
    todo = comm.allreduce(corpus.nbatches, op=MPI.MAX)
    done = 0
    for b in corpus.batches(rng):
        yield b
        done += 1
    while done < todo:
        yield np.zeros((0, width))
        done += 1


class TopicModel:
    def __init__(self, k, vocab, decay=0.9):
        rng = np.random.default_rng(0)
        self.phi = rng.dirichlet(np.ones(vocab), size=k)
        self.decay = decay

    def responsibilities(self, docs):
        ll = docs @ np.log(self.phi + 1e-9).T
        ll -= ll.max(axis=1, keepdims=True)
        p = np.exp(ll)
        return p / p.sum(axis=1, keepdims=True)

    def partial_fit(self, docs):
        if len(docs):
            stats = self.responsibilities(docs).T @ docs
        else:
            stats = np.zeros_like(self.phi)
        stats = comm.allreduce(stats, op=MPI.SUM) + 1e-3
        stats /= stats.sum(axis=1, keepdims=True)
        self.phi = self.decay * self.phi + (1 - self.decay) * stats


def train(model, corpus, epochs):
    rng = np.random.default_rng([1, comm.rank])
    for ep in range(epochs):
        for docs in synchronised(corpus, rng):
            model.partial_fit(docs)
        if comm.rank == 0:
            print("epoch", ep, "entropy %.4f" % -(model.phi * np.log(model.phi + 1e-12)).sum(1).mean())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--docs", type=int, default=90)
    p.add_argument("--vocab", type=int, default=60)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--topics", type=int, default=3)
    p.add_argument("--epochs", type=int, default=4)
    a = p.parse_args()

    everything = fake_corpus(a.docs, a.vocab) if comm.rank == 0 else None
    parts = np.array_split(everything, comm.size) if comm.rank == 0 else None
    mine = comm.scatter(parts, root=0)
    model = TopicModel(a.topics, a.vocab)
    train(model, Corpus(mine, a.batch), a.epochs)

    labels = model.responsibilities(mine).argmax(1)
    hist = comm.reduce(np.bincount(labels, minlength=a.topics), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print("documents per topic", hist)


if __name__ == "__main__":
    main()
