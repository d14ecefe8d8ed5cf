"""Non-root side of the survey protocol (see coordinator.py)."""

ROOT = 0


def subscribe(comm):
    header = comm.bcast(None, root=ROOT)
    if header["columns"] != ("name", "mag"):
        # the header is the same everywhere; a bad one is a programming error
        comm.Abort(3)
    stars = comm.scatter(None, root=ROOT)
    return header, stars


def report(comm, results):
    comm.gather(results, root=ROOT)
    comm.gather(len(results), root=ROOT)
