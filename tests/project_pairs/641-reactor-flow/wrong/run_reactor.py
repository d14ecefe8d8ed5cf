from mpi4py import MPI
import numpy as np

from reactor import Domain, ReactorConfig, ReactorSolver


def main():
    comm = MPI.COMM_WORLD
    cfg = ReactorConfig.from_cli()
    dom = Domain(cfg.cells, comm)
    solver = ReactorSolver(cfg, dom)

    if comm.rank == 0:
        print(f"reactor: {cfg.cells} cells on {comm.size} ranks, dt = {cfg.dt:.3e}")

    residual = solver.march()
    conv = solver.conversion()
    profile = dom.collect(solver.c)

    if profile is not None:
        x = (np.arange(cfg.cells) + 0.5) * cfg.dx
        np.savetxt("profile.dat", np.column_stack([x, profile]), header="x c")
        print(f"done after {solver.iterations} iterations "
              f"({solver.elapsed:.2f} s), residual {residual:.2e}")
        print(f"conversion at outlet: {100 * conv:.2f} %")


if __name__ == "__main__":
    main()
