"""Bigram model on a byte corpus; the counts are summed over the ranks."""
import argparse

import numpy as np
from mpi4py import MPI

from corpus import TokenCache


def count_bigrams(tokens, vocab):
    counts = np.zeros((vocab, vocab), dtype=np.int64)
    np.add.at(counts, (tokens[:-1], tokens[1:]), 1)
    return counts


def perplexity(probs, tokens):
    logp = np.log(probs[tokens[:-1], tokens[1:]])
    return float(np.exp(-logp.mean()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", default="cache")
    parser.add_argument("--length", type=int, default=400_000)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    cache = TokenCache(args.cache, args.length)
    cache.prepare(comm)
    shard = cache.shard(comm.rank, comm.size)

    counts = count_bigrams(shard, cache.vocab)
    total = np.empty_like(counts)
    comm.Allreduce(counts, total, op=MPI.SUM)
    probs = (total + 1.0) / (total + 1.0).sum(axis=1, keepdims=True)

    ppl = comm.reduce(perplexity(probs, shard), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"{total.sum()} bigrams, mean perplexity {ppl / comm.size:.4f}")


if __name__ == "__main__":
    main()
