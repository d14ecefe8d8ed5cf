"""Static round robin of a parameter sweep."""

from mpi4py import MPI

SWEEP = [(0.1 * k, 1.0 + 0.2 * k) for k in range(7)]


def oscillator(damping, frequency, steps=500, dt=0.01):
    x, v = 1.0, 0.0
    for _ in range(steps):
        v += dt * (-(frequency**2) * x - damping * v)
        x += dt * v
    return x


def main():
    comm = MPI.COMM_WORLD
    workers = comm.size - 1
    if workers < 1:
        raise SystemExit("no workers")

    done = []
    if comm.rank == 0:
        for number, params in enumerate(SWEEP):
            comm.send(params, dest=1 + number % workers, tag=number)
    else:
        first = comm.rank - 1
        for number in range(first, len(SWEEP), workers):
            params = comm.recv(source=0, tag=number)
            done.append((number, oscillator(*params)))

    gathered = comm.gather(done, root=0)
    if comm.rank == 0:
        for number, x in sorted(item for part in gathered for item in part):
            print(f"task {number}: x = {x:.5f}")


main()
