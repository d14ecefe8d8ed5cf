"""Softmax regression on distributed samples with a recipe from a JSON file."""
import argparse

import numpy as np
from mpi4py import MPI

from recipe import make_schedule, read_recipe

CLASSES, FEATURES = 3, 4


def samples(seed, rank, n=400):
    rng = np.random.default_rng([seed, rank])
    labels = rng.integers(CLASSES, size=n)
    centres = np.random.default_rng(seed).normal(0, 2, (CLASSES, FEATURES))
    return centres[labels] + rng.normal(size=(n, FEATURES)), labels


def gradient(w, x, labels):
    z = x @ w
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(len(labels)), labels]).sum()
    p[np.arange(len(labels)), labels] -= 1
    return x.T @ p, loss, int((z.argmax(1) == labels).sum())


def load(comm, path):
    """The recipe as read by the root, the same on all processes."""
    values = read_recipe(path) if comm.rank == 0 else None
    values = comm.bcast(values, root=0)
    values["rate"] = make_schedule(values)
    return values


def train(comm, recipe):
    x, labels = samples(recipe["seed"], comm.rank)
    w = np.zeros((FEATURES, CLASSES))
    total = comm.allreduce(len(labels))
    for epoch in range(recipe["epochs"]):
        grad, loss, hits = gradient(w, x, labels)
        mean = np.empty_like(grad)
        comm.Allreduce(grad, mean, op=MPI.SUM)
        w -= recipe["rate"](epoch) * mean / total
    return w, comm.allreduce(loss) / total, comm.allreduce(hits) / total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recipe", default="recipe.json")
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    recipe = load(comm, args.recipe)
    w, loss, accuracy = train(comm, recipe)
    if comm.rank == 0:
        print(f"loss {loss:.4f}  accuracy {accuracy:.4f}  |w| {np.linalg.norm(w):.4f}")


if __name__ == "__main__":
    main()
