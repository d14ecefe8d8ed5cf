"""Console and CSV logging."""
import csv

import dist


class Tracker:
    def __init__(self, path):
        self.path = path
        self.best = 0.0
        self._open()

    @dist.rank_zero_only
    def _open(self):
        with open(self.path, "w", newline="") as f:
            csv.writer(f).writerow(["round", "acc", "miou"])

    @dist.rank_zero_only
    def info(self, text):
        print(text, flush=True)

    @dist.rank_zero_only
    def log_round(self, number, scores):
        self.best = max(self.best, scores["miou"])
        with open(self.path, "a", newline="") as f:
            csv.writer(f).writerow([number, scores["acc"], scores["miou"]])
        self.info(f"round {number}: acc {scores['acc']:.4f}  miou {scores['miou']:.4f}")
