import numpy as np


def assign(chunk, centres):
    d2 = ((chunk[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    labels = d2.argmin(axis=1)
    return labels, float(d2[np.arange(len(chunk)), labels].sum())


def accumulate(one_pass, centres):
    sums = np.zeros_like(centres)
    counts = np.zeros(len(centres))
    inertia = 0.0
    for chunk in one_pass():
        labels, cost = assign(chunk, centres)
        np.add.at(sums, labels, chunk)
        counts += np.bincount(labels, minlength=len(centres))
        inertia += cost
    return sums, counts, inertia


def move_centres(sums, counts, centres):
    filled = counts > 0
    moved = centres.copy()
    moved[filled] = sums[filled] / counts[filled, None]
    return moved


def reducer(comm):
    """A function that adds up arrays and numbers over all ranks."""

    def total(value):
        value = np.asarray(value, dtype=float)
        out = np.empty_like(value)
        comm.Allreduce(value, out)
        return out

    return total


def lloyd(comm, one_pass, centres, max_iter, tol, on_iteration=None):
    total = reducer(comm)
    for it in range(max_iter):
        sums, counts, inertia = accumulate(one_pass, centres)
        cost = float(total(inertia))
        moved = total(move_centres(sums, counts, centres)) / comm.size
        shift = float(np.sqrt(((moved - centres) ** 2).sum(axis=1)).max())
        centres = moved
        if on_iteration is not None:
            on_iteration(it, cost, shift)
        if shift < tol:
            break
    return centres


def seed_centres(comm, data, k, seed):
    centres = None
    if comm.rank == 0:
        rng = np.random.default_rng(seed)
        picks = [int(rng.integers(len(data)))]
        while len(picks) < k:
            d2 = ((data[:, None, :] - data[picks][None]) ** 2).sum(axis=2).min(axis=1)
            picks.append(int(d2.argmax()))
        centres = data[picks]
    return comm.bcast(centres, root=0)
