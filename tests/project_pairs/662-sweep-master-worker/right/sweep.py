"""Parameter sweep for a damped driven pendulum, one master and some workers.

    mpirun -n 4 python sweep.py --drive 1.0 1.2 --nu 3
"""
import argparse

import numpy as np
from mpi4py import MPI

WORK, DONE, STOP = 11, 12, 13


def simulate(params):
    drive, q = params["drive"], params["q"]
    dt, w = 0.02, 2.0 / 3.0
    theta, omega, t = 0.2, 0.0, 0.0
    peak = 0.0
    for _ in range(2000):
        acc = -np.sin(theta) - omega / q + drive * np.cos(w * t)
        omega += dt * acc
        theta += dt * omega
        t += dt
        peak = max(peak, abs(omega))
    return {"drive": drive, "q": q, "peak": peak, "theta": theta}


def build_jobs(opts):
    qs = np.linspace(1.5, 2.5, opts.nu)
    return [{"drive": float(d), "q": float(q)} for d in opts.drive for q in qs]


def master(comm, jobs):
    status = MPI.Status()
    results = [None] * len(jobs)
    nworkers = comm.Get_size() - 1
    next_job = 0
    active = 0

    # hand out the first round
    for w in range(1, nworkers + 1):
        if next_job < len(jobs):
            comm.send((next_job, jobs[next_job]), dest=w, tag=WORK)
            next_job += 1
            active += 1
        else:
            comm.send(None, dest=w, tag=STOP)

    # whoever reports back gets the next one
    while active:
        idx, res = comm.recv(source=MPI.ANY_SOURCE, tag=DONE, status=status)
        results[idx] = res
        w = status.Get_source()
        if next_job < len(jobs):
            comm.send((next_job, jobs[next_job]), dest=w, tag=WORK)
            next_job += 1
        else:
            comm.send(None, dest=w, tag=STOP)
            active -= 1
    return results


def worker(comm):
    status = MPI.Status()
    n = 0
    while True:
        msg = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            return n
        idx, params = msg
        comm.send((idx, simulate(params)), dest=0, tag=DONE)
        n += 1


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--drive", type=float, nargs="+", default=[0.9, 1.15])
    ap.add_argument("--nu", type=int, default=1, help="number of q values")
    opts = ap.parse_args()

    comm = MPI.COMM_WORLD
    if comm.Get_size() == 1:
        results = [simulate(p) for p in build_jobs(opts)]
    elif comm.Get_rank() == 0:
        results = master(comm, build_jobs(opts))
    else:
        worker(comm)
        results = None

    if comm.Get_rank() == 0:
        for r in results:
            print(f"drive={r['drive']:.3f} q={r['q']:.3f} "
                  f"peak={r['peak']:.4f} theta={r['theta']:+.4f}")


if __name__ == "__main__":
    main()
