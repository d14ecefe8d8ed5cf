"""Sessions from a click log: every rank parses its files, rank 0 collects the feature table."""
import sys

from mpi4py import MPI

from clicklog.collect import TableCollector
from clicklog.context import RunContext
from clicklog.features import session_features
from clicklog.source import ClickSource


def check(table, sessions):
    """Plausibility of the collected table."""
    problems = []
    if len(table) != sessions:
        problems.append(f"{len(table)} rows for {sessions} sessions")
    if (table["clicks"] < 1).any():
        problems.append("sessions without a click")
    if len(set(table["session"].tolist())) != len(table):
        problems.append("session ids repeat")
    return problems


def main():
    ctx = RunContext(MPI.COMM_WORLD)
    source = ClickSource(files=10, seed=4)
    rows = [session_features(s) for f in ctx.mine(source.names()) for s in source.sessions(f)]
    total = ctx.comm.allreduce(len(rows))

    table = TableCollector(ctx.comm).collect(rows)
    if not ctx.main:
        return 0
    problems = check(table, total)
    for p in problems:
        ctx.say("bad table:", p)
    ctx.say(f"{len(table)} sessions, mean clicks {table['clicks'].mean():.2f}, "
            f"mean dwell {table['dwell'].mean():.1f}s")
    return 3 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
