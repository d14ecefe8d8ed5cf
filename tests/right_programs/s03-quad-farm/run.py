from math import atan, isclose

from mpi4py import MPI

from farm import alone, manage, work
from messages import Job
from quad import FUNCTIONS


def main():
    comm = MPI.COMM_WORLD
    jobs = [Job(k, 0.0, 1.0) for k in range(len(FUNCTIONS))]
    done, totals = 0, None
    if comm.size == 1:
        totals = alone(jobs).totals()
    elif comm.rank == 0:
        ledger = manage(comm, jobs)
        totals, done = ledger.totals(), -sum(map(len, ledger.values()))
    else:
        done = work(comm)

    totals = comm.bcast(totals, root=0)
    rejected = comm.allreduce(done)
    assert rejected >= 0
    assert totals == alone(jobs).totals()
    exact = 10.0 * (atan(6.0) + atan(4.0))
    assert isclose(totals[3], exact, abs_tol=1e-7)
    assert isclose(totals[0], 0.7468241328124271, abs_tol=1e-9)
    if comm.rank == 0:
        print(" ".join(f"I{k}={v:.8f}" for k, v in totals.items()))


if __name__ == "__main__":
    main()
