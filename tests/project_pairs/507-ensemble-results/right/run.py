import json
import logging
import sys

from mpi4py import MPI

from results import ResultTable
from study import Study

CONFIG = """
{
  "grid": {"alpha": [0.6, 1.4, 5], "beta": [0.8, 1.2, 4]},
  "time": {"end": 12.0, "dt": 0.01},
  "output": {"table": "out/study.csv"}
}
"""


def best(table, key):
    return max(table.rows, key=lambda r: r[key])


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, level=logging.INFO,
                        format="%(name)s: %(message)s")
    config = json.loads(open(sys.argv[1]).read() if len(sys.argv) > 1 else CONFIG)
    study = Study(comm, config)
    study.run()

    if comm.rank == 0:
        table = ResultTable.read(config["output"]["table"])
        top = best(table, "prey_max")
        print(f"{len(table)} members in {config['output']['table']}")
        print(f"largest prey peak {top['prey_max']:.4f} for "
              f"alpha={top['alpha']:.2f} beta={top['beta']:.2f}")


if __name__ == "__main__":
    main()
