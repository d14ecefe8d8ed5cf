import argparse
import logging

import numpy as np
from mpi4py import MPI

from cache import TokenCache


class BagOfWords:
    def __init__(self, vocab_size):
        self.w = np.zeros(vocab_size)
        self.b = np.zeros(1)

    def logits(self, tokens):
        return self.w[tokens].sum(axis=1) + self.b

    def gradients(self, tokens, labels):
        err = 1.0 / (1.0 + np.exp(-self.logits(tokens))) - labels
        gw = np.zeros_like(self.w)
        np.add.at(gw, tokens, np.broadcast_to(err[:, None], tokens.shape))
        gw[0] = 0.0
        return np.append(gw, err.sum()) / len(labels)

    def update(self, flat, lr):
        self.w -= lr * flat[:-1]
        self.b -= lr * flat[-1]


def accuracy(comm, model, tokens, labels):
    right = int(np.sum((model.logits(tokens) > 0) == (labels > 0.5)))
    return comm.allreduce(right) / comm.allreduce(len(labels))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache-dir", default="cache")
    parser.add_argument("--reviews", type=int, default=6000)
    parser.add_argument("--length", type=int, default=16)
    parser.add_argument("--vocab-size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--lr", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING, format="%(message)s")

    cache = TokenCache(comm, args.cache_dir, args.reviews, args.length, args.vocab_size, args.seed).prepare()
    tokens, labels = cache.shard()
    model = BagOfWords(len(cache.vocab))
    total = np.empty(len(cache.vocab) + 1)
    for _ in range(args.steps):
        comm.Allreduce(model.gradients(tokens, labels), total)
        model.update(total / comm.size, args.lr)
    acc = accuracy(comm, model, tokens, labels)
    logging.info("vocabulary %d words, training accuracy %.3f", len(cache.vocab), acc)


if __name__ == "__main__":
    main()
