from dataclasses import dataclass, field

from mpi4py import MPI

OUTPUT_RANK = 0


@dataclass
class Tracer:
    comm: MPI.Comm
    hits: list = field(default_factory=list)

    def trace(self, photons: int) -> None:
        angle = 0.37 * (self.comm.rank + 1)
        for _ in range(photons):
            angle = (angle * 1.7 + 0.11) % 3.1
            if angle < 1.0:
                self.hits.append(round(angle, 6))

    def report(self) -> None:
        counts = self.comm.gather(len(self.hits), root=OUTPUT_RANK)
        first = self.comm.reduce(min(self.hits), op=MPI.MIN, root=OUTPUT_RANK)
        if self.comm.rank == OUTPUT_RANK:
            print("hits per rank", counts)
            print("smallest angle", first)


tracer = Tracer(MPI.COMM_WORLD)
tracer.trace(400)
tracer.report()
