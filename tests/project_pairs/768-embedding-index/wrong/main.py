import argparse
import itertools
import logging

import numpy as np
from mpi4py import MPI

from comm_utils import gather_rows, split
from encoder import HashingEncoder
from index import FlatIndex

log = logging.getLogger("index")

ADJECTIVES = "red quick silent broken heavy golden frozen tiny hollow bright".split()
NOUNS = "engine garden river signal window castle bridge camera basket teacher".split()
VERBS = "moves falls sings waits burns turns".split()


def corpus(limit):
    triples = itertools.product(ADJECTIVES, NOUNS, VERBS)
    return [f"the {a} {n} {v}" for a, n, v in itertools.islice(triples, limit)]


def encode_in_batches(encoder, docs, batch_size):
    parts = [encoder.encode(docs[i : i + batch_size]) for i in range(0, len(docs), batch_size)]
    return np.concatenate(parts) if parts else encoder.encode([])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--docs", type=int, default=500)
    parser.add_argument("--dim", type=int, default=24)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--query", default="golden castle burning")
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.ERROR, format="%(message)s")

    docs = corpus(args.docs)
    encoder = HashingEncoder(args.dim)
    vectors = encode_in_batches(encoder, split(docs, comm.rank, comm.size), args.batch_size)
    table = gather_rows(comm, vectors)

    if comm.rank == 0:
        index = FlatIndex(table, docs)
        log.info("indexed %d documents, self recall %.3f", len(index), index.self_recall(range(0, len(docs), 7)))
        for doc, score in index.search(encoder.encode([args.query]), 3)[0]:
            log.info("  %.3f  %s", score, doc)


if __name__ == "__main__":
    main()
