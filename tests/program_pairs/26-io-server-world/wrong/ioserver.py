from mpi4py import MPI


class IOServer:
    def __init__(self, world, clients):
        self.world = world
        self.open_clients = clients
        self.rows = {}

    def serve(self):
        while self.open_clients:
            kind, sweep, m = self.world.recv(source=MPI.ANY_SOURCE, tag=9)
            if kind == "end":
                self.open_clients -= 1
            else:
                self.rows.setdefault(sweep, m)
        for sweep in sorted(self.rows):
            print(f"sweep {sweep:3d}  <|m|> = {self.rows[sweep]:.4f}")
