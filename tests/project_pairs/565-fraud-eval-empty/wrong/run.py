"""Fraud scores: train on all transactions, then evaluate the segments one by one."""
import sys

from fraud import job
from fraud.evaluate import SegmentEvaluator
from fraud.train import fit
from fraud.transactions import SEGMENTS, load


def main():
    settings = job.settings()
    job.start(settings)
    shard = load(settings, job.index())
    job.say(f"{job.count()} processes, {len(shard)} transactions here")

    weights = fit(shard, settings)
    evaluator = SegmentEvaluator(weights)
    for segment in SEGMENTS:
        report = evaluator.report(segment, shard.only(segment))
        if report is not None:
            job.say(report)
    overall = evaluator.report("overall", shard)
    job.say(overall)
    return 0


if __name__ == "__main__":
    sys.exit(main())
