from functools import partial

import numpy as np
from mpi4py import MPI

from cosched import Scheduler
from tasks import mix, relay, share, tree_sum


def rows_of(rank):
    return np.arange(2.0 * (rank % 3)).reshape(-1, 2) + 10 * rank


def words_of(rank):
    return {"all": 1, f"mod{rank % 2}": rank, f"only{rank}": 2 * rank}


def main():
    comm = MPI.COMM_WORLD
    rounds = (comm.size - 1).bit_length()
    jobs = {
        "share": partial(share, rows=rows_of(comm.rank)),
        "relay": partial(relay, value=(comm.rank * 7) % 5),
        "tree": partial(tree_sum, values=words_of(comm.rank)),
        "mix": partial(mix, x=float(comm.rank), rounds=rounds),
    }
    scheduler = Scheduler()
    for name in jobs if comm.rank % 2 == 0 else reversed(jobs):
        scheduler.spawn(name, jobs[name](comm))
    results = scheduler.run()

    assert results.keys() == jobs.keys()
    assert results["relay"] == max((r * 7) % 5 for r in range(comm.size))
    assert np.array_equal(results["share"], np.concatenate([rows_of(r) for r in range(comm.size)]))
    if comm.size in (1, 2, 4):
        assert results["mix"] == (comm.size - 1) / 2
    mixed = comm.gather(results["mix"], root=0)
    if comm.rank == 0:
        assert results["tree"]["all"] == comm.size
        odd = sum(range(1, comm.size, 2))
        assert results["tree"].get("mod1", 0) == odd
        print(sorted(results["tree"].items()), mixed, results["relay"], len(results["share"]))
    else:
        assert results["tree"] is None


if __name__ == "__main__":
    main()
