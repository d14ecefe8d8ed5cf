import logging

from .plan import Planner
from .tasks import run_shard

log = logging.getLogger("flow")


class Driver:
    def __init__(self, comm):
        self.comm = comm
        self.planner = Planner(comm)
        self.totals = {}
        self.refused = []

    def _stage(self, workflow, stage):
        mine = range(self.comm.rank, stage.shards, self.comm.size)
        results = [run_shard(stage.name, shard) for shard in mine]
        reads = self.comm.allreduce(sum(r["reads"] for r in results))
        self.totals[workflow] = self.totals.get(workflow, 0) + reads
        if self.comm.rank == 0:
            log.info("%s/%s: %d shards, %d reads", workflow, stage.name, stage.shards, reads)

    def run(self, raw):
        plan = self.planner.plan(raw)
        if plan is None:
            self.refused.append(raw["name"])
            return
        for stage in plan:
            self._stage(raw["name"], stage)
