import json
from types import SimpleNamespace

import numpy as np
from mpi4py import MPI

import diagnostics  # noqa: F401  (fills the catalogue)
from registry import DiagnosticMeta, resolve

PLAN = """[
  {"field": "density", "want": ["outliers", "histogram"]},
  {"field": "flat", "want": ["variance", "outliers"]},
  {"field": "short", "want": ["range", "count", "histogram"]}
]"""


def make(name):
    rng = np.random.default_rng(sum(map(ord, name)))
    return {"density": lambda: rng.gamma(2.0, 1.5, 333), "flat": lambda: np.ones(40),
            "short": lambda: rng.normal(size=2)}[name]()


def read_plan(comm):
    plan = None
    if comm.rank == 0:
        plan = [(p["field"], set(p["want"])) for p in json.loads(PLAN)]
    return comm.bcast(plan, root=0)


def dealt(comm, whole):
    """The root deals the field out in blocks of nearly equal length."""
    counts = None
    if comm.rank == 0:
        counts = [len(part) for part in np.array_split(whole, comm.size)]
    mine = np.empty(comm.scatter(counts, root=0))
    comm.Scatterv([whole, counts] if comm.rank == 0 else None, mine, root=0)
    return mine


def evaluate(comm, field, labels):
    known = {}
    for cls in resolve(labels):
        known[cls.label] = cls(comm)(field, known)
    return SimpleNamespace(**known)


def main():
    comm = MPI.COMM_WORLD
    for name, labels in read_plan(comm):
        assert labels <= DiagnosticMeta.catalogue.keys()
        whole = make(name)
        got = evaluate(comm, dealt(comm, whole), labels)
        ref = evaluate(MPI.COMM_SELF, whole, labels)
        for label in sorted(vars(ref)):
            mine, theirs = vars(got)[label], vars(ref)[label]
            assert np.allclose(mine, theirs), (name, label)
        if comm.rank == 0:
            print(name, {k: np.round(v, 6).tolist() for k, v in sorted(vars(got).items())
                         if k != "outliers"}, len(getattr(got, "outliers", ())))


if __name__ == "__main__":
    main()
