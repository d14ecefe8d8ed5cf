"""Root side of the survey protocol.  Every function here has its
counterpart in follower.py and the two must be kept in step."""
import numpy as np

ROOT = 0


def reference(n_stars):
    return {f"S{i:03d}": (0.1 + 0.01 * i, 12.0 + 0.25 * (i % 7)) for i in range(n_stars)}


def _catalogue(n_stars, times, period):
    w = 2.0 * np.pi / period
    for i, (name, (amp, offset)) in enumerate(reference(n_stars).items()):
        yield name, amp * np.sin(w * times + 0.3 * i) + offset


def publish(comm, n_stars, n_epochs):
    """Counterpart of follower.subscribe: one bcast, one scatter."""
    header = {"epochs": n_epochs, "span": 40.0, "period": 7.3, "columns": ("name", "mag")}
    comm.bcast(header, root=ROOT)

    times = np.linspace(0.0, header["span"], n_epochs)
    chunks = [[] for _ in range(comm.size)]
    for k, item in enumerate(_catalogue(n_stars, times, header["period"])):
        chunks[k % comm.size].append(item)
    mine = comm.scatter(chunks, root=ROOT)
    return header, mine


def collect(comm, own):
    """Counterpart of follower.report: gather the rows and the load figures."""
    rows = comm.gather(own, root=ROOT)
    loads = comm.gather(len(own), root=ROOT)
    assert [len(r) for r in rows] == loads
    assert max(loads) - min(loads) <= 1
    return {name: (amp, off) for part in rows for name, amp, off in part}
