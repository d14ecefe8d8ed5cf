import numpy as np
from mpi4py import MPI

from remote import Replica


def main() -> None:
    comm = MPI.COMM_WORLD
    replica = Replica(comm, beta=1.0 / (1.0 + comm.rank))
    rng = np.random.default_rng(comm.rank)
    x = rng.standard_normal(64)
    seen = []
    for sweep in range(6):
        x += rng.normal(0.0, 0.1, x.size) - 0.05 * replica.beta * x
        replica.energy[0] = 0.5 * float(x @ x)
        offset = 1 if sweep % 2 == 0 else comm.size - 1
        partner = (comm.rank + offset) % comm.size
        seen.append(replica.partner_energy(partner))
    replica.close()
    rows = comm.gather(seen, root=0)
    if comm.rank == 0:
        print(np.array(rows).round(4).tolist())


if __name__ == "__main__":
    main()
