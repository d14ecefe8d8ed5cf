import json
import os


class Recorder:
    """Writes one json line per generation."""

    def __init__(self, directory, name, active):
        self.active = active
        self.path = os.path.join(directory, name + ".jsonl")
        if self.active:
            os.makedirs(directory, exist_ok=True)
            self._fh = open(self.path, "w")
        else:
            self._fh = None

    def write(self, **kw):
        if self._fh is None:
            return
        self._fh.write(json.dumps(kw) + "\n")
        self._fh.flush()

    def close(self):
        if self._fh is not None:
            self._fh.close()
