from mpi4py import MPI

from models import Atmosphere, Ice, Ocean

ATMOSPHERE, OCEAN, ICE = 0, 1, 2


def main() -> None:
    comm = MPI.COMM_WORLD
    if comm.size < 3:
        raise SystemExit("the coupled run needs three ranks")
    if comm.rank == ATMOSPHERE:
        model = Atmosphere()
    elif comm.rank == OCEAN:
        model = Ocean()
    elif comm.rank == ICE:
        model = Ice()
    else:
        model = None

    for month in range(12):
        if comm.rank == ATMOSPHERE:
            albedo = comm.recv(source=ICE, tag=month)
            comm.send(model.step(albedo), dest=OCEAN, tag=month)
        elif comm.rank == OCEAN:
            wind = comm.recv(source=ATMOSPHERE, tag=month)
            comm.send(model.step(wind), dest=ICE, tag=month)
        elif comm.rank == ICE:
            heat = comm.recv(source=OCEAN, tag=month)
            comm.send(model.step(heat), dest=ATMOSPHERE, tag=month)

    state = comm.gather(model.state() if model else None, root=0)
    if comm.rank == 0:
        print([f"{s:.4f}" for s in state if s is not None])


if __name__ == "__main__":
    main()
