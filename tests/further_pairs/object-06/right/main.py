import numpy as np
from mpi4py import MPI

from observables import Acceptance, Magnetisation, Observable


def sweep(spins: np.ndarray, rng: np.random.Generator, acceptance: Acceptance) -> None:
    for k in range(spins.size):
        field = spins[k - 1] + spins[(k + 1) % spins.size] + 0.2
        acceptance.tried += 1
        if rng.random() < np.exp(-2.0 * 0.8 * spins[k] * field):
            spins[k] = -spins[k]
            acceptance.accepted += 1


def main() -> None:
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(comm.rank)
    spins = rng.choice((-1, 1), size=64)
    acceptance = Acceptance()
    observables: list[Observable] = [acceptance, Magnetisation(comm)]
    for step in range(20):
        sweep(spins, rng, acceptance)
        if step % 5 == 4:
            values = {o.name: round(o.value(spins), 4) for o in observables}
            if comm.rank == 0:
                print(step, values)


if __name__ == "__main__":
    main()
