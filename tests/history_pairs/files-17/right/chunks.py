import numpy as np


def spill(folder, rank, number, keys):
    path = folder / f"run_{rank}_{number}.npy"
    np.save(path, keys)
    return path


def sort_chunk(path):
    keys = np.sort(np.load(path))
    np.save(path, keys)
    return keys
