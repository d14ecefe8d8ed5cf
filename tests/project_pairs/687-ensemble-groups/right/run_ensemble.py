"""Ensemble of coupled-map lattices, several ranks for each member."""
import argparse
import logging
import sys
from dataclasses import replace

from ensemble.config import EnsembleConfig
from ensemble.member import Member
from ensemble.pool import GroupPool
from ensemble.store import make_store
from ensemble.summary import summarise


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--members", type=int, default=6)
    ap.add_argument("--groups", type=int, default=2)
    ap.add_argument("--sites", type=int, default=64)
    ap.add_argument("--steps", type=int, default=40)
    ap.add_argument("--store", choices=["memory", "npy"], default="npy")
    ap.add_argument("--outdir", default="ensemble_out")
    a = ap.parse_args()
    cfg = replace(EnsembleConfig(), members=a.members, groups=a.groups, sites=a.sites,
                  steps=a.steps, store=a.store, outdir=a.outdir)

    pool = GroupPool(cfg.groups)
    cfg.validate(pool)
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if pool.world.rank == 0 else logging.WARNING)
    logging.info("%d groups, group sizes %s", pool.ngroups, pool.sizes())

    store = make_store(cfg, pool)
    for number in pool.my_members(cfg.members):
        member = Member(number, cfg, pool.group)
        member.run()
        store.put(number, member.final_state())
    store.finish()

    if pool.world.rank == 0:
        for line in summarise(store, cfg):
            print(line)
    pool.free()


if __name__ == "__main__":
    main()
