import numpy as np
from mpi4py import MPI

from context import main_process_first, stopwatch
from corpus import build_vocab, check_vocab, raw_text


def bigrams(tokens, size):
    table = np.zeros((size, size))
    np.add.at(table, (tokens[:-1], tokens[1:]), 1.0)
    return table


def main():
    comm = MPI.COMM_WORLD
    with stopwatch(comm, "vocabulary"):
        with main_process_first(comm):
            vocab = build_vocab("vocab.json")
        check_vocab(comm, vocab)

    with stopwatch(comm, "bigrams"):
        total = np.zeros((len(vocab), len(vocab)))
        for doc in range(comm.rank, 24, comm.size):
            tokens = np.array([vocab[w] for w in raw_text(doc)])
            total += bigrams(tokens, len(vocab))
        comm.Allreduce(MPI.IN_PLACE, total)

    p = total / total.sum(axis=1, keepdims=True)
    entropy = -(p * np.log2(p)).sum(axis=1).mean()
    if comm.rank == 0:
        print(f"{int(total.sum())} bigrams, mean entropy {entropy:.5f} bits")


if __name__ == "__main__":
    main()
