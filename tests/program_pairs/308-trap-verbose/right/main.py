"""Relax a cloud of ions and watch its energy."""
from mpi4py import MPI

from settings import read_settings
from trap import IonCloud


def simulate(cloud, settings):
    for step in range(1, settings.steps + 1):
        cloud.leapfrog(settings.dt)
        if step % settings.report_every == 0:
            energy = cloud.energy()
            if settings.verbose:
                print(f"step {step:5d}  energy {energy:.6f}", flush=True)


def main():
    comm = MPI.COMM_WORLD
    settings = read_settings(comm)
    cloud = IonCloud(comm, settings.ions)
    start = cloud.energy()
    simulate(cloud, settings)
    drift = abs(cloud.energy() - start) / abs(start)
    if settings.verbose:
        print(f"relative drift {drift:.2e}")


if __name__ == "__main__":
    main()
