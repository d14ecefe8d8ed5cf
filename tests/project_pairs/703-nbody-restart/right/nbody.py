import argparse

from mpi4py import MPI

from bodies import State, advance, kinetic_energy
from restart import RestartFiles


def main():
    ap = argparse.ArgumentParser(description="small direct N-body integrator")
    ap.add_argument("--n", type=int, default=50)
    ap.add_argument("--steps", type=int, default=40)
    ap.add_argument("--dt", type=float, default=0.01)
    ap.add_argument("--save-every", type=int, default=10)
    ap.add_argument("--restart", default="nbody_restart")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    files = RestartFiles(comm, args.restart)

    state = files.load()
    if state is None:
        state = State.plummer_like(args.n, seed=3)
    elif comm.rank == 0:
        print(f"continuing at step {state.step}")

    for _ in range(args.steps):
        advance(comm, state, args.dt)
        if state.step % args.save_every == 0:
            files.save(state)

    ekin = kinetic_energy(comm, state)
    if comm.rank == 0:
        print(f"step {state.step}: kinetic energy {ekin:.6f}")


if __name__ == "__main__":
    main()
