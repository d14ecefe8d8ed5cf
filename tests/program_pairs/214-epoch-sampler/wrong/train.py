"""Averaged perceptron trained in parallel; the sampler deals out the examples."""
import numpy as np
from mpi4py import MPI

from data.dataset import SyntheticDigits
from data.sampler import ShardedSampler


def epoch_of_updates(w, dataset, indices):
    mistakes = 0
    for i in indices:
        x, y = dataset[i]
        scores = w @ x
        guess = int(np.argmax(scores))
        if guess != y:
            w[y] += x
            w[guess] -= x
            mistakes += 1
    return mistakes


def main(epochs=4):
    comm = MPI.COMM_WORLD
    dataset = SyntheticDigits(600)
    sampler = ShardedSampler(len(dataset), comm.rank, comm.size, seed=100)
    w = np.zeros((dataset.classes, dataset.features))

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        indices = list(sampler)
        mistakes = comm.allreduce(epoch_of_updates(w, dataset, indices))
        comm.Allreduce(MPI.IN_PLACE, w, op=MPI.SUM)
        w /= comm.size

        seen = comm.gather(indices, root=0)
        if comm.rank == 0:
            distinct = len({i for part in seen for i in part})
            print(f"epoch {epoch}: {mistakes} mistakes, {distinct} of {len(dataset)} examples visited")


if __name__ == "__main__":
    main()
