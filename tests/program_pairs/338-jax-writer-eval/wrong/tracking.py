"""Metrics of a run."""
import json
import time


class JsonLines:
    def __init__(self, path):
        self.path = path
        self.start = time.time()

    def write(self, step, **values):
        record = {"step": step, "seconds": round(time.time() - self.start, 2)}
        record.update({k: float(v) for k, v in values.items()})
        with open(self.path, "a") as f:
            f.write(json.dumps(record) + "\n")
        print(" ".join(f"{k} {v:.4f}" for k, v in values.items()), "at step", step, flush=True)


def make_writer(process, path):
    """Only the first process writes."""
    return JsonLines(path) if process == 0 else None
