from mpi4py import MPI

from slabmc.driver import Batches, Campaign
from slabmc.geometry import reference_slab
from slabmc.tally import SharedTally


def main():
    comm = MPI.COMM_WORLD
    slab = reference_slab()
    batches = Batches(slab, per_layer=4, histories=250)
    tally = SharedTally(len(slab), comm)
    bins = Campaign(slab, batches, tally, seed=8).run(comm)
    if comm.rank == 0:
        for layer, absorbed in zip(slab.layers, bins):
            print(f"absorbed in {layer.name:10s} {absorbed:8.0f}")
        print(f"leakage left {bins[-3]:.0f}, right {bins[-2]:.0f}")
        print(f"collisions per history {bins[-1] / batches.total:.4f}")
        print(f"histories balanced: {bins[:-1].sum():.0f} of {batches.total}")
    tally.free()


if __name__ == "__main__":
    main()
