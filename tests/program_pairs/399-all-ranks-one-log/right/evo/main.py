import argparse

from mpi4py import MPI

from evo.island import Island
from evo.recorder import Recorder


class Experiment:
    def __init__(self, args, world=MPI.COMM_WORLD):
        self.args = args
        self.world = world
        self.master = world.rank == 0
        self.island = Island(world, args.dim, args.pop, args.seed)
        self.rec = Recorder(args.outdir, "history", active=self.master and not args.no_log)

    def statistics(self):
        best = self.world.allreduce(self.island.best(), op=MPI.MIN)
        mean = self.world.allreduce(float(self.island.fit.mean())) / self.world.size
        return best, mean

    def run(self):
        sigma = self.args.sigma
        for g in range(self.args.generations):
            self.island.evolve(sigma)
            if g % self.args.migrate_every == 0:
                self.island.migrate()
            sigma *= 0.995
            best, mean = self.statistics()
            self.rec.write(generation=g, best=best, mean=mean, sigma=sigma,
                           rank=self.world.rank)
        self.rec.close()
        return best


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--dim", type=int, default=6)
    p.add_argument("--pop", type=int, default=40)
    p.add_argument("--sigma", type=float, default=0.5)
    p.add_argument("--generations", type=int, default=200)
    p.add_argument("--migrate-every", type=int, default=5)
    p.add_argument("--seed", type=int, default=12)
    p.add_argument("--outdir", default="runs")
    p.add_argument("--no-log", action="store_true")
    args = p.parse_args()
    if args.no_log and MPI.COMM_WORLD.rank == 0:
        print("note: running without a history file")
    exp = Experiment(args)
    best = exp.run()
    if exp.master and not args.no_log:
        with open(exp.rec.path) as fh:
            n = sum(1 for _ in fh)
        print(f"best fitness {best:.5f}, {n} generations recorded")


if __name__ == "__main__":
    main()
