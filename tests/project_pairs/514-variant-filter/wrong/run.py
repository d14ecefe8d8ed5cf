import argparse
import logging
import sys
from collections import Counter

from mpi4py import MPI

from vcf import FilterChain, RunContext, VariantSource, allele_balance, depth, quality


def transitions(records):
    pairs = {("A", "G"), ("G", "A"), ("C", "T"), ("T", "C")}
    return sum((r["ref"], r["alt"]) in pairs for r in records)


def summarise(per_contig, failed):
    lines = []
    for name in sorted(per_contig):
        kept, seen, ts = per_contig[name]
        lines.append(f"{name:>5s}  {kept:4d} of {seen:4d} kept, ts {ts}")
    lines.append("rejected: " + ", ".join(f"{k}={v}" for k, v in sorted(failed.items())))
    return "\n".join(lines)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--samples", type=int, default=8)
    ap.add_argument("--seed", type=int, default=31)
    ap.add_argument("--min-qual", type=float, default=20.0)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(name)s: %(message)s")
    source = VariantSource(args.samples, args.seed)
    context = RunContext(comm, source).load()
    chain = (FilterChain(context)
             .use("quality", quality, minimum=args.min_qual)
             .use("depth", depth)
             .use("balance", allele_balance))

    per_contig = {}
    for name, length in context.contigs_of(comm.rank):
        seen = list(source.records(name, length))
        kept = [r for r in seen if chain.accepts(r)]
        per_contig[name] = (len(kept), len(seen), transitions(kept))

    parts = comm.gather((per_contig, chain.failed), root=0)
    if comm.rank == 0:
        merged, failed = {}, Counter()
        for table, counter in parts:
            merged.update(table)
            failed.update(counter)
        print(summarise(merged, failed))


if __name__ == "__main__":
    main()
