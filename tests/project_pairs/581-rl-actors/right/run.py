import logging

from mpi4py import MPI

from rl.actor import Actor
from rl.learner import Learner

CONFIG = {
    "side": 6, "gamma": 0.95, "rate": 0.2, "epsilon": 0.2,
    "episodes": 600, "report": 150, "seed": 17,
}


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    if comm.size < 2:
        raise SystemExit("needs a learner and at least one actor")
    if comm.rank == 0:
        table = Learner(comm, CONFIG).run()
        episodes = comm.gather(0, root=0)
        print("value at start %.3f, episodes per actor %s" % (table[0].max(), episodes[1:]))
    else:
        comm.gather(Actor(comm, CONFIG).serve(), root=0)


if __name__ == "__main__":
    main()
