"""Workflow description: stages with their needs and number of shards."""
from dataclasses import dataclass, field

QUEUE = [
    {"name": "assembly",
     "stages": {
         "trim": {"shards": 7, "needs": []},
         "align": {"shards": 9, "needs": ["trim"]},
         "summary": {"shards": 2, "needs": ["align"]},
     }},
    {"name": "coverage",
     "stages": {
         "depth": {"shards": 4, "needs": ["reference"]},
         "windows": {"shards": 5, "needs": ["depth"]},
     }},
    {"name": "kmers",
     "stages": {
         "count": {"shards": 6, "needs": []},
         "spectrum": {"shards": 3, "needs": ["count"]},
     }},
]


class SpecError(ValueError):
    pass


@dataclass
class Stage:
    name: str
    shards: int
    needs: list = field(default_factory=list)


def parse(raw):
    stages = {}
    for name, body in raw["stages"].items():
        if body.get("shards", 0) < 1:
            raise SpecError(f"stage {name} has no shards")
        stages[name] = Stage(name, int(body["shards"]), list(body["needs"]))
    return stages


def ordered(stages):
    """Stages in the order of their needs."""
    done, rest = [], dict(stages)
    while rest:
        ready = [s for s in rest.values() if all(n in done for n in s.needs)]
        if not ready:
            raise SpecError("needs cannot be met: " + ", ".join(sorted(rest)))
        for stage in ready:
            done.append(stage.name)
            yield rest.pop(stage.name)
