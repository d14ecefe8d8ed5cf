"""Sample sort with Alltoallv; lengths per rank differ."""
import numpy as np
from mpi4py import MPI


def sample_sort(comm, local):
    size = comm.size
    local = np.sort(local)
    if size == 1:
        return local

    # regular samples; a rank with few keys gives fewer of them
    k = min(len(local), size)
    picks = local[(np.arange(k) * len(local)) // max(k, 1)] if k else local[:0]
    samples = gather_all(comm, picks)
    samples.sort()
    if len(samples) == 0:
        return local                    # no key anywhere: same on all ranks
    pivots = samples[(np.arange(1, size) * len(samples)) // size]

    edges = np.concatenate([[0], np.searchsorted(local, pivots, side="right"), [len(local)]])
    send_counts = np.diff(edges).astype(np.intc)
    recv_counts = np.empty(size, dtype=np.intc)
    comm.Alltoall(send_counts, recv_counts)
    send_displs = edges[:-1].astype(np.intc)
    recv_displs = np.concatenate([[0], np.cumsum(recv_counts)[:-1]]).astype(np.intc)

    out = np.empty(int(recv_counts.sum()), dtype=local.dtype)
    comm.Alltoallv([local, send_counts, send_displs, MPI.INT64_T],
                   [out, recv_counts, recv_displs, MPI.INT64_T])
    out.sort(kind="stable")
    return out


def gather_all(comm, part):
    counts = np.array(comm.allgather(len(part)), dtype=np.intc)
    out = np.empty(int(counts.sum()), dtype=part.dtype)
    comm.Allgatherv(part, [out, counts])
    return out


def check_sorted(comm, block):
    """Boundaries between non-empty neighbours, by one allgather."""
    assert np.all(block[:-1] <= block[1:])
    ends = comm.allgather((int(block[0]), int(block[-1])) if len(block) else None)
    ends = [e for e in ends if e is not None]
    for (_, hi), (lo, _) in zip(ends, ends[1:]):
        assert hi <= lo


def main():
    comm = MPI.COMM_WORLD
    cases = {
        "uniform": lambda rng, r: rng.integers(0, 10**6, size=300 + 41 * r),
        "skewed": lambda rng, r: (rng.exponential(100.0, size=200) ** 2).astype(np.int64),
        "equal": lambda rng, r: np.full(50, 7),
        "one rank": lambda rng, r: rng.integers(0, 50, size=120) if r == 0 else np.empty(0),
        "empty": lambda rng, r: np.empty(0),
    }
    report = []
    for name in sorted(cases):
        make = cases[name]
        rng = np.random.default_rng(np.random.SeedSequence(8).spawn(comm.size)[comm.rank])
        local = np.asarray(make(rng, comm.rank), dtype=np.int64)
        result = sample_sort(comm, local)
        check_sorted(comm, result)
        before, after = comm.gather(local, root=0), comm.gather(result, root=0)
        if comm.rank == 0:
            ref = np.sort(np.concatenate(before))
            assert np.array_equal(np.concatenate(after), ref), name
            report.append(f"{name}:{len(ref)}")
    if comm.rank == 0:
        print("sorted " + ", ".join(report))


if __name__ == "__main__":
    main()
