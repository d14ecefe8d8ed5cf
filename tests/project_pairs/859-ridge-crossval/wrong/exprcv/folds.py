"""Split of the samples in folds."""
import numpy as np


class FoldPlan:
    """Random folds; every sample is in the test part of one fold."""

    def __init__(self, n_samples, n_folds, seed):
        self.n_samples = n_samples
        order = np.random.default_rng(seed).permutation(n_samples)
        self.test_sets = np.array_split(order, n_folds)

    def __len__(self):
        return len(self.test_sets)

    def split(self, fold):
        test = self.test_sets[fold]
        train = np.setdiff1d(np.arange(self.n_samples), test)
        return train, test

    def of_rank(self, rank, size):
        for fold in range(rank, len(self), size):
            yield fold, *self.split(fold)
