"""Grid search with the MPI executor:  mpirun -n 4 python main.py"""
import itertools
import time

from mpi4py import MPI
from mpi4py.futures import MPICommExecutor

from svm import cross_validate

LAMBDAS = (1e-4, 1e-3, 1e-2, 1e-1)
EPOCHS = (1, 3)


def search(executor):
    grid = list(itertools.product(LAMBDAS, EPOCHS))
    scores = executor.map(cross_validate, grid)
    return dict(zip(grid, scores))


def print_table(results):
    print("lambda    " + "".join(f"{e:>4d} epochs" for e in EPOCHS))
    for lam in LAMBDAS:
        print(f"{lam:<10g}" + "".join(f"{results[lam, e]:11.4f}" for e in EPOCHS))
    best = max(results, key=results.get)
    print(f"best: lambda {best[0]:g} with {best[1]} epochs")


def main():
    comm = MPI.COMM_WORLD
    begin = time.perf_counter()
    with MPICommExecutor(comm, root=0) as executor:
        if executor is not None:
            results = search(executor)
    print_table(results)
    print(f"{len(results)} settings in less than a minute: {time.perf_counter() - begin < 60}")


if __name__ == "__main__":
    main()
