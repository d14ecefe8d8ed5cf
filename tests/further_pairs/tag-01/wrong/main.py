import numpy as np
from mpi4py import MPI

TAG_HEADER = 10
TAG_BODY = 11
TAG_FOOTER = 12


class Channel:
    def __init__(self, comm, peer):
        self.comm = comm
        self.peer = peer

    def put(self, name, values):
        self.comm.send({"name": name, "n": values.size}, dest=self.peer, tag=TAG_HEADER)
        self.comm.Send(values, dest=self.peer, tag=TAG_BODY)

    def get(self):
        header = self.comm.recv(source=self.peer, tag=TAG_HEADER)
        values = np.empty(header["n"])
        self.comm.Recv(values, source=self.peer, tag=TAG_FOOTER)
        return header["name"], values


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("needs two ranks")
    if comm.rank == 0:
        channel = Channel(comm, peer=1)
        channel.put("pressure", np.linspace(1.0, 2.0, 30))
        channel.put("temperature", np.full(20, 290.0))
    elif comm.rank == 1:
        channel = Channel(comm, peer=0)
        for _ in range(2):
            name, values = channel.get()
            print(f"{name}: mean {values.mean():.3f}")


if __name__ == "__main__":
    main()
