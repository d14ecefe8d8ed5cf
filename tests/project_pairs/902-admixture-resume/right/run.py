"""Ancestry fractions by EM, with the markers spread over the ranks.

A run is done in sessions, as on a cluster with a time limit; each session goes on
from the last checkpoint of the one before.
"""
import argparse
import shutil
from pathlib import Path

from mpi4py import MPI

from admix.checkpoint import CheckpointStore
from admix.genotypes import simulate_markers
from admix.model import AdmixtureModel
from admix.session import Session


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--individuals", type=int, default=60)
    ap.add_argument("--markers", type=int, default=900)
    ap.add_argument("--iterations", type=int, default=40)
    ap.add_argument("--session-length", type=int, default=15)
    ap.add_argument("--workdir", type=Path, default=Path("admix_state"))
    ap.add_argument("--fresh", action=argparse.BooleanOptionalAction, default=True)
    return ap.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    if comm.rank == 0 and args.fresh:
        shutil.rmtree(args.workdir, ignore_errors=True)
    comm.Barrier()

    data = simulate_markers(args.individuals, args.markers, comm.rank, comm.size)
    finished = False
    while not finished:
        model = AdmixtureModel(comm, data, ancestries=3)
        session = Session(comm, model, CheckpointStore(args.workdir))
        session.restore()
        finished = session.advance(args.iterations, args.session_length)

    error = model.assignment_error(data.truth)
    if comm.rank == 0:
        print(f"iterations {session.step}, log likelihood {model.loglik:.4f}, error {error:.4f}")


if __name__ == "__main__":
    main()
