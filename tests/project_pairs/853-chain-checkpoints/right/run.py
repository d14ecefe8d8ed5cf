"""Run the chain in two legs, as two jobs of a batch queue would."""
import shutil
import tempfile
from pathlib import Path

from mpi4py import MPI

from chainmd.config import RunConfig
from chainmd.simulation import Simulation


def leg(comm, cfg, until):
    simulation = Simulation(comm, cfg)
    if simulation.resume() and comm.rank == 0:
        print(f"resumed at step {simulation.step}", flush=True)
    simulation.run(until)
    return simulation


def main():
    comm = MPI.COMM_WORLD
    work = tempfile.mkdtemp("-chainmd") if comm.rank == 0 else None
    cfg = RunConfig(workdir=Path(comm.bcast(work, root=0)))

    leg(comm, cfg, until=50)            # the first job hits its time limit
    final = leg(comm, cfg, until=cfg.n_steps)
    energy = final.chain.energy()
    weight = final.spectrum_weight()
    if comm.rank == 0:
        print(f"step {final.step}: energy {energy:.6f}, "
              f"tracked displacement {weight:.6f}")
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(cfg.workdir)


if __name__ == "__main__":
    main()
