"""Track a spot through a film: reader -> background filters -> tracker, one process each."""
import argparse

import numpy as np
from mpi4py import MPI

from frames import DamagedFrame, read_frame


def reader(comm, count):
    for number in range(count):
        try:
            frame = read_frame(number)
        except DamagedFrame as problem:
            print("skipped:", problem, flush=True)
            comm.send((number, None), dest=1)
            continue
        comm.send((number, frame), dest=1)


def smooth(frame, width):
    kernel = np.ones(width) / width
    rows = np.apply_along_axis(np.convolve, 1, frame, kernel, mode="same")
    return np.apply_along_axis(np.convolve, 0, rows, kernel, mode="same")


def filter_stage(comm, count):
    for _ in range(count):
        number, frame = comm.recv(source=comm.rank - 1)
        if frame is not None:
            frame = np.maximum(smooth(frame, 3) - np.median(frame), 0)
        comm.send((number, frame), dest=comm.rank + 1)


def tracker(comm, count):
    track = {}
    for _ in range(count):
        number, frame = comm.recv(source=comm.rank - 1)
        if frame is not None:
            y, x = np.unravel_index(np.argmax(frame), frame.shape)
            track[number] = (int(y), int(x))
    return track


def velocity(track):
    n = np.array(sorted(track))
    y, x = np.array([track[k] for k in n]).T
    return np.polyfit(n, y, 1)[0], np.polyfit(n, x, 1)[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=25)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("needs a reader and a tracker")
    if comm.rank == 0:
        reader(comm, args.frames)
    elif comm.rank < comm.size - 1:
        filter_stage(comm, args.frames)
    else:
        track = tracker(comm, args.frames)
        vy, vx = velocity(track)
        print(f"{len(track)} frames, velocity {vy:.3f} {vx:.3f} pixels per frame")


if __name__ == "__main__":
    main()
