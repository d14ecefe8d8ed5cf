import logging

from mpi4py import MPI

import mdlog
from chain import Chain


def main():
    comm = MPI.COMM_WORLD
    log = mdlog.setup(comm.rank)
    chain = Chain(comm, 200)
    e0 = chain.energy()
    log.info("initial energy %.8f", e0)

    for step in range(1, 501):
        chain.step(0.05)
        if step % 100 == 0:
            if log.isEnabledFor(logging.DEBUG):
                log.debug("step %d energy %.8f", step, chain.energy())

    drift = abs(chain.energy() - e0) / e0
    log.info("relative drift %.2e", drift)
    if drift > 1e-2:
        log.warning("energy not conserved")


if __name__ == "__main__":
    main()
