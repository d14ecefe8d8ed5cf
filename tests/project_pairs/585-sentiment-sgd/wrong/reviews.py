"""Bag-of-words reviews with a sentiment, dealt to the ranks."""
import numpy as np


def load(rank, size, rows=600, vocabulary=40, seed=21):
    rng = np.random.default_rng(seed)
    polarity = rng.normal(0, 1, vocabulary)
    counts = rng.poisson(0.6, (rows, vocabulary)).astype(float)
    score = counts @ polarity
    labels = (score + rng.normal(0, 1.0, rows) > np.median(score)).astype(int)
    part = np.array_split(np.arange(rows), size)[rank]
    held = part[::5]
    used = np.setdiff1d(part, held)
    return (counts[used], labels[used]), (counts[held], labels[held])


def batches(x, y, size, rng, count):
    for _ in range(count):
        pick = rng.choice(len(x), size, replace=False)
        yield x[pick], y[pick]
