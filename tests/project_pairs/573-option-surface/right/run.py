import logging
import os

from mpi4py import MPI

from desk.market import book
from desk.paths import PathEngine
from desk.pricing import Pricer
from desk.valuation import Valuation

CONFIG = {
    "trades": int(os.environ.get("DESK_TRADES", 60)),
    "paths": int(os.environ.get("DESK_PATHS", 20000)),
    "seed": 3,
}


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.ERROR,
                        format="%(name)s %(message)s")
    trades = book(CONFIG["trades"], CONFIG["seed"])
    engine = PathEngine(comm, CONFIG["paths"], seed=CONFIG["seed"])
    pricer = Pricer(comm, engine)
    valuation = Valuation(comm, pricer)
    valuation.warm_up(trades)
    total = valuation.run(trades)
    pricer.drop()
    if comm.rank == 0:
        print(f"book value {total:,.2f} for {len(trades)} trades")


if __name__ == "__main__":
    main()
