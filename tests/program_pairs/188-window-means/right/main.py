import csv
import math
import random

from mpi4py import MPI


def synth_signal(rank, samples):
    """Each rank holds the trace of a few sensors."""
    rng = random.Random(1000 + rank)
    traces = []
    for s in range(3):
        phase = rng.random() * math.pi
        traces.append([math.sin(0.05 * t + phase) + rng.gauss(0.0, 0.1) for t in range(samples)])
    return traces


def windows(samples, width, hop):
    start = 0
    while start + width <= samples:
        yield start, start + width
        start += hop


def window_means(comm, traces, width, hop):
    """Mean over all sensors of all ranks, window by window."""
    samples = len(traces[0])
    for lo, hi in windows(samples, width, hop):
        total = 0.0
        count = 0
        for trace in traces:
            total += sum(trace[lo:hi])
            count += hi - lo
        total = comm.allreduce(total)
        count = comm.allreduce(count)
        yield lo, hi, total / count


def write_table(path, rows):
    with open(path, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["start", "stop", "mean"])
        for lo, hi, mean in rows:
            w.writerow([lo, hi, f"{mean:.6f}"])


def main():
    comm = MPI.COMM_WORLD
    traces = synth_signal(comm.rank, samples=2000)

    means = list(window_means(comm, traces, width=200, hop=100))

    if comm.rank == 0:
        write_table("window_means.csv", means)
        print("window_means.csv written")

    peak = comm.allreduce(max(max(t) for t in traces), op=MPI.MAX)
    if comm.rank == 0:
        print(f"global peak {peak:.4f}")


if __name__ == "__main__":
    main()
