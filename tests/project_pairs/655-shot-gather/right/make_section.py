import argparse
import time

from mpi4py import MPI

from sectionio import SectionFile
from survey import Survey


def main():
    ap = argparse.ArgumentParser(description="zero-offset section of a layered model")
    ap.add_argument("--shots", type=int, default=14)
    ap.add_argument("--samples", type=int, default=240)
    ap.add_argument("--file", default="section.h5")
    ns = ap.parse_args()

    comm = MPI.COMM_WORLD
    survey = Survey(comm, nshots=ns.shots, nt=ns.samples)

    start = time.time()
    traces = survey.simulate()
    wall = comm.reduce(time.time() - start, op=MPI.MAX, root=0)
    rms = survey.rms(traces)
    section = survey.gather(traces)

    if comm.rank == 0:
        out = SectionFile(ns.file)
        out.write(section, survey.positions, survey.dt)
        print(f"{ns.shots} shots on {comm.size} ranks in {wall:.2f} s")
        print(f"rms amplitude {rms:.6f}, in file {out.rms():.6f}")


if __name__ == "__main__":
    main()
