import sys

import numpy as np
from mpi4py import MPI

from chord import Chord
from halo import Halo


def play(comm, points, steps):
    chord = Chord(comm, points)
    with Halo(comm, chord.now) as halo:
        for _ in range(steps):
            halo.update()
            chord.leap()
    return chord.shape()


def main(points=48, steps=100):
    comm = MPI.COMM_WORLD
    if comm.size > points // 4:
        sys.exit("too many ranks for this string")
    parts = comm.gather(play(comm, points, steps), root=0)
    if comm.rank == 0:
        u = np.concatenate(parts)
        print(f"max {u.max():.6f}  min {u.min():.6f}  norm {np.linalg.norm(u):.6f}")


if __name__ == "__main__":
    main()
