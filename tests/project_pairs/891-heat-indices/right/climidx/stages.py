"""Stage graph: every stage names the stages whose products it reads."""
from dataclasses import dataclass
from typing import Callable, Tuple

import numpy as np

from .fields import read_band


@dataclass(frozen=True)
class Stage:
    name: str
    func: Callable
    needs: Tuple[str, ...] = ()

    def run(self, context):
        self.func(context)


def load(ctx):
    ctx["daily"] = read_band(ctx["cfg"], ctx["table"].rows)


def climatology(ctx):
    daily = ctx["daily"]
    ctx["table"].add("mean_t", daily.mean(axis=0))
    by_day = daily.reshape(-1, 365, *daily.shape[1:]).mean(axis=0)
    ctx["anomaly"] = daily - np.tile(by_day, (ctx["cfg"].years, 1, 1))


def trend(ctx):
    """Remove the global mean of the anomaly, day by day."""
    table, anomaly = ctx["table"], ctx["anomaly"]
    local = np.einsum("dij,ij->d", anomaly, table.weights)
    total = np.empty_like(local)
    ctx["comm"].Allreduce(local, total)
    weight = ctx["comm"].allreduce(table.weights.sum())
    ctx["anomaly"] = anomaly - (total / weight)[:, None, None]
    table.add("sd_anom", ctx["anomaly"].std(axis=0))


def hot_days(ctx):
    q = np.quantile(ctx["anomaly"], ctx["cfg"].hot_quantile, axis=0)
    hot = ctx["anomaly"] > q
    ctx["hot"] = hot
    ctx["table"].add("hot_level", q)


def spells(ctx):
    run = np.zeros(ctx["hot"].shape[1:])
    longest = np.zeros_like(run)
    for day in ctx["hot"]:
        run = np.where(day, run + 1, 0)
        longest = np.maximum(longest, run)
    ctx["table"].add("longest_spell", longest)


STAGES = [
    Stage("spells", spells, ("hot_days",)),
    Stage("hot_days", hot_days, ("trend",)),
    Stage("trend", trend, ("climatology",)),
    Stage("climatology", climatology, ("load",)),
    Stage("load", load),
]


def order_stages(stages):
    by_name = {s.name: s for s in stages}
    done, order = set(), []

    def visit(stage):
        if stage.name in done:
            return
        done.add(stage.name)
        for need in stage.needs:
            visit(by_name[need])
        order.append(stage)

    for stage in stages:
        visit(stage)
    return order
