"""A JSON file that remembers which cases of a sweep are done."""
import json
import os


class Registry:
    def __init__(self, path, rank):
        self.path = path
        self.scratch = f"{path}.{rank}.tmp"

    def load(self):
        try:
            with open(self.path) as f:
                return json.load(f)
        except FileNotFoundError:
            return {}

    def update(self, results):
        """Add the results to those in the file; the file is replaced in one go."""
        known = self.load()
        known.update(results)
        with open(self.scratch, "w") as f:
            json.dump(known, f, indent=1)
        os.replace(self.scratch, self.path)
