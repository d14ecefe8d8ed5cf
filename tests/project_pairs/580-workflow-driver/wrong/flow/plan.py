import logging

from . import spec

log = logging.getLogger("flow.plan")


class Planner:
    """Rank 0 reads and orders the workflow, the others receive the plan."""

    def __init__(self, comm):
        self.comm = comm

    def _build(self, raw):
        stages = spec.parse(raw)
        plan = list(spec.ordered(stages))
        log.info("plan: %s", " > ".join(s.name for s in plan))
        return plan

    def plan(self, raw):
        plan = None
        if self.comm.rank == 0:
            try:
                plan = self._build(raw)
            except spec.SpecError as err:
                log.error("workflow %s refused: %s", raw.get("name"), err)
                return None
        return self.comm.bcast(plan, root=0)
