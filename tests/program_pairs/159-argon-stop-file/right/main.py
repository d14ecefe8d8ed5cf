import argparse

from mpi4py import MPI

from md import Argon, stop_requested


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--every", type=int, default=100)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    system = Argon(comm)
    start = system.energy()
    done = 0
    for step in range(1, args.steps + 1):
        system.step()
        done = step
        if comm.rank == 0 and step % args.every == 0:
            print(f"{step:6d} {system.energy():12.5f}", flush=True)
        if stop_requested(comm):
            break
    if comm.rank == 0:
        print(f"{'finished' if done == args.steps else 'stopped'} after {done} steps, "
              f"relative energy drift {abs(system.energy() / start - 1) < 0.05}")


if __name__ == "__main__":
    main()
