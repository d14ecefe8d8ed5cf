"""Kernel ridge classification with folds of shuffled trials."""
import numpy as np


def make_folds(cfg, rng):
    order = rng.permutation(cfg.trials)
    return np.array_split(order, cfg.folds)


def population_kernel(comm, features, rows, cols):
    """Inner products over the units of all ranks."""
    part = features[:, rows].T @ features[:, cols]
    part = np.ascontiguousarray(part)
    full = np.empty_like(part)
    comm.Allreduce(part, full)
    return full


def cross_validate(cfg, comm, features, labels, streams):
    folds = make_folds(cfg, streams.common)
    scores = np.zeros(cfg.folds)
    for k, test in enumerate(folds):
        train = np.concatenate([f for i, f in enumerate(folds) if i != k])
        gram = population_kernel(comm, features, train, train)
        cross = population_kernel(comm, features, test, train)
        scale = np.trace(gram) / len(train)
        alpha = np.linalg.solve(gram + cfg.ridge * scale * np.eye(len(train)), labels[train])
        scores[k] = np.mean(np.sign(cross @ alpha) == labels[test])
    return scores
