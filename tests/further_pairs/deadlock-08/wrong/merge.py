import numpy as np


def keep_low(mine, other):
    return np.sort(np.concatenate([mine, other]))[: mine.size]


def keep_high(mine, other):
    return np.sort(np.concatenate([mine, other]))[-mine.size :]
