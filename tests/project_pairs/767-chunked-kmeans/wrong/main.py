import argparse

from mpi4py import MPI

from chunks import block_of, chunk_reader, make_collection
from kmeans import accumulate, lloyd, reducer, seed_centres


def progress(comm, every=1):
    def on_iteration(it, cost, shift):
        if comm.rank == 0 and it % every == 0:
            print(f"iter {it:3d}  inertia {cost:12.2f}  shift {shift:.5f}", flush=True)

    return on_iteration


def run(comm, args):
    data = make_collection(args.samples, args.features, args.clusters, args.seed)
    start, stop = block_of(len(data), comm.rank, comm.size)
    one_pass = chunk_reader(data, start, stop, args.chunk)

    centres = seed_centres(comm, data, args.clusters, args.seed)
    centres = lloyd(comm, one_pass, centres, args.max_iter, args.tol, progress(comm))
    _, _, inertia = accumulate(one_pass, centres)
    return float(reducer(comm)(inertia))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=3000)
    parser.add_argument("--features", type=int, default=4)
    parser.add_argument("--clusters", type=int, default=6)
    parser.add_argument("--chunk", type=int, default=256)
    parser.add_argument("--max-iter", type=int, default=20)
    parser.add_argument("--tol", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=2)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    final = run(comm, args)
    if comm.rank == 0:
        print(f"final inertia {final:.2f}")
